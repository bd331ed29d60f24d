/*
 * A build slowed on purpose: -DDELAY_SPINS=N spins N turns of an empty loop for each row,
 * -DDELAY_NS=N so many nanoseconds by the clock, as if the engine's insert took them. It
 * is a function of its own, so that a profile can name it. A build with neither has
 * nothing of this.
 */
#ifndef INGEST_DELAY_H
#define INGEST_DELAY_H

#if defined(DELAY_SPINS) && defined(DELAY_NS)
#error "DELAY_SPINS or DELAY_NS, not both"
#elif defined(DELAY_SPINS) || defined(DELAY_NS)

#include "common/clock.h"

static inline void spin(uint64_t turns)
{
	for (; turns > 0; turns--)
		__asm__ volatile("");
}

static __attribute__((noinline)) void injected_spin(uint64_t nrows)
{
#ifdef DELAY_SPINS
	spin(nrows * DELAY_SPINS);
#else
	uint64_t now = clock_mono_ns(), end = now + nrows * DELAY_NS;

	/* A turn takes less than a ns: the looks at the clock come closer to the end. */
	for (; now < end; now = clock_mono_ns())
		spin(end - now);
#endif
}

#define DELAY(nrows) injected_spin(nrows)
#else
#define DELAY(nrows) ((void)0)
#endif

#endif
