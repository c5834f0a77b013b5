/* The tables of sections, one below the other. */
#include "analysis/section_sheets.h"

#include "analysis/sections.h"
#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_COLUMN = 1 }; /* how many columns a sheet has before its own */

/* --- As windows ------------------------------------------------------------------------------ */

csy_status csy_sync_sections(csy_sync *sync, const csy_meaning *meaning, const char *name,
                             uint64_t first, uint64_t last, csy_section **out, size_t *n,
                             csy_error *error)
{
    struct instants in;
    struct sections found = {.items = NULL};
    csy_section *sections = NULL;
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status)
        status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, error);
    if (status)
        return status;
    status = sections_find(&found, &in, name, first, last, error);
    if (!status)
        sections = malloc((found.count + 1) * sizeof *sections);
    if (!status && !sections)
        status = error_memory(error);
    for (size_t i = 0; !status && i < found.count; i++) {
        const struct section *section = &found.items[i];
        csy_section *to = &sections[i];
        (void)snprintf(to->window, sizeof to->window, "#%" PRIu64 "%s..#%" PRIu64, section->first,
                       section->begins ? ".begin" : "", section->last);
        to->begin_ticks = section->block.first.at.global_ticks - in.first.global_ticks;
        to->end_ticks = section->block.last.at.global_ticks - in.first.global_ticks;
    }
    *n = found.count;
    *out = sections;
    sections_fini(&found);
    instants_fini(&in);
    return status;
}

void csy_sections_free(csy_section *sections)
{
    free(sections);
}

/* --- One below the other --------------------------------------------------------------------- */

static csy_analysis *begin_sections(const csy_analysis *like)
{
    csy_analysis *out = calloc(1, sizeof *out);
    if (out && sheets_add(out, "sections") &&
        sheets_add_column(out, "block", CSY_COLUMN_COUNT, false) &&
        sheets_add_column(out, "begin", CSY_COLUMN_TICKS, false) &&
        sheets_add_column(out, "end", CSY_COLUMN_TICKS, false) &&
        sheets_add_column(out, "window", CSY_COLUMN_TEXT, false)) {
        out->brief = like->brief;
        out->weight = like->weight;
        return out;
    }
    csy_analysis_free(out);
    return NULL;
}

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

/* The sheet that rows of another one go to; NULL: no memory, or too many. */
static struct sheet *find_sheet(csy_analysis *all, const struct sheet *of)
{
    const csy_sheet *sheet = &of->view;
    for (size_t i = 1; i < all->nsheets; i++)
        if (is_like(&all->sheets[i].view, sheet))
            return &all->sheets[i];
    bool good = all->nsheets < SHEETS_MAX && sheets_add(all, sheet->name) &&
                sheets_add_column(all, "block", CSY_COLUMN_COUNT, false);
    for (size_t i = 0; good && i < sheet->ncolumns; i++) {
        const csy_column *column = &sheet->columns[i];
        good = sheets_add_column(all, column->name, column->kind, column->ranged);
    }
    all->sheets[all->nsheets - 1].joined = of->joined;
    return good ? &all->sheets[all->nsheets - 1] : NULL;
}

static bool add_rows(csy_analysis *all, const struct sheet *from)
{
    struct sheet *to = find_sheet(all, from);
    if (!to || !ARRAY_RESERVE(to->sections, to->sections_capacity, to->nsections + 1))
        return false;
    for (size_t row = 0; row < from->view.nrows; row++) {
        csy_value *values = sheet_add_row(to);
        if (!values)
            return false;
        sheets_set_number(values, (int64_t)all->nsections);
        memcpy(values + BLOCK_COLUMN, from->values + row * from->view.ncolumns,
               from->view.ncolumns * sizeof *values);
    }
    to->sections[to->nsections++] =
        (struct section_rows){all->nsections, to->view.nrows, from->ncut};
    to->ncut += from->ncut;
    return true;
}

/* Sheets of several sections rest on what any of these does. */
static bool add_conditions(csy_analysis *all, const csy_analysis *part)
{
    bool good = true;
    for (size_t i = 0; good && i < part->nconditions; i++) {
        bool said = false;
        for (size_t k = 0; k < all->nconditions && !said; k++)
            said = strcmp(all->conditions[k], part->conditions[i]) == 0;
        good = said || sheets_add_condition(all, part->conditions[i]);
    }
    return good;
}

static bool append(csy_analysis *all, csy_analysis *part, const csy_section *section)
{
    csy_value *values = sheet_add_row(&all->sheets[0]);
    if (!values || !ARRAY_RESERVE(all->texts, all->texts_capacity, all->ntexts + part->ntexts))
        return false;
    all->nsections++;
    sheets_set_number(&values[0], (int64_t)all->nsections);
    sheets_set_number(&values[1], section->begin_ticks);
    sheets_set_number(&values[2], section->end_ticks);
    bool good = sheets_set_text(all, &values[3], section->window) && add_conditions(all, part);
    for (size_t i = 0; good && i < part->nsheets; i++)
        good = add_rows(all, &part->sheets[i]);
    if (!good || !ARRAY_RESERVE(all->texts, all->texts_capacity, all->ntexts + part->ntexts))
        return false;
    for (size_t i = 0; i < part->ntexts; i++)
        all->texts[all->ntexts++] = part->texts[i];
    part->ntexts = 0;
    return true;
}

csy_status csy_analysis_append(csy_analysis **all, csy_analysis *part, const csy_section *section,
                               csy_error *error)
{
    if (!*all)
        *all = begin_sections(part);
    bool good = *all && append(*all, part, section);
    csy_analysis_free(part);
    return good ? CSY_OK : error_memory(error);
}

/* --- One by one ------------------------------------------------------------------------------ */

/* The rows that a sheet has of a section; whether it has any, or would have. */
static bool find_rows(const struct sheet *sheet, size_t section, size_t *first, size_t *end,
                      size_t *ncut)
{
    *first = 0;
    for (size_t i = 0; i < sheet->nsections; *first = sheet->sections[i++].end) {
        if (sheet->sections[i].section != section)
            continue;
        *end = sheet->sections[i].end;
        *ncut = sheet->sections[i].ncut;
        return true;
    }
    return false;
}

static bool view_sheet(const struct sheet *all, size_t first, size_t end, struct sheet *out)
{
    size_t n = all->view.ncolumns - BLOCK_COLUMN;
    *out = (struct sheet){.view = {.name = all->view.name, .ncolumns = n, .nrows = end - first},
                          .joined = all->joined};
    out->columns = malloc((n + 1) * sizeof *out->columns);
    out->values = malloc(((end - first) * n + 1) * sizeof *out->values);
    if (!out->columns || !out->values)
        return false;
    memcpy(out->columns, all->columns + BLOCK_COLUMN, n * sizeof *out->columns);
    for (size_t row = first; row < end; row++)
        memcpy(out->values + (row - first) * n,
               all->values + row * all->view.ncolumns + BLOCK_COLUMN, n * sizeof *out->values);
    out->view.columns = out->columns;
    out->view.values = out->values;
    return true;
}

csy_analysis *section_sheets_view(const csy_analysis *all, size_t section)
{
    csy_analysis *out = calloc(1, sizeof *out);
    bool good = out != NULL;
    for (size_t i = 1; good && i < all->nsheets; i++) {
        size_t first, end, ncut;
        if (!find_rows(&all->sheets[i], section, &first, &end, &ncut))
            continue;
        struct sheet *sheet = &out->sheets[out->nsheets++];
        good = view_sheet(&all->sheets[i], first, end, sheet);
        sheet->ncut = ncut;
    }
    if (!good) {
        csy_analysis_free(out);
        return NULL;
    }
    out->brief = all->brief;
    out->time_unit = all->time_unit;
    return out;
}
