/* csy_analysis_write writes the tables of an analysis (sheets) as text, Markdown, CSV, JSON, or
 * LaTeX. Tables about calls can also be written as a graph or as folded stacks. See cellstat(1). */
#include "analysis/run/sheets.h"
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/texts.h"
#include "output/encode/caveats.h"
#include "output/encode/escape.h"
#include "output/encode/text.h"
#include "output/page/stat.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    BRIEF_ACTORS = 24,
    CELL_MAX = ERROR_ESCAPED_MAX + 4 * TICKS_TEXT_MAX,
    BETWEEN = 2,
    TEXT_WIDTH = 160
};

static const char *const suffixes[] = {
    [CSY_COLUMN_TEXT] = "",        [CSY_COLUMN_COUNT] = "",
    [CSY_COLUMN_TICKS] = "_ticks", [CSY_COLUMN_MICROTICKS] = "_microticks",
    [CSY_COLUMN_PPM] = "_ppm",     [CSY_COLUMN_S] = "_s",
    [CSY_COLUMN_MS] = "_ms",       [CSY_COLUMN_US] = "_us",
    [CSY_COLUMN_NS] = "_ns"};

/* Returns the heading of a column, escaped because it may come from the trace. */
static const char *heading_text(const csy_column *column, char text[ERROR_ESCAPED_MAX])
{
    return error_escape(text, column->name, strlen(column->name));
}

/* Write a value and its range, as in "28.25 [28.21, 28.29]", and a mark: "=" only this value, "?"
 * unknown error, "~" uncertain place in the order. Values from one clock have no range. */
static const char *cell_text(const csy_column *column, const csy_value *value, char text[CELL_MAX])
{
    char estimate[QUOTIENT_TEXT_MAX], lo[QUOTIENT_TEXT_MAX], hi[QUOTIENT_TEXT_MAX];
    if (value->none)
        return "-";
    if (column->kind == CSY_COLUMN_TEXT)
        return error_escape(text, value->text, strlen(value->text));
    const csy_range *range = &value->range;
    if (range->kind == CSY_RANGE_CLOCK && !value->open)
        return cells_number(column->kind, range->estimate, PPM_DECIMALS, text);
    const char *shown = cells_number(column->kind, range->estimate, PPM_DECIMALS, estimate);
    const char *open = value->open ? " ~" : "";
    if (range->kind == CSY_RANGE_CLOCK)
        (void)snprintf(text, CELL_MAX, "%s%s", shown, open);
    else if (range->kind == CSY_RANGE_UNKNOWN)
        (void)snprintf(text, CELL_MAX, "%s ?%s", shown, open);
    else if (range->lo == range->hi)
        (void)snprintf(text, CELL_MAX, "%s =%s", shown, open);
    else
        (void)snprintf(text, CELL_MAX, "%s [%s, %s]%s", shown,
                       cells_number(column->kind, range->lo, PPM_DECIMALS, lo),
                       cells_number(column->kind, range->hi, PPM_DECIMALS, hi), open);
    return text;
}

struct shown_rows {
    size_t begin, end;
};

/* Limit `rows` of a sheet to a part that begins at row `first`, and count them from there. */
static struct shown_rows shown_of(struct shown_rows rows, size_t first, const csy_sheet *part)
{
    size_t begin = rows.begin > first ? rows.begin - first : 0;
    size_t end = rows.end > first ? rows.end - first : 0;
    return (struct shown_rows){begin, end < part->nrows ? end : part->nrows};
}

/* Write the title of a sheet and its second title, if any, as in "Communication: By place". */
static void write_title(const csy_sheet *sheet, bool markdown, struct outfile *out)
{
    const char *words, *title = stat_title(sheet, &words);
    outfile_print(out, "%s%s%s%s\n%s", markdown ? "### " : "", title, words ? ": " : "",
                  words ? words : "", markdown ? "\n" : "");
}

/* Write a text with escaped control characters. For Markdown, escape its markup, too. */
static void write_escaped(const char *escaped, bool markdown, struct outfile *out)
{
    if (markdown)
        markdown_text(out, escaped);
    else
        outfile_print(out, "%s", escaped);
}

/* Write a row, or if `row` is NULL, the headings. The format is Markdown if `widths` is NULL. */
static void write_row(const csy_sheet *sheet, const size_t *row, const size_t *widths,
                      struct chosen_columns columns, struct outfile *out)
{
    char text[CELL_MAX];
    for (size_t i = 0; i < columns.end; i = i + 1 == columns.names ? columns.begin : i + 1) {
        const csy_column *column = &sheet->columns[i];
        const char *cell =
            row ? cell_text(column, cells_at(sheet, *row, i), text) : heading_text(column, text);
        bool last = i + 1 == columns.end, left = column->kind == CSY_COLUMN_TEXT;
        if (widths) {
            outfile_print_name(out, !left ? (int)widths[i] : last ? 0 : -(int)widths[i], cell);
            outfile_print_name(out, last ? 0 : BETWEEN, "");
        } else {
            outfile_add(out, i ? " | " : "| ");
            write_escaped(cell, left || !row, out);
            outfile_add(out, last ? " |" : "");
        }
    }
    outfile_add(out, "\n");
}

/* Write rows of a sheet. If a text table is too wide, its other columns follow below, with the
 * names of rows again. */
static csy_status write_sheet(const csy_sheet *sheet, struct shown_rows rows, bool markdown,
                              struct outfile *out, csy_error *error)
{
    char text[CELL_MAX];
    struct sheet_reader reader;
    const csy_sheet *part;
    size_t more = sheets_cut(sheet) + sheet->nrows - (rows.end - rows.begin);
    size_t *widths = calloc(sheet->ncolumns + 1, sizeof *widths);
    csy_status status = sheet_reader_init(&reader, sheet, error);
    if (!status && !widths)
        status = error_memory(error);
    for (size_t i = 0; !status && !markdown && i < sheet->ncolumns; i++)
        widths[i] = outfile_columns(out, heading_text(&sheet->columns[i], text));
    while (!status && !markdown && (part = sheet_reader_next(&reader))) {
        struct shown_rows shown = shown_of(rows, reader.first, part);
        for (size_t row = shown.begin; row < shown.end; row++)
            for (size_t i = 0; i < part->ncolumns; i++) {
                size_t width = outfile_columns(
                    out, cell_text(&part->columns[i], cells_at(part, row, i), text));
                widths[i] = width > widths[i] ? width : widths[i];
            }
    }
    /* The first column names the rows. The text columns after it do too, if they are narrow. */
    size_t names = 0, names_width = 0;
    while (!status && names + 1 < sheet->ncolumns &&
           (names == 0 || (sheet->columns[names].kind == CSY_COLUMN_TEXT &&
                           names_width + widths[names] <= TEXT_WIDTH / 2)))
        names_width += widths[names++] + BETWEEN;
    reader.chosen = (struct chosen_columns){.names = names, .end = names};
    while (!status) {
        outfile_print(out, reader.chosen.begin > 0 ? "\n" : "");
        /* Write the names and as many other columns as fit, but at least one. */
        struct chosen_columns next = {names, reader.chosen.end, reader.chosen.end};
        size_t width = names_width;
        while (next.end < sheet->ncolumns &&
               (markdown || next.end == next.begin || width + widths[next.end] <= TEXT_WIDTH))
            width += widths[next.end++] + BETWEEN;
        reader.chosen = next;
        write_row(&reader.part, NULL, markdown ? NULL : widths, reader.chosen, out);
        for (size_t i = 0; i < sheet->ncolumns && markdown; i++) {
            outfile_add(out, i ? "" : "|");
            outfile_add(out, sheet->columns[i].kind == CSY_COLUMN_TEXT ? "---|" : "---:|");
            outfile_add(out, i + 1 < sheet->ncolumns ? "" : "\n");
        }
        for (reader.next = 0; (part = sheet_reader_next(&reader));) {
            struct shown_rows shown = shown_of(rows, reader.first, part);
            for (size_t row = shown.begin; row < shown.end; row++)
                write_row(part, &row, markdown ? NULL : widths, reader.chosen, out);
        }
        if (reader.chosen.end >= sheet->ncolumns)
            break;
    }
    sheet_reader_fini(&reader);
    free(widths);
    if (more > 0)
        outfile_print(out, "%sand %zu row%s more\n", markdown ? "\n" : "", more, text_plural(more));
    return status;
}

/* --- Time, drawn with characters -------------------------------------------------------------- */

enum { NS_PER_S = 1000000000, PPM = 1000000, LEVELS_MAX = 16, LABEL = 4 };

/* Write the first and the last time below the drawing. */
static void write_axis(const csy_sync *sync, const csy_sheet *timeline, size_t left,
                       struct outfile *out)
{
    char begin[CSY_TIME_TEXT_MAX] = "0", end[CSY_TIME_TEXT_MAX];
    size_t n = timeline->nrows;
    bool ticks = timeline->columns[TIMELINE_END].kind == CSY_COLUMN_TICKS;
    uint64_t hz = ticks ? sync->trace->timebase_hz : NS_PER_S;
    text_time(n ? stat_number(timeline, n - 1, TIMELINE_END) : 0, hz, end);
    if (n && stat_number(timeline, 0, TIMELINE_BEGIN) > 0)
        text_time(stat_number(timeline, 0, TIMELINE_BEGIN), hz, begin);
    size_t least = strlen(end) + 1, room = n > strlen(begin) ? n - strlen(begin) : 0;
    outfile_print(out, "%*s%s%*s\n", (int)left + 1, "", begin, (int)(room > least ? room : least),
                  end);
}

static void draw_timeline(const csy_sheet *sheet, const csy_sync *sync, struct outfile *out)
{
    int64_t most = 1;
    for (size_t row = 0; row < sheet->nrows; row++) {
        const csy_range *range = &cells_at(sheet, row, TIMELINE_CONCURRENCY)->range;
        int64_t high = range->kind == CSY_RANGE_UNKNOWN ? range->estimate : range->hi;
        int64_t here = (int64_t)floor_div((int128)high + PPM / 2, PPM);
        most = here > most ? here : most;
    }
    int64_t step = (most + LEVELS_MAX - 1) / LEVELS_MAX;
    outfile_add(out, "number of active units: # certain, + estimated, . possible\n");
    for (int64_t level = (most + step - 1) / step * step; level > 0; level -= step) {
        outfile_print(out, "%*lld |", LABEL, (long long)level);
        for (size_t row = 0; row < sheet->nrows; row++) {
            int128 half = (int128)level * PPM - (int128)step * PPM / 2;
            const csy_range *range = &cells_at(sheet, row, TIMELINE_CONCURRENCY)->range;
            bool known = range->kind != CSY_RANGE_UNKNOWN;
            outfile_add(out, known && range->lo >= half   ? "#"
                             : range->estimate >= half    ? "+"
                             : known && range->hi >= half ? "."
                                                          : " ");
        }
        outfile_add(out, "|\n");
    }
    write_axis(sync, sheet, LABEL + 1, out);
}

static const char *name_at(const csy_sheet *sheet, size_t row, char text[ERROR_ESCAPED_MAX])
{
    const char *name = cells_at(sheet, row, ACTIVITY_NAME)->text;
    return error_escape(text, name, strlen(name));
}

static const char *doing_mark(const csy_sheet *sheet, size_t row)
{
    int64_t length =
        stat_number(sheet, row, ACTIVITY_END) - stat_number(sheet, row, ACTIVITY_BEGIN);
    int64_t active = stat_number(sheet, row, ACTIVITY_ACTIVE);
    int64_t ready = stat_number(sheet, row, ACTIVITY_READY);
    int64_t waiting = stat_number(sheet, row, ACTIVITY_WAITING);
    if ((int128)4 * active >= (int128)3 * length)
        return "#";
    if (active > 0)
        return "+";
    if (stat_has_untold(sheet) && stat_number(sheet, row, ACTIVITY_UNTOLD) > 0)
        return "?";
    return waiting > 0 && waiting >= ready ? "." : ready > 0 ? "-" : " ";
}

static void draw_activity(const csy_sheet *sheet, const csy_sheet *timeline, size_t most,
                          const csy_sync *sync, struct outfile *out)
{
    char text[ERROR_ESCAPED_MAX];
    size_t width = LABEL;
    for (size_t row = 0; row < sheet->nrows; row++)
        if (row == 0 || cells_at(sheet, row, ACTIVITY_NAME)->text !=
                            cells_at(sheet, row - 1, ACTIVITY_NAME)->text) {
            size_t columns = outfile_columns(out, name_at(sheet, row, text));
            width = columns > width ? columns : width;
        }
    outfile_print(out, "state of each actor: # active, + partly active, . waiting, - %s%s\n",
                  text_ready(sync), stat_has_untold(sheet) ? ", ? unknown" : "");
    size_t row = 0;
    for (size_t i = 0; i < most && row < sheet->nrows; i++) {
        const char *name = cells_at(sheet, row, ACTIVITY_NAME)->text;
        outfile_print_name(out, -(int)width, name_at(sheet, row, text));
        outfile_add(out, " |");
        for (size_t bin = 0; bin < timeline->nrows; bin++) {
            bool there = row < sheet->nrows && cells_at(sheet, row, ACTIVITY_NAME)->text == name &&
                         stat_number(sheet, row, ACTIVITY_BEGIN) ==
                             stat_number(timeline, bin, TIMELINE_BEGIN);
            outfile_add(out, there ? doing_mark(sheet, row) : " ");
            row += there;
        }
        while (row < sheet->nrows && cells_at(sheet, row, ACTIVITY_NAME)->text == name)
            row++;
        outfile_add(out, "|\n");
    }
    write_axis(sync, timeline, width + 1, out);
    if (row < sheet->nrows)
        outfile_add(out, "and more actors\n");
}

/* --- Text and Markdown ------------------------------------------------------------------------ */

static const char *sheets_unit(const csy_analysis *analysis)
{
    static const char *const units[] = {
        [CSY_TIME_AUTO] = "ticks",        [CSY_TIME_TICKS] = "ticks",
        [CSY_TIME_S] = "s, from ticks",   [CSY_TIME_MS] = "ms, from ticks",
        [CSY_TIME_US] = "us, from ticks", [CSY_TIME_NS] = "ns, from ticks"};
    return units[analysis->time_unit];
}

static void write_head(const csy_analysis *analysis, const struct csy_sync *sync, bool markdown,
                       struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], time[CSY_TIME_TEXT_MAX];
    const struct csy_trace *trace = sync->trace;
    char ranges[CELLS_RANGES_MAX];
    bool ranged = csy_analysis_kind(analysis) != CSY_RANGE_CLOCK;
    outfile_add(out, markdown ? "- trace " : "");
    write_escaped(error_escape(name, trace->name, strlen(trace->name)), markdown, out);
    outfile_print(out, ": %zu clock%s, times in %s of 1/%" PRIu64 " s%s, delta %s, %s%s\n",
                  sync->survey.threads.count, text_plural(sync->survey.threads.count),
                  sheets_unit(analysis), trace->timebase_hz,
                  trace->timebase_assumed ? " (assumed)" : "",
                  csy_time_text(sync->imprecision.delta, trace->timebase_hz, time),
                  ranged ? "ranges " : "no ranges: ",
                  ranged ? cells_ranges(analysis, sync, ranges) : CELLS_NO_RANGES);
    if (analysis->window) {
        outfile_add(out, markdown ? "- window: " : "window: ");
        write_escaped(error_escape(name, analysis->window, strlen(analysis->window)), markdown,
                      out);
        outfile_add(out, "\n");
    }
    for (struct caveats p = caveats_of(sync, analysis); caveats_next(&p);) {
        outfile_add(out, markdown ? "- assumes: " : "assumes: ");
        write_escaped(p.text, markdown, out);
        outfile_add(out, "\n");
    }
}

static csy_status write_sheets(const csy_analysis *analysis, const struct csy_sync *sync,
                               bool markdown, struct outfile *out, csy_error *error)
{
    /* In a summary, a sheet in main_sheets has up to MAIN_ROWS rows, any other sheet OTHER_ROWS. */
    static const char *const main_sheets[] = {"concurrency", "states", "profile", "elapsed"};
    enum { MAIN_ROWS = 10, OTHER_ROWS = 5 };
    csy_status status = CSY_OK;
    const csy_sheet *timeline = markdown ? NULL : cells_sheet(analysis, "timeline");
    for (size_t i = 0; i < analysis->nsheets && !status; i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view;
        if (analysis->brief && strcmp(sheet->name, "paths") == 0)
            continue; /* in a summary, the sheet "calls" has the same times */
        outfile_add(out, "\n");
        if (sheet == timeline)
            draw_timeline(sheet, sync, out);
        else if (timeline && strcmp(sheet->name, "activity") == 0)
            draw_activity(sheet, timeline, analysis->brief ? BRIEF_ACTORS : SIZE_MAX, sync, out);
        else {
            size_t n = sheet->nrows, most = analysis->brief ? OTHER_ROWS : n;
            for (size_t k = 0; k < sizeof main_sheets / sizeof *main_sheets && analysis->brief; k++)
                most = strcmp(sheet->name, main_sheets[k]) == 0 ? MAIN_ROWS : most;
            most = most < n ? most : n;
            size_t first = strcmp(sheet->name, "states") == 0 ? n - most : 0;
            if (analysis->nsheets > 1)
                write_title(sheet, markdown, out);
            status =
                write_sheet(sheet, (struct shown_rows){first, first + most}, markdown, out, error);
        }
    }
    return status;
}

static csy_status write_sections(const csy_analysis *analysis, const struct csy_sync *sync,
                                 bool markdown, struct outfile *out, csy_error *error)
{
    const csy_sheet *sections = &analysis->sheets[0].view;
    struct section_views views;
    outfile_add(out, "\n");
    write_title(sections, markdown, out);
    csy_status status =
        write_sheet(sections, (struct shown_rows){0, sections->nrows}, markdown, out, error);
    if (status)
        return status;
    status = section_views_init(&views, analysis, error);
    for (size_t i = 1; i <= analysis->nsections && !status; i++) {
        csy_analysis *view = section_views_next(&views);
        outfile_print(out, "\n%sSection %zu\n", markdown ? "## " : "", i);
        status = view ? write_sheets(view, sync, markdown, out, error) : error_memory(error);
        csy_analysis_free(view);
    }
    section_views_fini(&views);
    return status;
}

/* Write a number for CSV or JSON. `below` and `above` are the texts for minus and plus infinity.
 * Shares are integers, in millionths. Times in units other than ticks have decimals. */
static const char *plain_number(csy_column_kind kind, int64_t number, const char *below,
                                const char *above, char text[QUOTIENT_TEXT_MAX])
{
    bool limited = number != INT64_MIN && number != INT64_MAX;
    return cells_time_decimals(kind) > 0 && limited ? cells_number(kind, number, PPM_DECIMALS, text)
                                                    : text_ticks(number, below, above, text);
}

static void write_csv_number(struct outfile *out, csy_column_kind kind, int64_t number)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_add(out, plain_number(kind, number, "-inf", "inf", text));
}

static void write_csv_value(const csy_column *column, const csy_value *value, struct outfile *out)
{
    bool known = !value->none && value->range.kind != CSY_RANGE_UNKNOWN;
    if (column->kind == CSY_COLUMN_TEXT) {
        csv_field_write(out, value->none ? "" : value->text);
        return;
    }
    if (!value->none)
        write_csv_number(out, column->kind, value->range.estimate);
    if (!column->ranged)
        return;
    outfile_add(out, ",");
    if (known)
        write_csv_number(out, column->kind, value->range.lo);
    outfile_add(out, ",");
    if (known)
        write_csv_number(out, column->kind, value->range.hi);
}

/* Write all sheets as CSV. Each row has all numbers first, and then how each range was found. */
static csy_status write_csv(const csy_analysis *analysis, struct outfile *out, csy_error *error)
{
    static const char *const ends[] = {"", "_lo", "_hi"};
    csy_status status = CSY_OK;
    char end[32];
    for (size_t i = 0; i < analysis->nsheets && !status; i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view, *part;
        struct sheet_reader reader;
        outfile_add(out, i ? "\n" : "");
        for (size_t k = 0; k < sheet->ncolumns; k++) {
            const csy_column *column = &sheet->columns[k];
            for (size_t value = 0; value < (column->ranged ? 3 : 1); value++) {
                outfile_add(out, k + value > 0 ? "," : "");
                snprintf(end, sizeof end, "%s%s", ends[value], suffixes[column->kind]);
                csv_field_write_heading(out, column->name, end);
            }
        }
        for (size_t k = 0; k < sheet->ncolumns; k++)
            if (sheet->columns[k].ranged) {
                outfile_add(out, ",");
                csv_field_write_heading(out, sheet->columns[k].name, "_kind");
            }
        outfile_add(out, "\n");
        status = sheet_reader_init(&reader, sheet, error);
        while (!status && (part = sheet_reader_next(&reader)))
            for (size_t row = 0; row < part->nrows; row++) {
                for (size_t column = 0; column < part->ncolumns; column++) {
                    outfile_add(out, column ? "," : "");
                    write_csv_value(&part->columns[column], cells_at(part, row, column), out);
                }
                for (size_t column = 0; column < part->ncolumns; column++) {
                    const csy_value *value = cells_at(part, row, column);
                    if (part->columns[column].ranged) {
                        outfile_add(out, ",");
                        outfile_add(out, value->none ? "" : cells_kind(value->range.kind));
                    }
                }
                outfile_add(out, "\n");
            }
        sheet_reader_fini(&reader);
    }
    return status;
}

static void write_json_value(const csy_column *column, const csy_value *value, struct outfile *out)
{
    char lo[QUOTIENT_TEXT_MAX], hi[QUOTIENT_TEXT_MAX], estimate[QUOTIENT_TEXT_MAX];
    const csy_range *range = &value->range;
    csy_column_kind kind = column->kind;
    if (value->none)
        outfile_add(out, "null");
    else if (column->kind == CSY_COLUMN_TEXT)
        json_string(out, value->text);
    else if (!column->ranged && cells_time_decimals(kind) == 0) {
        *number_put(estimate, range->estimate) = 0;
        outfile_add(out, estimate);
    } else if (!column->ranged)
        outfile_add(out, plain_number(kind, range->estimate, "null", "null", estimate));
    else {
        bool known = range->kind != CSY_RANGE_UNKNOWN;
        const char *const pieces[] = {
            "{\"estimate\": ",
            plain_number(kind, range->estimate, "null", "null", estimate),
            ", \"lo\": ",
            known ? plain_number(kind, range->lo, "null", "null", lo) : "null",
            ", \"hi\": ",
            known ? plain_number(kind, range->hi, "null", "null", hi) : "null",
            ", \"kind\": \"",
            cells_kind(range->kind),
            "\"}"};
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
            outfile_add(out, pieces[i]);
    }
}

static csy_status write_json(const csy_analysis *analysis, const struct csy_sync *sync,
                             struct outfile *out, csy_error *error)
{
    csy_status status = CSY_OK;
    char text[FRACTION_TEXT_MAX];
    outfile_add(out, "{\n  \"producer\": \"cellsync " CSY_VERSION "\",\n  \"trace\": ");
    json_string(out, sync->trace->name);
    outfile_print(out,
                  ",\n  \"timebase_hz\": %" PRIu64 ",\n  \"timebase_assumed\": %s"
                  ",\n  \"delta\": \"%s\",\n",
                  sync->trace->timebase_hz, text_bool(sync->trace->timebase_assumed),
                  fraction_text(sync->imprecision.delta, text));
    if (analysis->window) {
        json_member(out, "  \"window\": ", analysis->window);
        outfile_add(out, ",\n");
    }
    outfile_add(out, "  \"conditions\": ");
    json_caveats(out, caveats_of(sync, analysis), JSON_ALL);
    outfile_print(out, ",\n  \"ranges\": \"%s\",\n  \"sheets\": {\n",
                  cells_kind(csy_analysis_kind(analysis)));
    for (size_t i = 0; i < analysis->nsheets && !status; i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view, *part;
        struct sheet_reader reader;
        status = sheet_reader_init(&reader, sheet, error);
        outfile_print(out, "%s    \"%s\": [", i ? ",\n" : "", sheet->name);
        while (!status && (part = sheet_reader_next(&reader)))
            for (size_t row = 0; row < part->nrows; row++) {
                outfile_add(out, reader.first + row ? ",\n      {" : "\n      {");
                for (size_t column = 0; column < part->ncolumns; column++) {
                    const char *name = part->columns[column].name;
                    outfile_add(out, column ? ", \"" : "\"");
                    json_characters(out, name, strlen(name));
                    outfile_add(out, suffixes[part->columns[column].kind]);
                    outfile_add(out, "\": ");
                    write_json_value(&part->columns[column], cells_at(part, row, column), out);
                }
                outfile_add(out, "}");
            }
        outfile_add(out, "\n    ]");
        sheet_reader_fini(&reader);
    }
    outfile_add(out, "\n  }\n}\n");
    return status;
}

/* --- LaTeX ------------------------------------------------------------------------------------ */

enum { COARSE = 100, COARSE_DECIMALS = PPM_DECIMALS - 2 };

/* A column of shares has all decimals if one of its ranges is narrower than COARSE millionths. */
enum digits { DIGITS_UNKNOWN, DIGITS_COARSE, DIGITS_ALL };

static void tex_end(struct outfile *out, const char *sign, csy_column_kind kind, int64_t end,
                    int128 distance, unsigned decimals)
{
    char text[QUOTIENT_TEXT_MAX];
    if (end == INT64_MIN || end == INT64_MAX || !fits_int64(distance))
        outfile_print(out, "%s\\infty", sign);
    else
        outfile_print(out, "%s%s", sign, cells_number(kind, (int64_t)distance, decimals, text));
}

/* Write a number and its range, rounded outward: "$28.25^{+0.04}_{-0.04}$". */
static void tex_number(struct outfile *out, const csy_column *column, const csy_value *value,
                       bool coarse)
{
    const csy_range *range = &value->range;
    char text[QUOTIENT_TEXT_MAX];
    int64_t unit = coarse ? COARSE : 1;
    unsigned decimals = coarse ? COARSE_DECIMALS : PPM_DECIMALS;
    if (range->estimate == INT64_MAX || range->estimate == INT64_MIN) {
        outfile_print(out, "$%s\\infty$", range->estimate < 0 ? "-" : "");
        return;
    }
    int64_t shown = (int64_t)floor_div((int128)2 * range->estimate + unit, (int128)2 * unit);
    outfile_print(out, "$%s", cells_number(column->kind, shown, decimals, text));
    if (range->kind == CSY_RANGE_UNKNOWN)
        outfile_add(out, "\\,?");
    else if (range->kind != CSY_RANGE_CLOCK) {
        tex_end(out, "^{+", column->kind, range->hi, ceil_div(range->hi, unit) - shown, decimals);
        tex_end(out, "}_{-", column->kind, range->lo, shown - floor_div(range->lo, unit), decimals);
        outfile_add(out, "}");
    }
    outfile_add(out, value->open ? "\\,{\\sim}$" : "$");
}

static csy_status tex_sheet(const csy_sheet *sheet, struct outfile *out, csy_error *error)
{
    enum digits *digits = calloc(sheet->ncolumns + 1, sizeof *digits);
    struct sheet_reader reader;
    const csy_sheet *part;
    char text[ERROR_ESCAPED_MAX];
    csy_status status = sheet_reader_init(&reader, sheet, error);
    if (!status && !digits)
        status = error_memory(error);
    while (!status && (part = sheet_reader_next(&reader)))
        for (size_t i = 0; i < part->nrows * part->ncolumns; i++) {
            const csy_range *range = &part->values[i].range;
            size_t column = i % part->ncolumns;
            if (part->columns[column].kind != CSY_COLUMN_PPM || part->values[i].none ||
                range->kind == CSY_RANGE_UNKNOWN || range->lo == INT64_MIN ||
                range->hi == INT64_MAX)
                continue;
            if (range->hi - range->lo < COARSE)
                digits[column] = DIGITS_ALL;
            else if (digits[column] == DIGITS_UNKNOWN)
                digits[column] = DIGITS_COARSE;
        }
    outfile_add(out, "\\def\\cellsynctable{\\begin{tabular}{@{}");
    for (size_t i = 0; i < sheet->ncolumns; i++)
        outfile_add(out, sheet->columns[i].kind == CSY_COLUMN_TEXT ? "l" : "r");
    outfile_add(out, "@{}}\n\\toprule\n");
    for (size_t i = 0; i < sheet->ncolumns; i++) {
        outfile_add(out, i ? " & " : "");
        error_escape(text, sheet->columns[i].name, strlen(sheet->columns[i].name));
        for (char *c = text; *c; c++) /* in headings, blanks replace underscores */
            if (*c == '_')
                *c = ' ';
        tex_text(out, text);
    }
    outfile_add(out, " \\\\\n\\midrule\n");
    reader.next = 0;
    while (!status && (part = sheet_reader_next(&reader)))
        for (size_t row = 0; row < part->nrows; row++)
            for (size_t i = 0; i < part->ncolumns; i++) {
                const csy_value *value = cells_at(part, row, i);
                const char *end = i + 1 < part->ncolumns ? " & " : " \\\\\n";
                if (value->none)
                    outfile_add(out, "--");
                else if (part->columns[i].kind == CSY_COLUMN_TEXT)
                    tex_name(out, error_escape(text, value->text, strlen(value->text)));
                else
                    tex_number(out, &part->columns[i], value, digits[i] == DIGITS_COARSE);
                outfile_add(out, end);
            }
    size_t more = sheets_cut(sheet);
    if (more > 0)
        outfile_print(out, "\\multicolumn{%zu}{@{}l@{}}{and %zu row%s more} \\\\\n",
                      sheet->ncolumns, more, text_plural(more));
    sheet_reader_fini(&reader);
    free(digits);
    outfile_add(out, "\\bottomrule\n\\end{tabular}}\n\\cellsyncset\n");
    return status;
}

/* Wide tables get smaller letters, and TeX scales them if the document loads graphicx. */
static csy_status sheets_tex(const csy_analysis *analysis, const csy_sync *sync,
                             struct outfile *out, csy_error *error)
{
    csy_status status = CSY_OK;
    char name[ERROR_ESCAPED_MAX], time[CSY_TIME_TEXT_MAX], ranges[CELLS_RANGES_MAX];
    char whole[4 * CSY_WARNING_TEXT_MAX]; /* escaping makes at most four bytes of one */
    const struct csy_trace *trace = sync->trace;
    outfile_print(out,
                  "%% by cellsync %s; it takes \\usepackage{booktabs}, wide ones graphicx\n"
                  "\\begingroup\\setlength{\\tabcolsep}{2.5pt}\n"
                  "\\def\\cellsynctry#1{\\ifdim\\wd0>\\linewidth#1\\setbox0\\hbox{\\cellsynctable}"
                  "\\fi}\n"
                  "\\def\\cellsyncset{{\\footnotesize\\setbox0\\hbox{\\cellsynctable}\n"
                  "\\cellsynctry{\\setlength{\\tabcolsep}{2pt}\\scriptsize}\\cellsynctry{\\tiny}\n"
                  "\\ifdefined\\resizebox\\ifdim\\wd0>\\linewidth\n"
                  "\\setbox0\\hbox{\\resizebox{\\linewidth}{!}{\\box0}}\\fi\\fi\n"
                  "\\noindent\\box0\\par\\medskip}}\n"
                  "\\footnotesize\n",
                  CSY_VERSION);
    /* Write facts and conditions of all figures, as wide as a column of the article. */
    outfile_add(out, "\\noindent\\parbox{\\linewidth}{");
    tex_name(out, tex_stem(trace->name, name));
    outfile_print(out, ": %zu clock%s, $\\delta$ = %s, times in %s of 1/%" PRIu64 "~s%s, ",
                  sync->survey.threads.count, text_plural(sync->survey.threads.count),
                  csy_time_text(sync->imprecision.delta, trace->timebase_hz, time),
                  sheets_unit(analysis), trace->timebase_hz,
                  trace->timebase_assumed ? " (assumed)" : "");
    if (csy_analysis_kind(analysis) == CSY_RANGE_CLOCK)
        outfile_add(out, "no ranges: " CELLS_NO_RANGES ".");
    else
        outfile_print(out, "ranges %s.", cells_ranges(analysis, sync, ranges));
    if (analysis->window) {
        outfile_add(out, "\nWindow: ");
        tex_text(out, error_escape(name, analysis->window, strlen(analysis->window)));
        outfile_add(out, ".");
    }
    const char *before = "\nIf: ";
    for (struct caveats p = caveats_of(sync, analysis); caveats_next(&p); before = "; ") {
        outfile_add(out, before);
        csy_escape(whole, sizeof whole, p.text);
        tex_text(out, whole);
    }
    outfile_add(out, "}\\par\\smallskip\n");
    for (size_t i = 0; i < analysis->nsheets && !status; i++)
        status = tex_sheet(&analysis->sheets[i].view, out, error);
    outfile_add(out, "\\endgroup\n");
    return status;
}

/* --- Calls, as a graph or as folded stacks ---------------------------------------------------- */

enum { CALLER, CALLEE, KIND, FILE_NAME, LINE, CALLS, TIME, BYTES };
enum { NAME_BYTES = 512 };
enum { PATH, PATH_CALLS, PATH_DIRECT };

struct node {
    const char *name;
    const csy_value *row; /* a row of the sheet with the source file of the routine, or NULL */
    bool active, innermost;
};

struct nodes {
    struct texts names;
    struct node *items;
    size_t count, capacity;
    struct texts edges; /* set of the pairs of caller and callee */
};

static bool find_node(struct nodes *nodes, const char *name, size_t size, uint32_t *out)
{
    char key[NAME_BYTES]; /* name of the routine, with characters replaced as in the sheet
                           * "paths" */
    bool added;
    size = size < sizeof key ? size : sizeof key;
    memcpy(key, name, size);
    for (size_t i = 0; i < size; i++)
        if (key[i] == ';' || key[i] == '\n')
            key[i] = ':';
    if (!texts_find(&nodes->names, key, size, out, &added) ||
        !ARRAY_RESERVE(nodes->items, nodes->capacity, nodes->names.count))
        return false;
    if (added)
        nodes->items[nodes->count++] = (struct node){.name = name};
    return true;
}

/* Mark the routines and calls of a path of calls, which was active at a certain moment. */
static bool mark_path(struct nodes *nodes, const char *path)
{
    uint32_t key[2] = {NO_TEXT, NO_TEXT};
    while (*path) {
        size_t size = strcspn(path, ";");
        uint32_t node, edge;
        bool added;
        if (texts_look(&nodes->names, path, size, &node) && node < nodes->count) {
            nodes->items[node].active = true;
            nodes->items[node].innermost |= path[size] == 0;
            key[0] = key[1];
            key[1] = node;
            if (key[0] != NO_TEXT &&
                !texts_find(&nodes->edges, (const char *)key, sizeof key, &edge, &added))
                return false;
        }
        path += size + (path[size] == ';');
    }
    return true;
}

static void write_weight(const csy_value *row, csy_weight weight, struct outfile *out)
{
    static const size_t columns[] = {CALLS, TIME, BYTES};
    const csy_value *value = &row[columns[weight]];
    const csy_range *range = &value->range;
    char lo[TICKS_TEXT_MAX], hi[TICKS_TEXT_MAX];
    if (value->none) {
        outfile_add(out, "-");
        return;
    }
    outfile_print(out, "%" PRId64, range->estimate);
    if (range->kind == CSY_RANGE_UNKNOWN)
        outfile_add(out, " ?");
    else if (range->kind != CSY_RANGE_CLOCK)
        outfile_print(out, " [%s, %s]", text_ticks(range->lo, "-inf", "inf", lo),
                      text_ticks(range->hi, "-inf", "inf", hi));
}

/* A node is NO_TEXT if there is no caller, or if the callee is not a routine. */
static bool find_ends(struct nodes *nodes, const csy_value *row, uint32_t node[2])
{
    bool leaf = strcmp(row[KIND].text, "leaf") == 0;
    node[0] = node[1] = NO_TEXT;
    return (row[CALLER].none ||
            find_node(nodes, row[CALLER].text, strlen(row[CALLER].text), &node[0])) &&
           (leaf || find_node(nodes, row[CALLEE].text, strlen(row[CALLEE].text), &node[1]));
}

static csy_status sheets_dot(const csy_analysis *analysis, const struct csy_sync *sync,
                             struct outfile *out, csy_error *error)
{
    static const char *const weights[] = {"calls", "ticks", "bytes"};
    const csy_sheet *calls = cells_sheet(analysis, "calls");
    const csy_sheet *active = cells_sheet(analysis, "active");
    struct nodes nodes = {.count = 0};
    uint32_t node[2], edge;
    bool good = true;
    if (!calls)
        return error_set(error, CSY_USAGE, "the format dot requires the verb calls");
    for (size_t i = 0; good && i < calls->nrows; i++) {
        good = find_ends(&nodes, cells_at(calls, i, 0), node);
        if (good && node[1] != NO_TEXT)
            nodes.items[node[1]].row = cells_at(calls, i, 0);
    }
    for (size_t i = 0; active && good && i < active->nrows; i++)
        good = mark_path(&nodes, cells_at(active, i, 1)->text);
    outfile_add(out, "digraph calls {\n  graph [label=\"");
    dot_text(out, sync->trace->name);
    outfile_print(out, ": %s", weights[analysis->weight]);
    for (size_t i = 0; active && i < active->nrows; i++) {
        outfile_add(out, "\\n");
        dot_text(out, cells_at(active, i, 0)->text);
        outfile_add(out, ": ");
        dot_text(out, cells_at(active, i, 1)->text);
    }
    outfile_add(out, "\"];\n");
    for (size_t i = 0; i < nodes.count; i++) {
        const struct node *item = &nodes.items[i];
        outfile_print(out, "  r%zu [label=\"", i);
        dot_text(out, item->name);
        if (item->row && !item->row[FILE_NAME].none) {
            outfile_add(out, " ");
            dot_text(out, item->row[FILE_NAME].text);
            if (!item->row[LINE].none)
                outfile_print(out, ":%" PRId64, item->row[LINE].range.estimate);
        }
        outfile_print(out, "\"%s%s];\n", item->active ? " shape=box" : "",
                      item->innermost ? " style=filled" : "");
    }
    for (size_t i = 0; good && i < calls->nrows; i++) {
        const csy_value *row = cells_at(calls, i, 0);
        if (row[CALLER].none)
            continue;
        good = find_ends(&nodes, row, node);
        if (node[1] == NO_TEXT) {
            outfile_print(out, "  l%zu [shape=plaintext label=\"", i);
            dot_text(out, row[CALLEE].text);
            outfile_print(out, "\"];\n  r%" PRIu32 " -> l%zu [label=\"", node[0], i);
        } else {
            outfile_print(out, "  r%" PRIu32 " -> r%" PRIu32 " [label=\"", node[0], node[1]);
        }
        write_weight(row, analysis->weight, out);
        bool marked =
            node[1] != NO_TEXT && texts_look(&nodes.edges, (const char *)node, sizeof node, &edge);
        outfile_add(out, marked ? "\" penwidth=3];\n" : "\"];\n");
    }
    outfile_add(out, "}\n");
    texts_fini(&nodes.names);
    texts_fini(&nodes.edges);
    free(nodes.items);
    return good ? CSY_OK : error_memory(error);
}

static csy_status sheets_folded(const csy_analysis *analysis, struct outfile *out, csy_error *error)
{
    const csy_sheet *paths = cells_sheet(analysis, "paths");
    size_t column = analysis->weight == CSY_WEIGHT_TIME ? PATH_DIRECT : PATH_CALLS;
    if (!paths)
        return error_set(error, CSY_USAGE, "the format folded requires the verb calls");
    for (size_t i = 0; i < paths->nrows; i++) {
        const csy_value *row = cells_at(paths, i, 0);
        folded_text(out, row[PATH].text);
        outfile_print(out, " %" PRId64 "\n", row[column].range.estimate);
    }
    return CSY_OK;
}

/* --- All formats ------------------------------------------------------------------------------ */

csy_status csy_analysis_write(const csy_analysis *analysis, csy_sync *sync, const char *path,
                              csy_report_format format, csy_error *error)
{
    struct outfile *out;
    bool drawn = cells_sheet(analysis, "timeline") && cells_sheet(analysis, "activity");
    bool tables = format <= CSY_REPORT_JSON || format == CSY_REPORT_TEX || format == CSY_REPORT_MD;
    csy_status status = error_check_choice("format", (int)format, CSY_REPORT_MD, error);
    if (!status && analysis->time_unit > CSY_TIME_TICKS && !tables)
        status = error_set(error, CSY_USAGE,
                           "%s: only tables can show times in units other than ticks", path);
    if (!status && analysis->nsections > 0 && !tables)
        status =
            error_set(error, CSY_USAGE, "%s: a page or a drawing can show only one section", path);
    if (!status && format == CSY_REPORT_SVG && !drawn)
        status = error_set(error, CSY_USAGE, "%s: only a timeline can be drawn as SVG", path);
    status = status ? status : outfile_open(path, sync->trace, &out, error);
    if (status)
        return status;
    if (format == CSY_REPORT_CSV)
        status = write_csv(analysis, out, error);
    else if (format == CSY_REPORT_JSON)
        status = write_json(analysis, sync, out, error);
    else if (format == CSY_REPORT_TEX)
        status = sheets_tex(analysis, sync, out, error);
    else if (format == CSY_REPORT_HTML)
        status = stat_page(analysis, sync, out, error);
    else if (format == CSY_REPORT_SVG)
        stat_drawing(analysis, sync, out);
    else if (format == CSY_REPORT_DOT)
        status = sheets_dot(analysis, sync, out, error);
    else if (format == CSY_REPORT_FOLDED)
        status = sheets_folded(analysis, out, error);
    else {
        bool markdown = format == CSY_REPORT_MD;
        if (!markdown)
            outfile_show_text(out);
        write_head(analysis, sync, markdown, out);
        status = analysis->nsections > 0 ? write_sections(analysis, sync, markdown, out, error)
                                         : write_sheets(analysis, sync, markdown, out, error);
    }
    return outfile_complete(out, status, error);
}
