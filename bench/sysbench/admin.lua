-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- What is no test: load, index, cleanup, and what the server says of itself. For each of
-- the first three `benchbook: begin NS` is printed, then `benchbook: end NS OPS ROWS BYTES`
-- by each thread, on the monotonic clock.
require("common")

local ffi = require("ffi")
local opt     -- of the command line, which is read after this file
ffi.cdef [[
   struct moment { long seconds, ns; };
   int clock_gettime(int clock, struct moment *moment);
   int usleep(unsigned us);
]]

local function now()
   local moment = ffi.new("struct moment")
   ffi.C.clock_gettime(1, moment)
   return string.format("%.0f%09.0f", tonumber(moment.seconds), tonumber(moment.ns))
end

local function begin()
   opt = sysbench.opt
   print("benchbook: begin " .. now())
end

local function finish(ops, rows, bytes)
   print(string.format("benchbook: end %s %.0f %.0f %.0f", now(), ops, rows, bytes))
end

-- The tables of this thread: each belongs to one.
local function own_tables()
   local n = sysbench.tid - opt.threads
   return function()
      n = n + opt.threads
      return n < opt.tables and n + 1 or nil
   end
end

local function create(connection, n)
   local id, key = "SERIAL", opt.pk == 1 and ", PRIMARY KEY (id)" or ""
   local of_mysql = ""
   if bench.is_mysql then
      id = "INTEGER NOT NULL AUTO_INCREMENT"
      key = opt.pk == 1 and key or ", KEY (id)"
      of_mysql = " ENGINE = " .. opt.storage .. " DEFAULT CHARSET = latin1"
   end
   connection:query("DROP TABLE IF EXISTS sbtest" .. n)
   connection:query(string.format(
      "CREATE TABLE sbtest%d (id %s, k INTEGER DEFAULT 0 NOT NULL, " ..
      "c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL%s)%s",
      n, id, key, of_mysql))
   if opt.pk == 0 and not bench.is_mysql then
      connection:query(string.format("CREATE INDEX id_%d ON sbtest%d (id)", n, n))
   end
end

local function fill(connection, n)
   connection:bulk_insert_init(string.format(
      "INSERT INTO sbtest%d (id, k, c, pad) VALUES", n))
   for row = 1, opt.table_size do
      connection:bulk_insert_next(string.format("(%d, %d, '%s', '%s')", row,
         sysbench.rand.uniform(1, opt.table_size), sysbench.rand.string(bench.C),
         sysbench.rand.string(bench.PAD)))
   end
   connection:bulk_insert_done()
   if not bench.is_mysql then
      connection:query(string.format(
         "SELECT setval(pg_get_serial_sequence('sbtest%d', 'id'), %d)", n, opt.table_size))
   end
end

local function load()
   local connection, tables = bench.connect(), 0
   begin()
   for n in own_tables() do
      create(connection, n)
      fill(connection, n)
      tables = tables + 1
   end
   finish(tables, tables * opt.table_size, 0)
end

local function index()
   local connection, tables = bench.connect(), 0
   begin()
   for n in own_tables() do
      connection:query(string.format("CREATE INDEX k_%d ON sbtest%d (k)", n, n))
      tables = tables + 1
   end
   finish(tables, tables * opt.table_size, 0)
end

local function number(connection, sql, column)
   local row = {connection:query_row(sql)}
   return tonumber(row[column or 1]) or 0
end

local function status(connection, name)
   return number(connection, "SHOW GLOBAL STATUS LIKE '" .. name .. "'", 2)
end

-- Bytes that the server has written of its tables so far.
local function written(connection)
   if bench.is_mysql and opt.storage == "ROCKSDB" then
      return status(connection, "Rocksdb_flush_write_bytes") +
         status(connection, "Rocksdb_compact_write_bytes")
   elseif bench.is_mysql then
      return status(connection, "Innodb_pages_written") *
         status(connection, "Innodb_page_size")
   end
   local release = number(connection, "SELECT current_setting('server_version_num')")
   local of_checkpoints = "SELECT buffers_checkpoint FROM pg_stat_bgwriter"
   if release >= 170000 then
      of_checkpoints = "SELECT buffers_written FROM pg_stat_checkpointer"
   end
   return number(connection, of_checkpoints) * 8192
end

-- Until settled() is true, at most a minute and a second for each million rows.
local function await(settled)
   for _ = 1, 600 + opt.table_size * opt.tables / 100000 do
      if settled() then
         return
      end
      ffi.C.usleep(100000)
   end
end

-- The setting that needs a right which not every user has; what is there for him is done.
local function allowed(connection, sql)
   return (pcall(connection.query, connection, sql))
end

local function flush_innodb(connection)
   local name, old = "innodb_max_dirty_pages_pct", {}
   for _, setting in ipairs({name .. "_lwm", name}) do
      local _, value = connection:query_row("SHOW GLOBAL VARIABLES LIKE '" .. setting .. "'")
      if value and allowed(connection, "SET GLOBAL " .. setting .. " = 0") then
         old[setting] = value
      end
   end
   if old[name] then
      await(function() return status(connection, "Innodb_buffer_pool_pages_dirty") <= 100 end)
   end
   for _, setting in ipairs({name, name .. "_lwm"}) do
      if old[setting] then
         connection:query("SET GLOBAL " .. setting .. " = " .. old[setting])
      end
   end
end

-- RocksDB says which work waits but not which goes on: that shows in what it writes.
local function flush_rocksdb(connection)
   local before, quiet = -1, 0
   if not allowed(connection, "SET GLOBAL rocksdb_force_flush_memtable_and_lzero_now = 1") then
      return
   end
   await(function()
      local waits = number(connection, "SELECT SUM(value) FROM " ..
         "information_schema.rocksdb_cfstats WHERE stat_type IN " ..
         "('COMPACTION_PENDING', 'MEM_TABLE_FLUSH_PENDING')")
      local so_far = written(connection)
      quiet = (waits > 0 or so_far ~= before) and 0 or quiet + 1
      before = so_far
      return quiet >= 10
   end)
end

local function cleanup()
   local connection = bench.connect()
   begin()
   local before = written(connection)
   local on_table = "VACUUM (ANALYZE) sbtest"
   if bench.is_mysql then
      on_table = "ANALYZE TABLE sbtest";
      (opt.storage == "ROCKSDB" and flush_rocksdb or flush_innodb)(connection)
   end
   for n = 1, opt.tables do
      connection:query(on_table .. n)
   end
   if not bench.is_mysql and allowed(connection, "CHECKPOINT") then
      -- Its counter comes a little later.
      for _ = 1, 20 do
         ffi.C.usleep(50000)
         if written(connection) > before then
            break
         end
      end
   end
   finish(opt.tables, 0, math.max(0, written(connection) - before))
end

-- One line for each setting: its name, a tab, its value.
local OF_POSTGRES = "SELECT 'version_string', version() UNION ALL " ..
   "SELECT name, current_setting(name) FROM pg_settings WHERE source NOT IN " ..
   "('default', 'client', 'session') AND vartype <> 'string' AND name <> 'port' " ..
   "AND name NOT LIKE 'transaction%'"
local OF_MYSQL = "SHOW GLOBAL VARIABLES WHERE (Variable_name REGEXP " ..
   "'^(innodb|rocksdb|binlog|join_buffer|sort_buffer|tmp_table|transaction|tx_)' OR " ..
   "Variable_name IN ('version_comment', 'sync_binlog', 'log_bin', 'character_set_server', " ..
   "'query_cache_type', 'performance_schema', 'skip_log_bin')) AND Value NOT LIKE '%/%'"

local function describe()
   local connection = bench.connect()
   local version = connection:query_row(bench.is_mysql and "SELECT version()" or "SHOW server_version")
   print("benchbook: version " .. version:gsub("^5%.5%.5%-", ""):match("^[%w.]+"))
   local settings = connection:query(bench.is_mysql and OF_MYSQL or OF_POSTGRES)
   for _ = 1, settings.nrows do
      local row = settings:fetch_row()
      print(string.format("benchbook: setting %s\t%s", row[1], row[2] or ""))
   end
end

sysbench.cmdline.commands = {
   load = {load, sysbench.cmdline.PARALLEL_COMMAND},
   index = {index, sysbench.cmdline.PARALLEL_COMMAND},
   cleanup = {cleanup},
   describe = {describe},
}
