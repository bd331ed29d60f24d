/* Connections to a server, and what becomes of its answers. */
#include "engine.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_CANCEL_S 2

static const char *after(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) ? NULL : text + strlen(start);
}

/* The part of a line that says what is wrong. */
static const char *news_of(const char *line)
{
	const char *where = after(line, "connection to server ");
	const char *failed = where ? strstr(where, " failed: ") : NULL;
	const char *fatal;

	if (failed)
		line = after(failed, " failed: ");
	fatal = after(line, "FATAL:  ");
	return fatal ? fatal : line;
}

/* Lines become one sentence; what several attempts say alike is said once. */
static void one_line(char *text, char *to, size_t size)
{
	const char *between = "", *news;
	char *rest;
	size_t used = 0;

	to[0] = '\0';
	for (char *line = strtok_r(text, "\n", &rest); line && used < size;
	     line = strtok_r(NULL, "\n", &rest)) {
		/* A hint has lines that begin with a tab. */
		if (*line != '\t')
			between = used ? "; " : "";
		news = news_of(line + strspn(line, " \t"));
		if (!*news || strstr(to, news))
			continue;
		used += (size_t)snprintf(to + used, size - used, "%s%s", between, news);
		between = *line == '\t' ? " " : "; ";
	}
}

static void cannot_connect(const struct database *db, PGconn *pg, char *why, size_t size)
{
	char *text = postgres_scrubbed(db, pg, true, PQerrorMessage(pg));
	char line[ENGINE_TEXT] = "";

	if (text)
		one_line(text, line, sizeof(line));
	snprintf(why, size, "cannot connect to the server: %s", line);
	free(text);
}

static enum engine_status status_of(const char *code)
{
	static const struct {
		const char *code;
		enum engine_status status;
	} CODES[] = {
		{ "40P01", ENGINE_LOCKED },	/* deadlock */
		{ "40001", ENGINE_LOCKED },	/* serialization failure */
		{ "55P03", ENGINE_BUSY },	/* a lock was not available */
		{ "53100", ENGINE_FULL },	/* disk full */
	};

	for (size_t i = 0; i < sizeof(CODES) / sizeof(CODES[0]); i++)
		if (code && !strcmp(code, CODES[i].code))
			return CODES[i].status;
	return ENGINE_FAILED;
}

static enum engine_status failed(struct connection *conn, const PGresult *result)
{
	bool lost = PQstatus(conn->pg) != CONNECTION_OK;
	const char *said = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	char *text;

	if (!said || !*said)
		said = PQerrorMessage(conn->pg);
	text = postgres_scrubbed(conn->db, conn->pg, lost, said);
	snprintf(conn->message, sizeof(conn->message), "%s%.*s",
		 lost ? "the connection to the server was lost: " : "",
		 text ? (int)strcspn(news_of(text), "\n") : 0,
		 text ? news_of(text) : "");
	free(text);
	return lost ? ENGINE_FAILED :
		      status_of(PQresultErrorField(result, PG_DIAG_SQLSTATE));
}

enum engine_status postgres_take(struct connection *conn, PGresult *result,
				 PGresult **rows)
{
	ExecStatusType did = PQresultStatus(result);
	enum engine_status status = ENGINE_OK;

	if (did != PGRES_COMMAND_OK && did != PGRES_TUPLES_OK)
		status = failed(conn, result);
	if (status == ENGINE_OK && rows)
		*rows = result;
	else
		PQclear(result);
	return status;
}

static enum engine_status ask(struct connection *conn, PGresult **rows,
			      const char *format, va_list values)
{
	char sql[SQL_SIZE];

	vsnprintf(sql, sizeof(sql), format, values);
	return postgres_take(conn, PQexec(conn->pg, sql), rows);
}

enum engine_status postgres_ask(struct connection *conn, PGresult **rows,
				const char *format, ...)
{
	enum engine_status status;
	va_list values;

	va_start(values, format);
	status = ask(conn, rows, format, values);
	va_end(values);
	return status;
}

enum engine_status postgres_number(struct connection *conn, int64_t *number,
				   const char *format, ...)
{
	PGresult *rows;
	enum engine_status status;
	va_list values;

	va_start(values, format);
	status = ask(conn, &rows, format, values);
	va_end(values);
	if (status != ENGINE_OK)
		return status;
	*number = PQntuples(rows) ? strtoll(PQgetvalue(rows, 0, 0), NULL, 10) : 0;
	PQclear(rows);
	return ENGINE_OK;
}

/* What libpq says of a string that it cannot read may quote any part of it. */
bool postgres_good_target(const char *text, char *why, size_t size)
{
	PQconninfoOption *options = PQconninfoParse(text, NULL);

	if (!options)
		snprintf(why, size, "the target is not a connection string: it must be "
			 "words such as host= port= user= password= dbname=, or a URI");
	PQconninfoFree(options);
	return options;
}

/* libpq would print them on stderr, which is ours. */
static void drop_notice(void *to, const PGresult *notice)
{
	(void)to;
	(void)notice;
}

/* A server that does not answer may not hold up the run for long. */
static PGconn *call(const char *target)
{
	const char *const words[] = { "connect_timeout", "dbname", "application_name",
				      NULL };
	const char *const values[] = { "30", target, "benchbook", NULL };

	return PQconnectdbParams(words, values, 1);
}

struct connection *postgres_link(struct database *db, unsigned table, char *why,
				 size_t size)
{
	struct connection *conn = calloc(1, sizeof(*conn));

	if (!conn || !(conn->pg = call(db->target))) {
		free(conn);
		snprintf(why, size, "there is no memory for a connection");
		return NULL;
	}
	conn->db = db;
	conn->table = table;
	if (PQstatus(conn->pg) != CONNECTION_OK) {
		cannot_connect(db, conn->pg, why, size);
		postgres_unlink(conn);
		return NULL;
	}
	PQsetNoticeReceiver(conn->pg, drop_notice, NULL);
	conn->cancel = PQgetCancel(conn->pg);
	/* ISO: the form in which postgres.c reads a time that comes as text. */
	if (postgres_ask(conn, NULL, "SET client_min_messages = warning; "
			 "SET datestyle = ISO") == ENGINE_OK)
		return conn;
	snprintf(why, size, "%s", conn->message);
	postgres_unlink(conn);
	return NULL;
}

static void *send_cancel(void *cancel)
{
	char why[256];

	PQcancel(cancel, why, sizeof(why));
	return NULL;
}

/*
 * The server goes on with a statement whose client left, unless it is told. That needs
 * another connection, for which a server that hangs may keep us waiting for ever.
 */
static void cancel(struct connection *conn)
{
	struct timespec until;
	pthread_t thread;

	if (conn->db->deaf || !conn->cancel ||
	    pthread_create(&thread, NULL, send_cancel, conn->cancel))
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += MOST_CANCEL_S;
	if (!pthread_timedjoin_np(thread, NULL, &until))
		return;
	pthread_detach(thread);
	conn->cancel = NULL;	/* the thread still has it */
	conn->db->deaf = true;
}

void postgres_unlink(struct connection *conn)
{
	if (atomic_load(&conn->interrupted))
		cancel(conn);
	PQfreeCancel(conn->cancel);
	PQfinish(conn->pg);
	free(conn);
}
