/* The CSV report: a line an unordered pair of threads.  cellsync(1), CSV report. */
#include "output/csv_field.h"
#include "output/report.h"

#include <inttypes.h>

static void write_pair(const struct csy_sync *sync, size_t s, size_t t, struct outfile *out)
{
    int64_t lower, upper;
    char text[TICKS_TEXT_MAX];
    csy_bounds(sync, s, t, &lower, &upper);
    int64_t error_ticks = csy_error_bound(sync, s, t);
    csv_field_write(out, sync->views[s].name);
    outfile_print(out, ",");
    csv_field_write(out, sync->views[t].name);
    outfile_print(out, ",%s", words_ticks(lower, "-inf", "inf", text));
    outfile_print(out, ",%s", words_ticks(upper, "-inf", "inf", text));
    outfile_print(out, ",%s\n",
                  words_ticks(error_ticks < 0 ? INT64_MAX : error_ticks, "", "inf", text));
}

void report_csv(const struct csy_sync *sync, struct outfile *out)
{
    outfile_print(out, "thread_s,thread_t,lower_ticks,upper_ticks,error_ticks\n");
    for (size_t s = 0; s < sync->threads.count; s++)
        for (size_t t = s + 1; t < sync->threads.count && !outfile_failed(out); t++)
            write_pair(sync, s, t, out);
}
