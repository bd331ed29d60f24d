#include "schema.h"

#include <stdio.h>

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

const char *schema_columns(const struct index_def *index, char *text, size_t size)
{
	snprintf(text, size, index->ncolumns == 2 ? "%s, %s" : "%s, %s, %s",
		 index->columns[0], index->columns[1], index->columns[2]);
	return text;
}
