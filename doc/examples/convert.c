/* The whole way: a trace in, the synchronized trace and its report out, and a word on how far it has
 * come. */
#include <cellsync/cellsync.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* In parts of a hundred, on a line that the next one overwrites. */
static void show(void *user, const char *stage, csy_unit unit, uint64_t done, uint64_t total)
{
    (void)unit;
    if (total > 0 && total >= done)
        fprintf(user, "\r%-20s %3d %%", stage, (int)((double)done / (double)total * 100));
}

/* Show every warning, and every condition of the bounds. */
static void warn(const csy_sync *sync)
{
    csy_caveat caveat;
    for (size_t next = 0; csy_sync_next_caveat(sync, &next, &caveat);)
        printf("%s%s\n", caveat.condition ? "bounds hold if " : "", caveat.text);
}

int main(int argc, char **argv)
{
    csy_error error = {.text = "usage: convert TRACE OUTPUT REPORT"};
    csy_report_format format = CSY_REPORT_TEXT;
    csy_trace *trace = NULL;
    csy_sync *sync = NULL;
    csy_status status = argc == 4 ? csy_trace_open(argv[1], NULL, &trace, &error) : CSY_USAGE;
    if (!status)
        status = csy_report_format_of(argv[3], &format, &error);
    if (!status) /* before hours are spent: no output is an input, and formats fit */
        status = csy_trace_check_outputs(trace, NULL, argv[2], NULL, argv[3], &error);
    if (!status) {
        if (isatty(STDERR_FILENO))
            csy_trace_set_progress(trace, show, stderr);
        status = csy_trace_synchronize(trace, NULL, &sync, &error);
    }
    if (!status) {
        warn(sync);
        status = csy_sync_write_trace(sync, argv[2], NULL, &error);
    }
    if (!status)
        status = csy_sync_write_report(sync, argv[3], format, CSY_PAIRS_AUTO, &error);
    if (!status)
        printf("%" PRIu64 " records of %zu threads, the largest error bound is %" PRId64 " ticks\n",
               csy_sync_records(sync), csy_sync_nthreads(sync),
               csy_sync_summary(sync)->max_error_ticks);
    else
        fprintf(stderr, "convert: %s\n", error.text);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status != CSY_OK;
}
