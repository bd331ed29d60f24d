-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- A row by a random id, which may be gone already.
require("common")

local id

function thread_init()
   bench.connect()
   bench.prepare("delete", "i", "DELETE FROM {table} WHERE id = ?")
   id = bench.ids()
end

function event()
   bench.execute("delete", bench.table(), {id()})
end
