/* See counter.h. */
#include "counter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__extension__ typedef unsigned __int128 uint128;

enum { NS_PER_S = 1000000000, CALIBRATION_NS = 5000000 };

static uint64_t monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

#if defined(__x86_64__)

#include <x86intrin.h>

#define HARDWARE_NAME "TSC"

static uint64_t hardware_raw(void)
{
    _mm_lfence();
    uint64_t raw = __rdtsc();
    _mm_lfence();
    return raw;
}

static bool file_has(const char *path, const char *word)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (file && !found && getline(&line, &room, file) > 0)
        found = strstr(line, word) != NULL;
    free(line);
    if (file)
        fclose(file);
    return found;
}

/* The TSC is one clock if it never changes its pace and Linux, which compares those of all cores
 * and gives up a bad one, keeps time by it. */
static bool hardware_agrees(void)
{
    return file_has("/proc/cpuinfo", "constant_tsc") && file_has("/proc/cpuinfo", "nonstop_tsc") &&
           file_has("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
}

static uint64_t hardware_hz(void)
{
    uint64_t from_ns = monotonic_ns(), from = hardware_raw(), ns;
    do
        ns = monotonic_ns() - from_ns;
    while (ns < CALIBRATION_NS);
    return (uint64_t)((uint128)(hardware_raw() - from) * NS_PER_S / ns);
}

#elif defined(__aarch64__)

#define HARDWARE_NAME "CNTVCT"

static uint64_t hardware_raw(void)
{
    uint64_t raw;
    __asm__ volatile("dsb ish\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(raw) : : "memory");
    return raw;
}

/* By its architecture it is one counter. */
static bool hardware_agrees(void)
{
    return true;
}

static uint64_t hardware_hz(void)
{
    uint64_t hz;
    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
}

#else

#define HARDWARE_NAME "none"

static uint64_t hardware_raw(void)
{
    return 0;
}

static bool hardware_agrees(void)
{
    return false;
}

static uint64_t hardware_hz(void)
{
    return 0;
}

#endif

void counter_init(struct counter *c, uint64_t hz, bool hardware)
{
    c->hardware = hardware && hardware_agrees();
    c->raw_hz = c->hardware ? hardware_hz() : NS_PER_S;
    c->scale = (uint64_t)(((uint128)hz << 32) / c->raw_hz);
}

uint64_t counter_ticks(const struct counter *c)
{
    uint64_t raw = c->hardware ? hardware_raw() : monotonic_ns();
    return (uint64_t)((uint128)raw * c->scale >> 32);
}

const char *counter_name(const struct counter *c)
{
    return c->hardware ? HARDWARE_NAME : "CLOCK_MONOTONIC";
}
