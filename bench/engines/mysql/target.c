/* The target's words, and what keeps them out of messages. */
#include "engine.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HIDDEN "***"

static char *place_of(struct target *target, const char *name, size_t length)
{
	const struct {
		const char *name;
		char *place;
	} places[] = {
		{ "host", target->host },     { "port", target->port },
		{ "socket", target->socket }, { "user", target->user },
		{ "password", target->password }, { "dbname", target->dbname },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strlen(places[i].name) == length &&
		    !strncmp(places[i].name, name, length))
			return places[i].place;
	return NULL;
}

/* One value, maybe in single quotes with \ before ' and \; NULL if it has no end. */
static const char *read_value(const char *text, char *value, size_t size)
{
	bool quoted = *text == '\'';
	size_t used = 0;

	text += quoted;
	while (*text && (quoted ? *text != '\'' : !isspace((unsigned char)*text))) {
		if (*text == '\\' && text[1])
			text++;
		if (used + 1 == size)
			return NULL;
		value[used++] = *text++;
	}
	value[used] = '\0';
	if (quoted && *text++ != '\'')
		return NULL;
	return *text && !isspace((unsigned char)*text) ? NULL : text;
}

static bool read_words(struct target *target, const char *text)
{
	while (*(text += strspn(text, " \t\n"))) {
		size_t length = strcspn(text, "= \t\n");
		char *place = place_of(target, text, length);

		if (!place || text[length] != '=')
			return false;
		text = read_value(text + length + 1, place, TARGET_WORD);
		if (!text)
			return false;
	}
	return true;
}

/* A part of a URI: up to end, %41 for A. */
static bool read_part(const char *text, const char *end, char *value, size_t size)
{
	size_t used = 0;

	for (; text < end; text++) {
		char hex[3] = "";

		if (used + 1 == size)
			return false;
		if (*text != '%') {
			value[used++] = *text;
			continue;
		}
		if (end - text < 3 || !isxdigit((unsigned char)text[1]) ||
		    !isxdigit((unsigned char)text[2]))
			return false;
		memcpy(hex, text + 1, 2);
		value[used++] = (char)strtol(hex, NULL, 16);
		text += 2;
	}
	value[used] = '\0';
	return true;
}

#define READ_PART(text, end, array) read_part(text, end, array, sizeof(array))

static const char *find(const char *text, const char *end, char sought)
{
	const char *found = memchr(text, sought, (size_t)(end - text));

	return found ? found : end;
}

/* user:password@host:port/db after the ://; each but the host may be missing. */
static bool read_uri(struct target *target, const char *text)
{
	const char *end = text + strcspn(text, "?");
	const char *path = find(text, end, '/'), *at = path, *colon;

	while (at > text && at[-1] != '@')
		at--;
	if (at > text) {
		colon = find(text, at - 1, ':');
		if (!READ_PART(text, colon, target->user) ||
		    (colon < at - 1 && !READ_PART(colon + 1, at - 1, target->password)))
			return false;
	}
	colon = find(at, path, ':');
	return !*end && READ_PART(at, colon, target->host) &&
	       (colon == path || READ_PART(colon + 1, path, target->port)) &&
	       (path == end || READ_PART(path + 1, end, target->dbname));
}

static bool good_port(const char *port)
{
	long number = strtol(port, NULL, 10);

	return strlen(port) <= 5 && strspn(port, "0123456789") == strlen(port) &&
	       (!*port || (number > 0 && number <= 65535));
}

bool mye_target_read(struct target *target, const char *text, char *why, size_t size)
{
	const char *uri = strstr(text, "://");
	bool good;

	*target = (struct target){ .dbname = "ib" };
	if (uri && (!strncmp(text, "mysql:", 6) || !strncmp(text, "mariadb:", 8)))
		good = read_uri(target, uri + 3);
	else
		good = read_words(target, text);
	if (good && good_port(target->port))
		return true;
	explicit_bzero(target, sizeof(*target));
	snprintf(why, size, "the target cannot be read: expected words like host=H port=N "
		 "socket=PATH user=U password=P dbname=D with values that have blanks in "
		 "single quotes, or mysql://U:P@H:N/D");
	return false;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The length of the secret that begins at text[at] as a whole word; 0 if none does. */
static size_t secret_at(const struct target *target, const char *text, size_t at)
{
	const char *values[] = { target->password, target->host,   target->socket,
				 target->user,	   target->dbname, target->port };
	size_t longest = 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		size_t length = strlen(values[i]);

		if (length > longest && !strncasecmp(text + at, values[i], length) &&
		    !(at && is_word(text[at - 1]) && is_word(values[i][0])) &&
		    !(is_word(values[i][length - 1]) && is_word(text[at + length])))
			longest = length;
	}
	return longest;
}

/* The length of an IP address, of version 4 or 6; 0 if none begins there. */
static size_t address_at(const char *text, size_t at)
{
	size_t length = strspn(text + at, "0123456789abcdefABCDEF:.");
	unsigned dots = 0, colons = 0;

	if (at && (is_word(text[at - 1]) || text[at - 1] == '.'))
		return 0;
	while (length && strchr(".:", text[at + length - 1]))
		length--;
	for (size_t i = 0; i < length; i++) {
		dots += text[at + i] == '.';
		colons += text[at + i] == ':';
	}
	return dots == 3 || colons >= 2 ? length : 0;
}

/* The length of 'name'@'host', as servers write accounts; 0 if none begins there. */
static size_t account_at(const char *text, size_t at)
{
	const char *name = text + at, *host, *end;

	if (*name != '\'' || !(host = strstr(name + 1, "'@'")) ||
	    memchr(name + 1, '\'', (size_t)(host - name - 1)))
		return 0;
	end = strchr(host + 3, '\'');
	return end ? (size_t)(end + 1 - name) : 0;
}

void mye_scrub(const struct target *target, const char *text, char *to, size_t size)
{
	size_t used = 0, at = 0;

	while (text[at] && used + sizeof(HIDDEN) < size) {
		size_t hidden = account_at(text, at);

		if (!hidden)
			hidden = secret_at(target, text, at);
		if (!hidden)
			hidden = address_at(text, at);
		if (hidden) {
			memcpy(to + used, HIDDEN, strlen(HIDDEN));
			used += strlen(HIDDEN);
			at += hidden;
		} else {
			to[used++] = text[at] == '\n' || text[at] == '\r' ? ' ' : text[at];
			at++;
		}
	}
	to[used] = '\0';
}
