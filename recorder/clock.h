/* The clock of all threads of a machine. If the counters of all CPUs agree, the clock is this
 * counter (TSC, CNTVCT). Otherwise the clock is CLOCK_MONOTONIC_RAW in nanoseconds. Linux adjusts
 * neither of the two. The rate of a clock is thus constant, and clocks of different machines drift
 * apart at a constant rate. */
#ifndef CELLTRACE_CLOCK_H
#define CELLTRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { CLOCK_NS_PER_S = 1000000000 };

extern bool clock_is_hardware;

/* Choose the counter of the CPUs as the clock if `hardware` is true and the counter can be trusted.
 * Call this once, before any other function. */
void clock_choose(bool hardware);

/* Returns "tsc", "cntvct", or "monotonic_raw". */
const char *clock_source(void);

/* Read CLOCK_MONOTONIC_RAW and the clock of this header at one moment, with an error of about 50
 * ns. */
void clock_both(uint64_t *ns, uint64_t *ticks);

/* Returns the ticks per second. If the CPU does not report them, measuring takes 5 ms. */
uint64_t clock_measure_hz(void);

static inline uint64_t clock_raw_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * CLOCK_NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Returns the current time in ticks. The CPU may read the clock before earlier operations are
 * finished. Compiler builtins are used, because <x86intrin.h> would be slow to compile. */
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

/* Returns the time after all earlier loads are finished. Otherwise the CPU could read the clock
 * first, and a receive would get an earlier time than the send of its message. */
static inline uint64_t clock_after(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("dsb ishld\n\tisb" : : : "memory");
#endif
    return clock_now();
}

/* Returns `value`, but with a data dependency on `ticks`: the CPU cannot use the result before it
 * has read the clock. */
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

/* Returns the time after all earlier operations and before all later ones. */
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
