#include "steps.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_SECONDS 1000000
#define MOST_ROWS 100000000000ull

const char *const OP_NAMES[OPS] = {
	[OP_INSERT] = "insert", [OP_DELETE] = "delete", [OP_QUERY] = "query",
	[OP_INDEX] = "index",	[OP_SCAN] = "scan",	[OP_BYTES] = "bytes",
};

#define LENGTH (KEY_ROWS | KEY_SECONDS)
#define LOAD(name_, about_, commit_, deletes_, creates_, indexed_)                   \
	{ .name = name_, .about = about_, .main = OP_INSERT, .needs = LENGTH,        \
	  .takes = LENGTH | KEY_COMMIT, .rows_per_commit = commit_,                  \
	  .deletes = deletes_, .creates = creates_, .indexed = indexed_ }
#define QUERY(name_, about_, query_, rate_, deletes_)                                \
	{ .name = name_, .about = about_, .main = OP_QUERY,                          \
	  .needs = LENGTH | KEY_QUERIES, .takes = LENGTH | KEY_QUERIES | KEY_COMMIT, \
	  .rows_per_commit = 50, .rate = rate_,                                      \
	  .deletes = deletes_, .query = query_, .indexes = query_ == WORK_RANGE }
#define SCAN(name_, about_, first_, scans_, indexes_)                                \
	{ .name = name_, .about = about_, .main = OP_SCAN, .first_scan = first_,     \
	  .scans = scans_, .indexes = indexes_ }

const struct step STEPS[] = {
	LOAD("l.i0", "insert into a new table that has a primary key only", 100, false,
	     true, false),
	LOAD("l", "insert into a new table that has its secondary indexes, as in 2017",
	     100, false, true, true),
	{ .name = "l.x", .about = "create the three secondary indexes",
	  .main = OP_INDEX },
	LOAD("l.i1", "insert, and delete as many of the oldest rows", 50, true, false,
	     false),
	LOAD("l.i2", "the same in small transactions", 5, true, false, false),
	{ .name = "cleanup", .about = "pay the debt of earlier writes, then wait",
	  .main = OP_BYTES, .takes = KEY_SECONDS },
	QUERY("qr100.L1", "range queries; inserts and deletes at 100 rows/s/client",
	      WORK_RANGE, 100, true),
	QUERY("qp100.L2", "point queries; inserts and deletes at 100 rows/s/client",
	      WORK_POINT, 100, true),
	QUERY("qr500.L3", "range queries at 500", WORK_RANGE, 500, true),
	QUERY("qp500.L4", "point queries at 500", WORK_POINT, 500, true),
	QUERY("qr1000.L5", "range queries at 1000", WORK_RANGE, 1000, true),
	QUERY("qp1000.L6", "point queries at 1000", WORK_POINT, 1000, true),
	QUERY("q100.1", "range queries; inserts alone at 100 rows/s/client",
	      WORK_RANGE, 100, false),
	QUERY("q100.2", "the same again", WORK_RANGE, 100, false),
	QUERY("q200.1", "the same at 200", WORK_RANGE, 200, false),
	QUERY("q200.2", "and again", WORK_RANGE, 200, false),
	QUERY("q400.1", "at 400", WORK_RANGE, 400, false),
	QUERY("q400.2", "and again", WORK_RANGE, 400, false),
	QUERY("q500.1", "at 500", WORK_RANGE, 500, false),
	QUERY("q600.1", "at 600", WORK_RANGE, 600, false),
	QUERY("q600.2", "and again", WORK_RANGE, 600, false),
	QUERY("q800.1", "at 800", WORK_RANGE, 800, false),
	QUERY("q800.2", "and again", WORK_RANGE, 800, false),
	QUERY("q1000.1", "at 1000", WORK_RANGE, 1000, false),
	QUERY("q1000.2", "and again", WORK_RANGE, 1000, false),
	SCAN("scan.q1", "read all of the primary key, return nothing", 0, 1, false),
	SCAN("scan.q2", "the same by marketsegment", 1, 1, true),
	SCAN("scan.q3", "the same by registersegment", 2, 1, true),
	SCAN("scan.q4", "the same by pdc", 3, 1, true),
	SCAN("scan.q5", "the primary key again", 4, 1, false),
	SCAN("scan", "all five, one after the other", 0, SCANS, true),
};

const size_t NSTEPS = sizeof(STEPS) / sizeof(STEPS[0]);

static const struct key {
	const char *name;
	enum step_key bit;
	size_t offset;
	unsigned decimals;	/* kept as a whole number: 0.5 seconds are 500 */
	uint64_t most;
} KEYS[] = {
	{ "rows", KEY_ROWS, offsetof(struct step_spec, rows), 0, MOST_ROWS },
	{ "seconds", KEY_SECONDS, offsetof(struct step_spec, milliseconds), 3,
	  LONGEST_SECONDS },
	{ "rows_per_commit", KEY_COMMIT, offsetof(struct step_spec, rows_per_commit), 0,
	  MAX_ROWS_PER_COMMIT },
	{ "queries", KEY_QUERIES, offsetof(struct step_spec, queries), 0, MOST_ROWS },
};

#define NKEYS (sizeof(KEYS) / sizeof(KEYS[0]))

static const struct step *find_step(const char *name, size_t length)
{
	for (size_t i = 0; i < NSTEPS; i++)
		if (strlen(STEPS[i].name) == length &&
		    !strncmp(STEPS[i].name, name, length))
			return &STEPS[i];
	return NULL;
}

/* A positive number up to most, with as many decimals, up to the end or the next key. */
static bool parse_number(const char *text, const struct key *key, uint64_t *number)
{
	uint64_t scale = 1;
	unsigned decimals = key->decimals;

	*number = 0;
	if (!isdigit((unsigned char)*text))
		return false;
	for (; isdigit((unsigned char)*text) && *number <= key->most; text++)
		*number = *number * 10 + (uint64_t)(*text - '0');
	if (*text == '.' && decimals && text++)
		for (; isdigit((unsigned char)*text) && decimals; text++, decimals--)
			*number = *number * 10 + (uint64_t)(*text - '0');
	for (; decimals; decimals--)
		*number *= 10;
	for (unsigned i = 0; i < key->decimals; i++)
		scale *= 10;
	return (*text == '\0' || *text == ':') && *number >= 1 &&
	       *number <= key->most * scale;
}

static bool parse_key(struct step_spec *spec, const char *text, unsigned *given,
		      char *why, size_t size)
{
	for (size_t i = 0; i < NKEYS; i++) {
		size_t length = strlen(KEYS[i].name);

		if (strncmp(text, KEYS[i].name, length) || text[length] != '=' ||
		    !(spec->step->takes & KEYS[i].bit))
			continue;
		*given |= KEYS[i].bit;
		if (parse_number(text + length + 1, &KEYS[i],
				 (uint64_t *)((char *)spec + KEYS[i].offset)))
			return true;
		snprintf(why, size, "--step %s: %s must be %s from %s to %llu",
			 spec->step->name, KEYS[i].name,
			 KEYS[i].decimals ? "a number" : "a whole number",
			 KEYS[i].decimals ? "0.001" : "1",
			 (unsigned long long)KEYS[i].most);
		return false;
	}
	snprintf(why, size, "--step %s does not take %.*s", spec->step->name,
		 (int)strcspn(text, ":"), text);
	return false;
}

bool step_parse(struct step_spec *spec, const char *text, char *why, size_t size)
{
	const char *at = text + strcspn(text, ":");
	unsigned given = 0;

	*spec = (struct step_spec){ .step = find_step(text, (size_t)(at - text)) };
	if (!spec->step) {
		snprintf(why, size, "--step %.*s: there is no such step; --list shows "
			 "them", (int)(at - text), text);
		return false;
	}
	spec->rows_per_commit = spec->step->rows_per_commit;
	while (*at == ':') {
		if (!parse_key(spec, at + 1, &given, why, size))
			return false;
		at += 1 + strcspn(at + 1, ":");
	}
	if (spec->step->needs && !(spec->step->needs & given)) {
		snprintf(why, size, "--step %s needs a size: %s:rows=N or %s:seconds=S",
			 spec->step->name, spec->step->name, spec->step->name);
		return false;
	}
	if (given & KEY_QUERIES && given != KEY_QUERIES) {
		snprintf(why, size, "--step %s: queries=N stands alone, there are no "
			 "writers then", spec->step->name);
		return false;
	}
	if ((given & LENGTH) == LENGTH) {
		snprintf(why, size, "--step %s takes rows or seconds, not both",
			 spec->step->name);
		return false;
	}
	if (spec->rows && spec->step->rate)
		spec->milliseconds = spec->rows * 1000 / spec->step->rate;
	return true;
}

static bool repeated(const struct step_spec *specs, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (specs[j].step == specs[i].step)
			return true;
	return false;
}

bool steps_check(const struct step_spec *specs, size_t nspecs, bool indexes, char *why,
		 size_t size)
{
	bool fresh = false, indexed = false;

	for (size_t i = 0; i < nspecs; i++) {
		const struct step *step = specs[i].step;
		const char *wrong = NULL;

		if (repeated(specs, i))
			wrong = "is given twice";
		else if (step->creates && i > 0)
			wrong = "makes a new table, so it must be the first step";
		else if ((step->indexes || step->indexed) && !indexes)
			wrong = "needs the secondary indexes, and --indexes 0 leaves "
				"them out";
		else if (step->indexes && fresh && !indexed)
			wrong = "needs the secondary indexes: put l.x before it";
		if (wrong) {
			snprintf(why, size, "--step %s %s", step->name, wrong);
			return false;
		}
		fresh |= step->creates;
		indexed |= step->main == OP_INDEX || step->indexed;
	}
	return true;
}
