/* Writes the HTML page of an analysis. The page needs no other files, and works without scripts. */
#include "output/page/stat.h"

#include "analysis/run/sheets.h"
#include "base/error.h"
#include "output/encode/caveats.h"

#include <inttypes.h>
#include <string.h>

/* List the parts of the analysis that are missing, and why. */
static bool draw_missing(const struct page *page, const csy_sheet *sheet)
{
    outfile_add(page->out, "<dl>\n");
    for (size_t row = 0; row < sheet->nrows; row++) {
        outfile_add(page->out, "<dt>");
        html_text(page->out, cells_at(sheet, row, 0)->text, SIZE_MAX);
        outfile_add(page->out, "</dt><dd>");
        html_text(page->out, cells_at(sheet, row, 1)->text, SIZE_MAX);
        outfile_add(page->out, "</dd>\n");
    }
    outfile_add(page->out, "</dl>\n");
    return true;
}

/* BELOW: a table below a drawing, or a less important one, is collapsed if it is long. */
enum shown { NO_TABLE, TABLE, BELOW };

/* How a sheet is shown. Sheets with the same id share the heading `title`; `words` is a second
 * heading below it, or NULL. `manual` names the part of cellstat-tables(5) that explains the sheet.
 * Sheets that are not listed here are shown as tables at the end of the page. */
struct part {
    const char *sheet, *id, *manual, *title, *words;
    stat_draw *draw; /* function that draws the sheet, or NULL */
    enum shown table;
};

static const struct part parts[] = {
    {"sections", "sections", "Head", "Sections", NULL, NULL, TABLE},
    {"total", "totals", "concurrency", "Totals", NULL, NULL, TABLE},
    {"activity", "activity", "timeline", "Activity", NULL, stat_activity, NO_TABLE},
    {"timeline", "concurrency", "concurrency", "Concurrency", NULL, stat_timeline, NO_TABLE},
    {"concurrency", "concurrency", "concurrency", "Concurrency", NULL, stat_levels, BELOW},
    {"states", "states", "states", "States", NULL, NULL, TABLE},
    {"virtual", "states", "states", "States", "Number of executing threads", NULL, TABLE},
    {"joint", "states", "states", "States", "Combinations of states", NULL, BELOW},
    {"profile", "profile", "profile", "Profile", NULL, NULL, TABLE},
    {"elapsed", "elapsed", "profile", "Elapsed time of routines", NULL, NULL, TABLE},
    {"loops", "loops", "profile", "Loops", NULL, NULL, TABLE},
    {"tasks", "tasks", "profile", "Tasks", NULL, NULL, TABLE},
    {"task_concurrency", "tasks", "profile", "Tasks", "Number of tasks at once", NULL, BELOW},
    {"paths", "flame", "calls", "Flame graph", NULL, stat_flame, BELOW},
    {"calls", "calls", "calls", "Calls", NULL, stat_graph, BELOW},
    {"active", "calls", "calls", "Calls", "Calls active at a moment", NULL, TABLE},
    {"comm", "comm", "comm", "Communication", NULL, stat_comm, BELOW},
    {"classes", "comm", "comm", "Communication", "By place", NULL, TABLE},
    {"unmatched", "comm", "comm", "Communication", "Events without a counterpart", NULL, TABLE},
    {"templates", "comm", "comm", "Communication", "Patterns", NULL, TABLE},
    {"latency", "latency", "latency", "Latency", NULL, NULL, BELOW},
    {"fit", "latency", "latency", "Latency", "Latency as a function of size", NULL, TABLE},
    {"direction", "latency", "latency", "Latency", "By direction", NULL, TABLE},
    {"waits", "waits", "sync", "Waits", NULL, NULL, BELOW},
    {"locks", "locks", "sync", "Locks", NULL, NULL, BELOW},
    {"barriers", "barriers", "sync", "Barriers and collective operations", NULL, NULL, BELOW},
    {"missing", "missing", "summary", "Missing parts", NULL, draw_missing, NO_TABLE},
};
/* Tables with more rows than LONG_ROWS (BELOW) or TALL_ROWS (TABLE) are collapsed. */
enum { PARTS = sizeof parts / sizeof *parts, LONG_ROWS = 25, TALL_ROWS = 60 };

static const struct part *find_part(const csy_sheet *sheet)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].sheet, sheet->name) == 0)
            return &parts[i];
    return NULL;
}

const char *stat_title(const csy_sheet *sheet, const char **words)
{
    const struct part *part = find_part(sheet);
    *words = part ? part->words : NULL;
    return part ? part->title : sheet->name;
}

static void write_basis(const struct page *page, const csy_analysis *analysis)
{
    char text[CSY_TIME_TEXT_MAX], ranges[CELLS_RANGES_MAX];
    size_t n = 0;
    outfile_add(page->out, "<dl id=\"head\">\n");
    page_print(page, "<dt>records</dt><dd>%" PRIu64 ", by %zu clocks</dd>\n",
               page->sync->survey.records, csy_sync_nthreads(page->sync));
    page_print(page, "<dt>tick</dt><dd>1/%" PRIu64 " s%s</dd>\n", page->trace->timebase_hz,
               page->trace->timebase_assumed ? " (assumed)" : "");
    outfile_print(page->out, "<dt>delta</dt><dd>%s</dd>\n",
                  page_time(page, page->sync->imprecision.delta, text));
    page_print(page, "<dt>reference</dt><dd>{%zu}", page->sync->reference);
    outfile_print(page->out, "</dd>\n<dt>ranges</dt><dd>%s</dd>\n",
                  cells_ranges(analysis, page->sync->imprecision.delta.num > 0, ranges));
    if (analysis->window) {
        outfile_add(page->out, "<dt>window</dt><dd>");
        html_text(page->out, analysis->window, SIZE_MAX);
        outfile_add(page->out, "</dd>\n");
    }
    for (struct caveats p = caveats_of(page->sync, analysis); caveats_next(&p); n++) {
        outfile_add(page->out, n ? "<br>" : "<dt>if</dt><dd>");
        html_text(page->out, p.text, SIZE_MAX);
    }
    if (n > 0)
        outfile_add(page->out, "</dd>\n");
    outfile_add(page->out, "</dl>\n");
}

static const csy_range *total_of(const csy_sheet *total, const char *name)
{
    for (size_t column = 0; column < total->ncolumns; column++)
        if (strcmp(total->columns[column].name, name) == 0 && !cells_at(total, 0, column)->none)
            return &cells_at(total, 0, column)->range;
    return NULL;
}

/* Write the headline: how many units were active on average. */
static void write_verdict(const struct page *page, const csy_analysis *analysis)
{
    const csy_sheet *total = cells_sheet(analysis, "total");
    if (!total || total->nrows != 1)
        return;
    const csy_range *units = total_of(total, "units"), *average = total_of(total, "average");
    const csy_range *efficiency = total_of(total, "efficiency");
    if (!units || !average || !efficiency)
        return;
    page_print(page, "<p id=\"verdict\">Of %" PRId64 " unit%s, ", units->estimate,
               text_plural((uint64_t)units->estimate));
    stat_ratio(page, average);
    page_print(page, " %s active on average while any was: %" PRId64 " %%.</p>\n",
               units->estimate == 1 ? "was" : "were",
               (int64_t)decimal_round(efficiency->estimate, 10000, 0));
}

static void write_link(const struct page *page, const char *id, const char *title)
{
    outfile_print(page->out, "<li><a href=\"#%s\">%s</a></li>\n", id, title);
}

/* Write the sheets that `parts` lists, in its order, and then all other sheets. */
static csy_status write_parts(const struct page *page, const csy_analysis *analysis,
                              csy_error *error)
{
    const char *last = "";
    bool good = true;
    for (size_t i = 0; i < PARTS && good; i++) {
        const struct part *part = &parts[i];
        const csy_sheet *sheet = cells_sheet(analysis, part->sheet);
        if (!sheet)
            continue;
        if (strcmp(last, part->id) != 0)
            outfile_print(page->out, "<h2 id=\"%s\" title=\"cellstat-tables(5), %s\">%s</h2>\n",
                          part->id, part->manual, part->title);
        if (part->words)
            outfile_print(page->out, "<h3>%s</h3>\n", part->words);
        last = part->id;
        good = !part->draw || part->draw(page, sheet);
        bool closed = sheet->nrows > (part->table == BELOW ? LONG_ROWS : TALL_ROWS) &&
                      part->table != NO_TABLE;
        if (good && closed)
            page_print(page, "<details class=\"long\"><summary>All %zu rows</summary>\n",
                       sheet->nrows);
        good = good && (part->table == NO_TABLE || stat_table(page, sheet));
        outfile_add(page->out, closed ? "</details>\n" : "");
    }
    for (size_t i = 0; i < csy_analysis_nsheets(analysis) && good; i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view;
        if (find_part(sheet))
            continue;
        outfile_print(page->out, "<h2 id=\"%s\">%s</h2>\n", sheet->name, sheet->name);
        good = stat_table(page, sheet);
    }
    return good ? CSY_OK : error_memory(error);
}

static const char rules[] =
    "<h2 id=\"rules\" title=\"cellstat-tables(5), Figures and ranges\">Rules</h2>\n"
    "<ul class=\"rules\">\n"
    "<li>Each figure is an estimate, at the offsets that cellsync would write. The brackets "
    "contain the smallest and the largest value at any offsets that the order of the records "
    "allows. A figure without brackets is by one clock. = means that no other value is possible. "
    "? means that the range is not known. ~ means that rows are sorted by this value, and that "
    "the row may belong elsewhere, because ranges overlap.</li>\n"
    "<li>A unit is active from one record to the next, unless an event says that the unit waits, "
    "is idle, or has no SPE.</li>\n"
    "<li>Times of one clock are as recorded. A step back within a clock counts as a negative "
    "time, so that sums remain differences of two timestamps. Records are never reordered.</li>\n"
    "<li>The time in a routine is a sum over actors, each by its own clock, and includes times "
    "when actors wait or have no CPU. In the elapsed time a moment counts once, for any number of "
    "active actors.</li>\n"
    "<li>An actor without an SPE takes no direct time.</li>\n"
    "</ul>\n";

csy_status stat_page(const csy_analysis *analysis, csy_sync *sync, struct outfile *out,
                     csy_error *error)
{
    uint64_t tables_bytes = 0;
    const struct page page = {
        .trace = sync->trace, .sync = sync, .out = out, .tables_bytes = &tables_bytes};
    outfile_print(out,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; script-src '%s'\">\n<meta name=\"viewport\" "
                  "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
                  "content=\"light dark\">\n<meta name=\"generator\" content=\"cellsync %s\">\n"
                  "<title>",
                  stat_script_hash, csy_version());
    html_text(out, sync->trace->name, HTML_PATH_MAX);
    outfile_print(out, " \u2013 what the program did</title>\n<style>\n%s%s%s%s%s</style>\n",
                  page_colours, page_drawing, page_style, stat_shapes, stat_style);
    outfile_add(out, "</head>\n<body>\n<main>\n<h1>What the program of <bdi>");
    html_text(out, sync->trace->name, HTML_PATH_MAX);
    outfile_add(out, "</bdi> did</h1>\n");
    write_verdict(&page, analysis);
    write_basis(&page, analysis);
    const char *last = "";
    outfile_add(page.out, "<nav aria-label=\"Contents\">\n<ul>\n");
    for (size_t i = 0; i < PARTS; i++)
        if (cells_sheet(analysis, parts[i].sheet) && strcmp(last, parts[i].id) != 0) {
            write_link(&page, parts[i].id, parts[i].title);
            last = parts[i].id;
        }
    for (size_t i = 0; i < csy_analysis_nsheets(analysis); i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view;
        if (!find_part(sheet))
            write_link(&page, sheet->name, sheet->name);
    }
    write_link(&page, "rules", "Rules");
    outfile_add(page.out, "</ul>\n</nav>\n");
    csy_status status = write_parts(&page, analysis, error);
    outfile_add(out, rules);
    outfile_print(out,
                  "</main>\n<footer>cellstat %s. What the figures mean is in cellstat(1) and "
                  "cellsync-analysis(7).</footer>\n<script>%s</script>\n</body>\n</html>\n",
                  csy_version(), stat_script);
    return status;
}
