/*
 * Statements of keys and values, for the driver sql: what they say, read from their text.
 * workloads/README.md explains them. Nothing here asks RocksDB.
 */
#ifndef BENCH_ROCKSDB_WORDS_H
#define BENCH_ROCKSDB_WORDS_H

#include "engines/engine.h"

#define WORD_MOST 64

enum verb {
	VERB_CREATE, VERB_DROP, VERB_COUNT, VERB_ROLLBACK,
	VERB_PUT, VERB_GET, VERB_MULTIGET, VERB_SCAN, VERB_UPDATE, VERB_DELETE,
};

/* A value that stands in the text, or a placeholder for one. */
struct argument {
	bool placeholder;
	enum value_type type;
	struct value value;
};

struct words {
	enum verb verb;
	char table[WORD_MOST];
	unsigned columns;		/* of a row that is put */
	bool limited, reverse;		/* of a scan */
	unsigned narguments, nplaceholders, room;
	struct argument *arguments;
	char *text;			/* where texts of arguments lie */
};

/* False with one sentence in why. Either way words_free is the caller's. */
bool words_read(struct words *words, const char *text, char *why, size_t size);
void words_free(struct words *words);

#endif
