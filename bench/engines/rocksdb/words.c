#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHOWN 40	/* of a statement that is not understood */

struct reader {
	struct words *words;
	char *at;
	char word[WORD_MOST];
	bool broken;		/* an argument began, and was none */
};

static void skip_space(struct reader *reader)
{
	while (isspace((unsigned char)*reader->at))
		reader->at++;
}

/* The next word; false, and nothing is read, if there is none. */
static bool take_word(struct reader *reader)
{
	size_t length = 0;

	skip_space(reader);
	while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
		length++;
	if (!length || length >= WORD_MOST || isdigit((unsigned char)*reader->at))
		return false;
	memcpy(reader->word, reader->at, length);
	reader->word[length] = '\0';
	reader->at += length;
	return true;
}

static bool take(struct reader *reader, const char *wanted)
{
	char *before = reader->at;

	if (take_word(reader) && !strcasecmp(reader->word, wanted))
		return true;
	reader->at = before;
	return false;
}

static bool take_mark(struct reader *reader, char mark)
{
	skip_space(reader);
	if (*reader->at != mark)
		return false;
	reader->at++;
	return true;
}

static bool take_table(struct reader *reader)
{
	if (!take_word(reader))
		return false;
	strcpy(reader->words->table, reader->word);
	return true;
}

/* 'it''s', made shorter where it stands. False: it does not end. */
static bool take_text(struct reader *reader, struct argument *argument)
{
	char *to = ++reader->at;

	argument->type = VALUE_TEXT;
	argument->value.text = to;
	for (;; reader->at++) {
		if (!*reader->at)
			return false;
		if (*reader->at == '\'' && *++reader->at != '\'')
			break;
		*to++ = *reader->at;
	}
	argument->value.length = (size_t)(to - argument->value.text);
	return true;
}

static bool take_number(struct reader *reader, struct argument *argument)
{
	char *end, *real_end;

	argument->type = VALUE_BIGINT;
	argument->value.number = strtoll(reader->at, &end, 10);
	argument->value.real = strtod(reader->at, &real_end);
	if (real_end > end)
		argument->type = VALUE_REAL;
	if (real_end == reader->at)
		return false;
	reader->at = real_end;
	return true;
}

static struct argument *add_argument(struct words *words)
{
	if (words->narguments == words->room) {
		unsigned room = words->room ? 2 * words->room : 16;
		struct argument *more = realloc(words->arguments, room * sizeof(*more));

		if (!more)
			return NULL;
		words->arguments = more;
		words->room = room;
	}
	words->arguments[words->narguments] = (struct argument){ .type = VALUE_BIGINT };
	return &words->arguments[words->narguments++];
}

/* ?, a number or a text; false if none comes. */
static bool take_argument(struct reader *reader)
{
	struct argument *argument;

	skip_space(reader);
	if (!*reader->at || !strchr("?'-.0123456789", *reader->at))
		return false;
	argument = add_argument(reader->words);
	if (argument && *reader->at == '?') {
		reader->at++;
		argument->placeholder = true;
		reader->words->nplaceholders++;
		return true;
	}
	reader->broken = !argument || !(*reader->at == '\'' ?
					take_text(reader, argument) :
					take_number(reader, argument));
	return !reader->broken;
}

/* One or more, with commas between them or without. */
static bool take_arguments(struct reader *reader)
{
	if (!take_argument(reader))
		return false;
	do
		take_mark(reader, ',');
	while (take_argument(reader));
	return true;
}

/* A scan goes on to the end of the table unless it has a limit. */
static bool read_scan(struct reader *reader)
{
	struct words *words = reader->words;

	if (!take_table(reader) || !take_argument(reader))
		return false;
	words->limited = take(reader, "LIMIT");
	if (words->limited && !take_argument(reader))
		return false;
	words->reverse = take(reader, "REVERSE");
	return true;
}

/* The first column is the key, the others are the row, whatever they are called. */
static bool read_insert(struct reader *reader)
{
	struct words *words = reader->words;

	if (!take(reader, "INTO") || !take_table(reader) || !take_mark(reader, '('))
		return false;
	do
		words->columns += take_word(reader);
	while (take_mark(reader, ','));
	if (!words->columns || !take_mark(reader, ')') || !take(reader, "VALUES"))
		return false;
	do {
		unsigned before = words->narguments;

		if (!take_mark(reader, '(') || !take_arguments(reader) ||
		    !take_mark(reader, ')') ||
		    words->narguments - before != words->columns)
			return false;
	} while (take_mark(reader, ','));
	return true;
}

static bool read_put(struct reader *reader)
{
	bool good = take_table(reader) && take_arguments(reader);

	reader->words->columns = reader->words->narguments;
	return good;
}

static bool read_keys(struct reader *reader)
{
	return take_table(reader) && take_arguments(reader);
}

static bool read_key(struct reader *reader)
{
	return read_keys(reader) && reader->words->narguments == 1;
}

/* UPDATE table key which value */
static bool read_update(struct reader *reader)
{
	return read_keys(reader) && reader->words->narguments == 3;
}

/* What stands behind the name is for engines with columns. */
static bool read_create(struct reader *reader)
{
	bool good = take(reader, "TABLE") && take_table(reader);

	reader->at += strlen(reader->at);
	return good;
}

static bool read_drop(struct reader *reader)
{
	return take(reader, "TABLE") &&
	       (!take(reader, "IF") || take(reader, "EXISTS")) && take_table(reader);
}

static bool read_count(struct reader *reader)
{
	return take(reader, "count") && take_mark(reader, '(') && take_mark(reader, '*') &&
	       take_mark(reader, ')') && take(reader, "FROM") && take_table(reader);
}

static bool read_nothing(struct reader *reader)
{
	(void)reader;
	return true;
}

static const struct {
	const char *word;
	enum verb verb;
	bool (*read)(struct reader *reader);
} VERBS[] = {
	{ "GET", VERB_GET, read_key },		{ "PUT", VERB_PUT, read_put },
	{ "MULTIGET", VERB_MULTIGET, read_keys }, { "SCAN", VERB_SCAN, read_scan },
	{ "UPDATE", VERB_UPDATE, read_update },	{ "DELETE", VERB_DELETE, read_key },
	{ "INSERT", VERB_PUT, read_insert },	{ "CREATE", VERB_CREATE, read_create },
	{ "DROP", VERB_DROP, read_drop },	{ "SELECT", VERB_COUNT, read_count },
	{ "ROLLBACK", VERB_ROLLBACK, read_nothing },
};

static bool read_statement(struct reader *reader)
{
	if (!take_word(reader))
		return false;
	for (size_t i = 0; i < sizeof(VERBS) / sizeof(VERBS[0]); i++) {
		if (strcasecmp(reader->word, VERBS[i].word))
			continue;
		reader->words->verb = VERBS[i].verb;
		if (!VERBS[i].read(reader))
			return false;
		take_mark(reader, ';');
		skip_space(reader);
		return !*reader->at && !reader->broken;
	}
	return false;
}

static bool is_transaction(const char *text)
{
	return !strncasecmp(text, "BEGIN", 5) || !strncasecmp(text, "COMMIT", 6) ||
	       !strncasecmp(text, "START ", 6);
}

bool words_read(struct words *words, const char *text, char *why, size_t size)
{
	struct reader reader = { .words = words };

	*words = (struct words){ .text = strdup(text) };
	reader.at = words->text;
	if (!words->text) {
		snprintf(why, size, "there is no memory for a statement");
		return false;
	}
	if (read_statement(&reader))
		return true;
	if (is_transaction(text))
		snprintf(why, size, "statements of keys and values are no transactions: "
			 "the workload has to say `begin@rocksdb none`");
	else
		snprintf(why, size, "`%.*s%s` is not understood: RocksDB is asked by GET, "
			 "MULTIGET, SCAN, PUT, UPDATE and DELETE (bench/workloads/"
			 "README.md)", SHOWN, text, strlen(text) > SHOWN ? "..." : "");
	return false;
}

void words_free(struct words *words)
{
	free(words->arguments);
	free(words->text);
}
