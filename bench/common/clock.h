/*
 * Time: every instant in a record comes from here. Only CLOCK_MONOTONIC measures, and of an
 * arm of a session (arm.h) it stands still while the arm is frozen.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000ull
#define BOOT_ID_SIZE 40

/* The two clocks read together, so that tools with wall clocks can be lined up. */
struct clock_pair {
	uint64_t mono_ns, real_ns;
};

static inline uint64_t clock_read_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Nanoseconds that this process was frozen in all; changes only while it is. */
extern _Atomic uint64_t *clock_away;

static inline uint64_t clock_mono_ns(void)
{
	uint64_t away, now;

	/* Frozen between the readings, they do not belong together. */
	do {
		away = atomic_load_explicit(clock_away, memory_order_acquire);
		now = clock_read_ns(CLOCK_MONOTONIC);
		atomic_signal_fence(memory_order_seq_cst);
	} while (atomic_load_explicit(clock_away, memory_order_acquire) != away);
	return now - away;
}

/* The kernel's time of an instant of ours, if nothing freezes us until then. */
static inline struct timespec clock_kernel_time(uint64_t mono_ns)
{
	uint64_t kernel_ns = mono_ns + atomic_load(clock_away);

	return (struct timespec){
		.tv_sec = (time_t)(kernel_ns / NS_PER_S),
		.tv_nsec = (long)(kernel_ns % NS_PER_S),
	};
}

static inline uint64_t clock_thread_cpu_ns(void)
{
	return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

static inline struct clock_pair clock_pair_now(void)
{
	return (struct clock_pair){
		.mono_ns = clock_mono_ns(),
		.real_ns = clock_read_ns(CLOCK_REALTIME),
	};
}

/* Returns early when a signal comes or we were frozen; callers look at the clock again. */
static inline void clock_sleep_until_ns(uint64_t mono_ns)
{
	struct timespec ts = clock_kernel_time(mono_ns);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* An empty string where the kernel does not say. */
static inline void clock_boot_id(char *id, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	id[0] = '\0';
	if (!file)
		return;
	if (!fgets(id, (int)size, file))
		id[0] = '\0';
	id[strcspn(id, "\n")] = '\0';
	fclose(file);
}

#endif
