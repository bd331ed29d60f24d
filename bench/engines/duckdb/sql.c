/* The text that prepared statements and those with literals have in common. */
#include "engine.h"

#include <stdio.h>

void dk_insert_sql(unsigned table, char *sql, size_t size)
{
	snprintf(sql, size, "INSERT INTO pi%u (dateandtime, cashregisterid, customerid, "
		 "productid, price, data) VALUES ", table);
}

void dk_range_sql(struct connection *conn, unsigned i, const char *from, char *sql,
		  size_t size)
{
	const struct index_def *index = &conn->db->indexes[i];
	char columns[128];

	schema_columns(index, columns, sizeof(columns));
	snprintf(sql, size, "SELECT %s FROM pi%u WHERE %s %s %s ORDER BY %s LIMIT %d",
		 columns, conn->table, index->columns[0], index->compare, from, columns,
		 ROWS_PER_QUERY);
}
