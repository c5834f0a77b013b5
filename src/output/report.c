/* csy_write_report, and what the formats share. */
#include "output/report.h"

#include <inttypes.h>

const char *const report_relax_words[] = {"paper", "none", "given"};

const char *report_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                         char text[TICKS_TEXT_MAX])
{
    if (ticks == INT64_MIN)
        return minus_inf;
    if (ticks == INT64_MAX)
        return inf;
    snprintf(text, TICKS_TEXT_MAX, "%" PRId64, ticks);
    return text;
}

csy_status csy_write_report(const csy_trace *trace, const csy_sync *sync, const char *path,
                            csy_report_format format, csy_error *error)
{
    struct outfile *out;
    csy_status status = outfile_open(path, trace, &out, error);
    if (status)
        return status;
    if (format == CSY_REPORT_CSV)
        report_csv(sync, out);
    else if (format == CSY_REPORT_JSON)
        report_json(trace, sync, out);
    else
        report_text(trace, sync, out);
    status = outfile_finish(out, error);
    if (!status)
        status = outfile_publish(out, error);
    outfile_close(out);
    return status;
}
