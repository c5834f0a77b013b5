/* csy_sync_write_report. */
#include "output/report/report.h"

csy_status csy_sync_write_report(csy_sync *sync, const char *path, csy_report_format format,
                                 csy_pairs pairs, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct outfile *out;
    const csy_diagnosis *diagnosis; /* part of the solution */
    const csy_profile *profile;
    const csy_advice *advice;
    const csy_tracer *tracer;
    const csy_violations *violations;
    bool table = format == CSY_REPORT_TEX || format == CSY_REPORT_MD;
    if ((!table && (unsigned)format > CSY_REPORT_HTML) || (unsigned)pairs > CSY_PAIRS_MET)
        return error_set(error, CSY_USAGE, "%s: unknown report format", path);
    if (table) {
        csy_table *rows;
        csy_status status = csy_table_new(path, format, &rows, error);
        if (status)
            return status;
        status = csy_sync_violations(sync, &violations, error); /* finds the delays of messages */
        if (!status)
            status = csy_table_add(rows, sync, error);
        if (!status)
            status = csy_table_write(rows, error);
        csy_table_free(rows);
        return status;
    }
    bool bounds = (format == CSY_REPORT_CSV || format == CSY_REPORT_HTML) && !sync->drift;
    csy_status status =
        bounds ? solution_check_bounds(sync, error) : solution_check_feasible(sync, error);
    if (!status && format != CSY_REPORT_CSV && !sync->drift)
        status = csy_sync_profile_delta(sync, &profile, error);
    if (!status && format != CSY_REPORT_CSV)
        status = csy_sync_diagnose(sync, &diagnosis, error);
    if (!status && format != CSY_REPORT_CSV && sync->advise > 0)
        status = csy_sync_advise(sync, &advice, error);
    if (!status && format != CSY_REPORT_CSV)
        status = csy_sync_tracer(sync, &tracer, error);
    if (!status && format != CSY_REPORT_CSV)
        status = csy_sync_violations(sync, &violations, error);
    if (!status)
        status = outfile_open(path, trace, &out, error);
    if (status)
        return status;
    if (format == CSY_REPORT_CSV)
        status = report_csv(sync, pairs, out, error);
    else if (format == CSY_REPORT_JSON)
        status = report_json(trace, sync, pairs, out, error);
    else if (format == CSY_REPORT_HTML) {
        trace->progress.stage = "reporting";
        status = report_html(trace, sync, out, error);
        trace->progress.stage = "reading";
    } else
        status = report_text(trace, sync, out, error);
    return outfile_complete(out, status, error);
}
