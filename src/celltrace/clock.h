/*
 * The clock that all threads of a machine read, raw: the counter of its CPUs (TSC, CNTVCT) where
 * all of them agree on it, else CLOCK_MONOTONIC_RAW in nanoseconds.  Nothing steers it, so that its
 * rate is constant: what clocks drift apart is then a constant rate, too.
 */
#ifndef CELLTRACE_CLOCK_H
#define CELLTRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { CLOCK_NS_PER_S = 1000000000 };

extern bool clock_is_hardware;

/* Choose the counter where it is wanted and can be trusted.  Once, before any other call. */
void clock_choose(bool hardware);

/* "tsc", "cntvct" or "monotonic_raw". */
const char *clock_source(void);

/* Both clocks, CLOCK_MONOTONIC_RAW and this one, at one time: to some 50 ns. */
void clock_both(uint64_t *ns, uint64_t *ticks);

/* Its ticks per second: measured, in 5 ms, where the CPU does not say it. */
uint64_t clock_measure_hz(void);

static inline uint64_t clock_raw_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * CLOCK_NS_PER_S + (uint64_t)t.tv_nsec;
}

/* The time now, read at once: what precedes may be unfinished.  (What the compilers call it
 * themselves: to read <x86intrin.h> takes them longer than all else in most files here.) */
static inline uint64_t clock_now(void)
{
#if defined(__x86_64__)
    if (clock_is_hardware)
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (clock_is_hardware) {
        uint64_t raw;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(raw));
        return raw;
    }
#endif
    return clock_raw_ns();
}

/* The time now, once all that precedes has been loaded.  Without that a later load may let the
 * plain reading run early: a receive would be stamped before its message was sent. */
static inline uint64_t clock_after(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("dsb ishld\n\tisb" : : : "memory");
#endif
    return clock_now();
}

/* value, which is not known before ticks are: what a thread does with it, it does after it read its
 * clock. */
static inline uint64_t clock_then(uint64_t ticks, uint64_t value)
{
#if defined(__x86_64__)
    __asm__("and $0, %0" : "+r"(ticks) : : "cc");
#elif defined(__aarch64__)
    __asm__("eor %0, %0, %0" : "+r"(ticks));
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    ticks = 0;
#endif
    return value + ticks;
}

/* The time now, of just this place in the program: nothing that follows has begun, either. */
static inline uint64_t clock_here(void)
{
    uint64_t ticks = clock_after();
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("isb" : : : "memory");
#endif
    return ticks;
}

#endif
