-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- Rows of an IN list: random entries, or always the same ones from the middle on.
require("common")

local id, entries
local opt

function thread_init()
   bench.connect()
   opt = sysbench.opt
   bench.prepare("points", string.rep("i", opt.points), string.format(
      "SELECT %s FROM {table} WHERE %s IN (%s)", opt.fetch, opt.by, bench.list(opt.points)))
   id, entries = bench.ids(), {}
   for i = 1, opt.points do
      entries[i] = math.floor(opt.table_size / 2) + i
   end
end

function event()
   if opt.hot == 0 then
      for i = 1, opt.points do
         entries[i] = id()
      end
   end
   bench.execute("points", bench.table(), entries)
end
