/* What a study must know of a workload, as JSON: bench/workloads/README.md has its keys. */
#include "describe.h"
#include "template.h"

#include "common/json.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define WORD_SIZE 16	/* longer than any word that is looked for */

/* What a step, or one text of it, does to tables. */
struct sent {
	bool named[MAX_TABLE_KINDS], made[MAX_TABLE_KINDS], writes;
};

static bool in_word(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

/* Takes the next word off a text; false at its end. */
static bool next_word(const char **text, char *word)
{
	size_t length = 0;

	while (**text && !in_word(**text))
		++*text;
	for (; in_word(**text); ++*text)
		if (length < WORD_SIZE - 1)
			word[length++] = **text;
	word[length] = '\0';
	return length;
}

static bool one_of(const char *const *words, const char *word)
{
	while (*words && strcasecmp(*words, word))
		words++;
	return *words;
}

/* Texts that begin otherwise may write, and so may those that lock rows. */
static bool text_writes(const char *text)
{
	static const char *const READS[] = { "select", "get", "multiget", "scan", "nearest",
					     NULL };
	static const char *const LOCKS[] = { "update", "share", "no", "key", NULL };
	char word[WORD_SIZE], before[WORD_SIZE];
	bool writes = !isalpha((unsigned char)*text) || !next_word(&text, before) ||
		      !one_of(READS, before);

	while (!writes && next_word(&text, word)) {
		writes = !strcasecmp(word, "into") ||
			 (!strcasecmp(before, "for") && one_of(LOCKS, word));
		memcpy(before, word, sizeof(before));
	}
	return writes;
}

/* CREATE, or SELECT ... INTO {table} */
static bool text_makes(const char *text)
{
	bool selects = !strncasecmp(text, "select", 6), makes = false;
	char word[WORD_SIZE];

	while (!makes && next_word(&text, word))
		makes = !strcasecmp(word, "create") ||
			(selects && !strcasecmp(word, "into") &&
			 text[strspn(text, " \t")] == '{');
	return makes;
}

static void add_text(struct sent *sent, const struct workload *workload, const char *text)
{
	struct template template;
	char why[160];
	bool *tables = text && text_makes(text) ? sent->made : sent->named;

	if (!text || !template_read(&template, workload, text, why, sizeof(why)))
		return;
	sent->writes |= text_writes(text);
	for (unsigned i = 0; i < template.npieces; i++)
		if (template.pieces[i].table)
			tables[template.pieces[i].table - workload->tables] = true;
}

/* A number of a counter, which later steps share, is gone when it is taken. */
static void add_binds(struct sent *sent, const struct draw *binds, unsigned nbinds)
{
	for (unsigned i = 0; i < nbinds; i++)
		sent->writes |= binds[i].distribution == DRAW_NEXT;
}

static void add_parts(struct sent *sent, const struct workload *workload,
		      const struct part *parts, unsigned nparts)
{
	for (const struct part *part = parts; part < parts + nparts; part++) {
		const struct statement_def *statement;

		if (part->transaction >= 0) {
			const struct transaction *of =
				&workload->transactions[part->transaction];

			add_binds(sent, of->binds, of->nbinds);
			add_parts(sent, workload, of->parts, of->nparts);
			continue;
		}
		statement = &workload->statements[part->statement];
		sent->writes |= statement->affected.given;
		add_binds(sent, statement->binds, statement->nbinds);
		add_text(sent, workload, statement->sql.plain);
		for (unsigned i = 0; i < statement->sql.count; i++)
			add_text(sent, workload, statement->sql.of[i].text);
	}
}

static void print_tables(struct json *json, const struct workload *workload,
			 const char *key, const bool *tables, const bool *but)
{
	json_open(json, key, '[');
	for (unsigned i = 0; i < workload->ntables; i++)
		if (tables[i] && !(but && but[i]))
			json_text(json, NULL, workload->tables[i].name);
	json_close(json, ']');
}

/* Those that the workload can make every table on; no list where it can on all. */
static void print_engines(struct json *json, const struct workload *workload)
{
	bool all = true;

	for (unsigned i = 0; i < workload->ntables; i++)
		all &= workload->tables[i].create.plain != NULL;
	json_open(json, "engines", '[');
	for (size_t i = 0; !all && i < NENGINES; i++) {
		bool can = true;

		for (unsigned j = 0; j < workload->ntables; j++)
			can &= dialect_text(&workload->tables[j].create,
					    ENGINES[i]->name) != NULL;
		if (can)
			json_text(json, NULL, ENGINES[i]->name);
	}
	json_close(json, ']');
}

static bool lacks(const struct workload *workload, const char *engine, unsigned place)
{
	unsigned lacking = 0;

	for (unsigned i = 0; i < workload->ntables; i++) {
		const struct table *table = &workload->tables[i];

		lacking |= dialect_lacking(&table->create, engine);
		for (unsigned j = 0; j < table->nindexes; j++)
			lacking |= dialect_lacking(&table->indexes[j], engine);
	}
	for (unsigned i = 0; i < workload->nstatements; i++)
		lacking |= dialect_lacking(&workload->statements[i].sql, engine);
	return lacking & 1U << place;
}

/* Of each distance the engines that have no words for it. */
static void print_distances(struct json *json, const struct workload *workload)
{
	json_open(json, "distances", '{');
	for (unsigned place = 0; place < workload->ndistances; place++) {
		json_open(json, DISTANCE_NAMES[workload->distances[place]], '[');
		for (size_t i = 0; i < NENGINES; i++)
			if (lacks(workload, ENGINES[i]->name, place))
				json_text(json, NULL, ENGINES[i]->name);
		json_close(json, ']');
	}
	json_close(json, '}');
}

static void print_step(struct json *json, const struct workload *workload,
		       const struct workload_step *step)
{
	struct sent sent = { .writes = step->kind != STEP_READ && step->kind != STEP_SCAN };

	add_parts(&sent, workload, step->parts, step->nparts);
	json_open(json, NULL, '{');
	json_text(json, "name", step->name);
	json_text(json, "kind", STEP_KINDS[step->kind]);
	json_text(json, "group", step->group);
	json_text(json, "about", step->about);
	json_bool(json, "reads", !sent.writes);
	print_tables(json, workload, "needs", sent.named, sent.made);
	print_tables(json, workload, "makes", sent.made, NULL);
	json_close(json, '}');
}

void describe(const struct workload *workload, FILE *out)
{
	bool indexed[MAX_TABLE_KINDS] = { false };
	struct json json;

	for (unsigned i = 0; i < workload->ntables; i++)
		indexed[i] = workload->tables[i].nindexes;
	json_begin(&json, out);
	json_text(&json, "name", workload->name);
	print_distances(&json, workload);
	json_open(&json, "lets", '[');
	for (unsigned i = 0; i < workload->nnames; i++)
		if (workload->names[i].kind == NAME_LET)
			json_text(&json, NULL, workload->names[i].name);
	json_close(&json, ']');
	print_engines(&json, workload);
	print_tables(&json, workload, "indexed", indexed, NULL);
	json_open(&json, "steps", '[');
	for (unsigned i = 0; i < workload->nsteps; i++)
		if (workload->steps[i].kind <= STEP_CLEANUP)
			print_step(&json, workload, &workload->steps[i]);
	json_close(&json, ']');
	json_end(&json);
}
