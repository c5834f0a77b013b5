/* See clock.h. */
#include "recorder/clock.h"

#include "base/number.h"

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
/* Returns true if the first bytes of a file contain `word`. Runs before main, so without stdio. */
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
#endif

void clock_choose(bool hardware)
{
#if defined(__x86_64__)
    /* The TSCs of all cores agree if the rate of the TSC is constant and Linux uses the TSC as
     * clock source, because Linux compares the cores and rejects a bad TSC. */
    clock_is_hardware =
        hardware && file_has("/proc/cpuinfo", " constant_tsc") &&
        file_has("/proc/cpuinfo", " nonstop_tsc") &&
        file_has("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
#elif defined(__aarch64__)
    clock_is_hardware = hardware; /* the architecture guarantees one counter for all CPUs */
#else
    (void)hardware;
#endif
}

const char *clock_source(void)
{
#if defined(__x86_64__)
    return clock_is_hardware ? "tsc" : "monotonic_raw";
#else
    return clock_is_hardware ? "cntvct" : "monotonic_raw";
#endif
}

uint64_t clock_measure_hz(void)
{
    uint64_t hz = CLOCK_NS_PER_S;
#if defined(__x86_64__)
    uint64_t from_ns, from, ns, ticks;
    if (!clock_is_hardware)
        return hz;
    clock_both(&from_ns, &from);
    do
        clock_both(&ns, &ticks);
    while (ns - from_ns < CALIBRATION_NS);
    hz = (uint64_t)((uint128)(ticks - from) * CLOCK_NS_PER_S / (ns - from_ns));
#elif defined(__aarch64__)
    if (clock_is_hardware)
        __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
#endif
    return hz;
}
