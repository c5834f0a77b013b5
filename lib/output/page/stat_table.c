/* The HTML page of an analysis: sheets as tables. */
#include "output/page/stat.h"

#include "analysis/run/sheets.h"
#include "output/encode/text.h"

#include <string.h>

enum { NAME_SHOWN = 64 };

/* Write the name of a column with blanks instead of underscores. */
static void write_name(const struct page *page, const csy_column *column)
{
    char name[128];
    snprintf(name, sizeof name, "%s", column->name);
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = ' ';
    html_text(page->out, name, NAME_SHOWN);
    if (column->kind == CSY_COLUMN_TICKS || column->kind == CSY_COLUMN_MICROTICKS)
        outfile_add(page->out, ", ticks");
}

static void write_number(const struct page *page, const csy_column *column, int64_t number)
{
    char text[QUOTIENT_TEXT_MAX];
    if (number == INT64_MAX || number == INT64_MIN)
        outfile_add(page->out, number > 0 ? "\u221e" : "\u2212\u221e");
    else
        page_print(page, "%s", cells_number(column->kind, number, PPM_DECIMALS, text));
}

static void write_range(const struct page *page, const csy_column *column, const csy_range *range)
{
    if (range->kind == CSY_RANGE_UNKNOWN)
        outfile_add(page->out, "?");
    else if (range->lo == range->hi)
        outfile_add(page->out, "=");
    else {
        outfile_add(page->out, "[");
        write_number(page, column, range->lo);
        outfile_add(page->out, ", ");
        write_number(page, column, range->hi);
        outfile_add(page->out, "]");
    }
}

void stat_figure(const struct page *page, const csy_column *column, const csy_value *value)
{
    write_number(page, column, value->range.estimate);
    if (value->range.kind == CSY_RANGE_CLOCK)
        return;
    outfile_add(page->out, " ");
    write_range(page, column, &value->range);
}

/* Write a value as in the text report: "28.25 [28.21, 28.29]". */
static void write_value(const struct page *page, const csy_column *column, const csy_value *value)
{
    if (value->none)
        outfile_add(page->out, "\u2013");
    else if (column->kind == CSY_COLUMN_TEXT)
        html_text(page->out, value->text, NAME_SHOWN);
    else {
        bool ranged = value->range.kind != CSY_RANGE_CLOCK;
        write_number(page, column, value->range.estimate);
        if (!ranged && !value->open)
            return;
        outfile_add(page->out, " <small>");
        if (ranged)
            write_range(page, column, &value->range);
        outfile_add(page->out, value->open ? ranged ? " ~</small>" : "~</small>" : "</small>");
    }
}

/* True if a column has only zeros or empty texts. Such columns are named below the table. */
static bool is_empty(const csy_sheet *part, size_t column)
{
    bool text = part->columns[column].kind == CSY_COLUMN_TEXT;
    for (size_t row = 0; row < part->nrows; row++) {
        const csy_value *value = cells_at(part, row, column);
        if (!value->none && (text || value->range.estimate != 0 || value->range.lo != 0 ||
                             value->range.hi != 0 || value->range.kind == CSY_RANGE_UNKNOWN))
            return false;
    }
    return true;
}

/* The part of a sheet that the table shows. */
struct shown {
    size_t ncolumns, nrows; /* counted from the first */
    bool empty[STAT_COLUMNS_MAX];
};

static void write_caption(const struct page *page, const csy_sheet *sheet,
                          const struct shown *shown)
{
    size_t empty = 0;
    for (size_t column = 0; column < shown->ncolumns; column++) {
        if (!shown->empty[column])
            continue;
        outfile_add(page->out, empty++ ? ", " : "<p class=\"rest\">None, or all 0: ");
        write_name(page, &(csy_column){.name = sheet->columns[column].name});
    }
    outfile_add(page->out, empty ? ".</p>\n" : "");
    if (shown->nrows < sheet->nrows)
        page_print(page, "<p class=\"rest\">%zu further rows are in the text, CSV and JSON.</p>\n",
                   sheet->nrows - shown->nrows);
    size_t cut = sheets_cut(sheet);
    if (cut > 0)
        page_print(page, "<p class=\"rest\">and %zu row%s more, which --top=0 shows</p>\n", cut,
                   text_plural(cut));
    if (shown->ncolumns < sheet->ncolumns)
        page_print(page,
                   "<p class=\"rest\">%zu further columns are in the text, CSV and JSON.</p>\n",
                   sheet->ncolumns - shown->ncolumns);
}

static void write_row(const struct page *page, const csy_sheet *sheet, const struct shown *shown,
                      size_t row)
{
    outfile_add(page->out, "<tr>");
    for (size_t column = 0; column < shown->ncolumns; column++) {
        if (shown->empty[column])
            continue;
        outfile_add(page->out, sheet->columns[column].kind == CSY_COLUMN_TEXT
                                   ? "<td class=\"name\">"
                                   : "<td>");
        write_value(page, &sheet->columns[column], cells_at(sheet, row, column));
        outfile_add(page->out, "</td>");
    }
    outfile_add(page->out, "</tr>\n");
}

bool stat_table(const struct page *page, const csy_sheet *sheet)
{
    struct sheet_reader reader;
    const csy_sheet *part;
    uint64_t begin = outfile_appended(page->out) - *page->tables_bytes;
    struct shown shown = {.ncolumns = sheet->ncolumns < STAT_COLUMNS_MAX ? sheet->ncolumns
                                                                         : STAT_COLUMNS_MAX};
    if (sheet_reader_init(&reader, sheet, NULL))
        return false;
    reader.chosen = (struct chosen_columns){.end = shown.ncolumns};
    for (size_t column = 0; column < shown.ncolumns; column++)
        shown.empty[column] = sheet->nrows > 0;
    while ((part = sheet_reader_next(&reader)))
        for (size_t column = 0; column < shown.ncolumns; column++)
            shown.empty[column] = shown.empty[column] && is_empty(part, column);
    outfile_add(page->out, "<div class=\"table\" tabindex=\"0\"><table class=\"sheet\">\n"
                           "<thead><tr>");
    for (size_t column = 0; column < shown.ncolumns; column++) {
        if (shown.empty[column])
            continue;
        outfile_print(page->out, "<th scope=\"col\"%s>",
                      sheet->columns[column].kind == CSY_COLUMN_TEXT ? " class=\"name\"" : "");
        write_name(page, &sheet->columns[column]);
        outfile_add(page->out, "</th>");
    }
    outfile_add(page->out, "</tr></thead>\n<tbody>\n");
    bool full = false;
    for (reader.next = 0; !full && (part = sheet_reader_next(&reader));)
        for (size_t row = 0; !full && row < part->nrows; row++) {
            full = shown.nrows == STAT_ROWS_MAX ||
                   outfile_appended(page->out) - begin >= STAT_TABLES_BYTES;
            if (!full)
                write_row(page, part, &shown, row);
            shown.nrows += !full;
        }
    sheet_reader_fini(&reader);
    outfile_add(page->out, "</tbody>\n</table></div>\n");
    write_caption(page, sheet, &shown);
    *page->tables_bytes = outfile_appended(page->out) - begin;
    return true;
}
