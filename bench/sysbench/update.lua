-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- One row, or an IN list of rows.
require("common")

local id
local opt

function thread_init()
   bench.connect()
   opt = sysbench.opt
   bench.prepare("index", "i", "UPDATE {table} SET k = k + 1 WHERE id = ?")
   bench.prepare("nonindex", "ci", "UPDATE {table} SET c = ? WHERE id = ?")
   bench.prepare("inlist", "c" .. string.rep("i", opt.points), string.format(
      "UPDATE {table} SET c = ? WHERE id IN (%s)", bench.list(opt.points)))
   id = bench.ids()
end

function event()
   local values = opt.what == "index" and {} or {bench.C}
   for _ = 1, opt.what == "inlist" and opt.points or 1 do
      values[#values + 1] = id()
   end
   bench.execute(opt.what, bench.table(), values)
end
