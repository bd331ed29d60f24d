-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- One row by its key.
require("common")

local id

function thread_init()
   bench.connect()
   bench.prepare("point", "i", "SELECT c FROM {table} WHERE id = ?")
   id = bench.ids()
end

function event()
   bench.execute("point", bench.table(), {id()})
end
