/* Converts values of sheets to text, and writes the HTML page of an analysis with its tables. The
 * page needs no other files, and works without scripts. */
#include "output/page/stat.h"

#include "analysis/run/sheets.h"
#include "base/error.h"
#include "output/encode/caveats.h"
#include "output/encode/fine.h"

#include <inttypes.h>
#include <string.h>

/* --- Values as text --- */

const char *cells_kind(csy_range_kind kind)
{
    static const char *const kinds[] = {[CSY_RANGE_EXACT] = "exact",
                                        [CSY_RANGE_PROVEN] = "proven",
                                        [CSY_RANGE_STAR] = "star",
                                        [CSY_RANGE_CLOCK] = "clock",
                                        [CSY_RANGE_UNKNOWN] = "unknown"};
    return kinds[kind];
}

const char *cells_ranges(const csy_analysis *analysis, const csy_sync *sync,
                         char text[CELLS_RANGES_MAX])
{
    static const char *const words[] = {
        [CSY_RANGE_EXACT] = "exact: some valid offsets attain each end",
        [CSY_RANGE_PROVEN] = "proven: no value",
        [CSY_RANGE_STAR] = "star: no value",
        [CSY_RANGE_CLOCK] = "none: each value comes from a single clock",
        [CSY_RANGE_UNKNOWN] = "unknown: values with ? have no bounds"};
    csy_range_kind kind = csy_analysis_kind(analysis);
    bool proven = kind == CSY_RANGE_PROVEN || kind == CSY_RANGE_STAR;
    bool has_star = sheets_facts(analysis).kinds & 1U << CSY_RANGE_STAR;
    bool imprecise = sync->imprecision.delta.num > 0;
    const char *star = sync->drift && has_star
                           ? ", from the earliest and the latest possible time of each event"
                       : kind == CSY_RANGE_STAR ? ", from the bounds of each clock to the reference"
                       : has_star ? ", some of them from the bounds of each clock to the reference"
                                  : "";
    (void)snprintf(text, CELLS_RANGES_MAX, "%s%s%s%s", words[kind],
                   proven && imprecise ? " that has a range" : "",
                   proven ? " is outside its range" : "", proven ? star : "");
    return text;
}

unsigned cells_time_decimals(csy_column_kind kind)
{
    return kind == CSY_COLUMN_S ? 9 : kind == CSY_COLUMN_MS ? 6 : kind == CSY_COLUMN_US ? 3 : 0;
}

const char *cells_number(csy_column_kind kind, int64_t number, unsigned decimals,
                         char text[QUOTIENT_TEXT_MAX])
{
    bool millionths = kind == CSY_COLUMN_PPM || kind == CSY_COLUMN_MICROTICKS;
    unsigned of_time = cells_time_decimals(kind);
    if (of_time > 0 && number != INT64_MIN && number != INT64_MAX)
        return decimal_text(number, of_time, text);
    if (!millionths || number == INT64_MIN || number == INT64_MAX)
        return text_ticks(number, "-inf", "inf", text);
    return decimal_text(number, decimals, text);
}

const csy_sheet *cells_sheet(const csy_analysis *analysis, const char *name)
{
    for (size_t i = 0; i < analysis->nsheets; i++)
        if (strcmp(analysis->sheets[i].view.name, name) == 0)
            return &analysis->sheets[i].view;
    return NULL;
}

/* --- Tables --- */

/* Permits browsers to run the script: the SHA-256 of everything between the script tags, in base64.
 * After a change of the script, stat_html_test.py prints the new hash. */
static const char script_hash[] = "sha256-X3Jo2GShTB9N3SIKwHtW74nJ9WWnPTzv9So9ZXqbDPc=";

enum { NAME_SHOWN = 64 };

/* Write the heading of a column: its name with blanks instead of underscores, and the unit. */
static void write_name(const struct page *page, const csy_column *column, const char *unit)
{
    char name[128];
    snprintf(name, sizeof name, "%s", column->name);
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = ' ';
    html_text(page->out, name, NAME_SHOWN);
    if (*unit)
        outfile_print(page->out, ", %s", unit);
}

/* How to print a number: divided by `den`, times 10^exponent, with `decimals` decimals. */
struct form {
    int128 den;       /* divisor, or 0 if cells_number writes the numbers */
    const char *unit; /* name of the unit, or "" */
    unsigned exponent, decimals;
};

static bool is_infinite(int64_t number)
{
    return number == INT64_MAX || number == INT64_MIN;
}

/* Choose the unit and the decimals of numbers up to `greatest`. The greatest has four digits, or
 * five if a time, but no decimal finer than a tick. */
static struct form form_of(const struct page *page, csy_column_kind kind, int64_t greatest)
{
    static const struct form units[] = {
        {1, "s", 0, 0}, {1, "ms", 3, 0}, {1, "\u00b5s", 6, 0}, {1, "ns", 9, 0}};
    enum { UNITS = sizeof units / sizeof *units, TIME_DIGITS = 5, DIGITS = 4, MILLION = 1000000 };
    const int128 hz = (int128)page->trace->timebase_hz;
    bool whole = kind == CSY_COLUMN_TICKS, time = whole || kind == CSY_COLUMN_MICROTICKS;
    if ((!time && kind != CSY_COLUMN_PPM) || (time && page->trace->timebase_assumed))
        return (struct form){0, time ? "ticks" : "", 0, 0};
    struct form form = {1, "", 0, 0};
    int128 den = whole ? hz : time ? hz * MILLION : MILLION;
    size_t unit = 0;
    while (unit + 1 < UNITS && decimal_round(greatest, den, units[unit].exponent) < 1)
        unit++;
    if (time)
        form = units[unit];
    form.den = den;
    int digits = time ? TIME_DIGITS : DIGITS;
    for (int128 rest = decimal_round(greatest, den, form.exponent); rest > 0; rest /= 10)
        digits--;
    for (; digits > 0 && (!whole || power_of_ten(form.exponent + form.decimals) < hz); digits--)
        form.decimals++;
    return form;
}

static void write_number(const struct page *page, csy_column_kind kind, const struct form *form,
                         int64_t number, enum rounding rounding)
{
    char text[QUOTIENT_TEXT_MAX];
    if (is_infinite(number)) {
        outfile_add(page->out, number > 0 ? "\u221e" : "\u2212\u221e");
    } else if (form->den == 0) {
        page_print(page, "%s", cells_number(kind, number, PPM_DECIMALS, text));
    } else {
        int128 scaled = number * power_of_ten(form->exponent + form->decimals);
        int128 units = divide_rounded(scaled, form->den, rounding);
        if (form->decimals > 0)
            decimal_text(units, form->decimals, text);
        else
            *number_put(text, (int64_t)units) = '\0';
        page_print(page, "%s", text);
    }
}

/* Write a range, "[28.21, 28.29]", rounded outward; "=" for one number; "?" if unknown. */
static void write_range(const struct page *page, csy_column_kind kind, const struct form *form,
                        const csy_range *range)
{
    if (range->kind == CSY_RANGE_UNKNOWN) {
        outfile_add(page->out, "?");
    } else if (range->lo == range->hi) {
        outfile_add(page->out, "=");
    } else {
        outfile_add(page->out, "[");
        write_number(page, kind, form, range->lo, DOWN);
        outfile_add(page->out, ", ");
        write_number(page, kind, form, range->hi, UP);
        outfile_add(page->out, "]");
    }
}

void stat_figure(const struct page *page, const csy_column *column, const csy_value *value)
{
    const struct form form = {0, "", 0, 0};
    write_number(page, column->kind, &form, value->range.estimate, NEAREST);
    if (value->range.kind == CSY_RANGE_CLOCK)
        return;
    outfile_add(page->out, " ");
    write_range(page, column->kind, &form, &value->range);
}

/* Set *empty to false if a column has a value other than 0 and "". Raise *greatest to the greatest
 * finite absolute value in the column. */
static void survey_column(const csy_sheet *part, size_t column, bool *empty, int64_t *greatest)
{
    bool text = part->columns[column].kind == CSY_COLUMN_TEXT;
    for (size_t row = 0; row < part->nrows; row++) {
        const csy_value *value = cells_at(part, row, column);
        const csy_range *range = &value->range;
        const int64_t numbers[] = {range->estimate, range->lo, range->hi};
        bool bare = range->kind == CSY_RANGE_CLOCK || range->kind == CSY_RANGE_UNKNOWN;
        if (value->none)
            continue;
        *empty &= !text && range->estimate == 0 && range->lo == 0 && range->hi == 0 &&
                  range->kind != CSY_RANGE_UNKNOWN;
        for (size_t i = 0; i < (bare ? 1 : 3) && !text; i++) {
            int64_t number = is_infinite(numbers[i]) ? 0 : numbers[i];
            number = number < 0 ? -number : number;
            *greatest = number > *greatest ? number : *greatest;
        }
    }
}

/* Write a cell of the table, such as "28.25 [28.21, 28.29]". */
static void write_value(const struct page *page, csy_column_kind kind, const struct form *form,
                        const csy_value *value)
{
    outfile_add(page->out, kind == CSY_COLUMN_TEXT ? "<td class=\"name\">" : "<td>");
    if (value->none) {
        outfile_add(page->out, "\u2013");
    } else if (kind == CSY_COLUMN_TEXT) {
        html_text(page->out, value->text, NAME_SHOWN);
    } else {
        bool ranged = value->range.kind != CSY_RANGE_CLOCK;
        write_number(page, kind, form, value->range.estimate, NEAREST);
        outfile_add(page->out, ranged || value->open ? " <small>" : "");
        if (ranged)
            write_range(page, kind, form, &value->range);
        outfile_add(page->out, value->open ? ranged ? " ~</small>" : "~</small>"
                               : ranged    ? "</small>"
                                           : "");
    }
    outfile_add(page->out, "</td>");
}

/* Write a sheet as a table. Returns false if out of memory. */
static bool write_table(const struct page *page, const csy_sheet *sheet)
{
    struct sheet_reader reader;
    const csy_sheet *part;
    int64_t greatest[STAT_COLUMNS_MAX] = {0};
    uint64_t begin = outfile_appended(page->out) - *page->tables_bytes;
    size_t ncolumns = sheet->ncolumns < STAT_COLUMNS_MAX ? sheet->ncolumns : STAT_COLUMNS_MAX;
    size_t nrows = 0; /* number of rows that the table shows */
    bool empty[STAT_COLUMNS_MAX];
    struct form forms[STAT_COLUMNS_MAX];
    if (sheet_reader_init(&reader, sheet, NULL))
        return false;
    reader.chosen = (struct chosen_columns){.end = ncolumns};
    for (size_t column = 0; column < ncolumns; column++)
        empty[column] = sheet->nrows > 0;
    while ((part = sheet_reader_next(&reader)))
        for (size_t column = 0; column < ncolumns; column++)
            survey_column(part, column, &empty[column], &greatest[column]);
    for (size_t column = 0; column < ncolumns; column++)
        forms[column] = form_of(page, sheet->columns[column].kind, greatest[column]);
    outfile_add(page->out, "<div class=\"table\" tabindex=\"0\"><table class=\"sheet\">\n"
                           "<thead><tr>");
    for (size_t column = 0; column < ncolumns; column++) {
        if (empty[column])
            continue;
        outfile_print(page->out, "<th scope=\"col\"%s>",
                      sheet->columns[column].kind == CSY_COLUMN_TEXT ? " class=\"name\"" : "");
        write_name(page, &sheet->columns[column], forms[column].unit);
        outfile_add(page->out, "</th>");
    }
    outfile_add(page->out, "</tr></thead>\n<tbody>\n");
    bool full = false;
    for (reader.next = 0; !full && (part = sheet_reader_next(&reader));)
        for (size_t row = 0; row < part->nrows; row++) {
            full =
                nrows == STAT_ROWS_MAX || outfile_appended(page->out) - begin >= STAT_TABLES_BYTES;
            if (full)
                break;
            outfile_add(page->out, "<tr>");
            for (size_t column = 0; column < ncolumns; column++)
                if (!empty[column])
                    write_value(page, sheet->columns[column].kind, &forms[column],
                                cells_at(part, row, column));
            outfile_add(page->out, "</tr>\n");
            nrows++;
        }
    sheet_reader_fini(&reader);
    outfile_add(page->out, "</tbody>\n</table></div>\n");
    size_t nempty = 0;
    for (size_t column = 0; column < ncolumns; column++) {
        if (!empty[column])
            continue;
        outfile_add(page->out, nempty++ ? ", " : "<p class=\"rest\">None, or all 0: ");
        write_name(page, &sheet->columns[column], "");
    }
    outfile_add(page->out, nempty ? ".</p>\n" : "");
    if (nrows < sheet->nrows)
        page_print(page, "<p class=\"rest\">%zu further rows are in the text, CSV and JSON.</p>\n",
                   sheet->nrows - nrows);
    size_t cut = sheets_cut(sheet);
    if (cut > 0)
        page_print(page, "<p class=\"rest\">and %zu row%s more, which --top=0 shows</p>\n", cut,
                   text_plural(cut));
    if (ncolumns < sheet->ncolumns)
        page_print(page,
                   "<p class=\"rest\">%zu further columns are in the text, CSV and JSON.</p>\n",
                   sheet->ncolumns - ncolumns);
    *page->tables_bytes = outfile_appended(page->out) - begin;
    return true;
}

/* --- The page --- */

/* List the parts of the analysis that are missing, and why. */
static bool draw_missing(const struct page *page, const csy_sheet *sheet)
{
    outfile_add(page->out, "<dl>\n");
    for (size_t row = 0; row < sheet->nrows; row++) {
        html_between(page->out, "<dt>", cells_at(sheet, row, 0)->text, SIZE_MAX, "</dt><dd>");
        html_text(page->out, cells_at(sheet, row, 1)->text, SIZE_MAX);
        outfile_add(page->out, "</dd>\n");
    }
    outfile_add(page->out, "</dl>\n");
    return true;
}

/* How to show a table. A table BELOW a drawing, or a less important one, is collapsed if long. */
enum shown { NO_TABLE, TABLE, BELOW };

/* How a sheet is shown. Sheets with the same id share the heading `title`; `words` is a second
 * heading, or NULL. `manual` names the part of cellstat-tables(5) about the sheet. Sheets that are
 * not listed become tables at the end of the page. */
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
/* A table is collapsed if it has more than LONG_ROWS rows and the flag BELOW, or more than
 * TALL_ROWS rows without this flag. */
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

static const csy_range *total_of(const csy_sheet *total, const char *name)
{
    for (size_t column = 0; column < total->ncolumns; column++)
        if (strcmp(total->columns[column].name, name) == 0 && !cells_at(total, 0, column)->none)
            return &cells_at(total, 0, column)->range;
    return NULL;
}

/* Write the headline: the mean number of active units (processors or threads) and its range. */
static void write_verdict(const struct page *page, const csy_analysis *analysis)
{
    const csy_sheet *total = cells_sheet(analysis, "total");
    if (!total || total->nrows != 1)
        return;
    const csy_range *units = total_of(total, "units"), *average = total_of(total, "average");
    const csy_range *efficiency = total_of(total, "efficiency");
    if (!units || !average || !efficiency)
        return;
    const struct form form = form_of(page, CSY_COLUMN_PPM, average->estimate);
    page_print(page, "<p id=\"verdict\">Of %" PRId64 " unit%s, <strong>", units->estimate,
               text_plural((uint64_t)units->estimate));
    write_number(page, CSY_COLUMN_PPM, &form, average->estimate, NEAREST);
    outfile_add(page->out, "</strong>");
    if (average->kind != CSY_RANGE_CLOCK && average->kind != CSY_RANGE_UNKNOWN &&
        average->lo != average->hi) {
        outfile_add(page->out, " (");
        write_number(page, CSY_COLUMN_PPM, &form, average->lo, DOWN);
        outfile_add(page->out, " to ");
        write_number(page, CSY_COLUMN_PPM, &form, average->hi, UP);
        outfile_add(page->out, ")");
    }
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
        good = good && (part->table == NO_TABLE || write_table(page, sheet));
        outfile_add(page->out, closed ? "</details>\n" : "");
    }
    for (size_t i = 0; i < csy_analysis_nsheets(analysis) && good; i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view;
        if (find_part(sheet))
            continue;
        outfile_print(page->out, "<h2 id=\"%s\">%s</h2>\n", sheet->name, sheet->name);
        good = write_table(page, sheet);
    }
    return good ? CSY_OK : error_memory(error);
}

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
                  script_hash, csy_version());
    html_text(out, sync->trace->name, HTML_PATH_MAX);
    outfile_print(out, " \u2013 what the program did</title>\n<style>\n%s%s%s%s%s</style>\n",
                  page_colours, page_drawing, page_style, stat_shapes, stat_style);
    html_between(out, "</head>\n<body>\n<main>\n<h1>What the program of <bdi>", sync->trace->name,
                 HTML_PATH_MAX, "</bdi> did</h1>\n");
    write_verdict(&page, analysis);
    char text[CSY_TIME_TEXT_MAX], ranges[CELLS_RANGES_MAX];
    page_print(&page, "<dl id=\"head\">\n<dt>records</dt><dd>%" PRIu64 ", by %zu clocks</dd>\n",
               sync->survey.records, csy_sync_nthreads(sync));
    page_print(&page, "<dt>tick</dt><dd>1/%" PRIu64 " s%s</dd>\n", sync->trace->timebase_hz,
               sync->trace->timebase_assumed ? " (assumed)" : "");
    outfile_print(out, "<dt>delta</dt><dd>%s</dd>\n",
                  page_time(&page, sync->imprecision.delta, text));
    page_print(&page, "<dt>reference</dt><dd>{%zu}</dd>\n<dt>ranges</dt><dd>%s</dd>\n",
               sync->reference, cells_ranges(analysis, sync, ranges));
    if (analysis->window) {
        html_between(out, "<dt>window</dt><dd>", analysis->window, SIZE_MAX, "</dd>\n");
    }
    size_t n = 0;
    for (struct caveats p = caveats_of(sync, analysis); caveats_next(&p); n++) {
        outfile_add(out, n ? "<br>" : "<dt>if</dt><dd>");
        html_text(out, p.text, SIZE_MAX);
    }
    outfile_add(out, n > 0 ? "</dd>\n</dl>\n" : "</dl>\n");
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
    outfile_add(out, stat_rules);
    outfile_print(out,
                  "</main>\n<footer>cellstat %s. What the figures mean is in cellstat(1) and "
                  "cellsync-analysis(7).</footer>\n<script>\n%s</script>\n</body>\n</html>\n",
                  csy_version(), stat_script);
    return status;
}
