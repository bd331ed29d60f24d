/* What is sent to DuckDB and read from it, with functions of our own in its place. */
#include "engines/duckdb/engine.h"
#include "minunit.h"

#include <stdlib.h>

/* What the functions were given, and what they give. */
static struct {
	char sql[2048];
	enum duck_state state;
	enum duck_error kind;
	const char *error;
	unsigned chunks, rows;	/* left to fetch, and in each */
	void *columns[3];
	unsigned destroyed;
} fake;

static enum duck_state query(duck_connection connection, const char *sql,
			     struct duck_result *result)
{
	(void)connection;
	(void)result;
	strncpy(fake.sql, sql, sizeof(fake.sql) - 1);
	return fake.state;
}

static const char *result_error(struct duck_result *result)
{
	(void)result;
	return fake.error;
}

static enum duck_error result_error_type(struct duck_result *result)
{
	(void)result;
	return fake.kind;
}

static void destroy_result(struct duck_result *result)
{
	(void)result;
	fake.destroyed++;
}

static duck_chunk fetch_chunk(struct duck_result result)
{
	(void)result;
	return fake.chunks && fake.chunks-- ? (duck_chunk)&fake : NULL;
}

static void destroy_data_chunk(duck_chunk *chunk)
{
	*chunk = NULL;
}

static uint64_t data_chunk_get_size(duck_chunk chunk)
{
	(void)chunk;
	return fake.rows;
}

static duck_vector data_chunk_get_vector(duck_chunk chunk, uint64_t column)
{
	(void)chunk;
	return (duck_vector)fake.columns[column];
}

static void *vector_get_data(duck_vector vector)
{
	return vector;
}

static void destroy_prepare(duck_statement *statement)
{
	(void)statement;
}

static void use_fake(void)
{
	duck.query = query;
	duck.result_error = result_error;
	duck.result_error_type = result_error_type;
	duck.destroy_result = destroy_result;
	duck.fetch_chunk = fetch_chunk;
	duck.destroy_data_chunk = destroy_data_chunk;
	duck.data_chunk_get_size = data_chunk_get_size;
	duck.data_chunk_get_vector = data_chunk_get_vector;
	duck.vector_get_data = vector_get_data;
	duck.destroy_prepare = destroy_prepare;
}

static void conflicts_may_be_sent_again(void)
{
	MU_CHECK(dk_status(DUCK_TRANSACTION, "TransactionContext Error: Conflict on tuple "
			   "deletion!") == ENGINE_LOCKED);
	MU_CHECK(dk_status(DUCK_TRANSACTION, "Catalog write-write conflict on alter") ==
		 ENGINE_LOCKED);
	MU_CHECK(dk_status(DUCK_TRANSACTION, "TransactionContext Error: Cannot CHECKPOINT: "
			   "there are other write transactions active") == ENGINE_BUSY);
}

static void other_failures_are_for_good(void)
{
	MU_CHECK(dk_status(DUCK_TRANSACTION, "Current transaction is aborted") ==
		 ENGINE_FAILED);
	MU_CHECK(dk_status(18, "Duplicate key violates primary key: conflict") ==
		 ENGINE_FAILED);
	MU_CHECK(dk_status(28, "IO Error: Could not write file: No space left on device") ==
		 ENGINE_FULL);
}

static void a_failure_is_told_in_one_line(void)
{
	struct connection conn = { .table = 1 };

	fake.state = DUCK_ERROR;
	fake.kind = DUCK_TRANSACTION;
	fake.error = "TransactionContext Error: Conflict\n\nDid you mean";
	fake.destroyed = 0;
	MU_CHECK(dk_execute(&conn, "DELETE FROM pi%u", 7) == ENGINE_LOCKED);
	MU_TEXT("DELETE FROM pi7", fake.sql);
	MU_TEXT("TransactionContext Error: Conflict", conn.message);
	MU_CHECK(fake.destroyed == 1);
	fake.error = NULL;
	fake.kind = 0;
	MU_CHECK(dk_execute(&conn, "SELECT 1") == ENGINE_FAILED);
	MU_TEXT("DuckDB does not say why", conn.message);
	fake.state = DUCK_OK;
}

static void rows_are_sent_as_text(void)
{
	static const struct row ROWS[] = {
		{ 86400000042, 1, 2, 3, 4, 10, "aaaaaaaB+/" },
		{ 86400000042, 999, 99999, 9999, 499, 11, "aaaaaaaaxyz" },
	};
	struct database db = { .prepare = false, .rows_per_commit = 2 };
	struct connection conn = { .db = &db, .table = 3 };

	MU_CHECK(dk_text_prepare(&conn, WORK_INSERT));
	MU_CHECK(dk_text_insert(&conn, ROWS, 2) == ENGINE_OK);
	MU_TEXT("INSERT INTO pi3 (dateandtime, cashregisterid, customerid, productid, "
		"price, data) VALUES ('1970-01-02 00:00:00.000042',1,2,3,4,'aaaaaaaB+/'),"
		"('1970-01-02 00:00:00.000042',999,99999,9999,499,'aaaaaaaaxyz')",
		fake.sql);
	dk_unprepare(&conn);
}

static void queries_are_those_of_the_schema(void)
{
	struct database db = { .indexes = SCHEMA_INDEXES[INDEXES_OLDER] };
	struct connection conn = { .db = &db, .table = 2 };
	char sql[SQL_SIZE];

	dk_range_sql(&conn, 0, "?", sql, sizeof(sql));
	MU_TEXT("SELECT price, customerid FROM pi2 WHERE price >= ? "
		"ORDER BY price, customerid LIMIT 10", sql);
	db.indexes = SCHEMA_INDEXES[INDEXES_2023];
	dk_range_sql(&conn, 1, "7", sql, sizeof(sql));
	MU_TEXT("SELECT cashregisterid, customerid, price FROM pi2 WHERE "
		"cashregisterid > 7 ORDER BY cashregisterid, customerid, price LIMIT 10",
		sql);
}

/* Of 2 x 6 rows an answer holds the first 10. */
static void answers_are_read_by_type(void)
{
	static const enum cell CELLS[] = { CELL_BIG, CELL_REAL, CELL_LENGTH };
	int64_t keys[6] = { 1, -2, INT64_MAX, 4, 5, 6 };
	float prices[6] = { 0, 499, 2, 3, 4, 5 };
	struct duck_string texts[6] = {
		{ .length = 3, .start = "abc" }, { .length = 20 },
	};
	struct duck_result result = { .made = NULL };
	struct answer answer;

	fake.chunks = 2;
	fake.rows = 6;
	fake.columns[0] = keys;
	fake.columns[1] = prices;
	fake.columns[2] = texts;
	fake.destroyed = 0;
	dk_fetch(&result, CELLS, 3, &answer);
	MU_CHECK(answer.rows == 10);
	MU_CHECK(answer.key[1][0] == -2 && answer.key[1][1] == 499);
	MU_CHECK(answer.key[1][2] == 20 && answer.key[0][2] == 3);
	MU_CHECK(answer.key[2][0] == INT64_MAX && answer.key[9][0] == 4);
	MU_CHECK(fake.chunks == 0 && fake.destroyed == 1);
}

static void take_pair(void *to, const char *name, const char *value)
{
	snprintf(to, 64, "%s=%s", name, value);
}

static void texts_are_read_short_and_long(void)
{
	struct duck_string name = { .length = 12 };
	struct duck_string value = { .length = 13, .value.text = "0123456789abc" };
	struct duck_result result = { .made = NULL };
	char text[64] = "";

	memcpy((char *)&name + sizeof(name.length), "memory_limit", 12);
	fake.chunks = fake.rows = 1;
	fake.columns[0] = &name;
	fake.columns[1] = &value;
	dk_pairs(&result, take_pair, text);
	MU_TEXT("memory_limit=0123456789abc", text);
}

int main(void)
{
	use_fake();
	conflicts_may_be_sent_again();
	other_failures_are_for_good();
	a_failure_is_told_in_one_line();
	rows_are_sent_as_text();
	queries_are_those_of_the_schema();
	answers_are_read_by_type();
	texts_are_read_short_and_long();
	return mu_report("duckdb");
}
