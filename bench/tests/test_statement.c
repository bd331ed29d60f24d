/*
 * What an engine makes of any statement. Without words null and SQLite are asked, as unit
 * tests; `test_statement ENGINE TARGET` asks another and prints the plans it tells.
 */
#include "engines/engine.h"
#include "minunit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define TABLES "^st_[a-z]+$"
#define ITEM "(id, k, big, price, amount, day, c)"
#define LONG_TEXT 200

static const enum value_type ITEM_TYPES[] = {
	VALUE_INT, VALUE_INT, VALUE_BIGINT, VALUE_REAL, VALUE_REAL, VALUE_TEXT, VALUE_TEXT,
};

/* What is asked, and by whom. */
struct asked {
	const struct engine *engine;
	struct database *db;
	struct connection *conn;
	bool print;
};

/* With ? or $1 for each ? of the text. */
static const char *with_placeholders(const struct engine *engine, const char *sql)
{
	static char text[1024];
	size_t used = 0;
	unsigned number = 0;

	for (; *sql && used + 8 < sizeof(text); sql++)
		if (*sql == '?' && engine->placeholder == '$')
			used += (size_t)sprintf(text + used, "$%u", ++number);
		else
			text[used++] = *sql;
	text[used] = '\0';
	return text;
}

static struct statement *prepared(const struct asked *asked, const char *sql,
				  const enum value_type *types, unsigned ntypes)
{
	const char *text = with_placeholders(asked->engine, sql);
	struct statement *statement =
		asked->engine->prepare(asked->conn, text, types, ntypes);

	if (!statement)
		fprintf(stderr, "%s: %s\n", text, asked->engine->message(asked->conn));
	MU_CHECK(statement);
	return statement;
}

static enum engine_status ran(const struct asked *asked, struct connection *conn,
			      const char *sql, struct outcome *outcome)
{
	return asked->engine->run(conn, sql, outcome, NULL, NULL);
}

static void run(const struct asked *asked, const char *sql, struct outcome *outcome)
{
	enum engine_status status = ran(asked, asked->conn, sql, outcome);

	if (status != ENGINE_OK)
		fprintf(stderr, "%s: %s\n", sql, asked->engine->message(asked->conn));
	MU_CHECK(status == ENGINE_OK);
}

static int64_t number_of(const struct asked *asked, const char *sql)
{
	struct outcome outcome = { .wanted = 1 };

	run(asked, sql, &outcome);
	MU_CHECK(outcome.rows == 1 && outcome.fields == 1);
	MU_CHECK(outcome.field[0].type == VALUE_BIGINT && !outcome.field[0].null);
	return outcome.field[0].number;
}

/* k is 10 * id; the text has a quote, or is a long one. */
static enum engine_status insert_item(const struct asked *asked,
				      struct statement *insert, int id)
{
	char text[LONG_TEXT];
	struct value values[] = {
		{ .number = id }, { .number = 10 * id }, { .number = INT64_C(-5000000000) },
		{ .real = 2.5 }, { .real = -1234567.25 },
		{ .text = "2026-11-23, a Monday", .length = 10 },
		{ .text = "it's", .length = 4 },
	};
	struct outcome outcome = { .wanted = 1 };
	enum engine_status status;

	memset(text, 'x', sizeof(text));
	if (id == 3)
		values[6] = (struct value){ .text = text, .length = sizeof(text) };
	status = asked->engine->execute(insert, values, &outcome);
	if (status == ENGINE_OK)
		MU_CHECK(outcome.affected == 1 && outcome.rows == 0 && !outcome.fields);
	return status;
}

static void create_items(const struct asked *asked)
{
	bool rocksdb = !strcmp(asked->engine->name, "myrocks");
	struct outcome outcome = { .wanted = 0 };
	char sql[512];

	run(asked, "DROP TABLE IF EXISTS st_item", &outcome);
	snprintf(sql, sizeof(sql), "CREATE TABLE st_item (id INTEGER NOT NULL PRIMARY KEY, "
		 "k INTEGER NOT NULL, big BIGINT, price DOUBLE PRECISION, "
		 "amount DECIMAL(12,2), day DATE, c VARCHAR(250))%s",
		 rocksdb ? " ENGINE=ROCKSDB" : "");
	run(asked, sql, &outcome);
	run(asked, "CREATE INDEX st_item_k ON st_item (k)", &outcome);
	MU_CHECK(outcome.affected == 0 && outcome.rows == 0);
}

static struct statement *fill_items(const struct asked *asked)
{
	struct statement *insert = prepared(asked, "INSERT INTO st_item " ITEM
					    " VALUES (?, ?, ?, ?, ?, ?, ?)", ITEM_TYPES, 7);
	struct outcome outcome = { .wanted = 0 };

	for (int id = 1; id <= 3; id++)
		MU_CHECK(insert_item(asked, insert, id) == ENGINE_OK);
	run(asked, "INSERT INTO st_item (id, k) VALUES (4, 40), (5, 50)", &outcome);
	MU_CHECK(outcome.affected == 2);
	return insert;
}

static void check_row(const struct field *field, const char *text, size_t length)
{
	MU_CHECK(field[0].type == VALUE_BIGINT && field[0].number == -5000000000);
	MU_CHECK(field[1].type == VALUE_REAL && field[1].real == 2.5);
	MU_CHECK(field[2].type == VALUE_REAL && fabs(field[2].real + 1234567.25) < 1e-6);
	MU_CHECK(field[3].type == VALUE_BIGINT);
	MU_CHECK(field[4].type == VALUE_TEXT && field[4].length == length);
	MU_CHECK(strlen(field[4].text) == length && !strncmp(field[4].text, text, length));
}

static void fields_are_read_by_type(const struct asked *asked)
{
	static const enum value_type INT = VALUE_INT;
	struct statement *point = prepared(asked, "SELECT big, price, amount, k, c FROM "
					   "st_item WHERE id = ?", &INT, 1);
	struct outcome outcome = { .wanted = 5 };
	struct value id = { .number = 1 };
	char text[LONG_TEXT];

	memset(text, 'x', sizeof(text));
	MU_CHECK(asked->engine->execute(point, &id, &outcome) == ENGINE_OK);
	MU_CHECK(outcome.rows == 1 && outcome.fields == 5 && outcome.affected == 0);
	check_row(outcome.field, "it's", 4);
	id.number = 3;
	MU_CHECK(asked->engine->execute(point, &id, &outcome) == ENGINE_OK);
	check_row(outcome.field, text, FIELD_TEXT - 1);
	id.number = 4;
	MU_CHECK(asked->engine->execute(point, &id, &outcome) == ENGINE_OK);
	MU_CHECK(outcome.rows == 1 && outcome.fields == 5);
	MU_CHECK(outcome.field[0].null && outcome.field[1].null && outcome.field[2].null);
	MU_CHECK(!outcome.field[3].null && outcome.field[4].null);
	id.number = 99;
	outcome.wanted = 2;
	MU_CHECK(asked->engine->execute(point, &id, &outcome) == ENGINE_OK);
	MU_CHECK(outcome.rows == 0 && outcome.fields == 0);
	asked->engine->forget(point);
}

/* The same values of a statement that was not prepared. */
static void fields_of_text_are_read_by_type(const struct asked *asked)
{
	struct outcome outcome = { .wanted = FIELDS };

	run(asked, "SELECT big, price, amount, k, c FROM st_item WHERE id = 1", &outcome);
	MU_CHECK(outcome.rows == 1 && outcome.fields == 5);
	check_row(outcome.field, "it's", 4);
	MU_CHECK(number_of(asked, "SELECT count(*) FROM st_item") == 5);
	MU_CHECK(number_of(asked, "SELECT sum(k) FROM st_item") == 150);
	MU_CHECK(number_of(asked, "SELECT sum(big) FROM st_item") == -15000000000);
	MU_CHECK(number_of(asked, "SELECT count(*) FROM st_item WHERE day = '2026-11-23'")
		 == 3);
}

/* A sum of whole numbers is one, whatever type the engine gives it. */
static void whole_numbers_stay_whole(const struct asked *asked)
{
	struct statement *sums = prepared(asked, "SELECT sum(k), sum(big), count(*), "
					  "sum(price), -min(amount) FROM st_item", NULL, 0);
	struct outcome outcome = { .wanted = 5 };

	MU_CHECK(asked->engine->execute(sums, NULL, &outcome) == ENGINE_OK);
	MU_CHECK(outcome.rows == 1 && outcome.fields == 5);
	for (int i = 0; i < 3; i++)
		MU_CHECK(outcome.field[i].type == VALUE_BIGINT);
	MU_CHECK(outcome.field[0].number == 150 && outcome.field[2].number == 5);
	MU_CHECK(outcome.field[1].number == -15000000000);
	MU_CHECK(outcome.field[3].type == VALUE_REAL && outcome.field[3].real == 7.5);
	MU_CHECK(outcome.field[4].type == VALUE_REAL &&
		 outcome.field[4].real == 1234567.25);
	asked->engine->forget(sums);
}

static void all_rows_are_counted(const struct asked *asked)
{
	static const enum value_type TWO[] = { VALUE_BIGINT, VALUE_TEXT };
	struct statement *range = prepared(asked, "SELECT id, k, c FROM st_item WHERE "
					   "k >= ? AND (c = ? OR c IS NULL) ORDER BY id",
					   TWO, 2);
	struct value values[] = { { .number = 20 }, { .text = "it's not", .length = 4 } };
	struct outcome outcome = { .wanted = 0 };

	for (int i = 0; i < 2; i++) {
		outcome.wanted = (unsigned)i;
		MU_CHECK(asked->engine->execute(range, values, &outcome) == ENGINE_OK);
		MU_CHECK(outcome.rows == 3 && outcome.fields == (unsigned)i);
	}
	MU_CHECK(outcome.field[0].number == 2);
	asked->engine->forget(range);
}

struct seen {
	unsigned rows, columns;
	char names[64], last[64];
};

static void see(void *to, unsigned ncolumns, const char *const *names,
		const char *const *texts)
{
	struct seen *seen = to;

	seen->rows++;
	seen->columns = ncolumns;
	snprintf(seen->names, sizeof(seen->names), "%s %s %s", names[0], names[1],
		 names[2]);
	snprintf(seen->last, sizeof(seen->last), "%s %s %s", texts[0], texts[1],
		 texts[2] ? texts[2] : "NULL");
}

static void rows_are_shown_as_text(const struct asked *asked)
{
	struct outcome outcome = { .wanted = 0 };
	struct seen seen = { .rows = 0 };

	MU_CHECK(asked->engine->run(asked->conn, "SELECT id, k AS ten, c FROM st_item "
				    "ORDER BY id", &outcome, see, &seen) == ENGINE_OK);
	MU_CHECK(outcome.rows == 5 && seen.rows == 5 && seen.columns == 3);
	MU_TEXT("id ten c", seen.names);
	MU_TEXT("5 50 NULL", seen.last);
}

static void writes_tell_what_they_changed(const struct asked *asked)
{
	static const enum value_type TWO[] = { VALUE_INT, VALUE_INT };
	struct statement *update = prepared(asked, "UPDATE st_item SET k = ? WHERE id = ?",
					    TWO, 2);
	struct value values[] = { { .number = 21 }, { .number = 2 } };
	struct outcome outcome = { .wanted = 0 };

	/* The second time the row is found, and nothing in it changes. */
	for (int i = 0; i < 2; i++) {
		MU_CHECK(asked->engine->execute(update, values, &outcome) == ENGINE_OK);
		MU_CHECK(outcome.affected == 1 && outcome.rows == 0);
	}
	values[1].number = 99;
	MU_CHECK(asked->engine->execute(update, values, &outcome) == ENGINE_OK);
	MU_CHECK(outcome.affected == 0);
	asked->engine->forget(update);
	run(asked, "DELETE FROM st_item WHERE id > 3", &outcome);
	MU_CHECK(outcome.affected == 2);
	run(asked, "SELECT id FROM st_item", &outcome);
	MU_CHECK(outcome.affected == 0 && outcome.rows == 3);
}

static void a_failure_is_undone_by_a_rollback(const struct asked *asked,
					      struct statement *insert)
{
	struct outcome outcome = { .wanted = 0 };

	run(asked, "BEGIN", &outcome);
	MU_CHECK(insert_item(asked, insert, 7) == ENGINE_OK);
	MU_CHECK(insert_item(asked, insert, 1) == ENGINE_FAILED);
	MU_CHECK(*asked->engine->message(asked->conn));
	run(asked, "ROLLBACK", &outcome);
	MU_CHECK(number_of(asked, "SELECT count(*) FROM st_item") == 3);
	MU_CHECK(insert_item(asked, insert, 7) == ENGINE_OK);
	run(asked, "DELETE FROM st_item WHERE id = 7", &outcome);
	run(asked, "ROLLBACK", &outcome);
	MU_CHECK(!asked->engine->prepare(asked->conn, "SELECT nothing FROM nowhere", NULL,
					 0));
	MU_CHECK(*asked->engine->message(asked->conn));
	MU_CHECK(ran(asked, asked->conn, "SELECT FROM WHERE", &outcome) == ENGINE_FAILED);
}

/* The statement that makes a connection wait no longer than a second; NULL: none. */
static const char *short_wait(const char *name)
{
	static const struct {
		const char *name, *sql;
	} WAITS[] = {
		{ "sqlite", "PRAGMA busy_timeout = 100" },
		{ "postgres", "SET lock_timeout = '200ms'" },
		{ "mysql", "SET innodb_lock_wait_timeout = 1" },
		{ "mariadb", "SET innodb_lock_wait_timeout = 1" },
		{ "myrocks", "SET rocksdb_lock_wait_timeout = 1" },
	};

	for (size_t i = 0; i < sizeof(WAITS) / sizeof(WAITS[0]); i++)
		if (!strcmp(WAITS[i].name, name))
			return WAITS[i].sql;
	return NULL;
}

static struct connection *another(const struct asked *asked)
{
	const char *wait = short_wait(asked->engine->name);
	char why[ENGINE_TEXT] = "";
	struct connection *conn = asked->engine->connect(asked->db, 0, WORK_ADMIN, why,
							 sizeof(why));
	struct outcome outcome = { .wanted = 0 };

	MU_TEXT("", why);
	MU_CHECK(conn);
	if (wait)
		MU_CHECK(ran(asked, conn, wait, &outcome) == ENGINE_OK);
	return conn;
}

static void a_conflict_may_be_sent_again(const struct asked *asked)
{
	static const char UPDATE[] = "UPDATE st_item SET k = k + 1 WHERE id = 1";
	struct connection *other = another(asked);
	struct outcome outcome = { .wanted = 0 };
	enum engine_status status;

	run(asked, "BEGIN", &outcome);
	run(asked, UPDATE, &outcome);
	MU_CHECK(ran(asked, other, "BEGIN", &outcome) == ENGINE_OK);
	status = ran(asked, other, UPDATE, &outcome);
	MU_CHECK(status == ENGINE_BUSY || status == ENGINE_LOCKED);
	MU_CHECK(ran(asked, other, "ROLLBACK", &outcome) == ENGINE_OK);
	run(asked, "COMMIT", &outcome);
	MU_CHECK(ran(asked, other, UPDATE, &outcome) == ENGINE_OK);
	MU_CHECK(outcome.affected == 1);
	MU_CHECK(number_of(asked, "SELECT k FROM st_item WHERE id = 1") == 12);
	asked->engine->disconnect(other);
}

static void plans_say_how(const struct asked *asked)
{
	static const char *const SQL[] = {
		"SELECT c FROM st_item WHERE id = 2",
		"SELECT c FROM st_item WHERE k BETWEEN 1 AND 2 ORDER BY k",
		"SELECT DISTINCT a.c FROM st_item a JOIN st_item b ON a.k = b.k "
		"WHERE b.id BETWEEN 1 AND 9 ORDER BY a.c",
		"UPDATE st_item SET k = k + 1 WHERE id = 2",
	};
	char first[4096], second[4096];

	for (size_t i = 0; i < sizeof(SQL) / sizeof(SQL[0]); i++) {
		bool said = asked->engine->explain(asked->conn, SQL[i], first,
						   sizeof(first));

		if (asked->print)
			printf("%s\n%s\n", SQL[i], said ? first : "(does not say)\n");
		if (!said && i == 3)	/* MySQL 5.5 */
			continue;
		MU_CHECK(said && *first);
		MU_CHECK(asked->engine->explain(asked->conn, SQL[i], second,
						sizeof(second)));
		MU_TEXT(first, second);
	}
	MU_CHECK(!asked->engine->explain(asked->conn, "SELECT FROM WHERE", first,
					 sizeof(first)));
	/* A plan that does not fit is cut. */
	MU_CHECK(asked->engine->explain(asked->conn, SQL[0], first, 8));
	MU_CHECK(strlen(first) < 8);
}

static void the_tables_have_a_size(const struct asked *asked)
{
	uint64_t bytes;

	MU_CHECK(asked->engine->cleanup(asked->conn, &bytes) == ENGINE_OK);
	MU_CHECK(asked->engine->size(asked->db) > 0);
}

static void everything_is_done(const struct asked *asked)
{
	struct statement *insert;
	struct outcome outcome = { .wanted = 0 };

	create_items(asked);
	insert = fill_items(asked);
	fields_are_read_by_type(asked);
	fields_of_text_are_read_by_type(asked);
	whole_numbers_stay_whole(asked);
	all_rows_are_counted(asked);
	rows_are_shown_as_text(asked);
	writes_tell_what_they_changed(asked);
	a_failure_is_undone_by_a_rollback(asked, insert);
	a_conflict_may_be_sent_again(asked);
	plans_say_how(asked);
	the_tables_have_a_size(asked);
	asked->engine->forget(insert);
	run(asked, "DROP TABLE st_item", &outcome);
}

/* Every statement is taken, and nothing comes of it. */
static void nothing_is_done(const struct asked *asked)
{
	static const enum value_type INT = VALUE_INT;
	struct statement *point = prepared(asked, "SELECT c FROM t WHERE id = ?", &INT, 1);
	struct value id = { .number = 1 };
	struct outcome outcome = { .wanted = 1, .rows = 9, .affected = 9, .fields = 9 };

	MU_CHECK(asked->engine->caps & ENGINE_EMPTY);
	MU_CHECK(asked->engine->execute(point, &id, &outcome) == ENGINE_OK);
	MU_CHECK(!outcome.rows && !outcome.affected && !outcome.fields);
	outcome.rows = 9;
	run(asked, "BEGIN", &outcome);
	MU_CHECK(!outcome.rows);
	MU_CHECK(!asked->engine->explain);
	asked->engine->forget(point);
}

static void ask(const char *name, const char *target, bool print, FILE *trace)
{
	const struct config none = { .path = NULL };
	struct engine_target where = {
		.text = target, .config = &none, .tables = TABLES, .trace = trace,
		.indexes = SCHEMA_INDEXES[INDEXES_2023], .create = true, .prepare = true,
		.rows_per_commit = 1,
	};
	struct asked asked = { .engine = engine_find(name), .print = print };
	char why[ENGINE_TEXT] = "";

	MU_CHECK(asked.engine);
	if (asked.engine)
		asked.db = asked.engine->open(&where, why, sizeof(why));
	if (asked.db)
		asked.conn = asked.engine->connect(asked.db, 0, WORK_ADMIN, why,
						   sizeof(why));
	MU_TEXT("", why);
	if (asked.conn && asked.engine->caps & ENGINE_EMPTY)
		nothing_is_done(&asked);
	else if (asked.conn)
		everything_is_done(&asked);
	if (asked.conn)
		asked.engine->disconnect(asked.conn);
	if (asked.db)
		asked.engine->close(asked.db);
}

static void remove_folder(const char *folder)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/benchbook.db", folder);
	unlink(path);
	MU_CHECK(!rmdir(folder));
}

/* Everything is asked of SQLite once more, with a trace of what it runs. */
static void ask_sqlite(void)
{
	char folder[] = P_tmpdir "/test_statement.XXXXXX", *trace = NULL;
	size_t size;
	FILE *stream = open_memstream(&trace, &size);

	MU_CHECK(stream && mkdtemp(folder));
	ask("sqlite", folder, false, NULL);
	ask("sqlite", folder, false, stream);
	fclose(stream);
	MU_CHECK(strstr(trace, "\nSELECT big, price, amount, k, c FROM st_item WHERE id = "
			"99\n"));
	MU_CHECK(strstr(trace, "VALUES (1, 10, -5000000000, 2.5, -1234567.25, "
			"'2026-11-23', 'it''s')\n"));
	MU_CHECK(strstr(trace, "\nROLLBACK\n"));
	free(trace);
	remove_folder(folder);
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		ask(argv[1], argv[2], true, NULL);
	} else {
		ask("null", "", false, NULL);
		ask_sqlite();
	}
	return mu_report("statement");
}
