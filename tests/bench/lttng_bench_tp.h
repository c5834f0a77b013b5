/* The tracepoint of lttng_bench.c: a number. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER cellsync_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_bench_tp.h"

#if !defined(LTTNG_BENCH_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_BENCH_TP_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(cellsync_bench, mark, LTTNG_UST_TP_ARGS(uint64_t, n),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, n, n)))

#endif

#include <lttng/tracepoint-event.h>
