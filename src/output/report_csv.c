/* The CSV report: a line an unordered pair of threads.  cellsync(1), CSV report. */
#include "output/csv_field.h"
#include "output/report.h"

#include <inttypes.h>

static csy_status write_pair(struct csy_sync *sync, size_t s, size_t t, struct outfile *out,
                             csy_error *error)
{
    int64_t lower, upper, error_ticks;
    char text[TICKS_TEXT_MAX];
    csy_status status = csy_bounds(sync, s, t, &lower, &upper, &error_ticks, error);
    if (status)
        return status;
    csv_field_write(out, sync->views[s].name);
    outfile_print(out, ",");
    csv_field_write(out, sync->views[t].name);
    outfile_print(out, ",%s", words_ticks(lower, "-inf", "inf", text));
    outfile_print(out, ",%s", words_ticks(upper, "-inf", "inf", text));
    outfile_print(out, ",%s\n",
                  words_ticks(error_ticks < 0 ? INT64_MAX : error_ticks, "", "inf", text));
    return CSY_OK;
}

csy_status report_csv(struct csy_sync *sync, struct outfile *out, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    csy_status status = CSY_OK;
    outfile_print(out, "thread_s,thread_t,lower_ticks,upper_ticks,error_ticks\n");
    for (size_t s = 0; s < n; s++)
        for (size_t t = s + 1; t < n && !status && !outfile_failed(out); t++)
            status = write_pair(sync, s, t, out, error);
    return status;
}
