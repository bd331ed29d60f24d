/* The target is a connection string of libpq. */
#include "loop.h"

#include <endian.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES 6
#define EPOCH_US INT64_C(946684800000000)	/* 2000-01-01, the server's */

static const char *const RANGES[SECONDARY_INDEXES] = {
	"SELECT productid, customerid, price FROM pi1 WHERE productid >= $1 "
	"ORDER BY productid, customerid, price LIMIT 10",
	"SELECT cashregisterid, customerid, price FROM pi1 WHERE cashregisterid > $1 "
	"ORDER BY cashregisterid, customerid, price LIMIT 10",
	"SELECT price, dateandtime, customerid FROM pi1 WHERE price >= $1 "
	"ORDER BY price, dateandtime, customerid LIMIT 10",
};
static const char *const NAMES[SECONDARY_INDEXES] = { "range0", "range1", "range2" };
static const int BINARY[ROWS_PER_QUERY] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

static PGconn *conn;

static PGresult *check(PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		loop_die("postgres", PQerrorMessage(conn));
	return result;
}

static void done(PGresult *result)
{
	PQclear(check(result));
}

void loop_connect(const char *target)
{
	conn = PQconnectdb(target);
	if (PQstatus(conn) != CONNECTION_OK)
		loop_die("postgres", PQerrorMessage(conn));
}

void loop_disconnect(void)
{
	PQfinish(conn);
}

void loop_prepare_insert(void)
{
	static char sql[256 + INSERT_ROWS * VALUES * 8];
	char *to = sql;

	done(PQexec(conn, "SET client_min_messages = warning"));
	done(PQexec(conn, "DROP TABLE IF EXISTS loop1; CREATE TABLE loop1 ("
		    "transactionid bigserial PRIMARY KEY, "
		    "dateandtime timestamp without time zone NOT NULL, "
		    "cashregisterid int NOT NULL, customerid int NOT NULL, "
		    "productid int NOT NULL, price int NOT NULL, "
		    "data varchar(4000) NOT NULL); "
		    "ALTER SEQUENCE loop1_transactionid_seq CACHE 1000"));
	to += sprintf(to, "INSERT INTO loop1 (dateandtime, cashregisterid, customerid, "
		      "productid, price, data) VALUES ");
	for (int i = 0; i < INSERT_ROWS * VALUES; i++)
		to += sprintf(to, "%s$%d%s", i % VALUES ? "" : i ? ",(" : "(", i + 1,
			      i % VALUES == VALUES - 1 ? ")" : ",");
	done(PQprepare(conn, "insert", sql, 0, NULL));
}

void loop_insert(uint64_t statements, struct rng *rng)
{
	static struct row rows[INSERT_ROWS];
	static uint64_t whens[INSERT_ROWS];
	static uint32_t numbers[INSERT_ROWS][4];
	static const char *values[INSERT_ROWS][VALUES];
	static int lengths[INSERT_ROWS][VALUES], formats[INSERT_ROWS][VALUES];

	for (uint64_t n = 0; n < statements; n++) {
		rows_make(rows, INSERT_ROWS, rng, loop_now_us());
		for (int i = 0; i < INSERT_ROWS; i++) {
			whens[i] = htobe64((uint64_t)(rows[i].when_us - EPOCH_US));
			numbers[i][0] = htobe32((uint32_t)rows[i].cashregisterid);
			numbers[i][1] = htobe32((uint32_t)rows[i].customerid);
			numbers[i][2] = htobe32((uint32_t)rows[i].productid);
			numbers[i][3] = htobe32((uint32_t)rows[i].price);
			values[i][0] = (const char *)&whens[i];
			lengths[i][0] = sizeof(whens[i]);
			for (int j = 0; j < 4; j++) {
				values[i][j + 1] = (const char *)&numbers[i][j];
				lengths[i][j + 1] = sizeof(numbers[i][j]);
			}
			values[i][5] = rows[i].data;
			lengths[i][5] = rows[i].length;
			for (int j = 0; j < VALUES; j++)
				formats[i][j] = 1;
		}
		done(PQexecPrepared(conn, "insert", INSERT_ROWS * VALUES, values[0],
				    lengths[0], formats[0], 1));
	}
}

void loop_prepare_queries(void)
{
	for (int i = 0; i < SECONDARY_INDEXES; i++)
		done(PQprepare(conn, NAMES[i], RANGES[i], 0, NULL));
	done(PQprepare(conn, "point", "SELECT transactionid, productid, data FROM pi1 "
		       "WHERE transactionid IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		       0, NULL));
}

void loop_ends(int64_t ends[2])
{
	PGresult *result = check(PQexec(conn, "SELECT min(transactionid), "
					      "max(transactionid) FROM pi1"));

	for (int i = 0; i < 2; i++)
		ends[i] = strtoll(PQgetvalue(result, 0, i), NULL, 10);
	PQclear(result);
}

/* A whole number as the server sends it, of four bytes or eight. */
static int64_t number(const PGresult *result, int row, int column)
{
	uint64_t eight;
	uint32_t four;

	if (PQgetlength(result, row, column) == sizeof(four)) {
		memcpy(&four, PQgetvalue(result, row, column), sizeof(four));
		return (int32_t)be32toh(four);
	}
	memcpy(&eight, PQgetvalue(result, row, column), sizeof(eight));
	return (int64_t)be64toh(eight);
}

uint64_t loop_range(uint64_t queries, struct rng *rng)
{
	uint64_t rows = 0;

	for (uint64_t n = 0; n < queries; n++) {
		uint32_t i = rng_below(rng, SECONDARY_INDEXES);
		uint32_t from = htobe32(rng_below(
			rng, SCHEMA_INDEXES[INDEXES_2023][i].values));
		const char *value = (const char *)&from;
		int length = sizeof(from);
		PGresult *result = check(PQexecPrepared(conn, NAMES[i], 1, &value, &length,
							BINARY, 1));

		for (int row = 0; row < PQntuples(result); row++, rows++)
			for (int j = 0; j < KEY_COLUMNS; j++)
				loop_rows[row][j] = number(result, row, j);
		PQclear(result);
	}
	return rows;
}

uint64_t loop_point(uint64_t queries, struct rng *rng, const int64_t ends[2])
{
	const char *values[ROWS_PER_QUERY];
	uint64_t ids[ROWS_PER_QUERY], rows = 0;
	int lengths[ROWS_PER_QUERY];

	for (uint64_t n = 0; n < queries; n++) {
		PGresult *result;

		for (int i = 0; i < ROWS_PER_QUERY; i++) {
			ids[i] = htobe64((uint64_t)loop_draw_id(rng, ends));
			values[i] = (const char *)&ids[i];
			lengths[i] = sizeof(ids[i]);
		}
		result = check(PQexecPrepared(conn, "point", ROWS_PER_QUERY, values,
					      lengths, BINARY, 1));
		for (int row = 0; row < PQntuples(result); row++, rows++) {
			loop_rows[row][0] = number(result, row, 0);
			loop_rows[row][1] = number(result, row, 1);
			loop_rows[row][2] = PQgetlength(result, row, 2);
		}
		PQclear(result);
	}
	return rows;
}
