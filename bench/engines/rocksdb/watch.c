/*
 * A failure in the background, such as a full disk, stops RocksDB's writes. Releases from 6
 * on wait for space then, for ever, and a write that was waiting for a flush waits with them.
 * Nobody else would end such a run.
 */
#include "engine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define LINE_TEXT 1024

/* Why, as the log has it. */
static void read_reason(const struct database *db, char *reason, size_t size)
{
	static const char *const BEFORE[] = {
		"background flush error: ", "background compaction error: ",
	};
	char path[4096 + 8], line[LINE_TEXT], *found;
	FILE *file;

	snprintf(reason, size, "RocksDB stopped writing after a failure in the background");
	snprintf(path, sizeof(path), "%s/LOG", db->path);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		for (size_t i = 0; i < sizeof(BEFORE) / sizeof(BEFORE[0]); i++) {
			char *end = strstr(line, "Accumulated");

			found = strstr(line, BEFORE[i]);
			if (!found || !end)
				continue;
			while (end > line && strchr(", ", end[-1]))
				end--;
			*end = '\0';
			rx_one_line(found + strlen(BEFORE[i]), reason, size);
		}
	if (file)
		fclose(file);
}

/* Writes that wait come back, as they do before RocksDB is closed. */
static void give_up(struct database *db)
{
	read_reason(db, db->reason, sizeof(db->reason));
	atomic_store(&db->broken, true);
	if (rocks.cancel_all_background_work)
		rocks.cancel_all_background_work(db->handle, 0);
}

/* False: it is over. */
static bool wait_a_second(struct database *db)
{
	struct timespec until;
	bool stop;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	pthread_mutex_lock(&db->watching);
	while (!db->stop && !pthread_cond_timedwait(&db->stopped, &db->watching, &until))
		;
	stop = db->stop;
	pthread_mutex_unlock(&db->watching);
	return !stop;
}

static void *watch(void *argument)
{
	struct database *db = argument;

	while (wait_a_second(db))
		if (rx_property(db, "rocksdb.background-errors")) {
			give_up(db);
			break;
		}
	return NULL;
}

void rx_watch_start(struct database *db)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&db->watching, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&db->stopped, &attributes);
	pthread_condattr_destroy(&attributes);
	db->watched = !pthread_create(&db->watcher, NULL, watch, db);
}

void rx_watch_stop(struct database *db)
{
	if (!db->watched)
		return;
	pthread_mutex_lock(&db->watching);
	db->stop = true;
	pthread_cond_signal(&db->stopped);
	pthread_mutex_unlock(&db->watching);
	pthread_join(db->watcher, NULL);
	pthread_cond_destroy(&db->stopped);
	pthread_mutex_destroy(&db->watching);
}
