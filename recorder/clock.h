/* The clock of all threads of a machine: the counter of its CPUs (TSC, CNTVCT) if all of them agree
 * on it, otherwise CLOCK_MONOTONIC_RAW in nanoseconds. Neither is adjusted, so the rate is
 * constant, and clocks drift apart at a constant rate. */
#ifndef CELLTRACE_CLOCK_H
#define CELLTRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { CLOCK_NS_PER_S = 1000000000 };

extern bool clock_is_hardware;

/* Choose the counter if it is requested and can be trusted. Call once, before any other function.
 */
void clock_choose(bool hardware);

/* "tsc", "cntvct" or "monotonic_raw". */
const char *clock_source(void);

/* Read both clocks, CLOCK_MONOTONIC_RAW and this one, at the same time, to about 50 ns. */
void clock_both(uint64_t *ns, uint64_t *ticks);

/* Ticks per second: measured in 5 ms if the CPU does not provide it. */
uint64_t clock_measure_hz(void);

static inline uint64_t clock_raw_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * CLOCK_NS_PER_S + (uint64_t)t.tv_nsec;
}

/* The time now, read immediately: earlier operations may be unfinished. (Uses compiler builtins,
 * because <x86intrin.h> takes longer to compile than the rest of most files here.) */
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

/* The time now, after all earlier loads. Without that, a later load may let the plain read run
 * early, and a receive would have an earlier time than its message. */
static inline uint64_t clock_after(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("dsb ishld\n\tisb" : : : "memory");
#endif
    return clock_now();
}

/* Returns value, but only after ticks is known, so that the thread uses value after reading its
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

/* The time now, at exactly this place: nothing that follows has begun, either. */
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
