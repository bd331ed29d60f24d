/* What the server tells of itself: its settings, the size of the tables, its log. */
#include "engine.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Settings that may change a result. No path, host or user is among them. */
static const char *const SETTINGS[] = {
	"version", "version_comment", "version_compile_machine",
	"autocommit", "binlog_cache_size", "binlog_checksum", "binlog_format",
	"binlog_order_commits", "binlog_row_image", "character_set_server",
	"collation_server", "default_storage_engine", "flush", "general_log",
	"innodb_adaptive_flushing", "innodb_adaptive_hash_index",
	"innodb_autoinc_lock_mode", "innodb_buffer_pool_chunk_size",
	"innodb_buffer_pool_instances", "innodb_buffer_pool_size",
	"innodb_change_buffer_max_size", "innodb_change_buffering",
	"innodb_checksum_algorithm", "innodb_checksums", "innodb_compression_level",
	"innodb_deadlock_detect", "innodb_dedicated_server", "innodb_doublewrite",
	"innodb_doublewrite_pages", "innodb_fast_shutdown", "innodb_file_format",
	"innodb_file_per_table", "innodb_fill_factor",
	"innodb_flush_log_at_timeout", "innodb_flush_log_at_trx_commit",
	"innodb_flush_method", "innodb_flush_neighbors", "innodb_flushing_avg_loops",
	"innodb_idle_flush_pct", "innodb_io_capacity", "innodb_io_capacity_max",
	"innodb_lock_wait_timeout", "innodb_log_buffer_size", "innodb_log_checksums",
	"innodb_log_file_buffering", "innodb_log_file_mmap", "innodb_log_file_size",
	"innodb_log_files_in_group", "innodb_log_spin_cpu_abs_lwm",
	"innodb_log_write_ahead_size", "innodb_log_writer_threads",
	"innodb_lru_scan_depth", "innodb_max_dirty_pages_pct",
	"innodb_max_dirty_pages_pct_lwm", "innodb_max_purge_lag",
	"innodb_numa_interleave", "innodb_old_blocks_pct", "innodb_open_files",
	"innodb_page_cleaners", "innodb_page_size", "innodb_parallel_read_threads",
	"innodb_ddl_threads", "innodb_ddl_buffer_size", "innodb_purge_batch_size",
	"innodb_purge_threads", "innodb_random_read_ahead",
	"innodb_read_ahead_threshold", "innodb_read_io_threads",
	"innodb_redo_log_capacity", "innodb_sort_buffer_size",
	"innodb_spin_wait_delay", "innodb_stats_auto_recalc",
	"innodb_stats_persistent", "innodb_stats_persistent_sample_pages",
	"innodb_sync_array_size", "innodb_sync_spin_loops",
	"innodb_thread_concurrency", "innodb_undo_log_truncate",
	"innodb_undo_tablespaces", "innodb_use_native_aio", "innodb_validate_tablespace_paths",
	"innodb_write_io_threads",
	"join_buffer_size", "large_pages", "log_bin", "log_slow_query", "long_query_time",
	"max_allowed_packet", "max_connections", "metadata_locks_hash_instances",
	"optimizer_switch", "performance_schema", "query_cache_size", "query_cache_type",
	"read_rnd_buffer_size", "slow_query_log", "sort_buffer_size", "sql_mode",
	"sync_binlog", "table_definition_cache", "table_open_cache",
	"table_open_cache_instances", "thread_cache_size", "thread_handling",
	"transaction_isolation", "tx_isolation",
	"rocksdb_allow_concurrent_memtable_write", "rocksdb_allow_mmap_reads",
	"rocksdb_block_cache_size", "rocksdb_block_size", "rocksdb_bulk_load",
	"rocksdb_bytes_per_sync", "rocksdb_cache_index_and_filter_blocks",
	"rocksdb_checksums_pct", "rocksdb_compaction_readahead_size",
	"rocksdb_compaction_sequential_deletes",
	"rocksdb_compaction_sequential_deletes_count_sd",
	"rocksdb_compaction_sequential_deletes_file_size",
	"rocksdb_compaction_sequential_deletes_window", "rocksdb_db_write_buffer_size",
	"rocksdb_deadlock_detect", "rocksdb_default_cf_options",
	"rocksdb_delayed_write_rate", "rocksdb_enable_2pc",
	"rocksdb_enable_insert_with_update_caching",
	"rocksdb_enable_write_thread_adaptive_yield",
	"rocksdb_flush_log_at_trx_commit", "rocksdb_force_index_records_in_range",
	"rocksdb_git_hash", "rocksdb_index_type", "rocksdb_io_write_timeout",
	"rocksdb_lock_wait_timeout", "rocksdb_manual_wal_flush",
	"rocksdb_max_background_compactions", "rocksdb_max_background_flushes",
	"rocksdb_max_background_jobs", "rocksdb_max_open_files",
	"rocksdb_max_row_locks", "rocksdb_max_subcompactions",
	"rocksdb_max_total_wal_size", "rocksdb_merge_buf_size",
	"rocksdb_override_cf_options", "rocksdb_paranoid_checks",
	"rocksdb_perf_context_level",
	"rocksdb_pin_l0_filter_and_index_blocks_in_cache",
	"rocksdb_rate_limiter_bytes_per_sec", "rocksdb_records_in_range",
	"rocksdb_stats_level", "rocksdb_table_cache_numshardbits",
	"rocksdb_two_write_queues", "rocksdb_use_direct_io_for_flush_and_compaction",
	"rocksdb_use_direct_reads", "rocksdb_use_fsync", "rocksdb_wal_bytes_per_sync",
	"rocksdb_wal_recovery_mode", "rocksdb_whole_key_filtering",
	"rocksdb_write_disable_wal", "rocksdb_write_policy",
};

/* Those of the other storage engine in the same server do not matter. */
static bool is_setting(struct database *db, const char *name)
{
	const char *other = db->kind->rocksdb ? "innodb_" : "rocksdb_";

	if (!strncasecmp(name, other, strlen(other)))
		return false;
	for (size_t i = 0; i < sizeof(SETTINGS) / sizeof(SETTINGS[0]); i++)
		if (!strcasecmp(SETTINGS[i], name))
			return true;
	return false;
}

void mye_settings(void *database, setting_fn *each, void *to)
{
	struct database *db = database;
	MYSQL_RES *result = NULL;
	MYSQL_ROW row;

	if (!mysql_query(db->keeper, "SHOW GLOBAL VARIABLES"))
		result = mysql_store_result(db->keeper);
	while (result && (row = mysql_fetch_row(result)))
		if (row[1] && is_setting(db, row[0]))
			each(to, row[0], row[1]);
	mysql_free_result(result);
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name);

	return length > strlen(suffix) && !strcmp(name + length - strlen(suffix), suffix);
}

/* <table>.ibd; partitions and the hidden tables of an ALTER have other names. */
static bool is_table_file(const struct database *db, const char *name)
{
	char table[256];

	if (!has_suffix(name, ".ibd"))
		return false;
	snprintf(table, sizeof(table), "%.*s", (int)(strlen(name) - strlen(".ibd")), name);
	return !regexec(&db->table_names, table, 0, NULL, 0);
}

static bool is_sst_file(const struct database *db, const char *name)
{
	(void)db;
	return has_suffix(name, ".sst");
}

/* Bytes of the files wanted in one of the data folder's; 0 if it cannot be read or has none. */
static uint64_t folder_size(const struct database *db, const char *parent,
			    const char *folder,
			    bool (*wanted)(const struct database *db, const char *name))
{
	char name[4608];
	struct dirent *entry;
	struct stat info;
	uint64_t bytes = 0;
	DIR *dir;

	snprintf(name, sizeof(name), "%s/%s", parent, folder);
	dir = opendir(name);
	while (dir && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/%s/%s", parent, folder, entry->d_name);
		if (wanted(db, entry->d_name) && !stat(name, &info))
			bytes += (uint64_t)info.st_size;
	}
	if (dir)
		closedir(dir);
	return bytes;
}

static uint64_t files_size(struct database *db)
{
	const char *data = getenv("BENCH_SERVER_DIR");
	uint64_t bytes;

	if (!data || !*data)
		return 0;
	if (!db->kind->rocksdb)
		return folder_size(db, data, db->target.dbname, is_table_file);
	bytes = folder_size(db, data, "#rocksdb", is_sst_file);
	return bytes ? bytes : folder_size(db, data, ".rocksdb", is_sst_file);
}

/*
 * The files where they can be read: of InnoDB those of the tables with their indexes; of
 * MyRocks all sorted files, with what a compaction has yet to drop, without the memtables.
 * Otherwise the server's own estimate from fresh statistics.
 */
uint64_t mye_size(struct database *db)
{
	char text[32];
	uint64_t bytes = files_size(db);

	if (bytes)
		return bytes;
	/* MySQL 8 answers with figures up to a day old unless told otherwise. */
	mysql_query(db->keeper, "SET SESSION information_schema_stats_expiry = 0");
	if (!db->kind->rocksdb)
		mye_analyze(db, db->keeper);
	if (!mye_value(db->keeper, 0, text, sizeof(text), "SELECT SUM(data_length + "
		       "index_length) FROM " MYE_TABLES, db->tables))
		return 0;
	return strtoull(text, NULL, 10);
}

/* Of the storage engine; the binary log is not counted. */
bool mye_log_bytes(struct database *db, uint64_t *bytes)
{
	return mye_status(db->keeper, db->kind->rocksdb ? "Rocksdb_wal_bytes" :
							  "Innodb_os_log_written", bytes);
}
