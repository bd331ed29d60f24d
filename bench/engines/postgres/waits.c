/* PostgreSQL: what its sessions do and wait for. */
#include "engine.h"
#include "engines/waits.h"

#include <stdlib.h>

/* A session whose state this user may not see has none, and is left out. */
#define STATE "CASE WHEN coalesce(state, 'active') = 'active' THEN " \
	      "coalesce(wait_event_type || ':' || wait_event, 'running') ELSE state END"
#define SESSIONS "state IS NOT NULL AND datname = current_database()"
#define COUNTED ", count(*) FROM pg_stat_activity WHERE pid NOT IN (pg_backend_pid(), %d)"
#define IN_ORDER " GROUP BY 1 ORDER BY 2 DESC, 1"

/* Parallel workers are sessions too: those that make an index do the work of one. */
#define CLIENTS "backend_type IN ('client backend', 'parallel worker')"
#define SQL "SELECT CASE WHEN " CLIENTS " THEN '' ELSE backend_type || ' ' END || " STATE \
	    COUNTED " AND (" CLIENTS " AND " SESSIONS " OR NOT " CLIENTS \
	    " AND wait_event_type IN ('IO', 'LWLock'))" IN_ORDER
#define SQL_BEFORE_10 "SELECT " STATE COUNTED " AND " SESSIONS \
		      " AND query NOT LIKE 'autovacuum:%%'" IN_ORDER

static const char SOURCE[] =
	"waits are from pg_stat_activity: of sessions and parallel workers in this database "
	"the wait event or else the state, of the server's own processes only waits for IO "
	"and for locks inside the server (LWLock)";
static const char SOURCE_BEFORE_10[] =
	"waits are from pg_stat_activity of sessions in this database; before version 10 it "
	"does not see waits for files nor the server's own processes: a session that waits "
	"for a file is running";

_Static_assert(sizeof(SQL) < SQL_SIZE && sizeof(SQL_BEFORE_10) < SQL_SIZE,
	       "postgres_ask would cut the query");

enum engine_status postgres_waits(struct connection *conn, struct wait_counts *counts)
{
	bool old = conn->db->number < 100000;
	int admin = PQbackendPID(conn->db->admin->pg);
	PGresult *rows;
	enum engine_status status = old ? postgres_ask(conn, &rows, SQL_BEFORE_10, admin) :
					  postgres_ask(conn, &rows, SQL, admin);

	if (status != ENGINE_OK)
		return status;
	for (int i = 0; i < PQntuples(rows); i++)
		wait_counts_add(counts, PQgetvalue(rows, i, 0),
				strtoull(PQgetvalue(rows, i, 1), NULL, 10));
	PQclear(rows);
	counts->source = old ? SOURCE_BEFORE_10 : SOURCE;
	return ENGINE_OK;
}
