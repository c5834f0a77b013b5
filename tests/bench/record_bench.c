/* What the recorder's events cost beside reading the clock: usage record_bench, under CELLTRACE. */
#include "record_bench.h"

#include "celltrace/clock.h"

#include <cellsync/celltrace.h>

bool clock_is_hardware; /* as the recorder's own, which is not to be seen */

int main(void)
{
    volatile uint64_t sink;
    ct_type mark = ct_define("bench", "MARK", CT_MARK, "n");
    ct_type five = ct_define("bench", "FIVE", CT_INTERVAL, "a b c d e");
#if defined(__x86_64__) || defined(__aarch64__)
    clock_is_hardware = true;
#endif
    MEASURE("clock", sink = clock_now());
    (void)sink;
    MEASURE("event", ct_mark1(mark, i));
    MEASURE("interval", ct_interval5(five, ct_now(), i, i, i, i, i));
    ct_stop();
    MEASURE("off", ct_mark1(mark, i));
    ct_start();
    return 0;
}
