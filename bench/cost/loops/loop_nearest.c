/*
 * Searches of vectors as a C programmer writes them who wants nothing else: connect, prepare,
 * and a loop over a file of queries. The table is that of the workload `vectors`;
 * tests/benchmarks/vector_client_cost.py compares the CPU time with that of sql.
 */
#include "common/clock.h"
#include "vectors/fvecs.h"

#include <endian.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQL "SELECT id FROM items ORDER BY v <-> $1 LIMIT 10"

static _Noreturn void die(const char *why)
{
	fprintf(stderr, "loop_nearest: %s\n", why);
	exit(1);
}

static PGresult *check(PGconn *conn, PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		die(PQerrorMessage(conn));
	return result;
}

/* In pgvector's binary form, of the highest byte first. Returns the bytes. */
static size_t put(char *to, const float *vector, size_t dim)
{
	uint16_t head[2] = { htobe16((uint16_t)dim), 0 };

	memcpy(to, head, sizeof(head));
	for (size_t i = 0; i < dim; i++) {
		uint32_t bits;

		memcpy(&bits, &vector[i], sizeof(bits));
		bits = htobe32(bits);
		memcpy(to + sizeof(head) + i * sizeof(bits), &bits, sizeof(bits));
	}
	return sizeof(head) + dim * sizeof(uint32_t);
}

/* Sends so many and adds up the ids: how many rows came. */
static uint64_t search(PGconn *conn, const struct vectors *queries, uint64_t count,
		       int64_t *sum)
{
	char *value = malloc(4 + queries->dim * sizeof(float));
	const char *values[] = { value };
	static const int BINARY[] = { 1 };
	uint64_t rows = 0;

	if (!value)
		die("there is no memory for a vector");
	for (uint64_t i = 0; i < count; i++) {
		size_t row = i % queries->count * queries->dim;
		int length = (int)put(value, queries->values + row, queries->dim);
		PGresult *found = check(conn, PQexecPrepared(conn, "nearest", 1, values,
							     &length, BINARY, 1));

		for (int j = 0; j < PQntuples(found); j++, rows++) {
			uint64_t id;

			memcpy(&id, PQgetvalue(found, j, 0), sizeof(id));
			*sum += (int64_t)be64toh(id);
		}
		PQclear(found);
	}
	free(value);
	return rows;
}

int main(int argc, char **argv)
{
	uint64_t count = argc == 4 ? strtoull(argv[3], NULL, 10) : 0, rows, before, cpu_ns;
	struct vectors queries = { .values = NULL };
	char path[4096], why[256];
	int64_t sum = 0;
	PGconn *conn;

	if (!count) {
		fputs("usage: loop_nearest TARGET FOLDER QUERIES\n", stderr);
		return 2;
	}
	snprintf(path, sizeof(path), "%s/queries.fvecs", argv[2]);
	if (!fvecs_read(&queries, path, why, sizeof(why)))
		die(why);
	conn = PQconnectdb(argv[1]);
	if (PQstatus(conn) != CONNECTION_OK)
		die(PQerrorMessage(conn));
	PQclear(check(conn, PQexec(conn, "SET hnsw.ef_search = 10")));
	PQclear(check(conn, PQprepare(conn, "nearest", SQL, 0, NULL)));
	before = clock_thread_cpu_ns();
	rows = search(conn, &queries, count, &sum);
	cpu_ns = clock_thread_cpu_ns() - before;
	PQfinish(conn);
	free(queries.values);
	printf("{\"statements\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"sum\":%" PRId64
	       ",\"cpu_ns\":%" PRIu64 "}\n", count, rows, sum, cpu_ns);
	return 0;
}
