/* The files of an embedded engine's database: a path, and the same with suffixes. */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False with one sentence in why. */
bool files_folder(const char *target, char *why, size_t size);

/* The suffixes end with NULL; a file that is not there is none. */
void files_remove(const char *path, const char *const *suffixes);
uint64_t files_size(const char *path, const char *const *suffixes);

/* Where that file or folder lies beside the library of this function; "" if it does not. */
void files_beside(void *function, const char *name, char *path, size_t size);

#endif
