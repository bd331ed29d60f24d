/* The commands of a study: a file of lines STEP<TAB>KEY<TAB>TEXT, \\ and \n escaped. */
#ifndef COMMAND_TEXT_H
#define COMMAND_TEXT_H

#include <stddef.h>

struct value {
	const char *name, *text;
};

/*
 * The text of a step's key with each {name} replaced by its value, quoted for the shell.
 * To be freed; NULL where the file does not say it.
 */
char *text_of(const char *file, const char *step, const char *key,
	      const struct value *values, size_t nvalues);

#endif
