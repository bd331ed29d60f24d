/*
 * hnswlib in the process: what an index of vectors alone can do, without a database around
 * it. One table, in memory, of ids and vectors; it speaks words, not SQL:
 *
 *   CREATE T DIM l2|ip       DROP TABLE IF EXISTS T       SELECT count(*) FROM T
 *   INSERT INTO T (...) VALUES (ID, ..., x'FLOATS'), ...
 *   INDEX T M EF_CONSTRUCTION        EF N
 *   NEAREST T ? K            ADD T ? ?                    REMOVE T ?
 */
#include "engines/engine.h"
#include "engines/outcome.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LIBRARY "libbenchhnsw.so"
#define MOST_WORDS 8
#define ROOM_FACTOR 2		/* of the graph, over the rows that it is made of */

static struct {
	void *(*make)(int inner, size_t dim, size_t most, size_t m, size_t ef);
	void (*free)(void *graph);
	bool (*add)(void *graph, const float *vector, size_t id);
	bool (*remove)(void *graph, size_t id);
	void (*ef)(void *graph, size_t ef);
	size_t (*search)(void *graph, const float *vector, size_t k, int64_t *ids);
} hnsw;

struct database {
	pthread_mutex_t lock;	/* of the rows; a graph has locks of its own */
	int64_t *ids;
	float *vectors;
	size_t rows, room, dim, links;
	bool inner;
	void *graph;		/* NULL until INDEX */
	atomic_size_t added, removed;	/* since */
};

struct connection {
	struct database *db;
	char message[ENGINE_TEXT];
};

enum verb { VERB_NEAREST, VERB_ADD, VERB_REMOVE };

struct statement {
	struct connection *conn;
	enum verb verb;
	size_t k;
};

static bool load(char *why, size_t size)
{
	static const struct {
		const char *name;
		size_t offset;
	} PLACES[] = {
		{ "bench_hnsw_make", 0 }, { "bench_hnsw_free", 1 }, { "bench_hnsw_add", 2 },
		{ "bench_hnsw_remove", 3 }, { "bench_hnsw_ef", 4 },
		{ "bench_hnsw_search", 5 },
	};
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		snprintf(why, size, "there is no hnswlib here: name source: built in "
			 "study.yml, or put lib/ of the folder that `bench/install.sh "
			 "hnswlib 0.8.0` prints into LD_LIBRARY_PATH");
		return false;
	}
	for (size_t i = 0; i < sizeof(PLACES) / sizeof(PLACES[0]); i++) {
		void *function = dlsym(library, PLACES[i].name);

		if (!function) {
			snprintf(why, size, LIBRARY " has no %s", PLACES[i].name);
			return false;
		}
		memcpy((char *)&hnsw + PLACES[i].offset * sizeof(function), &function,
		       sizeof(function));
	}
	return true;
}

/* As it stands beside the library. */
static const char *version(struct database *db)
{
	static char text[32] = "unknown";
	char path[4096], *end;
	Dl_info info;
	FILE *file;

	(void)db;
	if (!hnsw.make && !load(path, sizeof(path)))
		return text;
	if (!dladdr((void *)(uintptr_t)hnsw.make, &info))
		return text;
	snprintf(path, sizeof(path) - sizeof("version"), "%s", info.dli_fname);
	end = strrchr(path, '/');
	strcpy(end ? end + 1 : path, "version");
	file = fopen(path, "re");
	if (file && fgets(text, sizeof(text), file))
		text[strcspn(text, "\n")] = '\0';
	if (file)
		fclose(file);
	return text;
}

static bool check_config(const struct config *config, char *why, size_t size)
{
	if (!config->nlines)
		return load(why, size);
	snprintf(why, size, "%s line %u: hnswlib has no settings, not even %s",
		 config->path, config->lines[0].number, config->lines[0].name);
	return false;
}

static struct database *open_database(const struct engine_target *target, char *why,
				      size_t size)
{
	struct database *db;

	(void)target;
	if (!load(why, size))
		return NULL;
	db = calloc(1, sizeof(*db));
	if (!db) {
		snprintf(why, size, "there is no memory for a database");
		return NULL;
	}
	pthread_mutex_init(&db->lock, NULL);
	return db;
}

static void empty(struct database *db)
{
	if (db->graph)
		hnsw.free(db->graph);
	free(db->ids);
	free(db->vectors);
	db->graph = NULL;
	db->ids = NULL;
	db->vectors = NULL;
	db->rows = db->room = 0;
	atomic_store(&db->added, 0);
	atomic_store(&db->removed, 0);
}

static void close_database(struct database *db)
{
	empty(db);
	pthread_mutex_destroy(&db->lock);
	free(db);
}

static void settings(void *db, setting_fn *each, void *to)
{
	(void)db;
	(void)each;
	(void)to;
}

/* In memory: ids, vectors, and of the graph about two links of 4 bytes for each of m. */
static uint64_t size_in_memory(struct database *db)
{
	size_t row = sizeof(int64_t) + db->dim * sizeof(float);

	return db->rows * (row + (db->graph ? 2 * db->links * sizeof(uint32_t) : 0));
}

static struct connection *connect_table(struct database *db, unsigned number,
					enum engine_work work, char *why, size_t size)
{
	struct connection *conn = calloc(1, sizeof(*conn));

	(void)number;
	(void)work;
	if (!conn) {
		snprintf(why, size, "there is no memory for a connection");
		return NULL;
	}
	conn->db = db;
	return conn;
}

static void disconnect(struct connection *conn)
{
	free(conn);
}

static const char *message(struct connection *conn)
{
	return conn->message;
}

static void interrupt(struct connection *conn)
{
	(void)conn;
}

static enum engine_status cleanup(struct connection *conn, uint64_t *bytes)
{
	(void)conn;
	*bytes = 0;
	return ENGINE_OK;
}

static enum engine_status fail(struct connection *conn, const char *why)
{
	snprintf(conn->message, sizeof(conn->message), "%s", why);
	return ENGINE_FAILED;
}

static bool make_room(struct database *db)
{
	size_t room = db->room ? 2 * db->room : 1024;
	int64_t *ids;
	float *vectors;

	if (db->rows < db->room)
		return true;
	ids = realloc(db->ids, room * sizeof(*ids));
	db->ids = ids ? ids : db->ids;
	vectors = realloc(db->vectors, room * db->dim * sizeof(*vectors));
	db->vectors = vectors ? vectors : db->vectors;
	if (!ids || !vectors)
		return false;
	db->room = room;
	return true;
}

static int digit(char letter)
{
	return isdigit((unsigned char)letter) ? letter - '0' : letter - 'a' + 10;
}

/* x'0000803f...' into the row's floats; NULL if they are not dim. */
static const char *read_floats(const char *text, float *vector, size_t dim)
{
	unsigned char *bytes = (unsigned char *)vector;

	for (size_t i = 0; i < dim * sizeof(*vector); i++, text += 2) {
		if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
			return NULL;
		bytes[i] = (unsigned char)(digit(text[0]) << 4 | digit(text[1]));
	}
	return *text == '\'' ? text : NULL;
}

/* (ID, ..., x'FLOATS'), ... */
static enum engine_status insert_rows(struct connection *conn, const char *values,
				      struct outcome *outcome)
{
	struct database *db = conn->db;
	enum engine_status status = ENGINE_OK;
	const char *text = values;

	pthread_mutex_lock(&db->lock);
	while (status == ENGINE_OK && (text = strchr(text, '('))) {
		int64_t id = strtoll(text + 1, NULL, 10);

		text = strstr(text, "x'");
		if (!make_room(db)) {
			status = fail(conn, "there is no memory for the rows");
		} else if (!text ||
			   !(text = read_floats(text + 2, db->vectors + db->rows * db->dim,
						db->dim))) {
			status = fail(conn, "a row is no id and vector of the table");
		} else {
			db->ids[db->rows++] = id;
			outcome->affected++;
		}
	}
	pthread_mutex_unlock(&db->lock);
	return status;
}

static enum engine_status make_index(struct connection *conn, size_t m, size_t ef)
{
	struct database *db = conn->db;

	if (db->graph)
		hnsw.free(db->graph);
	db->links = m;
	db->graph = hnsw.make(db->inner, db->dim, ROOM_FACTOR * db->rows + 1, m, ef);
	if (!db->graph)
		return fail(conn, "there is no memory for the graph");
	for (size_t i = 0; i < db->rows; i++)
		if (!hnsw.add(db->graph, db->vectors + i * db->dim, (size_t)db->ids[i]))
			return fail(conn, "the graph does not take a row");
	return ENGINE_OK;
}

/* The words of a text, parted by blanks; the last one is the rest. */
static unsigned split(char *text, char **words)
{
	unsigned n = 0;
	char *rest = NULL;

	for (char *word = strtok_r(text, " ", &rest); word && n < MOST_WORDS;
	     word = strtok_r(NULL, " ", &rest))
		words[n++] = word;
	return n;
}

static enum engine_status run_words(struct connection *conn, char **words, unsigned n,
				    struct outcome *outcome)
{
	struct database *db = conn->db;

	if (n >= 4 && !strcmp(words[0], "CREATE")) {
		db->dim = strtoull(words[2], NULL, 10);
		db->inner = strcmp(words[3], "l2") != 0;
		return db->dim ? ENGINE_OK : fail(conn, "CREATE takes a dimension");
	}
	if (n >= 4 && !strcmp(words[0], "INDEX"))
		return make_index(conn, strtoull(words[2], NULL, 10),
				  strtoull(words[3], NULL, 10));
	if (n >= 1 && !strcmp(words[0], "DROP")) {
		empty(db);
		return ENGINE_OK;
	}
	if (n >= 2 && !strcmp(words[0], "EF")) {
		if (db->graph)
			hnsw.ef(db->graph, strtoull(words[1], NULL, 10));
		return ENGINE_OK;
	}
	if (n >= 2 && !strcmp(words[0], "SELECT") && !strcasecmp(words[1], "count(*)")) {
		outcome->rows = outcome->fields = 1;
		field_number(&outcome->field[0],
			     (int64_t)(db->rows + atomic_load(&db->added) -
				       atomic_load(&db->removed)));
		return ENGINE_OK;
	}
	return fail(conn, "hnswlib knows CREATE, INDEX, EF, NEAREST, ADD and REMOVE, and "
			  "takes values where they are prepared");
}

static enum engine_status run(struct connection *conn, const char *sql,
			      struct outcome *outcome, row_fn *each, void *to)
{
	const char *values = strstr(sql, " VALUES ");
	char *words[MOST_WORDS], *copy;
	enum engine_status status;

	(void)each;
	(void)to;
	outcome_clear(outcome);
	if (!strncmp(sql, "INSERT ", 7) && values)
		return insert_rows(conn, values + 8, outcome);
	copy = strdup(sql);
	if (!copy)
		return fail(conn, "there is no memory for a statement");
	status = run_words(conn, words, split(copy, words), outcome);
	free(copy);
	return status;
}

static struct statement *prepare(struct connection *conn, const char *sql,
				 const enum value_type *types, unsigned ntypes)
{
	static const struct {
		const char *word;
		unsigned values, words;
	} VERBS[] = {
		[VERB_NEAREST] = { "NEAREST", 1, 4 },
		[VERB_ADD] = { "ADD", 2, 4 },
		[VERB_REMOVE] = { "REMOVE", 1, 3 },
	};
	char *words[MOST_WORDS], *copy = strdup(sql);
	struct statement *made = NULL;
	unsigned n = copy ? split(copy, words) : 0;

	(void)types;
	for (unsigned i = 0; n && i < sizeof(VERBS) / sizeof(VERBS[0]); i++)
		if (!strcmp(words[0], VERBS[i].word) && ntypes == VERBS[i].values &&
		    n == VERBS[i].words)
			made = calloc(1, sizeof(*made));
	if (made) {
		made->conn = conn;
		made->verb = *words[0] == 'N' ? VERB_NEAREST :
			     *words[0] == 'A' ? VERB_ADD : VERB_REMOVE;
		made->k = made->verb == VERB_NEAREST ? strtoull(words[3], NULL, 10) : 0;
	} else {
		fail(conn, "hnswlib prepares NEAREST T ? K, ADD T ? ? and REMOVE T ?");
	}
	free(copy);
	return made;
}

static enum engine_status search(struct statement *statement, const float *vector,
				 struct outcome *outcome)
{
	struct database *db = statement->conn->db;
	int64_t ids[1024];
	size_t k = statement->k < 1024 ? statement->k : 1024, n;

	if (!db->graph)
		return fail(statement->conn, "there is no INDEX yet");
	n = hnsw.search(db->graph, vector, k, ids);
	outcome->rows = n;
	for (size_t i = 0; i < n && i < outcome->room; i++)
		outcome->keys[i] = ids[n - 1 - i];
	return ENGINE_OK;
}

static enum engine_status execute(struct statement *statement, const struct value *values,
				  struct outcome *outcome)
{
	struct database *db = statement->conn->db;
	bool done;

	outcome_clear(outcome);
	if (statement->verb == VERB_NEAREST)
		return search(statement, (const float *)(const void *)values[0].text, outcome);
	if (!db->graph)
		return fail(statement->conn, "there is no INDEX yet");
	done = statement->verb == VERB_ADD ?
		       hnsw.add(db->graph, (const float *)(const void *)values[1].text,
				(size_t)values[0].number) :
		       hnsw.remove(db->graph, (size_t)values[0].number);
	if (!done)
		return fail(statement->conn, "the graph is full, or has no such row");
	atomic_fetch_add(statement->verb == VERB_ADD ? &db->added : &db->removed, 1);
	outcome->affected = 1;
	return ENGINE_OK;
}

static void forget(struct statement *statement)
{
	free(statement);
}

extern const struct engine HNSWLIB_ENGINE;
const struct engine HNSWLIB_ENGINE = {
	.name = "hnswlib",
	.about = "hnswlib in the process: an index of vectors alone; driver sql only",
	.version = version,
	.check_config = check_config,
	.open = open_database,
	.close = close_database,
	.settings = settings,
	.size = size_in_memory,
	.connect = connect_table,
	.disconnect = disconnect,
	.message = message,
	.interrupt = interrupt,
	.cleanup = cleanup,
	.placeholder = '?',
	.prepare = prepare,
	.execute = execute,
	.forget = forget,
	.run = run,
};
