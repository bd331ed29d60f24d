/*
 * What the drivers use of RocksDB's C API (rocksdb/c.h). The library is looked for when the
 * engine is used, so that one client runs every release, and what is called is declared
 * here. All but what stands in ROCKS_LATER is in every release since 4.13, with the same
 * parameters.
 */
#ifndef BENCH_ROCKSDB_API_H
#define BENCH_ROCKSDB_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Made by the library, and ended by its functions. */
typedef struct rocks_db_made *rocks_db;
typedef struct rocks_options_made *rocks_options;
typedef struct rocks_read_made *rocks_read;		/* options of reads */
typedef struct rocks_write_made *rocks_write;		/* options of writes */
typedef struct rocks_flush_made *rocks_flush;		/* options of a flush */
typedef struct rocks_batch_made *rocks_batch;
typedef struct rocks_iterator_made *rocks_iterator;

/*
 * F(result, name, (parameters)). A text that is left in error, and values and properties
 * that are given, are the caller's to free. What an iterator gives is its own, until it is
 * moved. A bound is kept by its address.
 */
#define ROCKS_FUNCTIONS(F)                                                              \
	F(void, free, (void *memory))                                                   \
	F(rocks_options, options_create, (void))                                        \
	F(void, options_destroy, (rocks_options options))                               \
	F(void, options_set_create_if_missing,                                          \
	  (rocks_options options, unsigned char on))                                    \
	F(void, get_options_from_string,                                                \
	  (rocks_options base, const char *text, rocks_options made, char **error))     \
	F(rocks_db, open, (rocks_options options, const char *path, char **error))      \
	F(void, close, (rocks_db db))                                                   \
	F(void, destroy_db, (rocks_options options, const char *path, char **error))    \
	F(char *, property_value, (rocks_db db, const char *name))                      \
	F(rocks_write, writeoptions_create, (void))                                     \
	F(void, writeoptions_destroy, (rocks_write options))                            \
	F(void, writeoptions_set_sync, (rocks_write options, unsigned char on))         \
	F(void, writeoptions_disable_WAL, (rocks_write options, int on))                \
	F(rocks_read, readoptions_create, (void))                                       \
	F(void, readoptions_destroy, (rocks_read options))                              \
	F(void, readoptions_set_verify_checksums,                                       \
	  (rocks_read options, unsigned char on))                                       \
	F(void, readoptions_set_iterate_upper_bound,                                    \
	  (rocks_read options, const char *bound, size_t length))                       \
	F(rocks_flush, flushoptions_create, (void))                                     \
	F(void, flushoptions_destroy, (rocks_flush options))                            \
	F(void, flushoptions_set_wait, (rocks_flush options, unsigned char on))         \
	F(void, flush, (rocks_db db, rocks_flush options, char **error))                \
	F(rocks_batch, writebatch_create, (void))                                       \
	F(void, writebatch_destroy, (rocks_batch batch))                                \
	F(void, writebatch_clear, (rocks_batch batch))                                  \
	F(void, writebatch_put,                                                         \
	  (rocks_batch batch, const char *key, size_t key_length, const char *value,    \
	   size_t value_length))                                                        \
	F(void, writebatch_delete,                                                      \
	  (rocks_batch batch, const char *key, size_t key_length))                      \
	F(const char *, writebatch_data, (rocks_batch batch, size_t *length))           \
	F(void, write,                                                                  \
	  (rocks_db db, rocks_write options, rocks_batch batch, char **error))          \
	F(char *, get,                                                                  \
	  (rocks_db db, rocks_read options, const char *key, size_t key_length,         \
	   size_t *length, char **error))                                               \
	F(void, multi_get,                                                              \
	  (rocks_db db, rocks_read options, size_t count, const char *const *keys,      \
	   const size_t *key_lengths, char **values, size_t *lengths, char **errors))   \
	F(rocks_iterator, create_iterator, (rocks_db db, rocks_read options))           \
	F(void, iter_destroy, (rocks_iterator iterator))                                \
	F(unsigned char, iter_valid, (rocks_iterator iterator))                         \
	F(void, iter_seek, (rocks_iterator iterator, const char *key, size_t length))   \
	F(void, iter_seek_to_last, (rocks_iterator iterator))                           \
	F(void, iter_next, (rocks_iterator iterator))                                   \
	F(void, iter_prev, (rocks_iterator iterator))                                   \
	F(const char *, iter_key, (rocks_iterator iterator, size_t *length))            \
	F(const char *, iter_value, (rocks_iterator iterator, size_t *length))          \
	F(void, iter_get_error, (rocks_iterator iterator, char **error))

/* NULL where a release does not have it. */
#define ROCKS_LATER(F)                                                                  \
	F(void, cancel_all_background_work, (rocks_db db, unsigned char wait))

#define ROCKS_MEMBER(result, name, parameters) result (*name) parameters;

struct rocks_api {
	ROCKS_FUNCTIONS(ROCKS_MEMBER)
	ROCKS_LATER(ROCKS_MEMBER)
};

#undef ROCKS_MEMBER

extern struct rocks_api rocks;	/* filled by rocks_load */

/* Finds librocksdb.so as LD_LIBRARY_PATH says; false with one sentence in why. */
bool rocks_load(char *why, size_t size);

#endif
