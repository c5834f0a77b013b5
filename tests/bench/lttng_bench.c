/* What an event of LTTng-UST costs, in a session that records it. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_bench_tp.h"

#include "record_bench.h"

int main(void)
{
    MEASURE("lttng", lttng_ust_tracepoint(cellsync_bench, mark, i));
    return 0;
}
