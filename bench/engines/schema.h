/*
 * The insert benchmark's table as every engine must lay it out: transactionid is the
 * primary key, made by the engine in ascending order; see domain names in schema.c.
 */
#ifndef BENCH_SCHEMA_H
#define BENCH_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#define MAX_TABLES 64
#define SCHEMA_TABLES "^pi[1-9][0-9]?$"	/* their names, as a regular expression */
#define SECONDARY_INDEXES 3
#define SCANS 5
#define KEY_COLUMNS 3
#define ROWS_PER_QUERY 10

#define CASH_REGISTERS 1000
#define CUSTOMERS 100000
#define PRODUCTS 10000
#define MAX_PRICE 500
#define DATA_MIN 10
#define DATA_MAX 20

/* One row in the form an engine binds: typed, no text but data, no pointers. */
struct row {
	int64_t when_us;	/* dateandtime: microseconds since 1970 */
	int32_t cashregisterid, customerid, productid, price;
	uint8_t length;		/* of data */
	char data[DATA_MAX + 3];
};

/* A secondary index; the range query on it selects and orders by its columns. */
struct index_def {
	const char *name;
	const char *columns[KEY_COLUMNS];
	unsigned ncolumns;
	const char *compare;	/* of the first column to the query's start */
	uint32_t values;	/* the first column is uniform over 0..values-1 */
};

/* Its columns with commas between them, as text, which is returned. */
const char *schema_columns(const struct index_def *index, char *text, size_t size);

enum index_set { INDEXES_2023, INDEXES_OLDER, INDEX_SETS };

extern const struct index_def SCHEMA_INDEXES[INDEX_SETS][SECONDARY_INDEXES];

#endif
