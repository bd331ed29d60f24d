/*
 * /proc makes its text when it is read. A file of several records gives at most a page at
 * once, whole records only, so less than half a page is the end of it: no second call is
 * needed to learn that.
 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER (1 << 20)
#define HALF_PAGE 2048
#define PATH 4096

static const char *root = "";
static char buffer[BUFFER];

void files_set_root(const char *path)
{
	root = path;
}

bool files_have_root(void)
{
	return *root;
}

const char *files_path(const char *format, ...)
{
	static char path[PATH];
	int length = snprintf(path, sizeof(path), "%s/", root);
	va_list values;

	if (length < 0 || (size_t)length >= sizeof(path))
		return path;		/* too long a root: nothing is found there */
	va_start(values, format);
	vsnprintf(path + length, sizeof(path) - (size_t)length, format, values);
	va_end(values);
	return path;
}

int files_open(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

const char *files_read(int fd)
{
	size_t got = 0;
	ssize_t more;

	if (fd < 0) {
		errno = ENOENT;
		return NULL;
	}
	do {
		more = pread(fd, buffer + got, BUFFER - 1 - got, (off_t)got);
		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			return NULL;
		got += (size_t)more;
	} while (more < 0 || (more >= HALF_PAGE && got < BUFFER - 1));
	buffer[got] = '\0';
	return buffer;
}

const char *files_read_once(const char *path)
{
	int fd = files_open(path), error;
	const char *text;

	if (fd < 0)
		return NULL;
	text = files_read(fd);
	error = errno;
	close(fd);
	errno = error;
	return text;
}

uint64_t text_number(const char **at)
{
	uint64_t number = 0;
	const char *c = *at;

	while (*c == ' ' || *c == '\t')
		c++;
	for (; *c >= '0' && *c <= '9'; c++)
		number = number * 10 + (uint64_t)(*c - '0');
	*at = c;
	return number;
}

const char *text_skip(const char *at, unsigned n)
{
	while (n--) {
		while (*at == ' ')
			at++;
		while (*at && *at != ' ' && *at != '\n')
			at++;
	}
	return at;
}

const char *text_next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

uint32_t text_values(const char *text, const char *const keys[], uint64_t values[],
		     size_t n)
{
	uint32_t found = 0, all = (1u << n) - 1;
	const char *at;

	for (const char *line = text; line && found != all; line = text_next_line(line)) {
		for (size_t i = 0; i < n; i++) {
			size_t length = strlen(keys[i]);

			if (found & 1u << i || strncmp(line, keys[i], length))
				continue;
			at = line + length;
			values[i] = text_number(&at);
			found |= 1u << i;
			break;
		}
	}
	return found;
}
