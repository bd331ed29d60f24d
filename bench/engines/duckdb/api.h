/*
 * What ingest uses of DuckDB's public C API. DuckDB has no package of Debian, so there is
 * no header to build with: the library is looked for when the engine is used, and what is
 * called is declared here. Values and ownership are those that every release since 1.1
 * documents; a release that lacks a function is refused.
 */
#ifndef BENCH_DUCKDB_API_H
#define BENCH_DUCKDB_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Made by the library; the function that ends one takes a pointer to it and clears it. */
typedef struct duck_database_made *duck_database;
typedef struct duck_connection_made *duck_connection;
typedef struct duck_config_made *duck_config;
typedef struct duck_statement_made *duck_statement;
typedef struct duck_chunk_made *duck_chunk;
typedef struct duck_vector_made *duck_vector;	/* of its chunk, never ended */
typedef struct duck_logical_made *duck_logical;	/* a type with what belongs to it */

enum duck_state { DUCK_OK, DUCK_ERROR };

/* The kind of a failure; the others need no care of their own. */
enum duck_error { DUCK_TRANSACTION = 10 };

/* What a result is of. */
enum duck_return { DUCK_CHANGED_ROWS = 1, DUCK_NOTHING, DUCK_ROWS };

/* The types of columns that are read; the others have numbers, too. */
enum duck_type {
	DUCK_BOOLEAN = 1, DUCK_TINYINT, DUCK_SMALLINT, DUCK_INTEGER, DUCK_BIGINT,
	DUCK_UTINYINT, DUCK_USMALLINT, DUCK_UINTEGER, DUCK_UBIGINT, DUCK_FLOAT,
	DUCK_DOUBLE, DUCK_HUGEINT = 16, DUCK_VARCHAR, DUCK_DECIMAL = 19
};

struct duck_hugeint {
	uint64_t lower;
	int64_t upper;
};

/* The caller's, filled by query and execute_prepared, also where these fail. */
struct duck_result {
	uint64_t deprecated[3];
	void *deprecated_columns;
	char *deprecated_message;
	void *made;
};

struct duck_timestamp {
	int64_t micros;		/* since 1970 */
};

/* A VARCHAR in a vector: up to 12 bytes lie in it, from start on; longer ones do not. */
#define DUCK_INLINED 12

struct duck_string {
	uint32_t length;
	char start[4];
	union {
		char rest[DUCK_INLINED - 4];
		const char *text;
	} value;
};

/*
 * F(result, name, (parameters)). What open_ext leaves in error is the caller's, who
 * frees it; other texts belong to their result or statement. Parameters count from 1,
 * and bind_varchar_length copies. A vector without a validity has no NULL. fetch_chunk
 * gives the next rows, the caller's to destroy, or NULL at their end.
 */
#define DUCK_FUNCTIONS(F)                                                               \
	F(const char *, library_version, (void))                                        \
	F(void, free, (void *memory))                                                   \
	F(enum duck_state, create_config, (duck_config *config))                        \
	F(enum duck_state, set_config,                                                  \
	  (duck_config config, const char *name, const char *value))                    \
	F(void, destroy_config, (duck_config *config))                                  \
	F(enum duck_state, open_ext,                                                    \
	  (const char *path, duck_database *db, duck_config config, char **error))      \
	F(void, close, (duck_database *db))                                             \
	F(enum duck_state, connect, (duck_database db, duck_connection *connection))    \
	F(void, disconnect, (duck_connection *connection))                              \
	F(void, interrupt, (duck_connection connection))                                \
	F(enum duck_state, query,                                                       \
	  (duck_connection connection, const char *sql, struct duck_result *result))    \
	F(void, destroy_result, (struct duck_result *result))                           \
	F(const char *, result_error, (struct duck_result *result))                     \
	F(enum duck_error, result_error_type, (struct duck_result *result))             \
	F(uint64_t, rows_changed, (struct duck_result *result))                         \
	F(enum duck_return, result_return_type, (struct duck_result result))            \
	F(uint64_t, column_count, (struct duck_result *result))                         \
	F(const char *, column_name, (struct duck_result *result, uint64_t column))     \
	F(enum duck_type, column_type, (struct duck_result *result, uint64_t column))   \
	F(duck_logical, column_logical_type,                                            \
	  (struct duck_result *result, uint64_t column))                                \
	F(uint8_t, decimal_scale, (duck_logical type))                                  \
	F(enum duck_type, decimal_internal_type, (duck_logical type))                   \
	F(void, destroy_logical_type, (duck_logical *type))                             \
	F(duck_chunk, fetch_chunk, (struct duck_result result))                         \
	F(void, destroy_data_chunk, (duck_chunk *chunk))                                \
	F(uint64_t, data_chunk_get_size, (duck_chunk chunk))                            \
	F(duck_vector, data_chunk_get_vector, (duck_chunk chunk, uint64_t column))      \
	F(void *, vector_get_data, (duck_vector vector))                                \
	F(uint64_t *, vector_get_validity, (duck_vector vector))                        \
	F(enum duck_state, prepare,                                                     \
	  (duck_connection connection, const char *sql, duck_statement *statement))     \
	F(const char *, prepare_error, (duck_statement statement))                      \
	F(void, destroy_prepare, (duck_statement *statement))                           \
	F(enum duck_state, bind_int32,                                                  \
	  (duck_statement statement, uint64_t parameter, int32_t value))                \
	F(enum duck_state, bind_int64,                                                  \
	  (duck_statement statement, uint64_t parameter, int64_t value))                \
	F(enum duck_state, bind_float,                                                  \
	  (duck_statement statement, uint64_t parameter, float value))                  \
	F(enum duck_state, bind_double,                                                 \
	  (duck_statement statement, uint64_t parameter, double value))                 \
	F(enum duck_state, bind_timestamp,                                              \
	  (duck_statement statement, uint64_t parameter, struct duck_timestamp value))  \
	F(enum duck_state, bind_varchar_length,                                         \
	  (duck_statement statement, uint64_t parameter, const char *text,              \
	   uint64_t length))                                                            \
	F(enum duck_state, execute_prepared,                                            \
	  (duck_statement statement, struct duck_result *result))

#define DUCK_MEMBER(result, name, parameters) result (*name) parameters;

struct duck_api {
	DUCK_FUNCTIONS(DUCK_MEMBER)
};

#undef DUCK_MEMBER

extern struct duck_api duck;	/* filled by duck_load */

/* Finds libduckdb.so as LD_LIBRARY_PATH says; false with one sentence in why. */
bool duck_load(char *why, size_t size);

/* Where what extends the library lies beside it, if it does: a path, else an empty text. */
void duck_extensions(char *path, size_t size);

#endif
