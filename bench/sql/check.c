/* Whether what a workload's lines say goes together. */
#include "parse.h"
#include "template.h"

#include <string.h>

static void check_text(struct parser *parser, const char *text)
{
	struct template template;
	char why[160];

	if (text && !template_read(&template, parser->workload, text, why, sizeof(why)))
		parse_wrong(parser, "%s", why);
}

static void check_dialects(struct parser *parser, const struct dialects *dialects)
{
	check_text(parser, dialects->plain);
	for (unsigned i = 0; i < dialects->count; i++)
		check_text(parser, dialects->of[i].text);
}

/* Has every name of an expression a value where it is worked out? */
static void check_expr(struct parser *parser, const struct expr *expr, const bool *bound,
		       const char *where)
{
	const struct workload *workload = parser->workload;

	for (unsigned i = 0; i < expr->ncode; i++) {
		const struct expr_code *code = &expr->code[i];

		if (code->op == 'v' && !bound[code->number] &&
		    workload->names[code->number].kind != NAME_LET)
			parse_wrong(parser, "%s: nothing gives %s a value", where,
				    workload->names[code->number].name);
	}
}

static void check_draws(struct parser *parser, const struct draw *draws, unsigned ndraws,
			bool *bound, const char *where)
{
	for (unsigned i = 0; i < ndraws; i++) {
		check_expr(parser, &draws[i].low, bound, where);
		check_expr(parser, &draws[i].high, bound, where);
		check_expr(parser, &draws[i].length, bound, where);
		bound[draws[i].name] = true;
	}
}

/* Every parameter of every dialect has a value where the statement is sent. */
static void check_bound(struct parser *parser, const char *text, const bool *bound,
			const char *where)
{
	const struct workload *workload = parser->workload;
	struct template template;
	char why[160];

	if (!text || !template_read(&template, workload, text, why, sizeof(why)))
		return;
	for (unsigned i = 0; i < template.npieces; i++) {
		unsigned name = template.pieces[i].name;

		if (template.pieces[i].kind == PIECE_PARAMETER && !bound[name] &&
		    workload->names[name].kind != NAME_LET)
			parse_wrong(parser, "%s: nothing gives :%s a value", where,
				    workload->names[name].name);
	}
}

/* What makes a table, or is said to a connection, has no parameters. */
static void check_made(struct parser *parser, const struct dialects *dialects,
		       const char *where)
{
	const bool bound[MAX_NAMES] = { false };

	check_dialects(parser, dialects);
	check_bound(parser, dialects->plain, bound, where);
	for (unsigned i = 0; i < dialects->count; i++)
		check_bound(parser, dialects->of[i].text, bound, where);
}

static void check_columns(struct parser *parser, const struct table *table)
{
	bool bound[MAX_NAMES] = { false };

	bound[parser->workload->row] = true;
	bound[parser->workload->number] = true;
	for (unsigned i = 0; i < table->ncolumns; i++) {
		parser->line = table->columns[i].line;
		if (table->columns[i].list != LIST_NONE)
			parse_wrong(parser, "a column is no list");
		check_draws(parser, &table->columns[i], 1, bound, table->name);
	}
}

static void check_table(struct parser *parser, const struct table *table)
{
	const struct workload *workload = parser->workload;
	int64_t count = expr_value(&table->count, workload->lets, NULL);
	int64_t rows = expr_value(&table->rows, workload->lets, NULL);
	const bool bound[MAX_NAMES] = { false };

	parser->line = table->line;
	check_expr(parser, &table->count, bound, table->name);
	check_expr(parser, &table->rows, bound, table->name);
	if (!table->create.plain && !table->create.count)
		parse_wrong(parser, "table %s has no line create", table->name);
	if (count < 1 || count > MAX_TABLES)
		parse_wrong(parser, "there are %lld tables %s; it can be 1 to %d",
			    (long long)count, table->name, MAX_TABLES);
	if (rows < 0)
		parse_wrong(parser, "table %s has %lld rows", table->name,
			    (long long)rows);
	if (rows > 0 && !table->ncolumns)
		parse_wrong(parser, "table %s has rows and no line column", table->name);
	check_made(parser, &table->create, table->name);
	for (unsigned i = 0; i < table->nindexes; i++)
		check_made(parser, &table->indexes[i], table->name);
	check_columns(parser, table);
}

/* A statement draws one number for all tables that it names. */
static void check_numbers(struct parser *parser)
{
	const struct workload *workload = parser->workload;
	unsigned first = 0;

	for (unsigned i = 0; i < workload->ntables; i++) {
		const struct table *table = &workload->tables[i];
		unsigned count = table_count(workload, table);

		parser->line = table->line;
		if (!table->numbered)
			continue;
		if (!first)
			first = count;
		if (count != first)
			parse_wrong(parser, "there are %u tables %s and %u of another "
				    "kind; numbered tables are equally many", count,
				    table->name, first);
	}
}

static void check_sent(struct parser *parser, const struct statement_def *statement,
		       bool *bound, const char *where)
{
	check_draws(parser, statement->binds, statement->nbinds, bound, where);
	check_expr(parser, &statement->rows.low, bound, where);
	check_expr(parser, &statement->rows.high, bound, where);
	check_expr(parser, &statement->affected.low, bound, where);
	check_expr(parser, &statement->affected.high, bound, where);
	check_expr(parser, &statement->nearest.k, bound, where);
	check_expr(parser, &statement->nearest.low, bound, where);
	check_expr(parser, &statement->nearest.high, bound, where);
	check_expr(parser, &statement->nearest.every, bound, where);
	if (statement->value >= 0 && !bound[statement->value])
		parse_wrong(parser, "%s: nothing gives %s a value", where,
			    parser->workload->names[statement->value].name);
	check_bound(parser, statement->sql.plain, bound, where);
	for (unsigned i = 0; i < statement->sql.count; i++)
		check_bound(parser, statement->sql.of[i].text, bound, where);
	for (unsigned i = 0; i < statement->ntakes; i++)
		bound[statement->takes[i]] = true;
}

static void check_statement(struct parser *parser, const struct statement_def *statement)
{
	parser->line = statement->line;
	if (!statement->sql.plain && !statement->sql.count)
		parse_wrong(parser, "statement %s has no line sql", statement->name);
	check_dialects(parser, &statement->sql);
}

/* What is bound wherever statements are sent, and nothing else. */
static void bind_first(const struct parser *parser, bool *bound)
{
	memset(bound, 0, MAX_NAMES * sizeof(*bound));
	bound[parser->workload->number] = true;
	bound[parser->workload->repeat] = true;
}

static void check_parts(struct parser *parser, const struct transaction *transaction,
			bool *bound)
{
	const struct workload *workload = parser->workload;

	check_draws(parser, transaction->binds, transaction->nbinds, bound,
		    transaction->name);
	for (unsigned i = 0; i < transaction->nparts; i++) {
		const struct part *part = &transaction->parts[i];

		parser->line = part->line;
		check_expr(parser, &part->least, bound, transaction->name);
		check_expr(parser, &part->most, bound, transaction->name);
		if (part->transaction >= 0)
			check_parts(parser, &workload->transactions[part->transaction],
				    bound);
		else
			check_sent(parser, &workload->statements[part->statement], bound,
				   transaction->name);
	}
}

/* One without begin may be a part, which has names of the whole: see check_step. */
static void check_transaction(struct parser *parser, const struct transaction *transaction)
{
	bool bound[MAX_NAMES];

	parser->line = transaction->line;
	if (!transaction->nparts)
		parse_wrong(parser, "transaction %s does nothing", transaction->name);
	bind_first(parser, bound);
	if (!begins_none(transaction, ""))
		check_parts(parser, transaction, bound);
}

static void check_lines(struct parser *parser, const struct lines_of *lines,
			const char *where)
{
	for (unsigned i = 0; i < lines->count; i++)
		check_made(parser, &lines->of[i], where);
}

static void check_step(struct parser *parser, const struct workload_step *step)
{
	const struct workload *workload = parser->workload;

	parser->line = step->line;
	check_lines(parser, &step->sessions, step->name);
	if (step->kind == STEP_CLEANUP && step->nparts)
		parse_wrong(parser, "step %s is a cleanup and has lines do", step->name);
	if (step->kind <= STEP_SCAN && !step->nparts)
		parse_wrong(parser, "step %s has no line do", step->name);
	for (unsigned i = 0; i < step->nparts; i++) {
		const struct part *part = &step->parts[i];
		bool bound[MAX_NAMES];

		bind_first(parser, bound);
		parser->line = part->line;
		if (part->transaction >= 0)
			check_parts(parser, &workload->transactions[part->transaction],
				    bound);
		else
			check_sent(parser, &workload->statements[part->statement], bound,
				   step->name);
	}
}

void parse_check(struct parser *parser)
{
	const struct workload *workload = parser->workload;

	parser->line = 1;
	if (!workload->name[0])
		parse_wrong(parser, "there is no line `workload NAME`");
	check_lines(parser, &workload->setups, "setup");
	check_lines(parser, &workload->sessions, "session");
	for (unsigned i = 0; i < workload->ntables; i++)
		check_table(parser, &workload->tables[i]);
	check_numbers(parser);
	for (unsigned i = 0; i < workload->nstatements; i++)
		check_statement(parser, &workload->statements[i]);
	for (unsigned i = 0; i < workload->ntransactions; i++)
		check_transaction(parser, &workload->transactions[i]);
	for (unsigned i = 0; i < workload->nsteps; i++)
		check_step(parser, &workload->steps[i]);
}
