/*
 * Inserts of many rows: INSERT ... VALUES (...), (...), prepared once for each number of
 * rows with binary parameters, or with --no-prepare as text. Everything is allocated when
 * the connection is made.
 */
#include "engines/digits.h"
#include "engine.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VALUES 6		/* of a row */
#define MOST_PARAMETERS 65535	/* of a statement, by the protocol */
#define HEAD_TEXT 256
#define ROW_TEXT 128		/* the most that one row takes in the statement */
#define PREPARED 2		/* the usual number of rows, and the last, shorter one */
#define US_PER_S 1000000
#define EPOCH_US (INT64_C(946684800) * US_PER_S)	/* 2000-01-01, the server's */

/* A row as the server takes it: big-endian; data stays where it is. */
struct cells {
	uint64_t when;
	uint32_t numbers[VALUES - 2];
};

struct batch {
	char *text;
	struct cells *cells;
	const char **values;
	int *lengths, *formats;
	Oid *types;
	size_t prepared[PREPARED];	/* rows of each prepared statement; 0: none */
	unsigned last;			/* of them, used last */
};

size_t postgres_most_rows(void)
{
	return MOST_PARAMETERS / VALUES;
}

void postgres_free_batch(struct batch *batch)
{
	if (!batch)
		return;
	free(batch->text);
	free(batch->cells);
	free(batch->values);
	free(batch->lengths);
	free(batch->formats);
	free(batch->types);
	free(batch);
}

/* What is the same in every statement. */
static void lay_out(struct batch *batch, size_t nrows, bool real_price)
{
	static const Oid TYPES[VALUES] = { TIMESTAMP, INT4, INT4, INT4, INT4, VARCHAR };

	for (size_t i = 0; i < nrows * VALUES; i++) {
		struct cells *cells = &batch->cells[i / VALUES];
		size_t column = i % VALUES;

		batch->types[i] = real_price && column == 4 ? FLOAT4 : TYPES[column];
		batch->formats[i] = 1;
		batch->lengths[i] = column ? sizeof(cells->numbers[0]) :
					     sizeof(cells->when);
		batch->values[i] = column == 0 ? (const char *)&cells->when :
				   column < VALUES - 1 ?
				   (const char *)&cells->numbers[column - 1] : NULL;
	}
}

struct batch *postgres_batch(const struct database *db)
{
	struct batch *batch = calloc(1, sizeof(*batch));
	size_t rows = db->rows_per_commit, n = rows * VALUES;

	if (!batch)
		return NULL;
	batch->text = malloc(HEAD_TEXT + rows * ROW_TEXT);
	batch->cells = calloc(rows, sizeof(*batch->cells));
	batch->values = calloc(n, sizeof(*batch->values));
	batch->lengths = calloc(n, sizeof(*batch->lengths));
	batch->formats = calloc(n, sizeof(*batch->formats));
	batch->types = calloc(n, sizeof(*batch->types));
	if (!batch->text || !batch->cells || !batch->values || !batch->lengths ||
	    !batch->formats || !batch->types) {
		postgres_free_batch(batch);
		return NULL;
	}
	lay_out(batch, rows, db->real_price);
	return batch;
}

static char *put_head(struct connection *conn)
{
	return conn->batch->text +
	       sprintf(conn->batch->text, "INSERT INTO pi%u (dateandtime, cashregisterid, "
		       "customerid, productid, price, data) VALUES ", conn->table);
}

static void put_parameters(struct connection *conn, size_t nrows)
{
	char *to = put_head(conn);

	for (size_t i = 0; i < nrows * VALUES; i++)
		to += sprintf(to, "%s$%zu%s", i % VALUES ? "" : i ? ",(" : "(", i + 1,
			      i % VALUES == VALUES - 1 ? ")" : ",");
}

static void put_when(char *to, size_t size, int64_t when_us)
{
	time_t seconds = when_us / US_PER_S;
	char date[32];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(to, size, "('%s.%06d',", date, (int)(when_us % US_PER_S));
}

/* data is letters, digits, + and / (ingest/rows.c): nothing in it needs an escape. */
static void put_rows(struct connection *conn, const struct row *rows, size_t nrows)
{
	char *to = put_head(conn), when[48] = "";

	for (size_t i = 0; i < nrows; i++) {
		const int32_t numbers[] = { rows[i].cashregisterid, rows[i].customerid,
					    rows[i].productid, rows[i].price };

		if (!i || rows[i].when_us != rows[i - 1].when_us)
			put_when(when, sizeof(when), rows[i].when_us);
		if (i)
			*to++ = ',';
		to = stpcpy(to, when);
		for (size_t j = 0; j < sizeof(numbers) / sizeof(numbers[0]); j++) {
			to = digits_put(to, numbers[j]);
			*to++ = ',';
		}
		*to++ = '\'';
		to = mempcpy(to, rows[i].data, rows[i].length);
		*to++ = '\'';
		*to++ = ')';
	}
	*to = '\0';
}

static uint32_t price_of(const struct row *row, bool real_price)
{
	float price = (float)row->price;
	uint32_t bits;

	if (!real_price)
		return (uint32_t)row->price;
	memcpy(&bits, &price, sizeof(bits));
	return bits;
}

static void fill(struct batch *batch, const struct row *rows, size_t nrows,
		 bool real_price)
{
	for (size_t i = 0; i < nrows; i++) {
		struct cells *cells = &batch->cells[i];
		size_t data = i * VALUES + VALUES - 1;

		cells->when = htobe64((uint64_t)(rows[i].when_us - EPOCH_US));
		cells->numbers[0] = htobe32((uint32_t)rows[i].cashregisterid);
		cells->numbers[1] = htobe32((uint32_t)rows[i].customerid);
		cells->numbers[2] = htobe32((uint32_t)rows[i].productid);
		cells->numbers[3] = htobe32(price_of(&rows[i], real_price));
		batch->values[data] = rows[i].data;
		batch->lengths[data] = rows[i].length;
	}
}

static void name_of(size_t nrows, char *name, size_t size)
{
	snprintf(name, size, "insert%zu", nrows);
}

/* The statement for so many rows takes the place of the one that was not used last. */
static enum engine_status prepare(struct connection *conn, size_t nrows, char *name,
				  size_t size)
{
	struct batch *batch = conn->batch;
	enum engine_status status = ENGINE_OK;

	if (batch->prepared[batch->last] != nrows)
		batch->last = (batch->last + 1) % PREPARED;
	if (batch->prepared[batch->last]) {
		name_of(batch->prepared[batch->last], name, size);
		if (batch->prepared[batch->last] == nrows)
			return ENGINE_OK;
		status = postgres_ask(conn, NULL, "DEALLOCATE %s", name);
	}
	if (status != ENGINE_OK)
		return status;
	batch->prepared[batch->last] = 0;
	name_of(nrows, name, size);
	put_parameters(conn, nrows);
	status = postgres_take(conn, PQprepare(conn->pg, name, batch->text,
					       (int)(nrows * VALUES), batch->types),
			       NULL);
	if (status == ENGINE_OK)
		batch->prepared[batch->last] = nrows;
	return status;
}

enum engine_status postgres_insert(struct connection *conn, const struct row *rows,
				   size_t nrows, int64_t *last_pk)
{
	struct batch *batch = conn->batch;
	enum engine_status status;
	char name[32];

	(void)last_pk;
	if (!conn->db->prepare) {
		put_rows(conn, rows, nrows);
		return postgres_take(conn, PQexec(conn->pg, batch->text), NULL);
	}
	status = prepare(conn, nrows, name, sizeof(name));
	if (status != ENGINE_OK)
		return status;
	fill(batch, rows, nrows, conn->db->real_price);
	return postgres_take(conn, PQexecPrepared(conn->pg, name, (int)(nrows * VALUES),
						  batch->values, batch->lengths,
						  batch->formats, 1), NULL);
}
