/* See clock.h. */
#include "recorder/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { CALIBRATION_NS = 5000000, LINE_MAX_BYTES = 4096 };

bool clock_is_hardware;

/* Read both clocks several times, and return the pair that took the least time to read. */
void clock_both(uint64_t *ns, uint64_t *ticks)
{
    enum { TRIES = 16 };
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = clock_here(), now_ns = clock_raw_ns(), after = clock_here();
        if (after - before < least) {
            least = after - before;
            *ns = now_ns;
            *ticks = before + least / 2;
        }
    }
}

#if defined(__x86_64__)

#include "base/number.h"

#define HARDWARE_NAME "tsc"

/* Returns true if the begin of a file contains the word. Runs before main, so without stdio. */
static bool file_has(const char *path, const char *word)
{
    char bytes[LINE_MAX_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes - 1) : -1;
    if (fd >= 0)
        close(fd);
    bytes[n > 0 ? n : 0] = 0;
    return strstr(bytes, word) != NULL;
}

/* The TSCs of all cores agree if the rate of the TSC is constant and Linux uses the TSC as clock
 * source, because Linux compares the cores and rejects a bad TSC. */
static bool hardware_agrees(void)
{
    return file_has("/proc/cpuinfo", " constant_tsc") &&
           file_has("/proc/cpuinfo", " nonstop_tsc") &&
           file_has("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
}

static uint64_t hardware_hz(void)
{
    uint64_t from_ns, from, ns, ticks;
    clock_both(&from_ns, &from);
    do
        clock_both(&ns, &ticks);
    while (ns - from_ns < CALIBRATION_NS);
    return (uint64_t)((uint128)(ticks - from) * CLOCK_NS_PER_S / (ns - from_ns));
}

#elif defined(__aarch64__)

#define HARDWARE_NAME "cntvct"

/* The architecture guarantees that all CPUs have the same counter. */
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

static bool hardware_agrees(void)
{
    return false;
}

static uint64_t hardware_hz(void)
{
    return CLOCK_NS_PER_S;
}

#endif

void clock_choose(bool hardware)
{
    clock_is_hardware = hardware && hardware_agrees();
}

const char *clock_source(void)
{
    return clock_is_hardware ? HARDWARE_NAME : "monotonic_raw";
}

uint64_t clock_measure_hz(void)
{
    return clock_is_hardware ? hardware_hz() : CLOCK_NS_PER_S;
}
