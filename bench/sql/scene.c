/* The values that names have for one client, and how they are drawn anew. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool scene_make(struct scene *scene, const struct run *run)
{
	const struct workload *workload = run->workload;

	*scene = (struct scene){ .numbers = { 0 } };
	memcpy(scene->numbers, workload->lets, sizeof(scene->numbers));
	for (unsigned i = 0; i < workload->nnames; i++) {
		enum value_type type = workload->names[i].type;

		if (type >= VALUE_TEXT &&
		    !(scene->texts[i] = malloc(type == VALUE_TEXT ? TEXT_SIZE :
							run->folder->room)))
			return false;
		if (workload->names[i].list &&
		    !(scene->lists[i] = malloc(MAX_LIST * sizeof(int64_t))))
			return false;
	}
	scene->numbers[workload->number] = 1;
	scene->numbers[workload->repeat] = 1;
	return true;
}

void scene_free(struct scene *scene)
{
	for (unsigned i = 0; i < MAX_NAMES; i++) {
		free(scene->texts[i]);
		free(scene->lists[i]);
	}
}

void scene_begin(struct scene *scene, const struct workload_step *step, struct run *run)
{
	for (unsigned i = 0; i < step->nlets; i++)
		scene->numbers[step->lets[i].name] = expr_value(
			&step->lets[i].value, scene->numbers, run->counters);
}

static bool is_fixed(const struct draw *draw, const struct workload *workload)
{
	bool drawn[MAX_NAMES];

	for (unsigned i = 0; i < workload->nnames; i++)
		drawn[i] = workload->names[i].kind != NAME_LET;
	return !expr_needs(&draw->low, drawn) && !expr_needs(&draw->high, drawn) &&
	       !expr_counts(&draw->low) && !expr_counts(&draw->high);
}

static void find_range(struct ready_draw *ready, struct run *run,
		       const struct scene *scene)
{
	ready->low = expr_value(&ready->draw->low, scene->numbers, run->counters);
	ready->high = expr_value(&ready->draw->high, scene->numbers, run->counters);
}

void draw_ready(struct ready_draw *ready, const struct draw *draw, struct run *run,
		struct scene *scene, unsigned client, unsigned clients)
{
	int64_t count;

	*ready = (struct ready_draw){
		.draw = draw, .fixed = is_fixed(draw, run->workload), .next = client,
		.stride = clients,
	};
	find_range(ready, run, scene);
	scene->counts[draw->name] = 0;
	if (draw->list == LIST_NONE)
		return;
	count = expr_value(&draw->length, scene->numbers, run->counters);
	ready->count = count < 1 ? 1 : count > MAX_LIST ? MAX_LIST : (unsigned)count;
	scene->counts[draw->name] = ready->count;
}

static int64_t number(struct ready_draw *ready, struct run *run, struct rng *rng)
{
	const struct draw *draw = ready->draw;
	uint64_t place;

	switch (draw->distribution) {
	case DRAW_VALUE:
		return ready->low;
	case DRAW_SEQUENCE:
		place = ready->next;
		ready->next += ready->stride;
		return ready->low + (int64_t)place;
	case DRAW_NEXT:
		return atomic_fetch_add(&run->counters[draw->counter], 1);
	default:
		return draw_number(draw->distribution, ready->low, ready->high,
				   draw->extra, &ready->zipf, rng);
	}
}

static void text(struct ready_draw *ready, struct scene *scene, struct rng *rng)
{
	const struct draw *draw = ready->draw;
	char *to = scene->texts[draw->name];
	int64_t length;

	switch (draw->distribution) {
	case DRAW_PATTERN:
		scene->lengths[draw->name] = draw_pattern(to, draw->text,
							  strlen(draw->text), rng);
		break;
	case DRAW_LETTERS:
		length = draw_number(DRAW_UNIFORM, ready->low, ready->high, draw->extra,
				     &ready->zipf, rng);
		length = length < 0 ? 0 : length >= TEXT_SIZE ? TEXT_SIZE - 1 : length;
		draw_letters(to, (size_t)length, rng);
		scene->lengths[draw->name] = (size_t)length;
		break;
	default:
		scene->lengths[draw->name] = strlen(draw->text);
		memcpy(to, draw->text, scene->lengths[draw->name]);
	}
}

/* A row that the folder lacks ends the run. */
static void base_vector(const struct ready_draw *ready, struct run *run,
			struct scene *scene)
{
	const struct vector_folder *folder = run->folder;
	unsigned name = ready->draw->name;
	const float *vector = vectors_row(&folder->base, ready->low);

	if (!vector) {
		control_fail(&run->control, "vector %" PRId64 " is asked for, and the folder "
			     "has %zu", ready->low, folder->base.count);
		vector = folder->base.values;
	}
	scene->numbers[name] = ready->low;
	scene->vectors[name] = vector;
	scene->lengths[name] = vector_put(folder, vector, scene->texts[name]);
}

/* The queries in turn, so that all are asked as often. */
static void query_vector(struct ready_draw *ready, const struct vector_folder *folder,
			 struct scene *scene)
{
	unsigned name = ready->draw->name;
	size_t row = ready->next % folder->queries.count;

	ready->next += ready->stride;
	scene->numbers[name] = (int64_t)row + 1;
	scene->vectors[name] = vectors_row(&folder->queries, (int64_t)row + 1);
	scene->lengths[name] = folder->lengths[row];
	memcpy(scene->texts[name], folder->encoded + row * folder->room,
	       folder->lengths[row]);
}

static void list(struct ready_draw *ready, struct run *run, struct scene *scene,
		 struct rng *rng)
{
	unsigned name = ready->draw->name;
	int64_t *values = scene->lists[name];

	scene->counts[name] = ready->count;
	for (unsigned i = 0; i < ready->count; i++)
		values[i] = i && ready->draw->list == LIST_RUN ? values[i - 1] + 1 :
								 number(ready, run, rng);
}

void draw_do(struct ready_draw *ready, struct run *run, struct scene *scene,
	     struct rng *rng)
{
	const struct draw *draw = ready->draw;

	if (!ready->fixed)
		find_range(ready, run, scene);
	if (draw->type == VALUE_TEXT)
		text(ready, scene, rng);
	else if (draw->distribution == DRAW_BASE)
		base_vector(ready, run, scene);
	else if (draw->distribution == DRAW_QUERY)
		query_vector(ready, run->folder, scene);
	else if (draw->list != LIST_NONE)
		list(ready, run, scene, rng);
	else {
		scene->counts[draw->name] = 0;
		scene->numbers[draw->name] = number(ready, run, rng);
	}
}
