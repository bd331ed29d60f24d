/* What the errors of MySQL, MariaDB and MyRocks mean, in statuses and sentences. */
#include "engine.h"

#include <errmsg.h>
#include <mysqld_error.h>
#include <stdio.h>
#include <string.h>

#define CONNECTION_KILLED 1927		/* MariaDB only */
#define SERVER_LOST_EXTENDED 2055
#define TIMED_OUT 4031			/* MySQL 8: the server closed an idle connection */

/* Servers wrap the operating system's ENOSPC in many codes, but always tell its number. */
static bool is_full(unsigned code, const char *text)
{
	return code == ER_RECORD_FILE_FULL || code == ER_DISK_FULL ||
	       strstr(text, "No space left") || strstr(text, "rrcode: 28") ||
	       strstr(text, "errno: 28") || strstr(text, "error 28 ");
}

static bool is_lost(unsigned code)
{
	return code == CR_SERVER_GONE_ERROR || code == CR_SERVER_LOST ||
	       code == SERVER_LOST_EXTENDED || code == CONNECTION_KILLED ||
	       code == ER_SERVER_SHUTDOWN || code == TIMED_OUT;
}

/* MyRocks has few codes of its own; the text says what RocksDB answered. */
static enum engine_status rocksdb_status(const char *text)
{
	if (strstr(text, "snapshot conflict") || strstr(text, "deadlock"))
		return ENGINE_LOCKED;
	if (strstr(text, "status: busy") || strstr(text, "try again") ||
	    strstr(text, "timed out"))
		return ENGINE_BUSY;
	return ENGINE_FAILED;
}

static enum engine_status status_of(unsigned code, const char *text)
{
	if (is_full(code, text))
		return ENGINE_FULL;
	switch (code) {
	case ER_LOCK_DEADLOCK:
		return ENGINE_LOCKED;
	case ER_LOCK_WAIT_TIMEOUT:
		return ENGINE_BUSY;
	case ER_GET_ERRNO:
	case ER_GET_ERRMSG:
	case ER_UNKNOWN_ERROR:
		return rocksdb_status(text);
	default:
		return ENGINE_FAILED;
	}
}

static enum engine_status failed(struct connection *conn, unsigned code, const char *text)
{
	char clean[ENGINE_TEXT - 32];

	if (is_lost(code)) {
		snprintf(conn->message, sizeof(conn->message), "the connection to the "
			 "server was lost (error %u)", code);
		return ENGINE_FAILED;
	}
	mye_scrub(&conn->db->target, text, clean, sizeof(clean));
	snprintf(conn->message, sizeof(conn->message), "%s (error %u)", clean, code);
	return status_of(code, text);
}

enum engine_status mye_failed(struct connection *conn)
{
	return failed(conn, mysql_errno(conn->handle), mysql_error(conn->handle));
}

/* An error between two rows is the connection's, not the statement's. */
enum engine_status mye_failed_statement(struct connection *conn, MYSQL_STMT *statement)
{
	if (!mysql_stmt_errno(statement))
		return mye_failed(conn);
	return failed(conn, mysql_stmt_errno(statement), mysql_stmt_error(statement));
}

/* Servers put the account and the address into these, so they are told in our words. */
void mye_refused(const struct target *target, MYSQL *handle, char *why, size_t size)
{
	unsigned code = mysql_errno(handle);
	char clean[ENGINE_TEXT - 64];
	const char *reason = clean;

	switch (code) {
	case CR_CONNECTION_ERROR:
	case CR_CONN_HOST_ERROR:
	case CR_IPSOCK_ERROR:
	case CR_UNKNOWN_HOST:
		reason = "no server answers at the target's socket or host and port";
		break;
	case CR_SERVER_GONE_ERROR:
	case CR_SERVER_HANDSHAKE_ERR:
	case CR_SERVER_LOST:
	case SERVER_LOST_EXTENDED:
		reason = "the server closed the connection while it was being made";
		break;
	case CR_AUTH_PLUGIN_CANNOT_LOAD:
	case ER_PLUGIN_IS_NOT_LOADED:
		reason = "the client library lacks the way in which the target's user "
			 "must log in";
		break;
	case ER_ACCESS_DENIED_ERROR:
	case ER_ACCESS_DENIED_NO_PASSWORD_ERROR:
		reason = "the server refused the target's user or password";
		break;
	case ER_BAD_DB_ERROR:
	case ER_DBACCESS_DENIED_ERROR:
		reason = "the server has no database of the target's dbname, or the "
			 "target's user may not use it";
		break;
	case ER_CON_COUNT_ERROR:
	case ER_TOO_MANY_USER_CONNECTIONS:
	case ER_USER_LIMIT_REACHED:
		reason = "the server takes no more connections: raise its "
			 "max_connections or lower --dop";
		break;
	case ER_HOST_IS_BLOCKED:
	case ER_HOST_NOT_PRIVILEGED:
		reason = "the server takes no connections from this machine";
		break;
	default:
		mye_scrub(target, mysql_error(handle), clean, sizeof(clean));
	}
	snprintf(why, size, "%s (error %u)", reason, code);
}
