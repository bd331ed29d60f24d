/* Files of the kernel: opened once, then read again and again from their beginning. */
#ifndef SAMPLER_FILES_H
#define SAMPLER_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where proc/ and sys/ lie; empty: here. */
void files_set_root(const char *root);
bool files_have_root(void);

/* A name below the root, until the next call. */
const char *files_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Opens a name of files_path; -1 and errno if that cannot be. */
int files_open(const char *path);

/* All that is in it, ended by a NUL, until the next call; NULL and errno on failure. */
const char *files_read(int fd);

/* Opens, reads and closes. */
const char *files_read_once(const char *path);

/* The number after any blanks, behind which *at goes; 0 where there is none. */
uint64_t text_number(const char **at);

/* Behind the end of the line; NULL behind the last one. */
const char *text_next_line(const char *line);

/* Goes over n words and the blanks between them. */
const char *text_skip(const char *at, unsigned n);

/*
 * Lines `key number`: sets values[i] to the number of keys[i], for keys that end as they
 * do in the file. Returns the bits of those it found.
 */
uint32_t text_values(const char *text, const char *const keys[], uint64_t values[],
		     size_t n);

#endif
