/* Every statement that SQLite runs, one in a line, with its values in place. */
#include "engine.h"

#include <string.h>

/* Since 3.14; whether the library has them shows when the engine runs. */
extern __typeof__(sqlite3_trace_v2) sqlite3_trace_v2 __attribute__((weak));
extern __typeof__(sqlite3_expanded_sql) sqlite3_expanded_sql __attribute__((weak));

static void write_line(FILE *trace, const char *sql)
{
	flockfile(trace);
	for (; *sql; sql++)
		putc_unlocked(*sql == '\n' ? ' ' : *sql, trace);
	putc_unlocked('\n', trace);
	funlockfile(trace);
}

/* The statement of a trigger is told as a comment, which is what SQLite knows of it. */
static int traced(unsigned event, void *trace, void *statement, void *text)
{
	char *expanded = NULL;

	(void)event;
	if (strncmp(text, "--", 2))
		expanded = sqlite3_expanded_sql(statement);
	write_line(trace, expanded ? expanded : text);
	sqlite3_free(expanded);
	return 0;
}

bool sq_trace(sqlite3 *handle, FILE *trace, char *why, size_t size)
{
	if (!sqlite3_trace_v2 || !sqlite3_expanded_sql) {
		snprintf(why, size, "SQLite %s cannot tell the statements that it runs: "
			 "3.14 or later can", sqlite3_libversion());
		return false;
	}
	sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, traced, trace);
	return true;
}
