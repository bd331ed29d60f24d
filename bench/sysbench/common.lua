-- SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
-- What all microbenchmarks have in common: their options, tables, draws and statements.
sysbench.cmdline.options = {
   tables = {"Tables, sbtest1 and so on", 1},
   table_size = {"Rows of each table", 100000},
   pk = {"1: id is the primary key, 0: it has a secondary index instead", 1},
   storage = {"MySQL: the storage engine", "InnoDB"},
   points = {"Entries of an IN list", 100},
   range = {"Size of a range", 100},
   by = {"Column of the predicate: id or k", "id"},
   fetch = {"What a SELECT asks for", "c"},
   hot = {"1: an IN list has always the same adjacent entries", 0},
   what = {"update: index, nonindex or inlist", "index"},
   draw = {"Distribution of ids: uniform or zipfian", "uniform"},
   newest = {"Largest id that is drawn, 0: that of the last row", 0},
   part = {"transaction: read, write or both", "read"},
   only = {"transaction: the one range query it has, all: each of the four", "all"},
}

bench = {}

local INT, CHAR = sysbench.sql.type.INT, sysbench.sql.type.CHAR
local ELEVEN = string.rep("#", 11)

bench.C = ELEVEN .. string.rep("-" .. ELEVEN, 9)        -- 119 characters of CHAR(120)
bench.PAD = ELEVEN .. string.rep("-" .. ELEVEN, 4)      -- 59 of CHAR(60)

-- Statements and their parameters by name, one for each table; every thread has its own.
local connection, statements

function bench.connect()
   local driver = sysbench.sql.driver()
   bench.is_mysql = driver:name() == "mysql"
   connection = driver:connect()
   statements = {}
   return connection
end

-- types: of the parameters, "i" an integer, "c" and "p" the random texts of c and pad.
function bench.prepare(name, types, sql)
   local of_tables = {}
   for n = 1, sysbench.opt.tables do
      local statement = connection:prepare((sql:gsub("{table}", "sbtest" .. n)))
      local parameters = {}
      for i = 1, #types do
         local text = types:sub(i, i) ~= "i"
         local size = types:sub(i, i) == "c" and 120 or 60
         parameters[i] = text and statement:bind_create(CHAR, size) or statement:bind_create(INT)
      end
      if #types > 0 then
         statement:bind_param(unpack(parameters))
      end
      of_tables[n] = {statement = statement, parameters = parameters}
   end
   statements[name] = of_tables
end

-- bench.execute(NAME, TABLE, LIST): LIST holds integers and the templates of texts.
function bench.execute(name, table, values)
   local prepared = statements[name][table]
   for i = 1, #values do
      if type(values[i]) == "string" then
         prepared.parameters[i]:set_rand_str(values[i])
      else
         prepared.parameters[i]:set(values[i])
      end
   end
   prepared.statement:execute()
end

function bench.close()
   for _, of_tables in pairs(statements) do
      for _, prepared in ipairs(of_tables) do
         prepared.statement:close()
      end
   end
   connection:disconnect()
end

function bench.table()
   return sysbench.rand.uniform(1, sysbench.opt.tables)
end

-- Zipfian by rejection-inversion (Hörmann and Derflinger 1996) with the exponent 0.8, the
-- default of sysbench 1.1: of 1 .. n the first is drawn most often.
local function zipfian(n)
   local left = 1 - 0.8
   local function area(x) return (x ^ left - 1) / left end
   local function position(y) return (1 + y * left) ^ (1 / left) end
   local function height(x) return x ^ -0.8 end
   local first, last = area(1.5) - 1, area(n + 0.5)
   local near = 2 - position(area(2.5) - height(2))
   return function()
      while true do
         local y = last + sysbench.rand.uniform_double() * (first - last)
         local x = position(y)
         local k = math.max(1, math.min(n, math.floor(x + 0.5)))
         if k - x <= near or y >= area(k + 0.5) - height(k) then
            return k
         end
      end
   end
end

-- A function that draws an id.
function bench.ids()
   local newest = sysbench.opt.newest > 0 and sysbench.opt.newest or sysbench.opt.table_size
   if sysbench.opt.draw == "zipfian" then
      return zipfian(newest)
   end
   return function() return sysbench.rand.uniform(1, newest) end
end

function bench.list(n)
   return string.rep("?", n, ", ")
end

function thread_done()
   bench.close()
end
