/* The tables of one analysis of three windows, as one. */
#include "analysis/window/clip_sheets.h"

#include "base/error.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

struct joining {
    const struct clip *clip;
    const csy_sheet *sheets[CLIPS];
    struct texts keys; /* of rows, in the order of those of the most */
    size_t *rows[CLIPS];
    bool certain; /* all numbers of the least are those of the most, so that shares are known */
};

#define NO_ROW SIZE_MAX

enum { PPM = 1000000 };

/* What tells a row apart: its texts, each with its end. */
static bool find_key(struct joining *j, const csy_sheet *sheet, size_t row, uint32_t *out)
{
    const csy_value *values = sheet->values + row * sheet->ncolumns;
    size_t size = 0;
    bool added;
    for (size_t c = 0; c < sheet->ncolumns; c++)
        if (sheet->columns[c].kind == CSY_COLUMN_TEXT)
            size += (values[c].none ? 0 : strlen(values[c].text)) + 1;
    char *key = calloc(size + 1, 1), *at = key;
    for (size_t c = 0; key && c < sheet->ncolumns; c++) {
        if (sheet->columns[c].kind != CSY_COLUMN_TEXT)
            continue;
        size_t length = values[c].none ? 0 : strlen(values[c].text);
        memcpy(at, values[c].none ? "" : values[c].text, length);
        at += length + 1;
    }
    bool good = key && texts_find(&j->keys, key, size, out, &added);
    free(key);
    return good;
}

/* Which row of each has a key; the most has all. */
static bool find_rows(struct joining *j)
{
    static const enum clip_as order[] = {CLIP_MOST, CLIP_ESTIMATE, CLIP_LEAST};
    size_t n = j->sheets[CLIP_MOST]->nrows + j->sheets[CLIP_ESTIMATE]->nrows +
               j->sheets[CLIP_LEAST]->nrows;
    for (int as = 0; as < CLIPS; as++) {
        j->rows[as] = malloc((n + 1) * sizeof *j->rows[as]);
        if (!j->rows[as])
            return false;
        for (size_t i = 0; i < n; i++)
            j->rows[as][i] = NO_ROW;
    }
    for (size_t i = 0; i < CLIPS; i++) {
        const csy_sheet *sheet = j->sheets[order[i]];
        for (size_t row = 0; row < sheet->nrows; row++) {
            uint32_t key;
            if (!find_key(j, sheet, row, &key))
                return false;
            j->rows[order[i]][key] = row;
        }
    }
    return true;
}

static const csy_value *value_of(const struct joining *j, int as, size_t key, size_t column)
{
    const csy_sheet *sheet = j->sheets[as];
    size_t row = j->rows[as][key];
    return row == NO_ROW ? NULL : &sheet->values[row * sheet->ncolumns + column];
}

/* What a part says of a number, 0 where it has no such row. */
static int64_t number_of(const struct joining *j, int as, size_t key, size_t column)
{
    const csy_value *value = value_of(j, as, key, column);
    return !value || value->none ? 0 : value->range.estimate;
}

/* Whether both rows are of one kind, by their first texts. */
static bool is_alike(const struct joining *j, size_t key, size_t other)
{
    const csy_value *a = value_of(j, CLIP_MOST, key, 0), *b = value_of(j, CLIP_MOST, other, 0);
    return a && b && strcmp(a->text, b->text) == 0;
}

/* The share of what the column before it says in that of all rows of its kind: the least if it is
 * least and the others are most, and the other way round. */
static csy_range join_share(const struct joining *j, size_t key, size_t column)
{
    int64_t share = number_of(j, CLIP_ESTIMATE, key, column);
    csy_range out = {share, share, share, CSY_RANGE_CLOCK};
    int128 least = number_of(j, CLIP_LEAST, key, column - 1), all_least = 0;
    int128 most = number_of(j, CLIP_MOST, key, column - 1), all_most = 0;
    if (j->certain)
        return out;
    out.kind = clip_kind(j->clip);
    for (size_t other = 0; other < j->keys.count; other++)
        if (is_alike(j, key, other)) {
            all_least += number_of(j, CLIP_LEAST, other, column - 1);
            all_most += number_of(j, CLIP_MOST, other, column - 1);
        }
    int128 beside_most = all_most - most + least, beside_least = all_least - least + most;
    out.lo = beside_most > 0 ? (int64_t)floor_div(least * PPM, beside_most) : 0;
    out.hi = beside_least > 0 ? (int64_t)ceil_div(most * PPM, beside_least) : PPM;
    out.lo = out.lo > share ? share : out.lo;
    out.hi = out.hi < share ? share : out.hi;
    return out;
}

/* A number; it is none where it is of any part. */
static csy_value join_value(const struct joining *j, size_t key, size_t column)
{
    csy_range parts[CLIPS];
    for (int as = 0; as < CLIPS; as++) {
        const csy_value *value = value_of(j, as, key, column);
        if (value && value->none)
            return (csy_value){.none = true};
        parts[as] = value ? value->range : (csy_range){.kind = CSY_RANGE_CLOCK};
    }
    bool share = j->sheets[CLIP_ESTIMATE]->columns[column].kind == CSY_COLUMN_PPM;
    return (csy_value){.range = share ? join_share(j, key, column) : clip_range(j->clip, parts)};
}

static bool is_certain(const struct joining *j)
{
    const csy_sheet *sheet = j->sheets[CLIP_ESTIMATE];
    bool same = j->clip->known;
    for (size_t key = 0; key < j->keys.count; key++)
        for (size_t c = 0; same && c < sheet->ncolumns; c++) {
            const csy_value *least = value_of(j, CLIP_LEAST, key, c);
            const csy_value *most = value_of(j, CLIP_MOST, key, c);
            same = least && most && least->none == most->none &&
                   (sheet->columns[c].kind == CSY_COLUMN_TEXT ||
                    least->range.estimate == most->range.estimate);
        }
    return same;
}

static bool join_rows(struct joining *j, bool all, csy_analysis *out)
{
    const csy_sheet *sheet = j->sheets[CLIP_ESTIMATE];
    bool good = sheets_add(out, sheet->name);
    j->certain = is_certain(j);
    for (size_t c = 0; good && c < sheet->ncolumns; c++) {
        const csy_column *column = &sheet->columns[c];
        good = sheets_add_column(out, column->name, column->kind, column->kind != CSY_COLUMN_TEXT);
    }
    for (size_t key = 0; good && key < j->keys.count; key++) {
        if (j->rows[CLIP_ESTIMATE][key] == NO_ROW && !all)
            continue;
        int from = j->rows[CLIP_MOST][key] != NO_ROW ? CLIP_MOST : CLIP_ESTIMATE;
        csy_value *values = value_of(j, from, key, 0) ? sheets_add_row(out) : NULL;
        good = values != NULL;
        for (size_t c = 0; good && c < sheet->ncolumns; c++) {
            const csy_value *value = value_of(j, from, key, c);
            if (sheet->columns[c].kind != CSY_COLUMN_TEXT)
                values[c] = join_value(j, key, c);
            else if (!value->none)
                good = sheets_set_text(out, &values[c], value->text);
        }
    }
    return good;
}

static bool join_sheet(const struct clip *clip, csy_analysis *const parts[CLIPS], size_t index,
                       bool all, csy_analysis *out)
{
    struct joining j = {.clip = clip};
    for (int as = 0; as < CLIPS; as++)
        j.sheets[as] = &parts[as]->sheets[index].view;
    bool good = find_rows(&j) && join_rows(&j, all, out);
    for (int as = 0; as < CLIPS; as++)
        free(j.rows[as]);
    texts_fini(&j.keys);
    return good;
}

csy_status clip_sheets_make(const struct clip *clip, clip_make *make, const void *user, bool all,
                            csy_analysis **out, csy_error *error)
{
    csy_analysis *parts[CLIPS] = {NULL}, *analysis = NULL;
    csy_status status = CSY_OK;
    for (int as = 0; !status && as < CLIPS; as++)
        status = make(user, (enum clip_as)as, &parts[as], error);
    if (!status)
        analysis = calloc(1, sizeof *analysis);
    bool good = analysis != NULL;
    for (size_t i = 0; good && i < parts[CLIP_ESTIMATE]->nsheets; i++)
        good = join_sheet(clip, parts, i, all, analysis);
    if (!status && !good)
        status = error_memory(error);
    for (int as = 0; as < CLIPS; as++)
        csy_analysis_free(parts[as]);
    if (status)
        csy_analysis_free(analysis);
    else
        *out = analysis;
    return status;
}
