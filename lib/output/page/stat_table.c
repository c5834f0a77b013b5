/* Writes the sheets of an analysis as HTML tables. */
#include "output/page/stat.h"

#include "analysis/run/sheets.h"
#include "output/encode/text.h"

#include <string.h>

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

/* Numbers of a column are divided by `den`, times 10^exponent, with `decimals` decimals. */
struct form {
    int128 den;       /* divisor, or 0 if cells_number writes the numbers */
    const char *unit; /* name of the unit, or "" */
    unsigned exponent, decimals;
};

static bool is_infinite(int64_t number)
{
    return number == INT64_MAX || number == INT64_MIN;
}

/* The greatest number gets four digits; a time five, but no more decimals than a tick. */
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
    int128 den = whole ? hz : time ? hz * MILLION : MILLION, power = 1;
    size_t unit = 0;
    while (unit + 1 < UNITS && decimal_round(greatest, den, units[unit].exponent) < 1)
        unit++;
    if (time)
        form = units[unit];
    form.den = den;
    int digits = time ? TIME_DIGITS : DIGITS;
    for (int128 rest = decimal_round(greatest, den, form.exponent); rest > 0; rest /= 10)
        digits--;
    for (unsigned i = 0; i < form.exponent; i++)
        power *= 10;
    for (; digits > 0 && (!whole || power < hz); digits--, power *= 10)
        form.decimals++;
    return form;
}

enum rounding { DOWN, NEAREST, UP };

static void write_number(const struct page *page, csy_column_kind kind, const struct form *form,
                         int64_t number, enum rounding rounding)
{
    char text[QUOTIENT_TEXT_MAX];
    if (is_infinite(number)) {
        outfile_add(page->out, number > 0 ? "\u221e" : "\u2212\u221e");
    } else if (form->den == 0) {
        page_print(page, "%s", cells_number(kind, number, PPM_DECIMALS, text));
    } else {
        int128 scaled = number;
        for (unsigned i = 0; i < form->exponent + form->decimals; i++)
            scaled *= 10;
        int128 units = rounding == DOWN ? floor_div(scaled, form->den)
                       : rounding == UP ? ceil_div(scaled, form->den)
                                        : decimal_round(scaled, form->den, 0);
        if (form->decimals > 0)
            decimal_text(units, form->decimals, text);
        else
            *number_put(text, (int64_t)units) = '\0';
        page_print(page, "%s", text);
    }
}

/* Write "[28.21, 28.29]", rounded outward, "=" for a single number, or "?" if unknown. */
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

void stat_ratio(const struct page *page, const csy_range *range)
{
    const struct form form = form_of(page, CSY_COLUMN_PPM, range->estimate);
    outfile_add(page->out, "<strong>");
    write_number(page, CSY_COLUMN_PPM, &form, range->estimate, NEAREST);
    outfile_add(page->out, "</strong>");
    if (range->kind == CSY_RANGE_CLOCK || range->kind == CSY_RANGE_UNKNOWN ||
        range->lo == range->hi)
        return;
    outfile_add(page->out, " (");
    write_number(page, CSY_COLUMN_PPM, &form, range->lo, DOWN);
    outfile_add(page->out, " to ");
    write_number(page, CSY_COLUMN_PPM, &form, range->hi, UP);
    outfile_add(page->out, ")");
}

/* Clear *empty if a column has more than zeros and empty texts; empty columns are only named in a
 * note. Raise *greatest to the greatest finite absolute value of the column's numbers. */
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

bool stat_table(const struct page *page, const csy_sheet *sheet)
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
