/*
 * The target may be secret, so a message of libpq or of the server leaves the engine
 * without any value of it, and without what libpq found out about a host.
 */
#include "engine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SECRETS 128
#define LONG_SECRET 4		/* a shorter one is part of many words */
#define HIDDEN "***"

/* The longest first: a short one may be part of a longer one. */
struct secrets {
	struct secret {
		char *text;
		bool anywhere;	/* even as a part of a word */
	} all[MOST_SECRETS];
	size_t count;
};

static void add_secret(struct secrets *secrets, const char *text, size_t length,
		       bool anywhere)
{
	char *copy = length && secrets->count < MOST_SECRETS ? strndup(text, length) :
							       NULL;

	if (copy)
		secrets->all[secrets->count++] = (struct secret){ copy, anywhere };
}

/* A value, and each part of one that lists several servers. */
static void add_value(struct secrets *secrets, const PQconninfoOption *option)
{
	const char *value = option->val;
	size_t length = strlen(value);

	add_secret(secrets, value, length, length >= LONG_SECRET &&
		   !strcmp(option->keyword, "password"));
	if (!strchr(value, ',') || (strncmp(option->keyword, "host", 4) &&
				    strcmp(option->keyword, "port")))
		return;
	for (; *value; value += length + (value[length] == ',')) {
		length = strcspn(value, ",");
		add_secret(secrets, value, length, false);
	}
}

static bool names_server(const char *keyword)
{
	static const char *const WORDS[] = { "host", "hostaddr", "port", "user",
					     "password", "dbname" };

	for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); i++)
		if (!strcmp(keyword, WORDS[i]))
			return true;
	return false;
}

static int longest_first(const void *a, const void *b)
{
	size_t la = strlen(((const struct secret *)a)->text);
	size_t lb = strlen(((const struct secret *)b)->text);

	return (la < lb) - (la > lb);
}

/* All that the target says, and who and where it is if it does not say that. */
static void find_secrets(struct secrets *secrets, const char *target, PGconn *pg)
{
	PQconninfoOption *given = PQconninfoParse(target, NULL);
	PQconninfoOption *used = PQconninfo(pg);

	secrets->count = 0;
	for (PQconninfoOption *option = given; option && option->keyword; option++)
		if (option->val)
			add_value(secrets, option);
	for (PQconninfoOption *option = used; option && option->keyword; option++)
		if (option->val && names_server(option->keyword))
			add_value(secrets, option);
	PQconninfoFree(given);
	PQconninfoFree(used);
	qsort(secrets->all, secrets->count, sizeof(secrets->all[0]), longest_first);
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool stands_alone(const char *text, const char *at, size_t length)
{
	return !(at > text && in_word(at[-1]) && in_word(at[0])) &&
	       !(in_word(at[length - 1]) && in_word(at[length]));
}

/* How much of the text at a place must not be shown. */
typedef size_t hide_fn(const char *text, const char *at, const struct secret *secret);

static size_t hide_secret(const char *text, const char *at, const struct secret *secret)
{
	size_t length = strlen(secret->text);

	if (strncmp(at, secret->text, length) ||
	    !(secret->anywhere || stands_alone(text, at, length)))
		return 0;
	return length;
}

/* What stands in double quotes: a host, a user, a database, a file. */
static size_t hide_quoted(const char *text, const char *at, const struct secret *secret)
{
	size_t length = strcspn(at, "\"\n"), quotes = 0;

	(void)secret;
	for (const char *c = text; c < at; c++)
		quotes = *c == '\n' ? 0 : quotes + (*c == '"');
	return quotes % 2 && at[length] == '"' ? length : 0;
}

/* An address that libpq found for a host: 192.0.2.1, ::1 */
static size_t hide_address(const char *text, const char *at, const struct secret *secret)
{
	size_t length = strspn(at, "0123456789abcdefABCDEF.:%"), dots = 0, colons = 0;

	(void)secret;
	if (at > text && strchr("0123456789abcdefABCDEF.:%", at[-1]))
		return 0;
	for (size_t i = 0; i < length; i++) {
		dots += at[i] == '.';
		colons += at[i] == ':';
	}
	return dots >= 3 || colons >= 2 ? length : 0;
}

/* A copy in which HIDDEN stands for what must not be shown; the text is freed. */
static char *hide(char *text, hide_fn *fn, const struct secret *secret)
{
	char *hidden = text ? malloc(strlen(text) * strlen(HIDDEN) + 1) : NULL;
	char *to = hidden;

	for (const char *at = text; hidden && *at;) {
		size_t length = fn(text, at, secret);

		if (length)
			to = stpcpy(to, HIDDEN);
		else
			*to++ = *at;
		at += length ? length : 1;
	}
	if (hidden)
		*to = '\0';
	free(text);
	return hidden;
}

char *postgres_scrubbed(const struct database *db, PGconn *pg, bool of_link,
			const char *said)
{
	char *text = strdup(said);
	struct secrets secrets;

	find_secrets(&secrets, db->target, pg);
	for (size_t i = 0; i < secrets.count; i++) {
		text = hide(text, hide_secret, &secrets.all[i]);
		free(secrets.all[i].text);
	}
	if (!of_link)
		return text;
	text = hide(text, hide_quoted, NULL);
	return hide(text, hide_address, NULL);
}
