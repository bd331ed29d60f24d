-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- A row whose id the server chooses, as text: never prepared.
require("common")

local connection, sql

function thread_init()
   connection = bench.connect()
   sql = "INSERT INTO sbtest%d (k, c, pad) VALUES (%d, '%s', '%s')"
   if bench.is_mysql then
      sql = "INSERT INTO sbtest%d (id, k, c, pad) VALUES (0, %d, '%s', '%s')"
   end
end

function event()
   connection:query(string.format(sql, bench.table(), sysbench.rand.uniform(1, sysbench.opt.table_size),
      sysbench.rand.string(bench.C), sysbench.rand.string(bench.PAD)))
end
