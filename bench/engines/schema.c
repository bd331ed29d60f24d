#include "schema.h"

/* The definitions changed in December 2023; figures published before used the older. */
const struct index_def SCHEMA_INDEXES[INDEX_SETS][SECONDARY_INDEXES] = {
	[INDEXES_2023] = {
		{ "marketsegment", { "productid", "customerid", "price" }, 3, ">=",
		  PRODUCTS },
		{ "registersegment", { "cashregisterid", "customerid", "price" }, 3, ">",
		  CASH_REGISTERS },
		{ "pdc", { "price", "dateandtime", "customerid" }, 3, ">=", MAX_PRICE },
	},
	[INDEXES_OLDER] = {
		{ "marketsegment", { "price", "customerid" }, 2, ">=", MAX_PRICE },
		{ "registersegment", { "cashregisterid", "price", "customerid" }, 3, ">",
		  CASH_REGISTERS },
		{ "pdc", { "price", "dateandtime", "customerid" }, 3, ">=", MAX_PRICE },
	},
};
