/*
 * PostgreSQL 9.6 or later, by libpq. What a step repeats is prepared once for each
 * connection and goes with binary parameters and binary answers; --no-prepare sends the
 * same statements as text.
 */
#include "engine.h"

#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define OLDEST_VERSION 90600
#define US_PER_S 1000000

/* What is repeated; inserts have a file of their own. */
enum step_statement {
	DELETE, POINT, OLDEST, NEWEST,
	RANGE, RANGE_LAST = RANGE + SECONDARY_INDEXES - 1,
	STATEMENTS
};

static const char *const NAMES[STATEMENTS] = {
	[DELETE] = "delete", [POINT] = "point", [OLDEST] = "oldest",
	[NEWEST] = "newest", [RANGE] = "range1", [RANGE + 1] = "range2",
	[RANGE_LAST] = "range3",
};

struct operands {
	enum type type;
	int count;
	int64_t values[ROWS_PER_QUERY];
};

static const char *version(struct database *db)
{
	return db ? db->version : "";
}

static bool check_config(const struct config *config, char *why, size_t size)
{
	if (!config->nlines)
		return true;
	snprintf(why, size, "%s line %u: settings such as %s are the server's: start the "
		 "server with them", config->path, config->lines[0].number,
		 config->lines[0].name);
	return false;
}

static void close_database(struct database *db)
{
	if (db->admin)
		postgres_unlink(db->admin);
	free(db->target);
	free(db);
}

/* What the server is, and whether this file can talk to it. */
static bool know_server(struct database *db, char *why, size_t size)
{
	const char *text = PQparameterStatus(db->admin->pg, "server_version");
	const char *times = PQparameterStatus(db->admin->pg, "integer_datetimes");

	db->number = PQserverVersion(db->admin->pg);
	if (text)
		snprintf(db->version, sizeof(db->version), "%.*s",
			 (int)strcspn(text, " "), text);
	if (db->number < OLDEST_VERSION)
		snprintf(why, size, "the server is PostgreSQL %s; ingest needs 9.6 or "
			 "later", db->version);
	else if (!times || strcmp(times, "on"))
		snprintf(why, size, "the server was built without integer datetimes, "
			 "which ingest needs");
	else
		return true;
	return false;
}

static bool quote_tables(struct database *db, const char *tables, char *why, size_t size)
{
	char *quoted;
	bool fits;

	if (!tables)
		tables = SCHEMA_TABLES;
	quoted = PQescapeLiteral(db->admin->pg, tables, strlen(tables));
	fits = quoted && strlen(quoted) < sizeof(db->tables);
	if (fits)
		strcpy(db->tables, quoted);
	else
		snprintf(why, size, "the regular expression of the tables' names is too "
			 "long: at most %d characters", TABLES_SQL - 8);
	PQfreemem(quoted);
	return fits;
}

static bool start(struct database *db, const struct engine_target *target, char *why,
		  size_t size)
{
	db->admin = postgres_link(db, 0, why, size);
	if (!db->admin || !know_server(db, why, size) ||
	    !quote_tables(db, target->tables, why, size))
		return false;
	if (!target->create || postgres_drop_all(db->admin) == ENGINE_OK)
		return true;
	snprintf(why, size, "cannot remove the tables of an earlier run: %s",
		 db->admin->message);
	return false;
}

static struct database *open_database(const struct engine_target *target, char *why,
				      size_t size)
{
	struct database *db;

	if (!postgres_good_target(target->text, why, size))
		return NULL;
	if (target->rows_per_commit > postgres_most_rows()) {
		snprintf(why, size, "postgres inserts at most %zu rows in a statement",
			 postgres_most_rows());
		return NULL;
	}
	db = calloc(1, sizeof(*db));
	if (!db || !(db->target = strdup(target->text))) {
		free(db);
		snprintf(why, size, "there is no memory for a database");
		return NULL;
	}
	db->indexes = target->indexes;
	db->prepare = target->prepare;
	db->real_price = target->real_price;
	db->rows_per_commit = target->rows_per_commit;
	if (start(db, target, why, size))
		return db;
	close_database(db);
	return NULL;
}

/* The operand of that number: a parameter, or with --no-prepare the value itself. */
static const char *operand(const struct database *db, const struct operands *operands,
			   int number, char *text, size_t size)
{
	if (db->prepare)
		snprintf(text, size, "$%d", number + 1);
	else
		snprintf(text, size, "%" PRId64, operands->values[number]);
	return text;
}

static void range_sql(struct connection *conn, const struct index_def *index,
		      const char *from, char *sql, size_t size)
{
	char columns[128];

	schema_columns(index, columns, sizeof(columns));
	snprintf(sql, size, "SELECT %s FROM pi%u WHERE %s %s %s ORDER BY %s LIMIT %d",
		 columns, conn->table, index->columns[0], index->compare, from, columns,
		 ROWS_PER_QUERY);
}

static void make_sql(struct connection *conn, enum step_statement which,
		     const struct operands *operands, char *sql, size_t size)
{
	char text[ROWS_PER_QUERY][24];
	size_t used;

	for (int i = 0; i < operands->count; i++)
		operand(conn->db, operands, i, text[i], sizeof(text[i]));
	switch (which) {
	case DELETE:
		snprintf(sql, size, "DELETE FROM pi%u WHERE transactionid >= %s AND "
			 "transactionid < %s", conn->table, text[0], text[1]);
		break;
	case POINT:
		used = (size_t)snprintf(sql, size, "SELECT transactionid, productid, data "
					"FROM pi%u WHERE transactionid IN (", conn->table);
		for (int i = 0; i < operands->count; i++)
			used += (size_t)snprintf(sql + used, size - used, "%s%s", text[i],
						 i + 1 < operands->count ? ", " : ")");
		break;
	case OLDEST:
	case NEWEST:
		snprintf(sql, size, "SELECT %s(transactionid) FROM pi%u",
			 which == OLDEST ? "min" : "max", conn->table);
		break;
	default:
		range_sql(conn, &conn->db->indexes[which - RANGE], text[0], sql, size);
	}
}

/* The type and number of a statement's operands. */
static struct operands operands_of(const struct connection *conn, enum step_statement which)
{
	const struct index_def *index;

	switch (which) {
	case DELETE:
		return (struct operands){ .type = INT8, .count = 2 };
	case POINT:
		return (struct operands){ .type = INT8, .count = ROWS_PER_QUERY };
	case OLDEST:
	case NEWEST:
		return (struct operands){ .count = 0 };
	default:
		index = &conn->db->indexes[which - RANGE];
		return (struct operands){
			.type = conn->db->real_price &&
				!strcmp(index->columns[0], "price") ? FLOAT4 : INT4,
			.count = 1,
		};
	}
}

static enum engine_status prepare(struct connection *conn, enum step_statement which)
{
	struct operands operands = operands_of(conn, which);
	Oid types[ROWS_PER_QUERY];
	char sql[SQL_SIZE];

	if (!conn->db->prepare)
		return ENGINE_OK;
	for (int i = 0; i < operands.count; i++)
		types[i] = operands.type;
	make_sql(conn, which, &operands, sql, sizeof(sql));
	return postgres_take(conn, PQprepare(conn->pg, NAMES[which], sql, operands.count,
					     types), NULL);
}

/* Big-endian, in as many bytes as the type has. */
static int encode(int64_t value, enum type type, char *bytes)
{
	uint64_t eight = htobe64((uint64_t)value);
	float real = (float)value;
	uint32_t four = (uint32_t)value;

	if (type == INT8) {
		memcpy(bytes, &eight, sizeof(eight));
		return sizeof(eight);
	}
	if (type == FLOAT4)
		memcpy(&four, &real, sizeof(four));
	four = htobe32(four);
	memcpy(bytes, &four, sizeof(four));
	return sizeof(four);
}

static enum engine_status send_statement(struct connection *conn, enum step_statement which,
					 const struct operands *operands, PGresult **rows)
{
	static const int BINARY[ROWS_PER_QUERY] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	char bytes[ROWS_PER_QUERY][sizeof(int64_t)], sql[SQL_SIZE];
	const char *values[ROWS_PER_QUERY];
	int lengths[ROWS_PER_QUERY];
	PGresult *result;

	if (conn->db->prepare) {
		for (int i = 0; i < operands->count; i++) {
			values[i] = bytes[i];
			lengths[i] = encode(operands->values[i], operands->type,
					    bytes[i]);
		}
		result = PQexecPrepared(conn->pg, NAMES[which], operands->count, values,
					lengths, BINARY, 1);
	} else {
		make_sql(conn, which, operands, sql, sizeof(sql));
		result = PQexec(conn->pg, sql);
	}
	return postgres_take(conn, result, rows);
}

static int64_t decode_binary(const char *bytes, enum type type)
{
	uint64_t eight;
	uint32_t four;
	float real;

	if (type == INT8 || type == TIMESTAMP) {
		memcpy(&eight, bytes, sizeof(eight));
		return (int64_t)be64toh(eight);
	}
	memcpy(&four, bytes, sizeof(four));
	four = be32toh(four);
	memcpy(&real, &four, sizeof(real));
	return type == FLOAT4 ? (int64_t)real : (int32_t)four;
}

/* 2026-11-22 06:47:52.123456, or with fewer decimals, in microseconds. */
static int64_t decode_time(const char *text)
{
	struct tm tm = { 0 };
	double seconds = 0;

	sscanf(text, "%d-%d-%d %d:%d:%lf", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
	       &tm.tm_hour, &tm.tm_min, &seconds);
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return (int64_t)timegm(&tm) * US_PER_S + llround(seconds * US_PER_S);
}

static int64_t decode(const char *value, enum type type, bool binary)
{
	if (binary)
		return decode_binary(value, type);
	return type == TIMESTAMP ? decode_time(value) : strtoll(value, NULL, 10);
}

/* One column of an answer into the keys; no column of the table may be NULL. */
static void decode_column(const PGresult *rows, int column, struct answer *answer)
{
	enum type type = PQftype(rows, column);
	bool binary = PQfformat(rows, column);

	for (unsigned row = 0; row < answer->rows; row++)
		answer->key[row][column] =
			decode(PQgetvalue(rows, (int)row, column), type, binary);
}

static enum engine_status prepare_work(struct connection *conn, enum engine_work work)
{
	static const struct {
		unsigned count;
		enum step_statement all[SECONDARY_INDEXES];
	} NEEDS[] = {
		[WORK_ADMIN] = { 0, { 0 } },
		[WORK_INSERT] = { 2, { OLDEST, NEWEST } },
		[WORK_DELETE] = { 3, { DELETE, OLDEST, NEWEST } },
		[WORK_RANGE] = { 3, { RANGE, RANGE + 1, RANGE_LAST } },
		[WORK_POINT] = { 1, { POINT } },
	};
	enum engine_status status = ENGINE_OK;

	for (unsigned i = 0; status == ENGINE_OK && i < NEEDS[work].count; i++)
		status = prepare(conn, NEEDS[work].all[i]);
	return status;
}

static void disconnect(struct connection *conn)
{
	postgres_free_batch(conn->batch);
	postgres_unlink(conn);
}

static struct connection *connect_table(struct database *db, unsigned table,
					enum engine_work work, char *why, size_t size)
{
	struct connection *conn = postgres_link(db, table, why, size);

	if (!conn)
		return NULL;
	if (work == WORK_INSERT && !(conn->batch = postgres_batch(db))) {
		snprintf(why, size, "there is no memory for a connection");
	} else if (prepare_work(conn, work) != ENGINE_OK) {
		snprintf(why, size, "%s", conn->message);
	} else {
		return conn;
	}
	disconnect(conn);
	return NULL;
}

static const char *message(struct connection *conn)
{
	return conn->message;
}

/* libpq closes the socket itself, in its own thread. */
static void interrupt(struct connection *conn)
{
	atomic_store(&conn->interrupted, true);
	shutdown(PQsocket(conn->pg), SHUT_RDWR);
}

static enum engine_status end_pk(struct connection *conn, bool newest, int64_t *pk)
{
	struct operands none = { .count = 0 };
	PGresult *rows;
	enum engine_status status = send_statement(conn, newest ? NEWEST : OLDEST, &none,
						   &rows);

	if (status != ENGINE_OK)
		return status;
	if (PQgetisnull(rows, 0, 0))	/* the table is empty */
		*pk = newest ? -1 : 0;
	else
		*pk = decode(PQgetvalue(rows, 0, 0), PQftype(rows, 0), PQfformat(rows, 0));
	PQclear(rows);
	return ENGINE_OK;
}

static enum engine_status delete_oldest(struct connection *conn, int64_t first,
					size_t nrows, uint64_t *deleted)
{
	struct operands keys = operands_of(conn, DELETE);
	PGresult *done;
	enum engine_status status;

	keys.values[0] = first;
	keys.values[1] = first + (int64_t)nrows;
	status = send_statement(conn, DELETE, &keys, &done);
	if (status != ENGINE_OK)
		return status;
	*deleted = strtoull(PQcmdTuples(done), NULL, 10);
	PQclear(done);
	return ENGINE_OK;
}

static unsigned rows_of(const PGresult *rows)
{
	return PQntuples(rows) < ROWS_PER_QUERY ? (unsigned)PQntuples(rows) :
						  ROWS_PER_QUERY;
}

static enum engine_status range(struct connection *conn, unsigned i, int64_t from,
				struct answer *answer)
{
	struct operands start_value = operands_of(conn, RANGE + i);
	PGresult *rows;
	enum engine_status status;

	start_value.values[0] = from;
	status = send_statement(conn, RANGE + i, &start_value, &rows);
	if (status != ENGINE_OK)
		return status;
	answer->rows = rows_of(rows);
	for (unsigned column = 0; column < conn->db->indexes[i].ncolumns; column++)
		decode_column(rows, (int)column, answer);
	PQclear(rows);
	return ENGINE_OK;
}

static enum engine_status point(struct connection *conn, const int64_t *ids,
				struct answer *answer)
{
	struct operands keys = operands_of(conn, POINT);
	PGresult *rows;
	enum engine_status status;

	memcpy(keys.values, ids, sizeof(keys.values));
	status = send_statement(conn, POINT, &keys, &rows);
	if (status != ENGINE_OK)
		return status;
	answer->rows = rows_of(rows);
	decode_column(rows, 0, answer);
	decode_column(rows, 1, answer);
	for (unsigned row = 0; row < answer->rows; row++)
		answer->key[row][2] = PQgetlength(rows, (int)row, 2);
	PQclear(rows);
	return ENGINE_OK;
}

extern const struct engine POSTGRES_ENGINE;
const struct engine POSTGRES_ENGINE = {
	.name = "postgres",
	.about = "PostgreSQL 9.6 or later; the target is a connection string",
	.caps = ENGINE_SERVER,
	.version = version,
	.check_config = check_config,
	.open = open_database,
	.close = close_database,
	.settings = postgres_settings,
	.size = postgres_size,
	.log_bytes = postgres_log_bytes,
	.connect = connect_table,
	.disconnect = disconnect,
	.message = message,
	.interrupt = interrupt,
	.create_table = postgres_create_table,
	.create_indexes = postgres_create_indexes,
	.state = postgres_state,
	.end_pk = end_pk,
	.insert = postgres_insert,
	.delete_oldest = delete_oldest,
	.range = range,
	.point = point,
	.scan = postgres_scan,
	.cleanup = postgres_cleanup,
	.waits = postgres_waits,
	.placeholder = '$',
	.prepare = postgres_prepare,
	.execute = postgres_execute,
	.forget = postgres_forget,
	.run = postgres_run,
	.explain = postgres_explain,
};
