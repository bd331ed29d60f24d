#include "control.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

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
