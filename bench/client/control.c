#include "control.h"

#include "common/clock.h"
#include "common/record.h"
#include "common/usage.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#define LOOK_NS (100 * 1000 * 1000ull)	/* a sleeper looks this often for a stop */

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
	(void)number;
	interrupted = 1;
}

void control_init(struct control *control)
{
	struct sigaction note = { .sa_handler = note_signal };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	atomic_init(&control->stop, false);
	pthread_mutex_init(&control->lock, NULL);
	control->reason[0] = '\0';
	sigaction(SIGINT, &note, NULL);
	sigaction(SIGTERM, &note, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

void control_fail(struct control *control, const char *format, ...)
{
	va_list values;

	pthread_mutex_lock(&control->lock);
	if (!control->reason[0]) {
		va_start(values, format);
		vsnprintf(control->reason, sizeof(control->reason), format, values);
		va_end(values);
	}
	pthread_mutex_unlock(&control->lock);
	atomic_store(&control->stop, true);
}

bool control_poll(struct control *control)
{
	if (interrupted)
		control_fail(control, "interrupted");
	return control_stopped(control);
}

void control_sleep_until(struct control *control, uint64_t mono_ns)
{
	uint64_t now = clock_mono_ns();

	while (now < mono_ns && !control_stopped(control)) {
		clock_sleep_until_ns(mono_ns - now < LOOK_NS ? mono_ns : now + LOOK_NS);
		now = clock_mono_ns();
	}
}

int control_end(const struct control *control)
{
	const char *reason = control->reason[0] ? control->reason : NULL;

	if (reason)
		usage_wrong("%s", reason);
	record_end(stdout, reason);
	if (ferror(stdout))
		usage_wrong("cannot write to stdout");
	return reason || ferror(stdout) ? 1 : 0;
}
