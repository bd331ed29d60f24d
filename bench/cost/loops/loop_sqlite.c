/* The target is a database file. */
#include "loop.h"

#include <sqlite3.h>
#include <stddef.h>

static const char *const RANGES[SECONDARY_INDEXES] = {
	"SELECT productid, customerid, price FROM pi1 INDEXED BY pi1_marketsegment "
	"WHERE productid >= ? ORDER BY productid, customerid, price LIMIT 10",
	"SELECT cashregisterid, customerid, price FROM pi1 INDEXED BY pi1_registersegment "
	"WHERE cashregisterid > ? ORDER BY cashregisterid, customerid, price LIMIT 10",
	"SELECT price, dateandtime, customerid FROM pi1 INDEXED BY pi1_pdc "
	"WHERE price >= ? ORDER BY price, dateandtime, customerid LIMIT 10",
};

static sqlite3 *db;
static sqlite3_stmt *begin, *commit, *insert, *range[SECONDARY_INDEXES], *point;

static void check(int code)
{
	if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
		loop_die("sqlite", sqlite3_errmsg(db));
}

static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *statement;

	check(sqlite3_prepare_v2(db, sql, -1, &statement, NULL));
	return statement;
}

static void run(sqlite3_stmt *statement)
{
	sqlite3_step(statement);
	check(sqlite3_reset(statement));
}

void loop_connect(const char *target)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	check(sqlite3_open_v2(target, &db, flags, NULL));
	check(sqlite3_exec(db, "PRAGMA journal_mode = wal; PRAGMA synchronous = normal",
			   NULL, NULL, NULL));
}

void loop_disconnect(void)
{
	sqlite3_close_v2(db);
}

void loop_prepare_insert(void)
{
	check(sqlite3_exec(db, "DROP TABLE IF EXISTS loop1; CREATE TABLE loop1 ("
			   "transactionid INTEGER PRIMARY KEY, "
			   "dateandtime INTEGER NOT NULL, cashregisterid INTEGER NOT NULL, "
			   "customerid INTEGER NOT NULL, productid INTEGER NOT NULL, "
			   "price INTEGER NOT NULL, data VARCHAR(4000) NOT NULL)",
			   NULL, NULL, NULL));
	begin = prepare("BEGIN IMMEDIATE");
	commit = prepare("COMMIT");
	insert = prepare("INSERT INTO loop1 (dateandtime, cashregisterid, customerid, "
			 "productid, price, data) VALUES (?, ?, ?, ?, ?, ?)");
}

void loop_insert(uint64_t statements, struct rng *rng)
{
	struct row rows[INSERT_ROWS];

	for (uint64_t n = 0; n < statements; n++) {
		rows_make(rows, INSERT_ROWS, rng, loop_now_us());
		run(begin);
		for (int i = 0; i < INSERT_ROWS; i++) {
			sqlite3_bind_int64(insert, 1, rows[i].when_us);
			sqlite3_bind_int(insert, 2, rows[i].cashregisterid);
			sqlite3_bind_int(insert, 3, rows[i].customerid);
			sqlite3_bind_int(insert, 4, rows[i].productid);
			sqlite3_bind_int(insert, 5, rows[i].price);
			sqlite3_bind_text(insert, 6, rows[i].data, rows[i].length,
					  SQLITE_STATIC);
			run(insert);
		}
		run(commit);
	}
}

void loop_prepare_queries(void)
{
	for (int i = 0; i < SECONDARY_INDEXES; i++)
		range[i] = prepare(RANGES[i]);
	point = prepare("SELECT transactionid, productid, data FROM pi1 WHERE "
			"transactionid IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

void loop_ends(int64_t ends[2])
{
	sqlite3_stmt *statement = prepare("SELECT min(transactionid), max(transactionid) "
					  "FROM pi1");

	check(sqlite3_step(statement));
	for (int i = 0; i < 2; i++)
		ends[i] = sqlite3_column_int64(statement, i);
	sqlite3_finalize(statement);
}

uint64_t loop_range(uint64_t queries, struct rng *rng)
{
	uint64_t rows = 0;

	for (uint64_t n = 0; n < queries; n++) {
		uint32_t i = rng_below(rng, SECONDARY_INDEXES);

		sqlite3_bind_int64(range[i], 1, rng_below(
			rng, SCHEMA_INDEXES[INDEXES_2023][i].values));
		for (int row = 0; sqlite3_step(range[i]) == SQLITE_ROW; row++, rows++)
			for (int j = 0; j < KEY_COLUMNS; j++)
				loop_rows[row][j] = sqlite3_column_int64(range[i], j);
		check(sqlite3_reset(range[i]));
	}
	return rows;
}

uint64_t loop_point(uint64_t queries, struct rng *rng, const int64_t ends[2])
{
	uint64_t rows = 0;

	for (uint64_t n = 0; n < queries; n++) {
		for (int i = 0; i < ROWS_PER_QUERY; i++)
			sqlite3_bind_int64(point, i + 1, loop_draw_id(rng, ends));
		for (int row = 0; sqlite3_step(point) == SQLITE_ROW; row++, rows++) {
			loop_rows[row][0] = sqlite3_column_int64(point, 0);
			loop_rows[row][1] = sqlite3_column_int64(point, 1);
			loop_rows[row][2] = sqlite3_column_text(point, 2) ?
					    sqlite3_column_bytes(point, 2) : 0;
		}
		check(sqlite3_reset(point));
	}
	return rows;
}
