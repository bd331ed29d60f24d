/* Reads a workload file: one line after the other, then what belongs together. */
#include "parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN_NAMES 3	/* row, n and repeat, which every file has */

const char *const STEP_KINDS[] = {
	"read", "write", "scan", "cleanup", "load", "index", "analyze",
};

static int64_t constant(struct parser *parser, const struct expr *expr)
{
	const struct workload *workload = parser->workload;
	bool drawn[MAX_NAMES];

	for (unsigned i = 0; i < workload->nnames; i++)
		drawn[i] = workload->names[i].kind != NAME_LET;
	if (expr_needs(expr, drawn) || expr_counts(expr))
		parse_wrong(parser, "only numbers and lets can stand here");
	return parser->failed ? 0 : expr_value(expr, workload->lets, NULL);
}

/* One that stands in tables, and in a study behind which others can follow. */
static bool plain_name(struct parser *parser, const char *what, const char *name)
{
	static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";

	if (!isalpha((unsigned char)*name) || name[strspn(name, LETTERS)])
		parse_wrong(parser, "%s needs a name of letters, digits, dots and dashes, "
			    "not %s", what, *name ? name : "nothing");
	return !parser->failed;
}

/* The value of a let, unless --set gives it another. */
static int64_t overridden(const struct parser *parser, const char *name, int64_t value)
{
	for (unsigned i = 0; i < parser->noverrides; i++)
		if (!strcmp(parser->overrides[i].name, name))
			value = parser->overrides[i].value;
	return value;
}

static void read_let(struct parser *parser, const char *text)
{
	struct workload *workload = parser->workload;
	char name[NAME_SIZE];
	struct expr value;
	int found;

	parse_word(&text, name, sizeof(name));
	if (!isalpha((unsigned char)*name) || workload_name(workload, name) >= 0) {
		parse_wrong(parser, "let needs a new name, not %s", name);
		return;
	}
	if (!plain_name(parser, "a let", name))
		return;
	parse_whole_expr(parser, &value, text);
	found = parser->failed ? -1 : parse_name(parser, name, NAME_LET, VALUE_BIGINT);
	if (found < 0)
		return;
	workload->lets[found] = overridden(parser, name, constant(parser, &value));
}

static void read_counter(struct parser *parser, const char *text)
{
	struct workload *workload = parser->workload;
	struct counter *counter = &workload->counters[workload->ncounters];

	if (workload->ncounters == MAX_COUNTERS) {
		parse_wrong(parser, "there are at most %d counters", MAX_COUNTERS);
		return;
	}
	parse_word(&text, counter->name, sizeof(counter->name));
	if (!isalpha((unsigned char)*counter->name) ||
	    workload_counter(workload, counter->name) >= 0 ||
	    workload_name(workload, counter->name) >= 0) {
		parse_wrong(parser, "counter needs a new name, not %s", counter->name);
		return;
	}
	parse_whole_expr(parser, &counter->start, text);
	constant(parser, &counter->start);
	workload->ncounters += !parser->failed;
}

/* Of the names with commas between them each is an engine's. */
static void check_engines(struct parser *parser, const char *names)
{
	while (*names) {
		size_t length = strcspn(names, ",");
		char name[NAME_SIZE];

		snprintf(name, sizeof(name), "%.*s", (int)length, names);
		if (!engine_find(name))
			parse_wrong(parser, "there is no engine called %s", name);
		names += length + (names[length] == ',');
	}
}

/* `KEY@mysql,mariadb TEXT` for these, `KEY TEXT` for all others. */
static void read_dialect(struct parser *parser, struct dialects *dialects,
			 const char *engines, const char *text)
{
	check_engines(parser, engines);
	if (!*text)
		parse_wrong(parser, "there is nothing behind the word");
	else if (!*engines && parser->lacks)
		return;
	else if (!*engines && dialects->plain)
		parse_wrong(parser, "the line is there twice");
	else if (!*engines)
		dialects->plain = parse_copy(parser, text);
	else if (dialects->count == MAX_DIALECTS)
		parse_wrong(parser, "there are at most %d dialects", MAX_DIALECTS);
	else {
		struct dialect *dialect = &dialects->of[dialects->count];

		snprintf(dialect->engines, sizeof(dialect->engines), "%s", engines);
		dialect->lacking = parser->lacking;
		dialect->text = parser->lacks ? NULL : parse_copy(parser, text);
		dialects->count += parser->lacks || dialect->text;
	}
}

/* `KEY` and the engines behind its @. */
static void split_key(struct parser *parser, char *key, const char **engines)
{
	static const char DIALECTS[] = " create index sql begin commit setup session ";
	char *at = strchr(key, '@'), words[NAME_SIZE + 2];

	*engines = at ? at + 1 : "";
	if (!at)
		return;
	*at = '\0';
	snprintf(words, sizeof(words), " %s ", key);
	if (!strstr(DIALECTS, words))
		parse_wrong(parser, "a line %s is the same for all engines", key);
}

/* One line more, which only some engines may have. */
static void read_line_of(struct parser *parser, struct lines_of *lines, const char *engines,
			 const char *text)
{
	if (lines->count == MAX_LINES)
		parse_wrong(parser, "there are at most %d of these lines", MAX_LINES);
	else
		read_dialect(parser, &lines->of[lines->count++], engines, text);
}

static void make_let(struct parser *parser, const char *name, int64_t value)
{
	int found = parse_name(parser, name, NAME_LET, VALUE_BIGINT);

	if (found >= 0)
		parser->workload->lets[found] = overridden(parser, name, value);
}

/* The distances that the file has words for; the first, or what --set says, is chosen. */
static void read_distances(struct parser *parser, const char *text)
{
	const char *all = text;
	struct workload *workload = parser->workload;
	enum distance *known = workload->distances;
	unsigned n = 0;

	for (; *text; text += strcspn(text, ", \t"), text += strspn(text, ", \t")) {
		char word[NAME_SIZE];

		snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, ", \t"), text);
		if (n == DISTANCES || !distance_named(word, &known[n])) {
			parse_wrong(parser, "vectors takes l2, cosine or ip, not %s", word);
			return;
		}
		n++;
	}
	if (!n) {
		parse_wrong(parser, "vectors takes l2, cosine or ip, not nothing");
		return;
	}
	workload->ndistances = n;
	workload->distance =
		(enum distance)overridden(parser, "distance", (int64_t)known[0]);
	while (workload->choice < n && known[workload->choice] != workload->distance)
		workload->choice++;
	if (workload->choice == n)
		parse_wrong(parser, "--set distance: the workload searches by %s", all);
}

/* The numbers of the folder; without one, as when a file is only looked at, there is one. */
static void read_vectors(struct parser *parser, const char *text)
{
	static const struct vector_sizes NONE = { 1, 1, 1 };
	const struct vector_sizes *sizes = parser->sizes ? parser->sizes : &NONE;
	struct workload *workload = parser->workload;

	if (workload->has_vectors || workload->nnames > OWN_NAMES)
		parse_wrong(parser, "the line vectors is there once, above all names");
	else
		read_distances(parser, text);
	workload->has_vectors = true;
	make_let(parser, "distance", (int64_t)workload->distance);
	make_let(parser, "dim", sizes->dim);
	make_let(parser, "vectors", sizes->vectors);
	make_let(parser, "queries", sizes->queries);
}

static bool new_name(struct parser *parser, const char *what, const char *name, bool taken,
		     bool full)
{
	if (!isalnum((unsigned char)*name))
		parse_wrong(parser, "a %s needs a name", what);
	else if (taken)
		parse_wrong(parser, "there is a %s called %s already", what, name);
	else if (full)
		parse_wrong(parser, "there are too many of them");
	return !parser->failed;
}

static void begin_table(struct parser *parser, const char *text)
{
	struct workload *workload = parser->workload;
	struct table *table = &workload->tables[workload->ntables];
	char name[NAME_SIZE];

	parse_word(&text, name, sizeof(name));
	if (!new_name(parser, "table", name, workload_table(workload, name) != NULL,
		      workload->ntables == MAX_TABLE_KINDS))
		return;
	*table = (struct table){ .numbered = *text, .line = parser->line };
	memcpy(table->name, name, sizeof(table->name));
	table->count = expr_number(1);
	if (*text)
		parse_whole_expr(parser, &table->count, text);
	table->rows = expr_number(0);
	parser->table = table;
	workload->ntables++;
}

static int find_statement(const struct workload *workload, const char *name)
{
	for (unsigned i = 0; i < workload->nstatements; i++)
		if (!strcmp(workload->statements[i].name, name))
			return (int)i;
	return -1;
}

static int find_transaction(const struct workload *workload, const char *name)
{
	for (unsigned i = 0; i < workload->ntransactions; i++)
		if (!strcmp(workload->transactions[i].name, name))
			return (int)i;
	return -1;
}

static void begin_statement(struct parser *parser, const char *text)
{
	struct workload *workload = parser->workload;
	struct statement_def *statement = &workload->statements[workload->nstatements];
	char name[NAME_SIZE];

	parse_word(&text, name, sizeof(name));
	if (!new_name(parser, "statement", name, find_statement(workload, name) >= 0 ||
		      find_transaction(workload, name) >= 0 ||
		      !strcmp(name, "begin") || !strcmp(name, "commit"),
		      workload->nstatements == MAX_STATEMENTS))
		return;
	*statement = (struct statement_def){ .value = -1, .line = parser->line };
	memcpy(statement->name, name, sizeof(statement->name));
	parser->statement = statement;
	workload->nstatements++;
}

static void begin_transaction(struct parser *parser, const char *text)
{
	struct workload *workload = parser->workload;
	struct transaction *made = &workload->transactions[workload->ntransactions];
	char name[NAME_SIZE];

	parse_word(&text, name, sizeof(name));
	if (!new_name(parser, "transaction", name, find_transaction(workload, name) >= 0 ||
		      find_statement(workload, name) >= 0,
		      workload->ntransactions == MAX_TRANSACTIONS))
		return;
	*made = (struct transaction){ .line = parser->line };
	memcpy(made->name, name, sizeof(made->name));
	parser->transaction = made;
	workload->ntransactions++;
}

static void begin_step(struct parser *parser, const char *text)
{
	struct workload *workload = parser->workload;
	struct workload_step *step = &workload->steps[workload->nsteps];
	char name[NAME_SIZE];

	parse_word(&text, name, sizeof(name));
	if (!new_name(parser, "step", name, workload_step(workload, name) != NULL,
		      workload->nsteps == MAX_WORKLOAD_STEPS))
		return;
	if (!strcmp(name, "all") || !strcmp(name, "group"))
		parse_wrong(parser, "several steps are called %s in a study: give this one "
			    "another name", name);
	if (!plain_name(parser, "a step", name))
		return;
	*step = (struct workload_step){ .kind = STEP_READ, .line = parser->line };
	memcpy(step->name, name, sizeof(step->name));
	parser->step = step;
	workload->nsteps++;
}

/* A transaction in another is a part of that one and has no further ones in it. */
static bool can_be_part(const struct parser *parser, int which)
{
	const struct transaction *part = &parser->workload->transactions[which];

	for (unsigned i = 0; i < part->nparts; i++)
		if (part->parts[i].transaction >= 0)
			return false;
	return part != parser->transaction && !part->begin.count && begins_none(part, "");
}

/* `do NAME [COUNT]`, or in a step `do NAME [WEIGHT]` */
static void read_part(struct parser *parser, struct part *parts, unsigned *nparts,
		      const char *text)
{
	struct part *part = &parts[*nparts];
	char name[NAME_SIZE];

	if (*nparts == MAX_DO) {
		parse_wrong(parser, "there are at most %d of these lines", MAX_DO);
		return;
	}
	parse_word(&text, name, sizeof(name));
	*part = (struct part){
		.transaction = find_transaction(parser->workload, name),
		.statement = find_statement(parser->workload, name),
		.least = expr_number(1), .most = expr_number(1), .line = parser->line,
	};
	if (part->transaction < 0 && part->statement < 0)
		parse_wrong(parser, "there is no statement or transaction called %s above",
			    name);
	else if (parser->transaction && part->transaction >= 0 &&
		 !can_be_part(parser, part->transaction))
		parse_wrong(parser, "%s can be no part of another transaction: only one "
			    "with `begin none` and statements alone is", name);
	else if (*text)
		parse_bounds(parser, &part->least, &part->most, text);
	*nparts += !parser->failed;
}

static void table_line(struct parser *parser, const char *key, const char *engines,
		       const char *text)
{
	struct table *table = parser->table;

	if (!strcmp(key, "rows")) {
		parse_whole_expr(parser, &table->rows, text);
	} else if (!strcmp(key, "create")) {
		read_dialect(parser, &table->create, engines, text);
	} else if (!strcmp(key, "index")) {
		/* A dialect belongs to the plain line above it. */
		if (!*engines && table->nindexes == MAX_LINES)
			parse_wrong(parser, "there are at most %d indexes", MAX_LINES);
		else if (*engines && !table->nindexes)
			parse_wrong(parser, "index@ comes after the index it replaces");
		else
			read_dialect(parser, &table->indexes[*engines ?
				     table->nindexes - 1 : table->nindexes++], engines,
				     text);
	} else if (!strcmp(key, "column")) {
		parse_draw(parser, table->columns, &table->ncolumns, MAX_COLUMNS, text);
	} else {
		parse_wrong(parser, "a table has lines rows, create, index and column, "
			    "not %s", key);
	}
}

static void read_takes(struct parser *parser, const char *text)
{
	struct statement_def *statement = parser->statement;
	char name[NAME_SIZE];

	while (*text && !parser->failed) {
		int found;

		parse_word(&text, name, sizeof(name));
		found = parse_name(parser, name, NAME_TAKEN, VALUE_BIGINT);
		if (statement->ntakes == MAX_TAKES)
			parse_wrong(parser, "at most %d columns are taken", MAX_TAKES);
		else if (found >= 0)
			statement->takes[statement->ntakes++] = (unsigned)found;
	}
}

static void read_given(struct parser *parser, struct bounds *bounds, const char *text)
{
	bounds->given = true;
	parse_bounds(parser, &bounds->low, &bounds->high, text);
}

/* The vector that the statement draws; there must be one. */
static int drawn_vector(const struct statement_def *statement)
{
	for (unsigned i = 0; i < statement->nbinds; i++)
		if (statement->binds[i].distribution == DRAW_QUERY)
			return (int)statement->binds[i].name;
	return -1;
}

/* `, EXPR`, if it is there */
static const char *read_further(struct parser *parser, struct expr *expr, const char *text)
{
	text += strspn(text, " \t");
	return *text == ',' ? parse_expr(parser, expr, text + 1) : text;
}

/* `nearest K [, LOW, HIGH [, EVERY]]` */
static void read_nearest(struct parser *parser, const char *text)
{
	struct nearest *nearest = &parser->statement->nearest;
	int query = drawn_vector(parser->statement), all;

	if (query < 0) {
		parse_wrong(parser, "nearest needs a line `bind NAME vector query` above");
		return;
	}
	all = workload_name(parser->workload, "vectors");
	nearest->query = (unsigned)query;
	nearest->low = nearest->every = expr_number(1);
	nearest->high = (struct expr){ .ncode = 1, .code = { { 'v', all } } };
	text = parse_expr(parser, &nearest->k, text);
	text = read_further(parser, &nearest->low, text);
	text = read_further(parser, &nearest->high, text);
	text = read_further(parser, &nearest->every, text);
	if (*text)
		parse_wrong(parser, "%s does not belong here", text);
}

static void statement_line(struct parser *parser, const char *key, const char *engines,
			   const char *text)
{
	struct statement_def *statement = parser->statement;

	if (!strcmp(key, "sql")) {
		read_dialect(parser, &statement->sql, engines, text);
	} else if (!strcmp(key, "bind")) {
		parse_draw(parser, statement->binds, &statement->nbinds, MAX_BINDS, text);
	} else if (!strcmp(key, "rows")) {
		read_given(parser, &statement->rows, text);
	} else if (!strcmp(key, "affected")) {
		read_given(parser, &statement->affected, text);
	} else if (!strcmp(key, "value")) {
		statement->value = workload_name(parser->workload, text);
		if (statement->value < 0)
			parse_wrong(parser, "there is no value called %s above", text);
	} else if (!strcmp(key, "take")) {
		read_takes(parser, text);
	} else if (!strcmp(key, "text")) {
		statement->text = true;
	} else if (!strcmp(key, "nearest")) {
		read_nearest(parser, text);
	} else {
		parse_wrong(parser, "a statement has lines sql, bind, rows, affected, "
			    "value, take, nearest and text, not %s", key);
	}
}

static void transaction_line(struct parser *parser, const char *key, const char *engines,
			     const char *text)
{
	struct transaction *transaction = parser->transaction;

	if (!strcmp(key, "begin"))
		read_dialect(parser, &transaction->begin, engines, text);
	else if (!strcmp(key, "commit"))
		read_dialect(parser, &transaction->commit, engines, text);
	else if (!strcmp(key, "bind"))
		parse_draw(parser, transaction->binds, &transaction->nbinds, MAX_BINDS,
			   text);
	else if (!strcmp(key, "do"))
		read_part(parser, transaction->parts, &transaction->nparts, text);
	else
		parse_wrong(parser, "a transaction has lines bind, do, begin and commit, "
			    "not %s", key);
}

static void read_kind(struct parser *parser, const char *text)
{
	for (unsigned i = STEP_READ; i <= STEP_CLEANUP; i++)
		if (!strcmp(STEP_KINDS[i], text)) {
			parser->step->kind = i;
			return;
		}
	parse_wrong(parser, "kind is read, write, scan or cleanup, not %s", text);
}

static void read_step_let(struct parser *parser, const char *text)
{
	struct workload_step *step = parser->step;
	char name[NAME_SIZE];
	int found;

	parse_word(&text, name, sizeof(name));
	found = workload_name(parser->workload, name);
	if (found < 0 || parser->workload->names[found].kind != NAME_LET)
		parse_wrong(parser, "no let above is called %s", name);
	else if (step->nlets == MAX_STEP_LETS)
		parse_wrong(parser, "a step has at most %d lets", MAX_STEP_LETS);
	else {
		step->lets[step->nlets].name = (unsigned)found;
		parse_whole_expr(parser, &step->lets[step->nlets].value, text);
		constant(parser, &step->lets[step->nlets++].value);
	}
}

static void step_line(struct parser *parser, const char *key, const char *engines,
		      const char *text)
{
	struct workload_step *step = parser->step;

	if (!strcmp(key, "about"))
		snprintf(step->about, sizeof(step->about), "%s", text);
	else if (!strcmp(key, "group"))
		snprintf(step->group, sizeof(step->group), "%s", text);
	else if (!strcmp(key, "kind"))
		read_kind(parser, text);
	else if (!strcmp(key, "let"))
		read_step_let(parser, text);
	else if (!strcmp(key, "do"))
		read_part(parser, step->parts, &step->nparts, text);
	else if (!strcmp(key, "session"))
		read_line_of(parser, &step->sessions, engines, text);
	else
		parse_wrong(parser, "a step has lines about, group, kind, let, session and "
			    "do, not %s", key);
}

static void indented_line(struct parser *parser, const char *text)
{
	char key[NAME_SIZE];
	const char *engines;

	parse_word(&text, key, sizeof(key));
	split_key(parser, key, &engines);
	if (parser->table)
		table_line(parser, key, engines, text);
	else if (parser->statement)
		statement_line(parser, key, engines, text);
	else if (parser->transaction)
		transaction_line(parser, key, engines, text);
	else if (parser->step)
		step_line(parser, key, engines, text);
	else
		parse_wrong(parser, "an indented line belongs to a table, statement, "
			    "transaction or step above it");
}

static void outer_line(struct parser *parser, const char *text)
{
	struct workload *workload = parser->workload;
	char key[NAME_SIZE];
	const char *engines;

	parser->table = NULL;
	parser->statement = NULL;
	parser->transaction = NULL;
	parser->step = NULL;
	parse_word(&text, key, sizeof(key));
	split_key(parser, key, &engines);
	if (!strcmp(key, "workload")) {
		parse_word(&text, workload->name, sizeof(workload->name));
		plain_name(parser, "a workload", workload->name);
	} else if (!strcmp(key, "about"))
		snprintf(workload->about, sizeof(workload->about), "%s", text);
	else if (!strcmp(key, "let"))
		read_let(parser, text);
	else if (!strcmp(key, "vectors"))
		read_vectors(parser, text);
	else if (!strcmp(key, "setup"))
		read_line_of(parser, &workload->setups, engines, text);
	else if (!strcmp(key, "session"))
		read_line_of(parser, &workload->sessions, engines, text);
	else if (!strcmp(key, "counter"))
		read_counter(parser, text);
	else if (!strcmp(key, "table"))
		begin_table(parser, text);
	else if (!strcmp(key, "statement"))
		begin_statement(parser, text);
	else if (!strcmp(key, "transaction"))
		begin_transaction(parser, text);
	else if (!strcmp(key, "step"))
		begin_step(parser, text);
	else
		parse_wrong(parser, "expected workload, about, vectors, setup, session, "
			    "let, counter, table, statement, transaction or step, not %s",
			    key);
}

static void add_own_step(struct workload *workload, const char *name, const char *about,
			 enum step_kind kind)
{
	struct workload_step *step = &workload->steps[workload->nsteps++];

	*step = (struct workload_step){ .kind = kind };
	snprintf(step->name, sizeof(step->name), "%s", name);
	snprintf(step->about, sizeof(step->about), "%s", about);
}

/* A file may have a step of this name itself, from before there was this one. */
static void add_analyze(struct workload *workload)
{
	if (!workload_step(workload, "analyze") && workload->nsteps < MAX_WORKLOAD_STEPS)
		add_own_step(workload, "analyze", "gathers the statistics of all tables",
			     STEP_ANALYZE);
}

static void check_overrides(struct parser *parser)
{
	for (unsigned i = 0; i < parser->noverrides; i++) {
		const char *name = parser->overrides[i].name;
		int found = workload_name(parser->workload, name);

		if (found < 0 || parser->workload->names[found].kind != NAME_LET) {
			snprintf(parser->why, parser->size, "--set %s: the workload %s has "
				 "no let of this name", name, parser->workload->path);
			parser->failed = true;
		}
	}
}

static void read_all(struct parser *parser, const struct lines *lines)
{
	struct workload *workload = parser->workload;

	add_own_step(workload, "load", "makes the tables and fills them", STEP_LOAD);
	add_own_step(workload, "index", "makes the secondary indexes", STEP_INDEX);
	workload->row = (unsigned)parse_name(parser, "row", NAME_DRAWN, VALUE_BIGINT);
	workload->number = (unsigned)parse_name(parser, "n", NAME_DRAWN, VALUE_BIGINT);
	workload->repeat = (unsigned)parse_name(parser, "repeat", NAME_DRAWN, VALUE_BIGINT);
	for (size_t i = 0; i < lines->count && !parser->failed; i++) {
		parser->line = lines->lines[i].number;
		parse_choices(parser, lines->lines[i].text);
		if (lines->lines[i].indented)
			indented_line(parser, lines->lines[i].text);
		else
			outer_line(parser, lines->lines[i].text);
	}
	if (!parser->failed)
		parse_check(parser);
	if (!parser->failed)
		add_analyze(workload);
	if (!parser->failed)
		check_overrides(parser);
}

struct workload *workload_read(const char *path, const struct override *overrides,
			       unsigned noverrides, const struct vector_sizes *sizes,
			       char *why, size_t size)
{
	struct workload *workload = calloc(1, sizeof(*workload));
	struct lines lines;
	struct parser parser = {
		.workload = workload, .overrides = overrides, .noverrides = noverrides,
		.sizes = sizes, .why = why, .size = size,
	};

	if (!workload) {
		snprintf(why, size, "there is no memory for the workload %s", path);
		return NULL;
	}
	workload->path = path;
	if (lines_read(&lines, path, why, size)) {
		read_all(&parser, &lines);
		lines_free(&lines);
		if (!parser.failed)
			return workload;
	}
	workload_free(workload);
	return NULL;
}
