/*
 * The engine that stores nothing. It keeps the counts and primary keys of its tables so
 * that its answers can be checked: what a run on it costs is what the harness costs.
 */
#include "engine.h"
#include "outcome.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows with first <= primary key < next exist. A cache line of its own for each table. */
struct table {
	_Alignas(64) _Atomic int64_t first;
	_Atomic int64_t next;
	_Atomic unsigned indexes;
	bool created;
};

struct database {
	struct table tables[MAX_TABLES];
	const struct index_def *indexes;
};

struct connection {
	struct database *db;
	struct table *table;	/* NULL: of no table */
};

/* All statements are alike. */
struct statement {
	char nothing;
};

static const char *version(struct database *db)
{
	(void)db;
	return "1";
}

static bool check_config(const struct config *config, char *why, size_t size)
{
	if (!config->nlines)
		return true;
	snprintf(why, size, "%s line %u: the engine null has no settings, not even %s",
		 config->path, config->lines[0].number, config->lines[0].name);
	return false;
}

static struct database *open_database(const struct engine_target *target, char *why,
				      size_t size)
{
	struct database *db = aligned_alloc(64, sizeof(*db));

	if (!db) {
		snprintf(why, size, "there is no memory for the tables");
		return NULL;
	}
	*db = (struct database){ .indexes = target->indexes };
	return db;
}

static void close_database(struct database *db)
{
	free(db);
}

static void settings(void *db, setting_fn *each, void *to)
{
	(void)db;
	(void)each;
	(void)to;
}

static uint64_t size_on_disk(struct database *db)
{
	(void)db;
	return 0;
}

static struct connection *connect_table(struct database *db, unsigned number,
					enum engine_work work, char *why, size_t size)
{
	struct connection *conn = malloc(sizeof(*conn));

	(void)work;
	if (!conn) {
		snprintf(why, size, "there is no memory for a connection");
		return NULL;
	}
	*conn = (struct connection){ db, number ? &db->tables[number - 1] : NULL };
	return conn;
}

static void disconnect(struct connection *conn)
{
	free(conn);
}

static const char *message(struct connection *conn)
{
	(void)conn;
	return "there is no such table: this engine keeps nothing between runs";
}

static void interrupt(struct connection *conn)
{
	(void)conn;
}

static enum engine_status create_table(struct connection *conn)
{
	conn->table->created = true;
	atomic_store(&conn->table->first, 1);
	atomic_store(&conn->table->next, 1);
	return ENGINE_OK;
}

static enum engine_status create_indexes(struct connection *conn, unsigned first,
					 unsigned *made)
{
	(void)first;
	*made = 1;
	atomic_fetch_add(&conn->table->indexes, 1);
	return ENGINE_OK;
}

static enum engine_status state(struct connection *conn, struct table_state *state)
{
	struct table *table = conn->table;

	if (!table->created)
		return ENGINE_FAILED;
	state->min_pk = atomic_load(&table->first);
	state->max_pk = atomic_load(&table->next) - 1;
	state->rows = (uint64_t)(state->max_pk + 1 - state->min_pk);
	state->indexes = atomic_load(&table->indexes);
	return ENGINE_OK;
}

static enum engine_status end_pk(struct connection *conn, bool newest, int64_t *pk)
{
	*pk = newest ? atomic_load(&conn->table->next) - 1 :
		       atomic_load(&conn->table->first);
	return ENGINE_OK;
}

static enum engine_status insert(struct connection *conn, const struct row *rows,
				 size_t nrows, int64_t *last_pk)
{
	int64_t count = (int64_t)nrows;

	(void)rows;
	*last_pk = atomic_fetch_add(&conn->table->next, count) + count - 1;
	return ENGINE_OK;
}

static enum engine_status delete_oldest(struct connection *conn, int64_t first,
					size_t nrows, uint64_t *deleted)
{
	(void)first;
	atomic_fetch_add(&conn->table->first, (int64_t)nrows);
	*deleted = nrows;
	return ENGINE_OK;
}

static enum engine_status range(struct connection *conn, unsigned index, int64_t from,
				struct answer *answer)
{
	(void)conn;
	(void)index;
	answer->rows = ROWS_PER_QUERY;
	for (unsigned i = 0; i < ROWS_PER_QUERY; i++) {
		answer->key[i][0] = from + 1;
		answer->key[i][1] = i;
		answer->key[i][2] = 0;
	}
	return ENGINE_OK;
}

static enum engine_status point(struct connection *conn, const int64_t *ids,
				struct answer *answer)
{
	(void)conn;
	answer->rows = 0;
	for (unsigned i = 0; i < ROWS_PER_QUERY; i++) {
		bool seen = false;

		for (unsigned j = 0; j < i; j++)
			seen |= ids[j] == ids[i];
		if (!seen)
			answer->key[answer->rows++][0] = ids[i];
	}
	return ENGINE_OK;
}

static enum engine_status scan(struct connection *conn, unsigned number,
			       uint64_t *returned)
{
	(void)conn;
	(void)number;
	*returned = 0;
	return ENGINE_OK;
}

static enum engine_status cleanup(struct connection *conn, uint64_t *bytes)
{
	(void)conn;
	*bytes = 0;
	return ENGINE_OK;
}

static struct statement *prepare(struct connection *conn, const char *sql,
				 const enum value_type *types, unsigned ntypes)
{
	static struct statement any;

	(void)conn;
	(void)sql;
	(void)types;
	(void)ntypes;
	return &any;
}

static enum engine_status execute(struct statement *statement, const struct value *values,
				  struct outcome *outcome)
{
	(void)statement;
	(void)values;
	outcome_clear(outcome);
	return ENGINE_OK;
}

static void forget(struct statement *statement)
{
	(void)statement;
}

static enum engine_status run(struct connection *conn, const char *sql,
			      struct outcome *outcome, row_fn *each, void *to)
{
	(void)conn;
	(void)sql;
	(void)each;
	(void)to;
	outcome_clear(outcome);
	return ENGINE_OK;
}

extern const struct engine NULL_ENGINE;
const struct engine NULL_ENGINE = {
	.name = "null",
	.about = "stores nothing; measures and tests the harness",
	.caps = ENGINE_DENSE_PK | ENGINE_TELLS_PK | ENGINE_EMPTY,
	.version = version,
	.check_config = check_config,
	.open = open_database,
	.close = close_database,
	.settings = settings,
	.size = size_on_disk,
	.connect = connect_table,
	.disconnect = disconnect,
	.message = message,
	.interrupt = interrupt,
	.create_table = create_table,
	.create_indexes = create_indexes,
	.state = state,
	.end_pk = end_pk,
	.insert = insert,
	.delete_oldest = delete_oldest,
	.range = range,
	.point = point,
	.scan = scan,
	.cleanup = cleanup,
	.placeholder = '?',
	.prepare = prepare,
	.execute = execute,
	.forget = forget,
	.run = run,
};
