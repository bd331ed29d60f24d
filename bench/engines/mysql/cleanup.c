/* The step cleanup: what earlier writes left to do is done now, and waited for. */
#include "common/clock.h"
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

#define LOOK_NS (100 * 1000 * 1000ull)
#define QUIET_LOOKS 10		/* as many looks without a change: nothing is going on */
#define FEW_PAGES 100		/* the server's own tables get dirty all the time */
#define LEAST_WAIT_S 60
#define ROWS_PER_S 1000000	/* another second of patience for so many rows */

/* Global variables that are changed for a while, and what they were. */
struct knob {
	const char *name;
	char value[64];		/* empty: it does not exist or must not be set */
};

static uint64_t patience_ns(struct connection *conn)
{
	int64_t rows = 0;

	mye_numbers(conn, &rows, 1, "SELECT SUM(table_rows) FROM " MYE_TABLES,
		    conn->db->tables);
	return (LEAST_WAIT_S + (uint64_t)rows / ROWS_PER_S) * NS_PER_S;
}

static bool turn(struct connection *conn, struct knob *knob, const char *to)
{
	if (mye_variable(conn->handle, knob->name, knob->value, sizeof(knob->value)) &&
	    mye_execute(conn, "SET GLOBAL %s = %s", knob->name, to) == ENGINE_OK)
		return true;
	knob->value[0] = '\0';
	return false;
}

/* Also when the connection was lost meanwhile: the server may go on without us. */
static void turn_back(struct connection *conn, const struct knob *knob)
{
	char why[ENGINE_TEXT], sql[SQL_SIZE];
	MYSQL *handle;

	if (!knob->value[0])
		return;
	snprintf(sql, sizeof(sql), "SET GLOBAL %s = %s", knob->name, knob->value);
	if (!mysql_query(conn->handle, sql))
		return;
	handle = mye_dial(&conn->db->target, why, sizeof(why));
	if (!handle)
		return;
	mysql_query(handle, sql);
	mysql_close(handle);
}

static enum engine_status await_clean_pages(struct connection *conn)
{
	uint64_t until_ns = clock_mono_ns() + patience_ns(conn), dirty = 0;

	do {
		if (!mye_status(conn->handle, "Innodb_buffer_pool_pages_dirty", &dirty))
			return mye_failed(conn);
		if (dirty <= FEW_PAGES)
			return ENGINE_OK;
		clock_sleep_until_ns(clock_mono_ns() + LOOK_NS);
	} while (clock_mono_ns() < until_ns);
	return ENGINE_OK;
}

/* Pages are written back as fast as innodb_io_capacity lets them. */
static enum engine_status flush_innodb(struct connection *conn)
{
	struct knob low = { .name = "innodb_max_dirty_pages_pct_lwm" };
	struct knob most = { .name = "innodb_max_dirty_pages_pct" };
	enum engine_status status = ENGINE_OK;

	turn(conn, &low, "0");
	if (turn(conn, &most, "0"))
		status = await_clean_pages(conn);
	turn_back(conn, &most);
	turn_back(conn, &low);
	return status;
}

static uint64_t innodb_written(struct connection *conn)
{
	uint64_t pages = 0, page_size = 0;

	if (!mye_status(conn->handle, "Innodb_pages_written", &pages) ||
	    !mye_status(conn->handle, "Innodb_page_size", &page_size))
		return 0;
	return pages * page_size;
}

static uint64_t rocksdb_written(struct connection *conn)
{
	uint64_t flushed = 0, compacted = 0;

	if (!mye_status(conn->handle, "Rocksdb_flush_write_bytes", &flushed) ||
	    !mye_status(conn->handle, "Rocksdb_compact_write_bytes", &compacted))
		return 0;
	return flushed + compacted;
}

/* RocksDB tells which work waits but not which goes on: that shows in what it writes. */
static enum engine_status await_compactions(struct connection *conn)
{
	uint64_t until_ns = clock_mono_ns() + patience_ns(conn);
	uint64_t before = 0, now;
	unsigned quiet = 0;

	while (quiet < QUIET_LOOKS && clock_mono_ns() < until_ns) {
		int64_t waiting = 0;
		enum engine_status status = mye_numbers(
			conn, &waiting, 1, "SELECT SUM(value) FROM "
			"information_schema.rocksdb_cfstats WHERE stat_type IN "
			"('COMPACTION_PENDING', 'MEM_TABLE_FLUSH_PENDING')");

		if (status != ENGINE_OK)
			return status;
		now = rocksdb_written(conn);
		quiet = waiting || now != before ? 0 : quiet + 1;
		before = now;
		clock_sleep_until_ns(clock_mono_ns() + LOOK_NS);
	}
	return ENGINE_OK;
}

static enum engine_status flush_rocksdb(struct connection *conn)
{
	if (mysql_query(conn->handle,
			"SET GLOBAL rocksdb_force_flush_memtable_and_lzero_now = 1") &&
	    mysql_query(conn->handle, "SET GLOBAL rocksdb_force_flush_memtable_now = 1"))
		return ENGINE_OK;
	return await_compactions(conn);
}

/* A user without the right to set global variables gets the statistics only. */
enum engine_status mye_cleanup(struct connection *conn, uint64_t *bytes)
{
	bool rocksdb = conn->db->kind->rocksdb;
	uint64_t (*written)(struct connection *conn) = rocksdb ? rocksdb_written :
								  innodb_written;
	uint64_t before = written(conn), after;
	enum engine_status status = rocksdb ? flush_rocksdb(conn) : flush_innodb(conn);

	if (status != ENGINE_OK)
		return status;
	if (!mye_analyze(conn->db, conn->handle))
		return mye_failed(conn);
	after = written(conn);
	*bytes = after > before ? after - before : 0;
	return ENGINE_OK;
}
