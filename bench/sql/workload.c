#include "workload.h"

#include <stdlib.h>
#include <string.h>

static void free_dialects(struct dialects *dialects)
{
	free(dialects->plain);
	for (unsigned i = 0; i < dialects->count; i++)
		free(dialects->of[i].text);
}

static void free_lines(struct lines_of *lines)
{
	for (unsigned i = 0; i < lines->count; i++)
		free_dialects(&lines->of[i]);
}

static void free_draws(struct draw *draws, unsigned ndraws)
{
	for (unsigned i = 0; i < ndraws; i++)
		free(draws[i].text);
}

void workload_free(struct workload *workload)
{
	for (unsigned i = 0; i < workload->ntables; i++) {
		struct table *table = &workload->tables[i];

		free_dialects(&table->create);
		for (unsigned j = 0; j < table->nindexes; j++)
			free_dialects(&table->indexes[j]);
		free_draws(table->columns, table->ncolumns);
	}
	for (unsigned i = 0; i < workload->nstatements; i++) {
		free_dialects(&workload->statements[i].sql);
		free_draws(workload->statements[i].binds, workload->statements[i].nbinds);
	}
	for (unsigned i = 0; i < workload->ntransactions; i++) {
		struct transaction *transaction = &workload->transactions[i];

		free_dialects(&transaction->begin);
		free_dialects(&transaction->commit);
		free_draws(transaction->binds, transaction->nbinds);
	}
	free_lines(&workload->setups);
	free_lines(&workload->sessions);
	for (unsigned i = 0; i < workload->nsteps; i++)
		free_lines(&workload->steps[i].sessions);
	free(workload);
}

const struct workload_step *workload_step(const struct workload *workload,
					  const char *name)
{
	for (unsigned i = 0; i < workload->nsteps; i++)
		if (!strcmp(workload->steps[i].name, name))
			return &workload->steps[i];
	return NULL;
}

const struct table *workload_table(const struct workload *workload, const char *name)
{
	for (unsigned i = 0; i < workload->ntables; i++)
		if (!strcmp(workload->tables[i].name, name))
			return &workload->tables[i];
	return NULL;
}

int workload_name(const struct workload *workload, const char *name)
{
	for (unsigned i = 0; i < workload->nnames; i++)
		if (!strcmp(workload->names[i].name, name))
			return (int)i;
	return -1;
}

int workload_counter(const struct workload *workload, const char *name)
{
	for (unsigned i = 0; i < workload->ncounters; i++)
		if (!strcmp(workload->counters[i].name, name))
			return (int)i;
	return -1;
}

/* Is it one of the names with commas between them? */
static bool listed(const char *names, const char *name)
{
	size_t length = strlen(name);

	for (; *names; names += strcspn(names, ","), names += *names == ',')
		if (strcspn(names, ",") == length && !strncmp(names, name, length))
			return true;
	return false;
}

const char *dialect_text(const struct dialects *dialects, const char *engine)
{
	for (unsigned i = 0; i < dialects->count; i++)
		if (listed(dialects->of[i].engines, engine))
			return dialects->of[i].text;
	return dialects->plain;
}

unsigned dialect_lacking(const struct dialects *dialects, const char *engine)
{
	for (unsigned i = 0; i < dialects->count; i++)
		if (listed(dialects->of[i].engines, engine))
			return dialects->of[i].lacking;
	return 0;
}

bool begins_none(const struct transaction *transaction, const char *engine)
{
	const char *begin = dialect_text(&transaction->begin, engine);

	return begin && !strcmp(begin, "none");
}

unsigned table_count(const struct workload *workload, const struct table *table)
{
	int64_t count = expr_value(&table->count, workload->lets, NULL);

	return count < 0 ? 0 : count > MAX_TABLES ? MAX_TABLES : (unsigned)count;
}
