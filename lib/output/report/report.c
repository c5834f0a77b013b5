/* csy_sync_write_report writes a report in any format. This file also lists the sections of the
 * HTML report, which is one page without other files. See cellsync-output(5), HTML report. */
#include "output/report/report.h"
#include "output/page/page.h"

static csy_status write_sections(const struct page *page, csy_error *error)
{
    page_verdict(page);
    diagnosis_html(page->sync, page->out);
    profile_html(page->trace, page->sync, page->out);
    dropped_html(page->trace, page->sync, page->out);
    advice_html(page);
    page_next(page);
    page_contents(page);
    outfile_add(page->out, "<div class=\"columns\">\n<section>\n");
    page_read(page);
    outfile_add(page->out, "</section>\n<section>\n");
    page_statistics(page);
    outfile_add(page->out, "</section>\n</div>\n");
    page_messages(page);
    page_legend(page);
    csy_status status = page_tracer(page, error);
    status = status ? status : page_timeline(page, error);
    page_members(page);
    status = status ? status : page_precision(page, error);
    page_distribution(page);
    status = status ? status : page_map(page, error);
    status = status ? status : page_peers(page, error);
    page_widest(page);
    status = status ? status : page_chains(page, error);
    page_loosest(page);
    page_witness(page);
    page_threads(page);
    return status;
}

static csy_status write_drift(const struct page *page, csy_error *error)
{
    csy_status status = page_drift_verdict(page, error);
    if (status)
        return status;
    diagnosis_html(page->sync, page->out);
    page_violations(page);
    advice_html(page);
    page_next(page);
    page_contents(page);
    page_read(page);
    page_messages(page);
    status = page_tracer(page, error);
    status = status ? status : page_precision(page, error);
    if (!status) {
        page_threads(page);
        page_witness(page);
    }
    return status;
}

static csy_status report_html(struct csy_trace *trace, struct csy_sync *sync, struct outfile *out,
                              csy_error *error)
{
    struct page page = {.trace = trace, .sync = sync, .out = out};
    csy_status status = page_init(&page, trace, error);
    if (!status) {
        outfile_print(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-"
            "width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<meta name=\"generator\" content=\"cellsync %s\">\n<title>",
            csy_version());
        html_text(out, trace->name, HTML_PATH_MAX);
        outfile_print(
            out,
            " \u2013 clock synchronization</title>\n<style>\n%s%s%s</style>\n</head>\n<body>\n<svg "
            "class=\"nothing\" width=\"0\" height=\"0\" "
            "aria-hidden=\"true\">%s</svg>\n<main>\n<h1>Clock synchronization of <bdi>",
            page_colours, page_drawing, page_style, page_hatch);
        html_text(out, trace->name, HTML_PATH_MAX);
        outfile_add(out, "</bdi></h1>\n");
        status = sync->drift ? write_drift(&page, error) : write_sections(&page, error);
        outfile_print(out,
                      "</main>\n<footer>cellsync %s. What the figures mean is in "
                      "cellsync-model(7).</footer>\n</body>\n</html>\n",
                      csy_version());
    }
    page_fini(&page);
    return status;
}

csy_status csy_sync_write_report(csy_sync *sync, const char *path, csy_report_format format,
                                 csy_pairs pairs, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct outfile *out;
    const csy_diagnosis *diagnosis; /* these results belong to the solution, which frees them */
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
        /* the table contains the delays of messages */
        status = csy_sync_violations(sync, &violations, error);
        status = status ? status : csy_table_add(rows, sync, error);
        status = status ? status : csy_table_write(rows, error);
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
