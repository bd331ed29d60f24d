/* A connection to the server, as all of ours are. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

#define CONNECT_SECONDS 10u
/* A year: the keeper says nothing during a step, and a step may take days. */
#define SESSION "SET autocommit = 1, wait_timeout = 31536000"

static const char *given(const char *value)
{
	return *value ? value : NULL;
}

/* latin1 on both ends: nothing is converted, whatever the server's default is. */
static void set_options(MYSQL *handle)
{
	unsigned seconds = CONNECT_SECONDS;
	my_bool no = 0;

	mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
	mysql_options(handle, MYSQL_SET_CHARSET_NAME, "latin1");
	mysql_options(handle, MYSQL_REPORT_DATA_TRUNCATION, &no);
}

/*
 * CLIENT_FOUND_ROWS: an UPDATE tells how many rows it found, as other engines do, and not
 * in how many of them a value changed.
 */
MYSQL *mye_dial(const struct target *target, char *why, size_t size)
{
	MYSQL *handle = mysql_init(NULL);
	const char *host = given(target->host);

	if (!handle) {
		snprintf(why, size, "there is no memory for a connection");
		return NULL;
	}
	set_options(handle);
	if (!host && !*target->socket && *target->port)
		host = "127.0.0.1";
	if (mysql_real_connect(handle, host, given(target->user), target->password,
			       given(target->dbname),
			       (unsigned)strtoul(target->port, NULL, 10),
			       given(target->socket), CLIENT_FOUND_ROWS) &&
	    !mysql_query(handle, SESSION))
		return handle;
	mye_refused(target, handle, why, size);
	mysql_close(handle);
	return NULL;
}
