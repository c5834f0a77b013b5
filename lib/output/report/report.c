/* csy_sync_write_report writes a report in any format. csy_sync_write_figures writes the drawings
 * of the HTML report as separate files in a new folder. */
#include "output/report/report.h"

#include "io/path.h"
#include "output/file/outfolder.h"
#include "output/page/page.h"

#include <stdlib.h>
#include <string.h>

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
    if (!status && format != CSY_REPORT_CSV) {
        status = sync->drift ? CSY_OK : csy_sync_profile_delta(sync, &profile, error);
        status = status ? status : csy_sync_diagnose(sync, &diagnosis, error);
        if (!status && sync->advise > 0)
            status = csy_sync_advise(sync, &advice, error);
        status = status ? status : csy_sync_tracer(sync, &tracer, error);
        status = status ? status : csy_sync_violations(sync, &violations, error);
    }
    status = status ? status : outfile_open(path, trace, &out, error);
    if (status)
        return status;
    if (format == CSY_REPORT_CSV)
        status = report_csv(sync, pairs, out, error);
    else if (format == CSY_REPORT_JSON)
        status = report_json(sync, pairs, out, error);
    else if (format == CSY_REPORT_HTML) {
        trace->progress.stage = "reporting";
        status = page_report(sync, out, error);
        trace->progress.stage = "reading";
    } else
        status = report_text(sync, out, error);
    return outfile_complete(out, status, error);
}

/* --- Figures in separate files ----------------------------------------------------------------
 *
 * An empty folder may be replaced, or a folder that contains only such drawings. The folder has a
 * temporary name until it is complete. */

static const struct {
    const char *name, *id;
    enum page_section section;
    void (*draw)(const struct page *page);
    csy_status (*try)(const struct page *page, csy_error *error);
} figures[] = {
    {"legend.svg", "legend", SECTION_BOUNDS, page_legend, NULL},
    {"messages.svg", "messages", SECTION_MESSAGES, page_messages, NULL},
    {"intervals.svg", "timeline", SECTION_TIMELINE, NULL, page_timeline},
    {"threads.svg", "members", SECTION_MEMBERS, page_members, NULL},
    {"precision.svg", "course", SECTION_COURSE, NULL, page_precision},
    {"distribution.svg", "distribution", SECTION_DISTRIBUTION, page_distribution, NULL},
    {"pairs.svg", "map", SECTION_MAP, NULL, page_map},
    {"communication.svg", "peers", SECTION_PEERS, NULL, page_peers},
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* Returns true if a file is a drawing, by its name and first bytes. For outfolder_visit. */
static bool is_figure(void *user, int folder_fd, const char *name)
{
    char head[64], want[64];
    size_t i = 0;
    (void)user;
    while (i < FIGURES && strcmp(name, figures[i].name) != 0)
        i++;
    if (i == FIGURES)
        return false;
    ssize_t got = outfolder_read_head(folder_fd, name, head, sizeof head);
    int size = snprintf(want, sizeof want, SVG_FILE_HEAD "<svg id=\"%s\"", figures[i].id);
    return got >= size && memcmp(head, want, (size_t)size) == 0;
}

static bool holds_figures(const char *path)
{
    return outfolder_visit(path, is_figure, NULL);
}

csy_status csy_check_figures(const char *path, csy_error *error)
{
    return path_is_standard(path)
               ? error_set(error, CSY_USAGE,
                           "%s: figures are written to a folder, not to standard output", path)
               : outfolder_check_target(path, "figures", holds_figures, error);
}

csy_status csy_sync_write_figures(csy_sync *sync, const char *path, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct page page = {.trace = trace, .sync = sync, .alone = true};
    csy_status status =
        sync->drift ? solution_check_feasible(sync, error) : solution_check_bounds(sync, error);
    status = status ? status : csy_check_figures(path, error);
    if (status)
        return status;
    char *plain = path_plain(path), *resolved = plain ? path_resolve(plain) : NULL;
    trace->progress.stage = "drawing";
    status = resolved ? page_init(&page, trace, error) : error_memory(error);
    struct outfolder *folder = NULL; /* a temporary folder, which is renamed at the end */
    status = status ? status : outfolder_open(resolved, &folder, error);
    for (size_t i = 0; i < FIGURES && !status; i++) {
        if (!page_has(&page, figures[i].section))
            continue;
        char *file = outfolder_path(folder, figures[i].name);
        status = file ? outfile_open(file, NULL, &page.out, error) : error_memory(error);
        free(file);
        if (status)
            break;
        if (figures[i].draw)
            figures[i].draw(&page);
        else
            status = figures[i].try(&page, error);
        status = outfile_complete(page.out, status, error);
        status = status == CSY_IO ? error_io(error, resolved, NULL) : status;
    }
    status = status ? status : outfolder_publish(folder, &trace->progress, error);
    outfolder_close(folder);
    page_fini(&page);
    free(resolved);
    free(plain);
    trace->progress.stage = "reading";
    return status;
}
