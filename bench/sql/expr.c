#include "expr.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct expr *expr;
	const char *at;
	expr_name_fn *find;
	void *scope;
	char *why;
	size_t size;
	unsigned depth;		/* of brackets and signs */
	bool failed;
};

static void fail(struct reader *reader, const char *what, const char *name)
{
	if (!reader->failed)
		snprintf(reader->why, reader->size, "%s%s", what, name);
	reader->failed = true;
}

static void skip(struct reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\t')
		reader->at++;
}

static void emit(struct reader *reader, char op, int64_t number)
{
	if (reader->expr->ncode == EXPR_CODE)
		fail(reader, "the expression is too long", "");
	else
		reader->expr->code[reader->expr->ncode++] = (struct expr_code){ op, number };
}

static void read_sum(struct reader *reader);

static void read_name(struct reader *reader)
{
	char name[64];
	size_t length = 0;
	struct expr_code code;

	while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
		length++;
	snprintf(name, sizeof(name), "%.*s", (int)length, reader->at);
	reader->at += length;
	if (reader->find(reader->scope, name, &code))
		emit(reader, code.op, code.number);
	else
		fail(reader, "there is no number called ", name);
}

static void read_number(struct reader *reader)
{
	char *end;

	errno = 0;
	emit(reader, 'n', strtoll(reader->at, &end, 10));
	if (errno)
		fail(reader, "the number is too large: ", reader->at);
	reader->at = end;
}

static void read_factor(struct reader *reader)
{
	skip(reader);
	if (++reader->depth > EXPR_STACK / 2) {
		fail(reader, "the expression has too many brackets", "");
	} else if (isdigit((unsigned char)*reader->at)) {
		read_number(reader);
	} else if (isalpha((unsigned char)*reader->at)) {
		read_name(reader);
	} else if (*reader->at == '-') {
		reader->at++;
		read_factor(reader);
		emit(reader, '~', 0);
	} else if (*reader->at == '(') {
		reader->at++;
		read_sum(reader);
		skip(reader);
		if (*reader->at != ')')
			fail(reader, "a bracket is not closed", "");
		else
			reader->at++;
	} else {
		fail(reader, *reader->at ? "expected a number at " : "expected a number",
		     reader->at);
	}
	reader->depth--;
}

static void read_product(struct reader *reader)
{
	read_factor(reader);
	for (skip(reader); !reader->failed && *reader->at && strchr("*/%", *reader->at);
	     skip(reader)) {
		char op = *reader->at++;

		read_factor(reader);
		emit(reader, op, 0);
	}
}

static void read_sum(struct reader *reader)
{
	read_product(reader);
	for (skip(reader); !reader->failed && *reader->at && strchr("+-", *reader->at);
	     skip(reader)) {
		char op = *reader->at++;

		read_product(reader);
		emit(reader, op, 0);
	}
}

const char *expr_read(struct expr *expr, const char *text, expr_name_fn *find, void *scope,
		      char *why, size_t size)
{
	struct reader reader = {
		.expr = expr, .at = text, .find = find, .scope = scope, .why = why,
		.size = size,
	};

	expr->ncode = 0;
	read_sum(&reader);
	skip(&reader);
	return reader.failed ? NULL : reader.at;
}

static int64_t apply(char op, int64_t a, int64_t b)
{
	switch (op) {
	case '+':
		return (int64_t)((uint64_t)a + (uint64_t)b);
	case '-':
		return (int64_t)((uint64_t)a - (uint64_t)b);
	case '*':
		return (int64_t)((uint64_t)a * (uint64_t)b);
	case '/':
		return b && b != -1 ? a / b : b ? (int64_t)(0 - (uint64_t)a) : 0;
	default:
		return b && b != -1 ? a % b : 0;
	}
}

/* A bracket or a sign takes one place of the stack, and an operator another. */
int64_t expr_value(const struct expr *expr, const int64_t *variables,
		   _Atomic int64_t *counters)
{
	int64_t stack[EXPR_CODE];
	unsigned top = 0;

	for (unsigned i = 0; i < expr->ncode; i++) {
		const struct expr_code *code = &expr->code[i];

		switch (code->op) {
		case 'n':
			stack[top++] = code->number;
			break;
		case 'v':
			stack[top++] = variables[code->number];
			break;
		case 'c':
			stack[top++] = atomic_load_explicit(&counters[code->number],
							    memory_order_relaxed);
			break;
		case '~':
			stack[top - 1] = (int64_t)(0 - (uint64_t)stack[top - 1]);
			break;
		default:
			top--;
			stack[top - 1] = apply(code->op, stack[top - 1], stack[top]);
		}
	}
	return top ? stack[0] : 0;
}

bool expr_needs(const struct expr *expr, const bool *variables)
{
	for (unsigned i = 0; i < expr->ncode; i++)
		if (expr->code[i].op == 'v' && variables[expr->code[i].number])
			return true;
	return false;
}

bool expr_counts(const struct expr *expr)
{
	for (unsigned i = 0; i < expr->ncode; i++)
		if (expr->code[i].op == 'c')
			return true;
	return false;
}
