-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- Every row of a table, none of which is returned. Each thread has a table of its own, as
-- far as there are so many.
require("common")

function thread_init()
   bench.connect()
   bench.prepare("scan", "", "SELECT * FROM {table} WHERE LENGTH(c) < 0")
end

function event(thread)
   bench.execute("scan", thread % sysbench.opt.tables + 1, {})
end
