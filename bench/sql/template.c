#include "template.h"
#include "vectors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct template *template;
	const struct workload *workload;
	char *why;
	size_t size;
};

static struct piece *add(struct reader *reader, enum piece_kind kind)
{
	struct template *template = reader->template;

	if (template->npieces == MAX_PIECES) {
		snprintf(reader->why, reader->size, "the statement has too many parts");
		return NULL;
	}
	template->pieces[template->npieces] = (struct piece){ .kind = kind };
	return &template->pieces[template->npieces++];
}

static bool add_text(struct reader *reader, const char *text, size_t length)
{
	struct piece *piece = length ? add(reader, PIECE_TEXT) : NULL;

	if (piece) {
		piece->text = text;
		piece->length = length;
	}
	return !length || piece;
}

static bool find_let(void *scope, const char *name, struct expr_code *code)
{
	const struct workload *workload = scope;
	int found = workload_name(workload, name);

	if (found < 0 || (workload->names[found].kind != NAME_LET &&
			  (unsigned)found != workload->number))
		return false;
	*code = (struct expr_code){ 'v', found };
	return true;
}

/* {sbtest} or {n} or {range + 1} */
static bool add_braces(struct reader *reader, const char *text, size_t length)
{
	char inside[NAME_SIZE], why[128];
	const struct table *table;
	struct piece *piece;
	const char *end;

	snprintf(inside, sizeof(inside), "%.*s", (int)length, text);
	table = workload_table(reader->workload, inside);
	piece = add(reader, table ? PIECE_TABLE : PIECE_NUMBER);
	if (!piece)
		return false;
	piece->table = table;
	if (table)
		return true;
	end = expr_read(&piece->number, inside, find_let, (void *)reader->workload, why,
			sizeof(why));
	if (end && !*end)
		return true;
	snprintf(reader->why, reader->size, "{%s} is neither a table nor a number", inside);
	return false;
}

static bool add_parameter(struct reader *reader, const char *text, size_t length)
{
	char name[NAME_SIZE];
	int found;
	struct piece *piece;

	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	found = workload_name(reader->workload, name);
	if (found < 0) {
		snprintf(reader->why, reader->size, "the parameter :%s is bound nowhere",
			 name);
		return false;
	}
	piece = add(reader, PIECE_PARAMETER);
	if (piece)
		piece->name = (unsigned)found;
	return piece;
}

static size_t name_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

bool template_read(struct template *template, const struct workload *workload,
		   const char *text, char *why, size_t size)
{
	struct reader reader = { template, workload, why, size };
	const char *from = text;
	bool quoted = false;	/* in a literal: a colon there is a colon */

	template->npieces = 0;
	while (*text) {
		size_t length = 0;
		bool braces = *text == '{', parameter = !quoted && *text == ':' &&
			      isalpha((unsigned char)text[1]);

		quoted ^= *text == '\'';
		if (*text == ':' && text[1] == ':') {	/* a cast of Postgres */
			text += 2;
			continue;
		}
		if (braces)
			length = strcspn(text, "}");
		if (parameter)
			length = 1 + name_length(text + 1);
		if (!braces && !parameter) {
			text++;
			continue;
		}
		if (braces && !text[length]) {
			snprintf(why, size, "a { is not closed");
			return false;
		}
		if (!add_text(&reader, from, (size_t)(text - from)) ||
		    !(braces ? add_braces(&reader, text + 1, length - 1) :
			       add_parameter(&reader, text + 1, length - 1)))
			return false;
		text += length + braces;
		from = text;
	}
	return add_text(&reader, from, (size_t)(text - from));
}

void table_name(const struct table *table, int64_t number, char *name, size_t size)
{
	if (table->numbered)
		snprintf(name, size, "%s%lld", table->name, (long long)number);
	else
		snprintf(name, size, "%s", table->name);
}

static void write_value(const struct writer *writer, unsigned name, unsigned i,
			unsigned *placed, struct text *text)
{
	const struct scene *scene = writer->scene;

	++*placed;
	if (writer->placeholder) {
		text_add(text, &writer->placeholder, 1);
		if (writer->placeholder == '$')
			text_add_number(text, *placed);
	} else if (scene->counts[name]) {
		text_add_number(text, scene->lists[name][i]);
	} else if (writer->workload->names[name].type == VALUE_TEXT) {
		text_add_quoted(text, scene->texts[name], scene->lengths[name],
				writer->escapes);
	} else if (writer->workload->names[name].type == VALUE_BYTES) {
		vector_literal(writer->folder, scene->vectors[name], text);
	} else {
		text_add_number(text, scene->numbers[name]);
	}
}

static void write_parameter(const struct writer *writer, unsigned name, unsigned *placed,
			    struct text *text)
{
	unsigned count = writer->scene->counts[name] ? writer->scene->counts[name] : 1;

	for (unsigned i = 0; i < count; i++) {
		if (i)
			text_add(text, ",", 1);
		write_value(writer, name, i, placed, text);
	}
}

void template_write(const struct template *template, const struct writer *writer,
		    struct text *text)
{
	const struct scene *scene = writer->scene;
	char name[NAME_SIZE + 24];
	unsigned placed = 0;

	for (unsigned i = 0; i < template->npieces; i++) {
		const struct piece *piece = &template->pieces[i];

		switch (piece->kind) {
		case PIECE_TEXT:
			text_add(text, piece->text, piece->length);
			break;
		case PIECE_TABLE:
			table_name(piece->table, scene->numbers[writer->workload->number],
				   name, sizeof(name));
			text_add(text, name, strlen(name));
			break;
		case PIECE_NUMBER:
			text_add_number(text, expr_value(&piece->number, scene->numbers,
							 writer->counters));
			break;
		case PIECE_PARAMETER:
			write_parameter(writer, piece->name, &placed, text);
			break;
		}
	}
}
