/* MySQL and MariaDB: what their sessions do and wait for. */
#include "engine.h"
#include "engines/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONSUMERS "'global_instrumentation', 'thread_instrumentation', 'events_waits_current'"
#define OTHERS "NOT IN (CONNECTION_ID(), %lu)"

/*
 * Waits that have not ended; of those inside one another (a file inside a table) the
 * innermost, which has the highest number. Of the server's own threads only files: the
 * rest wait for work most of the time.
 */
#define EVENTS \
	"SELECT state, COUNT(*) FROM (SELECT CONCAT(IF(t.type = 'BACKGROUND', " \
	"'background ', ''), COALESCE(SUBSTR(MAX(IF(w.end_event_id IS NULL, " \
	"CONCAT(LPAD(w.event_id, 20, '0'), w.event_name), NULL)), 21), " \
	"IF(t.processlist_command = 'Sleep', 'idle', 'running'))) AS state " \
	"FROM performance_schema.threads t LEFT JOIN " \
	"performance_schema.events_waits_current w ON w.thread_id = t.thread_id " \
	"WHERE t.type = 'FOREGROUND' AND t.processlist_db = DATABASE() AND " \
	"t.processlist_id " OTHERS " OR t.type = 'BACKGROUND' AND " \
	"w.event_name LIKE 'wait/io/file/%%' AND w.end_event_id IS NULL " \
	"GROUP BY t.thread_id, t.type, t.processlist_command) s " \
	"GROUP BY state ORDER BY 2 DESC, 1"

#define PROCESSLIST \
	"SELECT CASE WHEN command = 'Sleep' THEN 'idle' WHEN COALESCE(state, '') = '' " \
	"THEN 'running' ELSE state END, COUNT(*) FROM information_schema.processlist " \
	"WHERE db = DATABASE() AND id " OTHERS " GROUP BY 1 ORDER BY 2 DESC, 1"

static const char *const SOURCES[] = {
	[WAITS_EVENTS] =
		"waits are from performance_schema.events_waits_current: those that "
		"setup_instruments enables, of the server's own threads only for files",
	[WAITS_PROCESSLIST] =
		"waits are states of information_schema.processlist, because "
		"performance_schema does not record current waits here; a state says what a "
		"session does, so waits for mutexes, rw-locks and files are not seen",
};

static enum waits_from find_source(struct connection *conn)
{
	char found[24] = "";

	if (mye_value(conn->handle, 0, found, sizeof(found), "SELECT COUNT(*) FROM "
		      "performance_schema.setup_consumers WHERE enabled = 'YES' AND "
		      "name IN (" CONSUMERS ")") && !strcmp(found, "3"))
		return WAITS_EVENTS;
	return WAITS_PROCESSLIST;
}

enum engine_status mye_waits(struct connection *conn, struct wait_counts *counts)
{
	unsigned long keeper = mysql_thread_id(conn->db->keeper);
	MYSQL_RES *result = NULL;
	MYSQL_ROW row;
	char sql[2 * SQL_SIZE];
	int length;

	if (conn->waits_from == WAITS_UNKNOWN)
		conn->waits_from = find_source(conn);
	length = conn->waits_from == WAITS_EVENTS ?
			 snprintf(sql, sizeof(sql), EVENTS, keeper) :
			 snprintf(sql, sizeof(sql), PROCESSLIST, keeper);
	if (!mysql_real_query(conn->handle, sql, (unsigned long)length))
		result = mysql_store_result(conn->handle);
	if (!result)
		return mye_failed(conn);
	while ((row = mysql_fetch_row(result)))
		wait_counts_add(counts, row[0] ? row[0] : "unknown",
				row[1] ? strtoull(row[1], NULL, 10) : 0);
	mysql_free_result(result);
	counts->source = SOURCES[conn->waits_from];
	return ENGINE_OK;
}
