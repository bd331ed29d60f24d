/* What the client knows of the tables, and whether the engine agrees. */
#include "run.h"

#include <inttypes.h>

static enum engine_status create_indexes(const struct engine *engine,
					 struct connection *conn)
{
	enum engine_status status = ENGINE_OK;
	unsigned made;

	for (unsigned i = 0; status == ENGINE_OK && i < SECONDARY_INDEXES; i += made)
		status = engine->create_indexes(conn, i, &made);
	return status;
}

static bool state_of(struct run *run, unsigned number, bool create,
		     struct table_state *state)
{
	const struct engine *engine = run->engine;
	char why[ENGINE_TEXT];
	struct connection *conn = engine->connect(run->place->db, number, WORK_ADMIN, why,
						  sizeof(why));
	bool indexed = run->options->steps[0].step->indexed;
	enum engine_status status = ENGINE_OK;

	if (!conn) {
		control_fail(&run->control, "%s", why);
		return false;
	}
	if (create)
		status = engine->create_table(conn);
	if (status == ENGINE_OK && create && indexed)
		status = create_indexes(engine, conn);
	if (status == ENGINE_OK)
		status = engine->state(conn, state);
	if (status != ENGINE_OK)
		control_fail(&run->control, "cannot %s table pi%u: %s%s",
			     create ? "create" : "read", number, engine->message(conn),
			     create ? "" : "; begin with the step l.i0 to make it");
	engine->disconnect(conn);
	return status == ENGINE_OK;
}

bool tables_read(struct run *run)
{
	bool create = run->options->steps[0].step->creates;

	for (unsigned i = 0; i < run->ntables; i++) {
		struct table *table = &run->tables[i];
		struct table_state state = { 0 };

		table->number = i + 1;
		if (!state_of(run, table->number, create, &state))
			return false;
		table->rows = state.rows;
		table->indexes = state.indexes;
		atomic_init(&table->oldest, state.rows ? state.min_pk : 1);
		atomic_init(&table->newest, state.max_pk);
	}
	return true;
}

bool tables_count(struct run *run)
{
	for (unsigned i = 0; i < run->ntables; i++) {
		struct table *table = &run->tables[i];
		struct table_state state = { 0 };

		if (!state_of(run, table->number, false, &state))
			return false;
		table->indexes = state.indexes;
		if (state.rows != table->rows) {
			control_fail(&run->control, "wrong answer: table pi%u holds "
				     "%" PRIu64 " rows, %" PRIu64 " were written",
				     table->number, state.rows, table->rows);
			return false;
		}
	}
	return true;
}
