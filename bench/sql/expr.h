/*
 * Whole-number expressions of a workload file: numbers, names, + - * / % and brackets, as
 * a short program for a stack.
 */
#ifndef SQL_EXPR_H
#define SQL_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPR_CODE 24
#define EXPR_STACK 12

struct expr_code {
	char op;		/* 'n' number, 'v' variable, 'c' counter, '~' minus, + - * / % */
	int64_t number;		/* or of which variable, which counter */
};

struct expr {
	unsigned ncode;		/* 0: there is none */
	struct expr_code code[EXPR_CODE];
};

/* What a name stands for: code->op and code->number; false: nothing. */
typedef bool expr_name_fn(void *scope, const char *name, struct expr_code *code);

/* Reads one and says where it ended; NULL with one sentence in why. */
const char *expr_read(struct expr *expr, const char *text, expr_name_fn *find, void *scope,
		      char *why, size_t size);

static inline struct expr expr_number(int64_t number)
{
	return (struct expr){ .ncode = 1, .code = { { 'n', number } } };
}

/* Division by zero gives 0. */
int64_t expr_value(const struct expr *expr, const int64_t *variables,
		   _Atomic int64_t *counters);

/* Does it depend on a variable for which keep says so? */
bool expr_needs(const struct expr *expr, const bool *variables);

/* Does it read a counter? */
bool expr_counts(const struct expr *expr);

#endif
