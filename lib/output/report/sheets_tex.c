/* Sheets for LaTeX, with the booktabs package: estimates, with the distances to their limits. */
#include "analysis/run/sheets.h"
#include "base/error.h"
#include "output/encode/caveats.h"
#include "output/encode/tex.h"
#include "output/encode/text.h"
#include "output/report/report_sheets.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdlib.h>

enum { COARSE = 100, COARSE_DECIMALS = PPM_DECIMALS - 2 };

/* How many digits a column of shares needs: all if a range is narrower than COARSE millionths. */
enum digits { DIGITS_UNKNOWN, DIGITS_COARSE, DIGITS_ALL };

static void find_digits(const csy_sheet *part, enum digits *digits)
{
    for (size_t row = 0; row < part->nrows; row++)
        for (size_t column = 0; column < part->ncolumns; column++) {
            const csy_value *value = cells_at(part, row, column);
            const csy_range *range = &value->range;
            if (part->columns[column].kind != CSY_COLUMN_PPM || value->none ||
                range->kind == CSY_RANGE_UNKNOWN || range->lo == INT64_MIN ||
                range->hi == INT64_MAX)
                continue;
            if (range->hi - range->lo < COARSE)
                digits[column] = DIGITS_ALL;
            else if (digits[column] == DIGITS_UNKNOWN)
                digits[column] = DIGITS_COARSE;
        }
}

static void write_end(struct outfile *out, const char *sign, csy_column_kind kind, int64_t end,
                      int128 distance, unsigned decimals)
{
    char text[QUOTIENT_TEXT_MAX];
    if (end == INT64_MIN || end == INT64_MAX || !fits_int64(distance))
        outfile_print(out, "%s\\infty", sign);
    else
        outfile_print(out, "%s%s", sign, cells_number(kind, (int64_t)distance, decimals, text));
}

/* Write "$28.25^{+0.04}_{-0.04}$", with limits rounded outward. */
static void write_number(struct outfile *out, const csy_column *column, const csy_value *value,
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
        write_end(out, "^{+", column->kind, range->hi, ceil_div(range->hi, unit) - shown, decimals);
        write_end(out, "}_{-", column->kind, range->lo, shown - floor_div(range->lo, unit),
                  decimals);
        outfile_add(out, "}");
    }
    outfile_add(out, value->open ? "\\,{\\sim}$" : "$");
}

static csy_status write_sheet(const csy_sheet *sheet, struct outfile *out, csy_error *error)
{
    enum digits *digits = calloc(sheet->ncolumns + 1, sizeof *digits);
    struct sheet_reader reader;
    const csy_sheet *part;
    char text[ERROR_ESCAPED_MAX];
    csy_status status = sheet_reader_init(&reader, sheet, error);
    if (!status && !digits)
        status = error_memory(error);
    while (!status && (part = sheet_reader_next(&reader)))
        find_digits(part, digits);
    outfile_add(out, "\\def\\cellsynctable{\\begin{tabular}{@{}");
    for (size_t i = 0; i < sheet->ncolumns; i++)
        outfile_add(out, sheet->columns[i].kind == CSY_COLUMN_TEXT ? "l" : "r");
    outfile_add(out, "@{}}\n\\toprule\n");
    for (size_t i = 0; i < sheet->ncolumns; i++) {
        outfile_add(out, i ? " & " : "");
        error_escape(text, sheet->columns[i].name, strlen(sheet->columns[i].name));
        for (char *c = text; *c; c++) /* a heading has blanks instead of underscores */
            *c = *c == '_' ? ' ' : *c;
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
                    write_number(out, &part->columns[i], value, digits[i] == DIGITS_COARSE);
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

/* Write the conditions that apply to all figures, in the width of the column. */
static void write_head(const csy_analysis *analysis, const csy_sync *sync, struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], time[CSY_TIME_TEXT_MAX];
    const struct csy_trace *trace = sync->trace;
    char ranges[CELLS_RANGES_MAX], whole[4 * CSY_WARNING_TEXT_MAX]; /* a byte may become four */
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
        outfile_print(out, "ranges %s.",
                      cells_ranges(analysis, sync->imprecision.delta.num > 0, ranges));
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
}

/* Write all sheets. A table that is too wide gets smaller letters. If it is still too wide and the
 * document loads the graphicx package, it is scaled. */
csy_status sheets_tex(const csy_analysis *analysis, const csy_sync *sync, struct outfile *out,
                      csy_error *error)
{
    csy_status status = CSY_OK;
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
    write_head(analysis, sync, out);
    for (size_t i = 0; i < analysis->nsheets && !status; i++)
        status = write_sheet(&analysis->sheets[i].view, out, error);
    outfile_add(out, "\\endgroup\n");
    return status;
}
