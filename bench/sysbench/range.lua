-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- Rows of a range of id or k. Both ends belong to it: from x to x + range.
require("common")

local id
local opt

function thread_init()
   bench.connect()
   opt = sysbench.opt
   bench.prepare("range", "ii", string.format(
      "SELECT %s FROM {table} WHERE %s BETWEEN ? AND ?", opt.fetch, opt.by))
   id = bench.ids()
end

function event()
   local first = id()
   bench.execute("range", bench.table(), {first, first + opt.range})
end
