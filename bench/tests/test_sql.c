/* The parts of sql that read a workload file and draw its values. */
#include "minunit.h"
#include "sql/lines.h"
#include "sql/template.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define FILE_NAME "workload.test"
#define SYSBENCH "workloads/sysbench/workload"
#define ORIGINAL_SIZE 65536
#define DRAWS 200000
#define MUTANTS 2000

static void write_file(const char *text, size_t length)
{
	FILE *file = fopen(FILE_NAME, "w");

	if (!file || fwrite(text, 1, length, file) != length)
		abort();
	fclose(file);
}

static struct workload *read_text(const char *text, const struct override *overrides,
				  unsigned noverrides, char *why, size_t size)
{
	struct workload *workload;

	write_file(text, strlen(text));
	workload = workload_read(FILE_NAME, overrides, noverrides, NULL, why, size);
	unlink(FILE_NAME);
	return workload;
}

/* A workload that must be right. */
static struct workload *right(const char *text)
{
	char why[1024] = "";
	struct workload *workload = read_text(text, NULL, 0, why, sizeof(why));

	MU_TEXT("", why);
	if (!workload)
		abort();
	return workload;
}

/* Expressions: x is variable 0, y variable 1, c counter 0. */

static bool find_test_name(void *scope, const char *name, struct expr_code *code)
{
	(void)scope;
	*code = (struct expr_code){ *name == 'c' ? 'c' : 'v', *name == 'y' };
	return strchr("xyc", *name) && !name[1];
}

static int64_t value_of(const char *text)
{
	const int64_t variables[] = { 7, 40 };
	_Atomic int64_t counters[] = { 5 };
	struct expr expr;
	char why[128];
	const char *end = expr_read(&expr, text, find_test_name, NULL, why, sizeof(why));

	MU_CHECK(end && !*end);
	return end ? expr_value(&expr, variables, counters) : -1;
}

static void expressions_are_worked_out_as_in_school(void)
{
	MU_CHECK(value_of("1 + 2 * 3") == 7);
	MU_CHECK(value_of("(1+2)*3") == 9);
	MU_CHECK(value_of("10 - 3 - 2") == 5);
	MU_CHECK(value_of("100 / 7 / 2") == 7);
	MU_CHECK(value_of("17 % 5 * 2") == 4);
	MU_CHECK(value_of("-x + y") == 33);
	MU_CHECK(value_of("--x") == 7);
	MU_CHECK(value_of("2 * -3") == -6);
	MU_CHECK(value_of(" ( x ) ") == 7);
	MU_CHECK(value_of("c * 2") == 10);
	MU_CHECK(value_of("((((1))))") == 1);
}

static void no_expression_overflows_or_divides_by_zero(void)
{
	MU_CHECK(value_of("x / 0") == 0);
	MU_CHECK(value_of("x % (y - 40)") == 0);
	MU_CHECK(value_of("9223372036854775807 + 1") == INT64_MIN);
	MU_CHECK(value_of("(-9223372036854775807 - 1) / -1") == INT64_MIN);
	MU_CHECK(value_of("(-9223372036854775807 - 1) % -1") == 0);
	MU_CHECK(value_of("9223372036854775807 * 9223372036854775807") == 1);
}

static void mistakes_in_expressions_are_said(void)
{
	static const struct {
		const char *text, *why;
	} CASES[] = {
		{ "", "expected a number" },
		{ "1 +", "expected a number" },
		{ "* 2", "expected a number at * 2" },
		{ "(1", "a bracket is not closed" },
		{ "z", "there is no number called z" },
		{ "1 + there", "there is no number called there" },
		{ "(((((((1)))))))", "the expression has too many brackets" },
		{ "-------1", "the expression has too many brackets" },
		{ "1+1+1+1+1+1+1+1+1+1+1+1+1", "the expression is too long" },
		{ "9223372036854775808", "the number is too large: 9223372036854775808" },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct expr expr;
		char why[128] = "";

		MU_CHECK(!expr_read(&expr, CASES[i].text, find_test_name, NULL, why,
				    sizeof(why)));
		MU_TEXT(CASES[i].why, why);
	}
}

static void an_expression_ends_where_it_does_not_go_on(void)
{
	struct expr expr;
	char why[128];

	MU_TEXT(", 2", expr_read(&expr, "1 + x , 2", find_test_name, NULL, why,
				 sizeof(why)));
	MU_TEXT("..3", expr_read(&expr, "1..3", find_test_name, NULL, why, sizeof(why)));
}

static void an_expression_says_what_it_needs(void)
{
	const bool first[] = { true, false };
	struct expr expr;
	char why[128];

	expr_read(&expr, "x + 1", find_test_name, NULL, why, sizeof(why));
	MU_CHECK(expr_needs(&expr, first) && !expr_counts(&expr));
	expr_read(&expr, "y + c", find_test_name, NULL, why, sizeof(why));
	MU_CHECK(!expr_needs(&expr, first) && expr_counts(&expr));
}

/* Lines */

static void check_line(const struct lines *lines, size_t i, const char *text,
		       unsigned number, bool indented)
{
	MU_CHECK(i < lines->count);
	if (i >= lines->count)
		return;
	MU_TEXT(text, lines->lines[i].text);
	MU_CHECK(lines->lines[i].number == number);
	MU_CHECK(lines->lines[i].indented == indented);
}

static void lines_go_on_behind_a_backslash(void)
{
	static const char TEXT[] =
		"# a comment, which ends here \\\n"
		"one  \r\n"
		"\n"
		"  two \\\n"
		"     and \\\n"
		"\tmore\n"
		"   # another\n"
		"\tthree\n"
		"  \\\n"
		"  four\n"
		"five # six";
	struct lines lines;
	char why[256];

	write_file(TEXT, strlen(TEXT));
	MU_CHECK(lines_read(&lines, FILE_NAME, why, sizeof(why)));
	MU_CHECK(lines.count == 5);
	check_line(&lines, 0, "one", 2, false);
	check_line(&lines, 1, "two and more", 4, true);
	check_line(&lines, 2, "three", 8, true);
	check_line(&lines, 3, "four", 9, true);
	check_line(&lines, 4, "five # six", 11, false);
	lines_free(&lines);
	unlink(FILE_NAME);
}

static void what_is_no_text_is_refused(void)
{
	static char large[(1 << 20) + 1];
	struct lines lines;
	char why[256];

	MU_CHECK(!lines_read(&lines, "nowhere", why, sizeof(why)));
	MU_TEXT("cannot read the workload nowhere: No such file or directory", why);
	MU_CHECK(!lines_read(&lines, ".", why, sizeof(why)));
	write_file("a\0b", 3);
	MU_CHECK(!lines_read(&lines, FILE_NAME, why, sizeof(why)));
	MU_TEXT("cannot read the workload " FILE_NAME ": it is no text of less than 1 MiB",
		why);
	memset(large, '\n', sizeof(large));
	write_file(large, sizeof(large));
	MU_CHECK(!lines_read(&lines, FILE_NAME, why, sizeof(why)));
	unlink(FILE_NAME);
}

/* Workload files */

/* What a right file may begin with: five lines, so that a case's own are 6, 7, ... */
#define W "workload w\nlet rows 9\nlet tables 2\ncounter newest rows + 1\n\n"
#define T "table t\n create CREATE TABLE {t} (a INTEGER)\n"		/* 6, 7 */
#define S "statement s\n sql SELECT :a\n"				/* 6, 7 */
#define LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void every_mistake_in_a_file_is_one_sentence(void)
{
	static const struct {
		const char *text, *why;
	} CASES[] = {
	{ "", "line 1: there is no line `workload NAME`" },
	{ "let a 1\n", "line 1: there is no line `workload NAME`" },
	{ W "word\n", "line 6: expected workload, about, vectors, setup, session, let, "
	  "counter, table, statement, transaction or step, not word" },
	{ " rows 3\n", "line 1: an indented line belongs to a table, statement, transaction "
	  "or step above it" },
	{ W "let rows 5\n", "line 6: let needs a new name, not rows" },
	{ W "let 5\n", "line 6: let needs a new name, not 5" },
	{ W "let\n", "line 6: let needs a new name, not " },
	{ W "let more\n", "line 6: expected a number" },
	{ W "let more 5 5\n", "line 6: 5 does not belong here" },
	{ W "let more newest\n", "line 6: only numbers and lets can stand here" },
	{ W "let more row\n", "line 6: only numbers and lets can stand here" },
	{ W "let newest 1\n", "line 6: newest is already the name of something else" },
	{ W "counter rows 1\n", "line 6: counter needs a new name, not rows" },
	{ W "counter newest 1\n", "line 6: counter needs a new name, not newest" },
	{ W "counter a b\n", "line 6: there is no number called b" },
	{ W "counter a row\n", "line 6: only numbers and lets can stand here" },
	{ W "counter a1 1\ncounter a2 1\ncounter a3 1\ncounter a4 1\ncounter a5 1\n"
	  "counter a6 1\ncounter a7 1\ncounter a8 1\n",
	  "line 13: there are at most 8 counters" },

	{ W "table\n", "line 6: a table needs a name" },
	{ W T "table t\n", "line 8: there is a table called t already" },
	{ W "table t\n", "line 6: table t has no line create" },
	{ W "table t rows - 9\n create C\n",
	  "line 6: there are 0 tables t; it can be 1 to 64" },
	{ W "table t 65\n create C\n", "line 6: there are 65 tables t; it can be 1 to 64" },
	{ W "table t 2\n create C\ntable u tables + 1\n create C\n",
	  "line 8: there are 3 tables u and 2 of another kind; numbered tables are equally "
	  "many" },
	{ W T " rows 0 - 1\n", "line 6: table t has -1 rows" },
	{ W T " rows 1\n", "line 6: table t has rows and no line column" },
	{ W T " rows row\n", "line 6: t: nothing gives row a value" },
	{ W T " nonsense 1\n", "line 8: a table has lines rows, create, index and column, "
	  "not nonsense" },
	{ W T " create C\n", "line 8: the line is there twice" },
	{ W T " create@sqlite\n", "line 8: there is nothing behind the word" },
	{ W T " create@postgresql C\n", "line 8: there is no engine called postgresql" },
	{ W T " create@sqlite,, C\n", "line 8: there is no engine called " },
	{ W T " rows@sqlite 5\n", "line 8: a line rows is the same for all engines" },
	{ W T " index@sqlite C\n", "line 8: index@ comes after the index it replaces" },
	{ W T " index A\n index B\n index C\n index D\n index E\n index F\n index G\n"
	  " index H\n index I\n", "line 16: there are at most 8 indexes" },
	{ W T " index CREATE INDEX i ON {u} (a)\n",
	  "line 6: {u} is neither a table nor a number" },
	{ W T " column a int uniform 1, 2 list 3\n", "line 8: a column is no list" },
	{ W T " column a int value b\n", "line 8: there is no number called b" },
	{ W T " column b int value row\n column a int value b\n"
	  "table u\n create C\n column c int value b\n",
	  "line 12: u: nothing gives b a value" },
	{ W "table t\n create CREATE {t} :rows2\n",
	  "line 6: the parameter :rows2 is bound nowhere" },
	{ W S " bind a int value 1\n text\ntable t\n create CREATE {t} :a\n",
	  "line 10: t: nothing gives :a a value" },

	{ W "statement\n", "line 6: a statement needs a name" },
	{ W "statement begin\n sql S\n", "line 6: there is a statement called begin "
	  "already" },
	{ W "statement s\n sql S\nstatement s\n", "line 8: there is a statement called s "
	  "already" },
	{ W "statement s\n", "line 6: statement s has no line sql" },
	{ W S, "line 6: the parameter :a is bound nowhere" },
	{ W S " nonsense\n", "line 8: a statement has lines sql, bind, rows, affected, "
	  "value, take, nearest and text, not nonsense" },
	{ W S " bind@sqlite a int value 1\n",
	  "line 8: a line bind is the same for all engines" },
	{ W "statement s\n sql SELECT {u}\n", "line 6: {u} is neither a table nor a "
	  "number" },
	{ W "statement s\n sql SELECT {rows\n", "line 6: a { is not closed" },
	{ W "statement s\n sql SELECT {rows + }\n",
	  "line 6: {rows + } is neither a table nor a number" },
	{ W "statement s\n sql@sqlite SELECT :b\n",
	  "line 6: the parameter :b is bound nowhere" },
	{ W S " rows\n", "line 8: expected a number" },
	{ W S " rows 1...3\n", "line 8: expected a number at .3" },
	{ W S " rows 1-3 4\n", "line 8: expected A or A..B, not 1-3 4" },
	{ W S " affected 1.3\n", "line 8: expected A or A..B, not 1.3" },
	{ W S " value b\n", "line 8: there is no value called b above" },
	{ W S " take rows\n", "line 8: rows is already the name of something else" },
	{ W S " take a b c d e f g h i\n", "line 8: at most 8 columns are taken" },
	{ W "statement s\n sql A\n sql@null A\n sql@null A\n sql@null A\n sql@null A\n"
	  " sql@null A\n sql@null A\n sql@null A\n sql@null A\n sql@null A\n",
	  "line 16: there are at most 8 dialects" },

	{ W S " bind\n", "line 8: expected a name" },
	{ W S " bind 5\n", "line 8: expected a name" },
	{ W S " bind a\n", "line 8: expected a type, int, bigint, text or vector, not "
	  "the end of the line" },
	{ W S " bind a real\n", "line 8: expected a type, int, bigint, text or vector, not "
	  "real" },
	{ W S " bind a int\n", "line 8: there is no distribution called ; there are "
	  "uniform, zipfian, scrambled, latest, gaussian, pareto, hot, nurand, sequence, "
	  "next, value, pattern, letters, constant, base, query" },
	{ W S " bind a int uniform 1\n", "line 8: uniform takes LOW, HIGH" },
	{ W S " bind a int uniform 1 rows\n", "line 8: uniform takes LOW, HIGH" },
	{ W S " bind a int uniform 1, \n", "line 8: expected a number" },
	{ W S " bind a int uniform 1, 2, 3\n", "line 8: , 3 does not belong here" },
	{ W S " bind a int uniform 1, 2 lust 3\n", "line 8: lust 3 does not belong here" },
	{ W S " bind a int uniform 1, 2 list\n", "line 8: expected a number" },
	{ W S " bind a int uniform 1, a\n", "line 8: there is no number called a" },
	{ W S " bind a text uniform 1, 2\n", "line 8: uniform makes whole numbers" },
	{ W S " bind a int pattern ##\n", "line 8: pattern makes text" },
	{ W S " bind a text letters 1, 2 list 5\n", "line 8: list 5 does not belong here" },
	{ W S " bind a int next oldest\n", "line 8: there is no counter called oldest" },
	{ W S " bind a int zipfian 1, 2, nan\n",
	  "line 8: expected a number above 0 and up to 10 behind the comma" },
	{ W S " bind a int zipfian 1, 2, much\n",
	  "line 8: expected a number above 0 and up to 10 behind the comma" },
	{ W S " bind a int zipfian 1, 2, inf\n",
	  "line 8: expected a number above 0 and up to 10 behind the comma" },
	{ W S " bind a int pareto 1, 2, 1\n",
	  "line 8: expected a number above 0 and up to 0.99 behind the comma" },
	{ W S " bind a int hot 1, 2, 0.5\n",
	  "line 8: hot takes LOW, HIGH, FRACTION, PROBABILITY" },
	{ W S " bind a int hot 1, 2, 0.5, 1.5\n",
	  "line 8: expected a number above 0 and up to 1 behind the comma" },
	{ W S " bind a int nurand 1, 2\n", "line 8: nurand takes LOW, HIGH, A" },
	{ W S " bind rows int value 1\n",
	  "line 8: rows is already the name of something else" },
	{ W S " bind rows text pattern ##\n",
	  "line 8: rows is already the name of something else" },
	{ W S " bind newest int value 1\n",
	  "line 8: newest is already the name of something else" },
	{ W S " bind a int value 1\nstatement r\n sql S\n bind a text letters 1, 2\n",
	  "line 11: a is already the name of something else" },
	{ W S " bind " LONG " int value 1\n", "line 8: there are too many names, or "
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa is too long" },

	{ W "transaction\n", "line 6: a transaction needs a name" },
	{ W "transaction t\n", "line 6: transaction t does nothing" },
	{ W "transaction t\ntransaction t\n", "line 7: there is a transaction called t "
	  "already" },
	{ W S " bind a int value 1\ntransaction s\n",
	  "line 9: there is a transaction called s already" },
	{ W "transaction t\nstatement t\n", "line 7: there is a statement called t "
	  "already" },
	{ W "transaction t\n do s\n", "line 7: there is no statement or transaction called s "
	  "above" },
	{ W "transaction t\n nonsense\n", "line 7: a transaction has lines bind, do, begin "
	  "and commit, not nonsense" },
	{ W S " bind a int value 1\ntransaction t\n do s 1 2\n",
	  "line 10: expected A or A..B, not 1 2" },
	{ W S " bind a int value 1\ntransaction t\n do s\nstep x\n do t b\n",
	  "line 12: there is no number called b" },
	{ W S "statement r\n sql S\n bind a int value 1\ntransaction t\n do s\n",
	  "line 12: t: nothing gives :a a value" },
	{ W S " bind a int value 1\ntransaction t\n do s a\n",
	  "line 10: t: nothing gives a a value" },

	{ W S " bind a int value 1\ntransaction t\n do s\ntransaction u\n do t\n",
	  "line 12: t can be no part of another transaction: only one with `begin none` "
	  "and statements alone is" },
	{ W S " bind a int value 1\ntransaction t\n begin none\n do s\n do t\n",
	  "line 12: t can be no part of another transaction: only one with `begin none` "
	  "and statements alone is" },
	{ W S " bind a int value 1\ntransaction t\n begin none\n do s\n"
	  "transaction u\n begin none\n do t\ntransaction v\n do u\n",
	  "line 16: u can be no part of another transaction: only one with `begin none` "
	  "and statements alone is" },
	{ W S "statement r\n sql S\n bind a int value 1\ntransaction t\n begin none\n"
	  " do s\nstep x\n do t\n", "line 13: t: nothing gives :a a value" },

	{ W "step\n", "line 6: a step needs a name" },
	{ W "step load\n", "line 6: there is a step called load already" },
	{ W "step index\n", "line 6: there is a step called index already" },
	{ W "step a:b\n", "line 6: a step needs a name of letters, digits, dots and dashes, "
	  "not a:b" },
	{ W "step group\n", "line 6: several steps are called group in a study: give this "
	  "one another name" },
	{ W "let a:b 1\n", "line 6: a let needs a name of letters, digits, dots and dashes, "
	  "not a:b" },
	{ W "workload\n", "line 6: a workload needs a name of letters, digits, dots and "
	  "dashes, not nothing" },
	{ W "step x\n", "line 6: step x has no line do" },
	{ W "step x\n kind cleaning\n", "line 7: kind is read, write, scan or cleanup, not "
	  "cleaning" },
	{ W "step x\n kind load\n", "line 7: kind is read, write, scan or cleanup, not "
	  "load" },
	{ W "step x\n let b 1\n", "line 7: no let above is called b" },
	{ W "step x\n let row 1\n", "line 7: no let above is called row" },
	{ W "step x\n let rows row\n", "line 7: only numbers and lets can stand here" },
	{ W "step x\n do s\n", "line 7: there is no statement or transaction called s "
	  "above" },
	{ W "step x\n nonsense\n", "line 7: a step has lines about, group, kind, let, "
	  "session and do, not nonsense" },
	{ W S " bind a int value 1\nstep x\n kind cleanup\n do s\n",
	  "line 9: step x is a cleanup and has lines do" },
	{ W S "statement r\n sql S\n bind a int value 1\nstep x\n do s\n",
	  "line 12: x: nothing gives :a a value" },
	{ W S " bind a int value 1\nstatement r\n sql S\n rows a\nstep x\n do r\n",
	  "line 13: x: nothing gives a a value" },
	{ W S " bind a int value 1\nstatement r\n sql S\n affected 0..a\nstep x\n do r\n",
	  "line 13: x: nothing gives a a value" },
	{ W S " bind a int value 1\nstatement r\n sql S\n value a\nstep x\n do r\n",
	  "line 13: x: nothing gives a a value" },
	{ W S " bind a int value 1\nstatement r\n sql S\n bind b int value a\nstep x\n"
	  " do r\n", "line 13: x: nothing gives a a value" },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		char why[1024] = "", expected[1024];

		MU_CHECK(!read_text(CASES[i].text, NULL, 0, why, sizeof(why)));
		snprintf(expected, sizeof(expected), FILE_NAME " %s", CASES[i].why);
		if (strcmp(expected, why))
			fprintf(stderr, "expected %s\n   found %s\n", expected, why);
		MU_TEXT(expected, why);
	}
}

/* As many lines of a kind as text repeats, and then one more. */
static void check_most(unsigned most, const char *head, const char *line, const char *why)
{
	char text[16384], expected[256], found[1024] = "";
	size_t used = (size_t)snprintf(text, sizeof(text), "%s", head);
	unsigned begin = 1;

	for (const char *at = head; *at; at++)
		begin += *at == '\n';
	for (unsigned i = 0; i <= most; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, line, i);
	MU_CHECK(!read_text(text, NULL, 0, found, sizeof(found)));
	snprintf(expected, sizeof(expected), FILE_NAME " line %u: %s", begin + most, why);
	MU_TEXT(expected, found);
}

static void there_is_a_most_of_everything(void)
{
	check_most(MAX_TABLE_KINDS, W, "table t%u\n", "there are too many of them");
	check_most(MAX_STATEMENTS, W, "statement s%u\n", "there are too many of them");
	check_most(MAX_TRANSACTIONS, W, "transaction t%u\n", "there are too many of them");
	check_most(MAX_WORKLOAD_STEPS - 2, W, "step s%u\n", "there are too many of them");
	check_most(MAX_COLUMNS, W T, " column a%u int value 1\n",
		   "there are at most 32 of these lines");
	check_most(MAX_BINDS, W S, " bind a%u int value 1\n",
		   "there are at most 24 of these lines");
	check_most(MAX_DO, W S "step x\n", " do s %u\n",
		   "there are at most 24 of these lines");
	check_most(MAX_STEP_LETS, W "step x\n", " let rows %u\n",
		   "a step has at most 8 lets");
	check_most(MAX_NAMES - 5, W, "let l%u 1\n",
		   "there are too many names, or l91 is too long");
}

static int64_t let_of(const struct workload *workload, const char *name)
{
	for (unsigned i = 0; i < workload->nnames; i++)
		if (!strcmp(workload->names[i].name, name))
			return workload->lets[i];
	return -1;
}

static void overrides_reach_the_lets_that_hang_on_them(void)
{
	static const struct override SET[] = { { "rows", 50 } };
	char why[1024] = "";
	struct workload *workload = read_text(W "let half rows / 2\n", SET, 1, why,
					      sizeof(why));

	MU_TEXT("", why);
	MU_CHECK(workload && let_of(workload, "rows") == 50);
	MU_CHECK(workload && let_of(workload, "half") == 25);
	MU_CHECK(workload && let_of(workload, "tables") == 2);
	if (workload)
		workload_free(workload);
}

static void overrides_of_what_is_no_let_are_refused(void)
{
	static const struct override SET[] = { { "lines", 50 } }, ROW[] = { { "row", 1 } };
	char why[1024] = "";

	MU_CHECK(!read_text(W, SET, 1, why, sizeof(why)));
	MU_TEXT("--set lines: the workload " FILE_NAME " has no let of this name", why);
	MU_CHECK(!read_text(W, ROW, 1, why, sizeof(why)));
	MU_TEXT("--set row: the workload " FILE_NAME " has no let of this name", why);
}

static void an_engines_own_text_wins(void)
{
	struct workload *workload = right(
		W "statement s\n sql@mysql,mariadb A\n sql B\n sql@sqlite C\n"
		  "statement r\n sql@duckdb D\n");
	const struct dialects *sql = &workload->statements[0].sql;

	MU_TEXT("A", dialect_text(sql, "mysql"));
	MU_TEXT("A", dialect_text(sql, "mariadb"));
	MU_TEXT("B", dialect_text(sql, "postgres"));
	MU_TEXT("C", dialect_text(sql, "sqlite"));
	MU_TEXT("B", dialect_text(sql, "my"));
	MU_CHECK(!dialect_text(&workload->statements[1].sql, "mysql"));
	workload_free(workload);
}

/* Statements' texts */

/* What becomes of the first statement: id 5, word, ids 1,2,3, table number 2. */
static void check_written(const char *sql, char placeholder, bool escapes,
			  const char *expected)
{
	static char word[] = "it's a \\";
	char file[1024], why[160];
	int64_t ids[] = { 1, 2, 3 };
	struct template template;
	struct text text = { .at = NULL };
	struct scene scene = { .numbers = { 0 } };
	struct workload *workload;
	struct writer writer = {
		.scene = &scene, .placeholder = placeholder, .escapes = escapes,
	};

	snprintf(file, sizeof(file), W "table t tables\n create C\ntable u\n create C\n"
		 "statement s\n sql S\n bind id int value 5\n bind word text constant x\n"
		 " bind ids int value 5 list 3\n");
	workload = right(file);
	writer.workload = workload;
	memcpy(scene.numbers, workload->lets, sizeof(scene.numbers));
	scene.numbers[workload->number] = 2;
	for (unsigned i = 0; i < workload->nnames; i++)
		if (!strcmp(workload->names[i].name, "id")) {
			scene.numbers[i] = 5;
			scene.texts[i + 1] = word;
			scene.lengths[i + 1] = strlen(word);
			scene.lists[i + 2] = ids;
			scene.counts[i + 2] = 3;
		}
	MU_CHECK(template_read(&template, workload, sql, why, sizeof(why)));
	template_write(&template, &writer, &text);
	MU_TEXT(expected, text.at);
	free(text.at);
	workload_free(workload);
}

static void statements_are_written_as_the_engine_takes_them(void)
{
	check_written("SELECT {n} FROM {t}, {u} WHERE x < {rows * 2 - 1}", '?', false,
		      "SELECT 2 FROM t2, u WHERE x < 17");
	check_written("a = :id OR b = :word OR :id", '?', false, "a = ? OR b = ? OR ?");
	check_written("a = :id OR b = :word OR :id", '$', false, "a = $1 OR b = $2 OR $3");
	check_written("a = :id OR b = :word", '\0', false, "a = 5 OR b = 'it''s a \\'");
	check_written("a = :id OR b = :word", '\0', true, "a = 5 OR b = 'it''s a \\\\'");
	check_written("a IN (:ids) AND b = :id", '?', false, "a IN (?,?,?) AND b = ?");
	check_written("a IN (:ids) AND b = :id", '$', false, "a IN ($1,$2,$3) AND b = $4");
	check_written("a IN (:ids)", '\0', false, "a IN (1,2,3)");
}

static void what_looks_like_a_parameter_may_be_none(void)
{
	check_written("SELECT ':id {t}', :id", '?', false, "SELECT ':id t2', ?");
	check_written("SELECT 'it''s :id', :id", '?', false, "SELECT 'it''s :id', ?");
	check_written("SELECT :id::bigint", '$', false, "SELECT $1::bigint");
	check_written("SELECT a::text, :id", '$', false, "SELECT a::text, $1");
	check_written("SELECT ':id", '?', false, "SELECT ':id");
	check_written("a : 5", '?', false, "a : 5");
	check_written(":rows", '\0', false, "9");
}

/* Distributions */

struct count {
	uint64_t of[1001];		/* by value; of[0]: outside of 1..n */
};

static void draw_many(struct count *count, enum distribution distribution, int64_t n,
		      double first, double second)
{
	const double extra[2] = { first, second };
	struct zipf zipf = { .n = 0 };
	struct rng rng;

	*count = (struct count){ .of = { 0 } };
	rng_seed(&rng, 42);
	for (int i = 0; i < DRAWS; i++) {
		int64_t drawn = draw_number(distribution, 1, n, extra, &zipf, &rng);

		count->of[drawn < 1 || drawn > n ? 0 : drawn]++;
	}
}

/* Chi-square over the values of a probability, those expected less than 5 times in one. */
static double chi_square(const struct count *count, const double *probability, int n,
			 int *degrees)
{
	double sum = 0, rest = 0, rest_found = 0;

	*degrees = -1;
	for (int i = 1; i <= n; i++) {
		rest += probability[i] * DRAWS;
		rest_found += (double)count->of[i];
		if (rest < 5)
			continue;
		sum += (rest_found - rest) * (rest_found - rest) / rest;
		rest = rest_found = 0;
		++*degrees;
	}
	return sum;
}

/* Within 4 standard deviations of what chi-square is for a right probability. */
static void check_probability(const struct count *count, const double *probability, int n)
{
	int degrees;
	double sum = chi_square(count, probability, n, &degrees);

	MU_CHECK(count->of[0] == 0);
	MU_CHECK(degrees > 50);
	if (fabs(sum - degrees) > 4 * sqrt(2.0 * degrees))
		fprintf(stderr, "chi-square %g with %d degrees\n", sum, degrees);
	MU_CHECK(fabs(sum - degrees) <= 4 * sqrt(2.0 * degrees));
}

static void zipf_probability(double *probability, int n, double exponent)
{
	double sum = 0;

	for (int i = 1; i <= n; i++)
		sum += pow(i, -exponent);
	for (int i = 1; i <= n; i++)
		probability[i] = pow(i, -exponent) / sum;
}

static void zipfian_is_as_frequent_as_its_law_says(void)
{
	static const double EXPONENTS[] = { 0.5, 0.8, 0.99, 1, 1.2 };
	static struct count count;
	static double probability[1001];

	for (size_t i = 0; i < sizeof(EXPONENTS) / sizeof(EXPONENTS[0]); i++) {
		zipf_probability(probability, 1000, EXPONENTS[i]);
		draw_many(&count, DRAW_ZIPFIAN, 1000, EXPONENTS[i], 0);
		check_probability(&count, probability, 1000);
	}
}

static void latest_is_zipfian_from_the_other_end(void)
{
	static struct count count;
	static double probability[1001], reversed[1001];

	zipf_probability(probability, 1000, 0.99);
	for (int i = 1; i <= 1000; i++)
		reversed[i] = probability[1001 - i];
	draw_many(&count, DRAW_LATEST, 1000, 0.99, 0);
	check_probability(&count, reversed, 1000);
}

/*
 * Ranks that share a value are added. Of the 10^10 the first million are added one by one,
 * the others fall anywhere alike; YCSB says that the sum of all is 26.46902820178302.
 */
static void scrambled_spreads_the_likely_ones(void)
{
	static struct count count;
	static double spread[1001];
	double rest = 1;

	for (uint64_t rank = 1; rank <= 1000000; rank++) {
		uint64_t state = rank;
		double one = pow((double)rank, -0.99) / 26.46902820178302;

		spread[1 + rng_splitmix(&state) % 1000] += one;
		rest -= one;
	}
	for (int i = 1; i <= 1000; i++)
		spread[i] += rest / 1000;
	draw_many(&count, DRAW_SCRAMBLED, 1000, 0.99, 0);
	check_probability(&count, spread, 1000);
}

/* Of all pairs of a number of 0..A and one of 1..1000. */
static void nurand_is_that_of_tpc_c(void)
{
	static struct count count;
	static double probability[1001];

	for (unsigned a = 0; a <= 255; a++)
		for (unsigned b = 1; b <= 1000; b++)
			probability[((a | b) + 85) % 1000 + 1] += 1.0 / 256 / 1000;
	draw_many(&count, DRAW_NURAND, 1000, 255, 0);
	check_probability(&count, probability, 1000);
}

static void uniform_is_uniform(void)
{
	static struct count count;
	static double probability[1001];

	for (int i = 1; i <= 1000; i++)
		probability[i] = 0.001;
	draw_many(&count, DRAW_UNIFORM, 1000, 0, 0);
	check_probability(&count, probability, 1000);
}

/* The sum of 12 uniform numbers is at most x: Irwin and Hall's formula. */
static double irwin_hall(double x)
{
	double sum = 0, choose = 1, factorial = 1;

	for (int k = 1; k <= 12; k++)
		factorial *= k;
	for (int k = 0; k <= 12 && k < x; k++) {
		sum += (k % 2 ? -1 : 1) * choose * pow(x - k, 12);
		choose = choose * (12 - k) / (k + 1);
	}
	return x >= 12 ? 1 : sum / factorial;
}

static void gaussian_is_a_mean_of_twelve(void)
{
	static struct count count;
	static double probability[101];

	for (int i = 1; i <= 100; i++)
		probability[i] = irwin_hall(i * 0.12) - irwin_hall((i - 1) * 0.12);
	draw_many(&count, DRAW_GAUSSIAN, 100, 0, 0);
	check_probability(&count, probability, 100);
}

/* n u^(ln h / ln (1-h)) is below k with probability (k/n)^(ln (1-h) / ln h). */
static void pareto_follows_the_rule_of_h(void)
{
	static struct count count;
	static double probability[1001];
	double power = log(0.8) / log(0.2), few = 0;

	for (int i = 1; i <= 1000; i++)
		probability[i] = pow(i / 1000.0, power) - pow((i - 1) / 1000.0, power);
	draw_many(&count, DRAW_PARETO, 1000, 0.2, 0);
	check_probability(&count, probability, 1000);
	for (int i = 1; i <= 200; i++)
		few += (double)count.of[i];
	MU_CHECK(fabs(few / DRAWS - 0.8) < 0.005);
}

static void hot_rows_get_their_share(void)
{
	static struct count count;
	static double probability[1001];

	for (int i = 1; i <= 1000; i++)
		probability[i] = i <= 100 ? 0.9 / 100 : 0.1 / 900;
	draw_many(&count, DRAW_HOT, 1000, 0.1, 0.9);
	check_probability(&count, probability, 1000);
}

static void a_range_of_one_and_an_empty_one_give_their_low(void)
{
	static const double EXTRA[2] = { 0.5, 0.5 };
	struct zipf zipf = { .n = 0 };
	struct rng rng;

	rng_seed(&rng, 1);
	for (int i = DRAW_UNIFORM; i <= DRAW_NURAND; i++) {
		MU_CHECK(draw_number(i, 7, 7, EXTRA, &zipf, &rng) == 7);
		MU_CHECK(draw_number(i, 7, 3, EXTRA, &zipf, &rng) == 7);
	}
}

static void draws_hang_on_the_seed_alone(void)
{
	static const double EXTRA[2] = { 0.5, 0.5 };

	for (int i = DRAW_UNIFORM; i <= DRAW_NURAND; i++) {
		struct zipf first = { .n = 0 }, second = { .n = 0 };
		struct rng a, b;
		unsigned same = 0;

		rng_seed(&a, 3);
		rng_seed(&b, 3);
		for (int j = 0; j < 100; j++)
			same += draw_number(i, 1, 1000, EXTRA, &first, &a) ==
				draw_number(i, 1, 1000, EXTRA, &second, &b);
		MU_CHECK(same == 100);
	}
}

static void patterns_keep_all_but_their_signs(void)
{
	static const char PATTERN[] = "##############-@@-x";
	char to[sizeof(PATTERN)] = "";
	struct rng rng;

	rng_seed(&rng, 1);
	for (int i = 0; i < 1000; i++) {
		MU_CHECK(draw_pattern(to, PATTERN, strlen(PATTERN), &rng) == 19);
		MU_CHECK(strspn(to, "0123456789") == 14);
		MU_CHECK(to[14] == '-' && to[17] == '-' && to[18] == 'x');
		MU_CHECK(to[15] >= 'a' && to[15] <= 'z' && to[16] >= 'a' && to[16] <= 'z');
	}
}

/* Each digit is as likely in each place of a long pattern. */
static void digits_are_uniform(void)
{
	static unsigned counts[30][10];
	char to[30];
	struct rng rng;

	rng_seed(&rng, 1);
	for (int i = 0; i < 20000; i++) {
		draw_pattern(to, "##############################", 30, &rng);
		for (int j = 0; j < 30; j++)
			counts[j][to[j] - '0']++;
	}
	for (int j = 0; j < 30; j++)
		for (int d = 0; d < 10; d++)
			MU_CHECK(fabs(counts[j][d] - 2000.0) < 4.5 * sqrt(1800));
}

/* Mutants of a long file are read or refused with a sentence, and nothing worse. */

static size_t mutate(char *text, size_t length, size_t most, struct rng *rng)
{
	static const char BYTES[] = "\n\n \t\\#{}:'@,.-+*/%()0123456789azrows";
	unsigned changes = 1 + rng_below(rng, 8);

	for (; changes && length > 2; changes--) {
		size_t at = rng_below64(rng, length - 1);
		size_t many = 1 + rng_below64(rng, length - at < 40 ? length - at : 40);

		switch (rng_below(rng, 4)) {
		case 0:			/* a byte becomes another */
			text[at] = BYTES[rng_below(rng, sizeof(BYTES) - 1)];
			break;
		case 1:			/* some go */
			memmove(text + at, text + at + many, length - at - many);
			length -= many;
			break;
		case 2:			/* some come twice */
			if (length + many > most)
				break;
			memmove(text + at + many, text + at, length - at);
			length += many;
			break;
		default:		/* some move from elsewhere */
			memmove(text + at, text + rng_below64(rng, length - many + 1),
				many);
		}
	}
	return length;
}

static void mutants_do_no_harm(const char *original, size_t length)
{
	static char text[ORIGINAL_SIZE + 512];
	unsigned refused = 0;
	struct rng rng;

	MU_CHECK(length > 10000);
	rng_seed(&rng, 1);
	for (unsigned i = 0; i < MUTANTS && length; i++) {
		char why[1024] = "";
		struct workload *workload;
		size_t mutated;

		memcpy(text, original, length);
		mutated = mutate(text, length, sizeof(text) - 64, &rng);
		write_file(text, mutated);
		workload = workload_read(FILE_NAME, NULL, 0, NULL, why, sizeof(why));
		MU_CHECK(!workload == !!*why);
		MU_CHECK(!*why || strstr(why, FILE_NAME));
		refused += !workload;
		if (workload)
			workload_free(workload);
	}
	MU_CHECK(refused > MUTANTS / 2 && refused < MUTANTS);
	unlink(FILE_NAME);
}

/* Right as it stands; returns its length. */
static size_t read_sysbench(char *text, size_t size)
{
	char why[1024] = "";
	struct workload *workload = workload_read(SYSBENCH, NULL, 0, NULL, why, sizeof(why));
	FILE *file = fopen(SYSBENCH, "r");
	size_t length = file ? fread(text, 1, size, file) : 0;

	MU_TEXT("", why);
	if (workload)
		workload_free(workload);
	if (file)
		fclose(file);
	return length;
}

/* From bench/, where the workloads are; what it writes is elsewhere. */
int main(void)
{
	static char sysbench[ORIGINAL_SIZE];
	char folder[] = "/tmp/test_sql.XXXXXX";
	size_t length = read_sysbench(sysbench, sizeof(sysbench));

	if (!mkdtemp(folder) || chdir(folder))
		abort();
	expressions_are_worked_out_as_in_school();
	no_expression_overflows_or_divides_by_zero();
	mistakes_in_expressions_are_said();
	an_expression_ends_where_it_does_not_go_on();
	an_expression_says_what_it_needs();
	lines_go_on_behind_a_backslash();
	what_is_no_text_is_refused();
	every_mistake_in_a_file_is_one_sentence();
	there_is_a_most_of_everything();
	overrides_reach_the_lets_that_hang_on_them();
	overrides_of_what_is_no_let_are_refused();
	an_engines_own_text_wins();
	statements_are_written_as_the_engine_takes_them();
	what_looks_like_a_parameter_may_be_none();
	zipfian_is_as_frequent_as_its_law_says();
	latest_is_zipfian_from_the_other_end();
	scrambled_spreads_the_likely_ones();
	nurand_is_that_of_tpc_c();
	uniform_is_uniform();
	gaussian_is_a_mean_of_twelve();
	pareto_follows_the_rule_of_h();
	hot_rows_get_their_share();
	a_range_of_one_and_an_empty_one_give_their_low();
	draws_hang_on_the_seed_alone();
	patterns_keep_all_but_their_signs();
	digits_are_uniform();
	mutants_do_no_harm(sysbench, length);
	rmdir(folder);
	return mu_report("test_sql");
}
