/* The target is the words socket= user= dbname= storage=, the last for the new table. */
#include "loop.h"

#include <mysql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VALUES 6

static const char *const RANGES[SECONDARY_INDEXES] = {
	"SELECT productid, customerid, price FROM pi1 FORCE INDEX (pi1_marketsegment) "
	"WHERE productid >= ? ORDER BY productid, customerid, price LIMIT 10",
	"SELECT cashregisterid, customerid, price FROM pi1 FORCE INDEX "
	"(pi1_registersegment) WHERE cashregisterid > ? "
	"ORDER BY cashregisterid, customerid, price LIMIT 10",
	"SELECT price, dateandtime, customerid FROM pi1 FORCE INDEX (pi1_pdc) "
	"WHERE price >= ? ORDER BY price, dateandtime, customerid LIMIT 10",
};

static MYSQL *conn;
static MYSQL_STMT *insert, *range[SECONDARY_INDEXES], *point;
static char storage[64] = "InnoDB";

/* What the statements are bound to. */
static struct row rows_of[INSERT_ROWS];
static unsigned long lengths[INSERT_ROWS];
static MYSQL_TIME when;
static int64_t ids[ROWS_PER_QUERY];
static struct {
	int64_t id;
	int32_t product, key[KEY_COLUMNS];
	MYSQL_TIME when;
	char data[DATA_MAX + 1];
	unsigned long length;
} column;

static void check(int code)
{
	if (code)
		loop_die("mysql", mysql_error(conn));
}

static void check_statement(MYSQL_STMT *statement, int code)
{
	if (code)
		loop_die("mysql", mysql_stmt_error(statement));
}

/* The value of `name=` among the words; empty if it is not there. */
static void word(const char *words, const char *name, char *value, size_t size)
{
	const char *at = strstr(words, name);

	if (!at)
		return;
	at += strlen(name);
	snprintf(value, size, "%.*s", (int)strcspn(at, " "), at);
}

void loop_connect(const char *target)
{
	char socket[128] = "", user[64] = "", dbname[64] = "";

	word(target, "socket=", socket, sizeof(socket));
	word(target, "user=", user, sizeof(user));
	word(target, "dbname=", dbname, sizeof(dbname));
	word(target, "storage=", storage, sizeof(storage));
	conn = mysql_init(NULL);
	mysql_options(conn, MYSQL_SET_CHARSET_NAME, "latin1");
	if (!mysql_real_connect(conn, NULL, user, "", dbname, 0, socket, 0))
		loop_die("mysql", mysql_error(conn));
}

void loop_disconnect(void)
{
	mysql_close(conn);
	mysql_library_end();
}

static MYSQL_STMT *prepare(const char *sql)
{
	MYSQL_STMT *statement = mysql_stmt_init(conn);

	check_statement(statement, mysql_stmt_prepare(statement, sql, strlen(sql)));
	return statement;
}

static MYSQL_BIND bind(enum enum_field_types type, void *buffer)
{
	return (MYSQL_BIND){ .buffer_type = type, .buffer = buffer };
}

static MYSQL_BIND bind_string(char *buffer, size_t size, unsigned long *length)
{
	return (MYSQL_BIND){
		.buffer_type = MYSQL_TYPE_STRING, .buffer = buffer,
		.buffer_length = size, .length = length,
	};
}

static void bind_rows(void)
{
	static MYSQL_BIND binds[INSERT_ROWS][VALUES];

	for (int i = 0; i < INSERT_ROWS; i++) {
		binds[i][0] = bind(MYSQL_TYPE_DATETIME, &when);
		binds[i][1] = bind(MYSQL_TYPE_LONG, &rows_of[i].cashregisterid);
		binds[i][2] = bind(MYSQL_TYPE_LONG, &rows_of[i].customerid);
		binds[i][3] = bind(MYSQL_TYPE_LONG, &rows_of[i].productid);
		binds[i][4] = bind(MYSQL_TYPE_LONG, &rows_of[i].price);
		binds[i][5] = bind_string(rows_of[i].data, sizeof(rows_of[i].data),
					  &lengths[i]);
	}
	check_statement(insert, mysql_stmt_bind_param(insert, binds[0]));
}

void loop_prepare_insert(void)
{
	static char sql[512 + INSERT_ROWS * 16];

	check(mysql_query(conn, "DROP TABLE IF EXISTS loop1"));
	snprintf(sql, sizeof(sql), "CREATE TABLE loop1 (transactionid BIGINT NOT NULL "
		 "AUTO_INCREMENT PRIMARY KEY, dateandtime DATETIME NOT NULL, "
		 "cashregisterid INT NOT NULL, customerid INT NOT NULL, "
		 "productid INT NOT NULL, price INT NOT NULL, "
		 "data VARCHAR(4000) NOT NULL) ENGINE=%s DEFAULT CHARSET=latin1", storage);
	check(mysql_query(conn, sql));
	strcpy(sql, "INSERT INTO loop1 (dateandtime, cashregisterid, customerid, "
	       "productid, price, data) VALUES (?,?,?,?,?,?)");
	for (int i = 1; i < INSERT_ROWS; i++)
		strcat(sql, ",(?,?,?,?,?,?)");
	insert = prepare(sql);
	bind_rows();
}

static void set_time(int64_t when_us)
{
	time_t second = (time_t)(when_us / 1000000);
	struct tm tm;

	gmtime_r(&second, &tm);
	when = (MYSQL_TIME){
		.year = (unsigned)tm.tm_year + 1900, .month = (unsigned)tm.tm_mon + 1,
		.day = (unsigned)tm.tm_mday, .hour = (unsigned)tm.tm_hour,
		.minute = (unsigned)tm.tm_min, .second = (unsigned)tm.tm_sec,
		.time_type = MYSQL_TIMESTAMP_DATETIME,
	};
}

void loop_insert(uint64_t statements, struct rng *rng)
{
	for (uint64_t n = 0; n < statements; n++) {
		rows_make(rows_of, INSERT_ROWS, rng, loop_now_us());
		set_time(rows_of[0].when_us);
		for (int i = 0; i < INSERT_ROWS; i++)
			lengths[i] = rows_of[i].length;
		check_statement(insert, mysql_stmt_execute(insert));
	}
}

static MYSQL_STMT *prepare_query(const char *sql, int values, MYSQL_BIND *columns)
{
	MYSQL_STMT *statement = prepare(sql);
	MYSQL_BIND binds[ROWS_PER_QUERY];

	for (int i = 0; i < values; i++)
		binds[i] = bind(MYSQL_TYPE_LONGLONG, &ids[i]);
	check_statement(statement, mysql_stmt_bind_param(statement, binds));
	check_statement(statement, mysql_stmt_bind_result(statement, columns));
	return statement;
}

void loop_prepare_queries(void)
{
	MYSQL_BIND numbers[KEY_COLUMNS], found[3] = {
		bind(MYSQL_TYPE_LONGLONG, &column.id),
		bind(MYSQL_TYPE_LONG, &column.product),
		bind_string(column.data, sizeof(column.data), &column.length),
	};

	for (int i = 0; i < SECONDARY_INDEXES; i++) {
		for (int j = 0; j < KEY_COLUMNS; j++)
			numbers[j] = bind(MYSQL_TYPE_LONG, &column.key[j]);
		if (i == SECONDARY_INDEXES - 1)
			numbers[1] = bind(MYSQL_TYPE_DATETIME, &column.when);
		range[i] = prepare_query(RANGES[i], 1, numbers);
	}
	point = prepare_query("SELECT transactionid, productid, data FROM pi1 WHERE "
			      "transactionid IN (?,?,?,?,?,?,?,?,?,?)", ROWS_PER_QUERY,
			      found);
}

void loop_ends(int64_t ends[2])
{
	MYSQL_RES *result;
	MYSQL_ROW row;

	check(mysql_query(conn, "SELECT min(transactionid), max(transactionid) FROM pi1"));
	result = mysql_store_result(conn);
	row = mysql_fetch_row(result);
	for (int i = 0; i < 2; i++)
		ends[i] = strtoll(row[i], NULL, 10);
	mysql_free_result(result);
}

static uint64_t execute(MYSQL_STMT *statement)
{
	uint64_t rows = 0;
	int code;

	check_statement(statement, mysql_stmt_execute(statement));
	while (!(code = mysql_stmt_fetch(statement)))
		rows++;
	check_statement(statement, code != MYSQL_NO_DATA);
	return rows;
}

uint64_t loop_range(uint64_t queries, struct rng *rng)
{
	uint64_t rows = 0;

	for (uint64_t n = 0; n < queries; n++) {
		uint32_t i = rng_below(rng, SECONDARY_INDEXES);

		ids[0] = rng_below(rng, SCHEMA_INDEXES[INDEXES_2023][i].values);
		rows += execute(range[i]);
	}
	return rows;
}

uint64_t loop_point(uint64_t queries, struct rng *rng, const int64_t ends[2])
{
	uint64_t rows = 0;

	for (uint64_t n = 0; n < queries; n++) {
		for (int i = 0; i < ROWS_PER_QUERY; i++)
			ids[i] = loop_draw_id(rng, ends);
		rows += execute(point);
	}
	return rows;
}
