-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- BEGIN, ten rows by key, four range queries, two updates, a delete and an insert, COMMIT:
-- the reading part, the writing part or both. A range has exactly so many ids.
require("common")

local id
local opt
local RANGES = {
   {"simple", "SELECT c FROM {table} WHERE id BETWEEN ? AND ?"},
   {"sum", "SELECT SUM(k) FROM {table} WHERE id BETWEEN ? AND ?"},
   {"order", "SELECT c FROM {table} WHERE id BETWEEN ? AND ? ORDER BY c"},
   {"distinct", "SELECT DISTINCT c FROM {table} WHERE id BETWEEN ? AND ? ORDER BY c"},
}

function thread_init()
   bench.connect()
   opt = sysbench.opt
   bench.prepare("begin", "", "BEGIN")
   bench.prepare("commit", "", "COMMIT")
   bench.prepare("point", "i", "SELECT c FROM {table} WHERE id = ?")
   for _, range in ipairs(RANGES) do
      bench.prepare(range[1], "ii", range[2])
   end
   bench.prepare("index", "i", "UPDATE {table} SET k = k + 1 WHERE id = ?")
   bench.prepare("nonindex", "ci", "UPDATE {table} SET c = ? WHERE id = ?")
   bench.prepare("delete", "i", "DELETE FROM {table} WHERE id = ?")
   bench.prepare("insert", "iicp", "INSERT INTO {table} (id, k, c, pad) VALUES (?, ?, ?, ?)")
   id = bench.ids()
end

local function read(table)
   for _ = 1, 10 do
      bench.execute("point", table, {id()})
   end
   for _, range in ipairs(RANGES) do
      if opt.only == "all" or opt.only == range[1] then
         local first = id()
         bench.execute(range[1], table, {first, first + opt.range - 1})
      end
   end
end

local function write(table)
   bench.execute("index", table, {id()})
   bench.execute("nonindex", table, {bench.C, id()})
   local again = id()
   bench.execute("delete", table, {again})
   bench.execute("insert", table, {again, id(), bench.C, bench.PAD})
end

function event()
   local table = bench.table()
   bench.execute("begin", table, {})
   if opt.part ~= "write" then
      read(table)
   end
   if opt.part ~= "read" then
      write(table)
   end
   bench.execute("commit", table, {})
end
