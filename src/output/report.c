/* csy_write_report. */
#include "output/report.h"

csy_status csy_write_report(csy_trace *trace, csy_sync *sync, const char *path,
                            csy_report_format format, csy_pairs pairs, csy_error *error)
{
    struct outfile *out;
    bool bounds = format == CSY_REPORT_CSV || format == CSY_REPORT_HTML;
    csy_status status =
        bounds ? solution_check_bounds(sync, error) : solution_check_feasible(sync, error);
    if (!status)
        status = outfile_open(path, trace, &out, error);
    if (status)
        return status;
    if (format == CSY_REPORT_CSV)
        status = report_csv(sync, pairs, out, error);
    else if (format == CSY_REPORT_JSON)
        status = report_json(trace, sync, pairs, out, error);
    else if (format == CSY_REPORT_HTML)
        status = report_html(trace, sync, out, error);
    else
        status = report_text(trace, sync, out, error);
    if (!status)
        status = outfile_finish(out, error);
    if (!status)
        status = outfile_publish(out, error);
    outfile_close(out);
    return status;
}
