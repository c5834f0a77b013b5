/* Appends the tables of sections to each other, and separates them again. */
#include "analysis/window/section_sheets.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_COLUMN = 1 }; /* index of the first column after the section's number */

/* --- One below the other --------------------------------------------- */

static bool is_like(const csy_sheet *all, const csy_sheet *sheet)
{
    bool same =
        strcmp(all->name, sheet->name) == 0 && all->ncolumns == sheet->ncolumns + BLOCK_COLUMN;
    for (size_t i = 0; same && i < sheet->ncolumns; i++) {
        const csy_column *x = &all->columns[i + BLOCK_COLUMN], *y = &sheet->columns[i];
        same = x->kind == y->kind && x->ranged == y->ranged && strcmp(x->name, y->name) == 0;
    }
    return same;
}

static csy_status add_rows(csy_analysis *all, const struct sheet *from, csy_error *error)
{
    static const csy_column block = COUNT_COLUMN("block", false);
    struct sheet *to = NULL;
    struct sheet_reader reader;
    const csy_sheet *part;
    for (size_t i = 1; !to && i < all->nsheets; i++)
        to = is_like(&all->sheets[i].view, &from->view) ? &all->sheets[i] : NULL;
    all->failed |= !to && all->nsheets == SHEETS_MAX;
    if (!to && !all->failed) {
        sheets_add(all, from->view.name, &block, 1);
        for (size_t i = 0; i < from->view.ncolumns; i++)
            sheets_add_column(all, from->view.columns[i]);
        to = &all->sheets[all->nsheets - 1];
        to->joined = from->joined;
        sheets_pack(all);
    }
    if (!to || all->failed ||
        !ARRAY_RESERVE(to->sections, to->sections_capacity, to->nsections + 1))
        return error_memory(error);
    csy_status status = sheet_reader_init(&reader, &from->view, error);
    while (!status && (part = sheet_reader_next(&reader)))
        for (size_t row = 0; row < part->nrows; row++) {
            csy_value *values = sheet_add_row(all, to);
            if (values)
                sheets_set_number(values, (int64_t)all->nsections);
            for (size_t i = 0; values && i < part->ncolumns; i++) {
                const csy_value *value = &part->values[row * part->ncolumns + i];
                values[BLOCK_COLUMN + i] = *value;
                if (value->text)
                    sheets_set_word(all, &values[BLOCK_COLUMN + i], value->text);
            }
        }
    sheet_reader_fini(&reader);
    to->sections[to->nsections++] =
        (struct section_rows){all->nsections, to->view.nrows, from->ncut};
    to->ncut += from->ncut;
    return status;
}

csy_status csy_analysis_append(csy_analysis **all, csy_analysis *part, const csy_section *section,
                               csy_error *error)
{
    static const csy_column columns[] = {COUNT_COLUMN("block", false), TICKS_COLUMN("begin", false),
                                         TICKS_COLUMN("end", false), TEXT_COLUMN("window")};
    if (!*all && (*all = calloc(1, sizeof **all))) {
        SHEETS_ADD(*all, "sections", columns);
        (*all)->brief = part->brief;
        (*all)->weight = part->weight;
    }
    csy_analysis *to = *all;
    csy_value *values = to ? sheet_add_row(to, &to->sheets[0]) : NULL;
    csy_status status = values ? CSY_OK : error_memory(error);
    if (values) {
        to->nsections++;
        sheets_set_number(&values[0], (int64_t)to->nsections);
        sheets_set_number(&values[1], section->begin_ticks);
        sheets_set_number(&values[2], section->end_ticks);
        sheets_set_text(to, &values[3], section->window);
    }
    for (size_t i = 0; !status && i < part->nconditions; i++) {
        size_t k = 0;
        while (k < to->nconditions && strcmp(to->conditions[k], part->conditions[i]) != 0)
            k++;
        if (k == to->nconditions)
            sheets_add_condition(to, part->conditions[i]);
    }
    for (size_t i = 0; i < part->nsheets && !status; i++)
        status = add_rows(to, &part->sheets[i], error);
    status = status ? status : sheets_status(to, error);
    csy_analysis_free(part);
    return status;
}

/* --- One by one --------------------------------------------- */

csy_status section_views_init(struct section_views *views, const csy_analysis *all,
                              csy_error *error)
{
    csy_status status = CSY_OK;
    *views = (struct section_views){.all = all};
    for (size_t i = 1; i < all->nsheets && !status; i++)
        status = sheet_reader_init(&views->sheets[i].reader, &all->sheets[i].view, error);
    return status;
}

void section_views_fini(struct section_views *views)
{
    for (size_t i = 1; i < views->all->nsheets; i++)
        sheet_reader_fini(&views->sheets[i].reader);
}

static bool view_sheet(struct section_view *from, const struct section_rows *rows,
                       struct sheet *out)
{
    const struct sheet *all = from->reader.sheet;
    size_t n = all->view.ncolumns - BLOCK_COLUMN, nrows = rows->end - from->row;
    *out = (struct sheet){.view = {.name = all->view.name, .ncolumns = n, .nrows = nrows},
                          .joined = all->joined,
                          .ncut = rows->ncut};
    out->columns = malloc((n + 1) * sizeof *out->columns);
    out->values = malloc((nrows * n + 1) * sizeof *out->values);
    if (!out->columns || !out->values)
        return false;
    memcpy(out->columns, all->columns + BLOCK_COLUMN, n * sizeof *out->columns);
    for (size_t i = 0; i < nrows; i++, from->row++) {
        const csy_sheet *part = &from->reader.part;
        while (from->reader.next == 0 || from->row == from->reader.first + part->nrows)
            (void)sheet_reader_next(&from->reader);
        size_t row = from->row - from->reader.first;
        memcpy(out->values + i * n, part->values + row * part->ncolumns + BLOCK_COLUMN,
               n * sizeof *out->values);
    }
    out->view.columns = out->columns;
    out->view.values = out->values;
    return true;
}

csy_analysis *section_views_next(struct section_views *views)
{
    const csy_analysis *all = views->all;
    csy_analysis *out = calloc(1, sizeof *out);
    bool good = out != NULL;
    views->section++;
    for (size_t i = 1; good && i < all->nsheets; i++) {
        const struct sheet *sheet = &all->sheets[i];
        struct section_view *view = &views->sheets[i];
        if (view->next == sheet->nsections || sheet->sections[view->next].section != views->section)
            continue;
        good = view_sheet(view, &sheet->sections[view->next++], &out->sheets[out->nsheets++]);
    }
    if (!good) {
        csy_analysis_free(out);
        return NULL;
    }
    out->brief = all->brief;
    out->time_unit = all->time_unit;
    return out;
}
