/* Sheets: the tables of an analysis. */
#include "analysis/sheets.h"

#include "base/array.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(csy_analysis *analysis, const char *text)
{
    if (!ARRAY_RESERVE(analysis->texts, analysis->texts_capacity, analysis->ntexts + 1))
        return NULL;
    char *copy = strdup(text);
    if (copy)
        analysis->texts[analysis->ntexts++] = copy;
    return copy;
}

bool sheets_add(csy_analysis *analysis, const char *name)
{
    struct sheet *sheet = &analysis->sheets[analysis->nsheets++];
    sheet->view.name = keep(analysis, name);
    return sheet->view.name != NULL;
}

bool sheets_add_column(csy_analysis *analysis, const char *name, csy_column_kind kind, bool ranged)
{
    struct sheet *sheet = &analysis->sheets[analysis->nsheets - 1];
    const char *copy = keep(analysis, name);
    if (!copy || !ARRAY_RESERVE(sheet->columns, sheet->columns_capacity, sheet->view.ncolumns + 1))
        return false;
    sheet->columns[sheet->view.ncolumns++] = (csy_column){copy, kind, ranged};
    sheet->view.columns = sheet->columns;
    return true;
}

void sheets_join(csy_analysis *analysis)
{
    analysis->sheets[analysis->nsheets - 1].joined = true;
}

csy_value *sheets_add_row(csy_analysis *analysis)
{
    return sheet_add_row(&analysis->sheets[analysis->nsheets - 1]);
}

csy_value *sheet_add_row(struct sheet *sheet)
{
    size_t n = sheet->view.ncolumns, first = sheet->view.nrows * n;
    if (!ARRAY_RESERVE(sheet->values, sheet->values_capacity, first + n))
        return NULL;
    for (size_t i = 0; i < n; i++)
        sheet->values[first + i] = (csy_value){.none = true};
    sheet->view.nrows++;
    sheet->view.values = sheet->values;
    return sheet->values + first;
}

csy_value *sheets_last_row(const csy_analysis *analysis)
{
    const struct sheet *sheet = &analysis->sheets[analysis->nsheets - 1];
    return sheet->values + (sheet->view.nrows - 1) * sheet->view.ncolumns;
}

csy_value *sheets_row(const csy_analysis *analysis, size_t index)
{
    const struct sheet *sheet = &analysis->sheets[analysis->nsheets - 1];
    return sheet->values + index * sheet->view.ncolumns;
}

bool sheets_add_condition(csy_analysis *analysis, const char *text)
{
    const char *copy = keep(analysis, text);
    if (!copy || !ARRAY_RESERVE(analysis->conditions, analysis->conditions_capacity,
                                analysis->nconditions + 1))
        return false;
    analysis->conditions[analysis->nconditions++] = copy;
    return true;
}

bool sheets_set_text(csy_analysis *analysis, csy_value *value, const char *text)
{
    *value = (csy_value){.text = keep(analysis, text)};
    return value->text != NULL;
}

bool sheets_set_bytes(csy_analysis *analysis, csy_value *value, const char *text, size_t size)
{
    char *copy = ARRAY_RESERVE(analysis->texts, analysis->texts_capacity, analysis->ntexts + 1)
                     ? strndup(size > 0 ? text : "", size)
                     : NULL;
    if (copy)
        analysis->texts[analysis->ntexts++] = copy;
    *value = (csy_value){.text = copy};
    return copy != NULL;
}

bool sheets_set_item(csy_analysis *analysis, csy_value *value, const struct texts *texts,
                     uint32_t index)
{
    if (index == NO_TEXT)
        return sheets_set_text(analysis, value, "-");
    const struct text_item *item = &texts->items[index];
    return sheets_set_bytes(analysis, value, texts->bytes + item->at, item->size);
}

void sheets_set_number(csy_value *value, int64_t number)
{
    *value = (csy_value){.range = {number, number, number, CSY_RANGE_CLOCK}};
}

void sheets_set_sum(csy_value *value, int128 sum)
{
    if (sum > INT64_MIN && sum < INT64_MAX)
        sheets_set_number(value, (int64_t)sum);
    else
        *value = (csy_value){.none = true};
}

size_t csy_analysis_nsheets(const csy_analysis *analysis)
{
    return analysis->nsheets;
}

const csy_sheet *csy_analysis_sheet(const csy_analysis *analysis, size_t index)
{
    return index < analysis->nsheets ? &analysis->sheets[index].view : NULL;
}

csy_status sheets_move(csy_analysis *analysis, csy_analysis *more, csy_error *error)
{
    size_t nsheets = analysis->nsheets + more->nsheets;
    bool good =
        nsheets <= SHEETS_MAX &&
        ARRAY_RESERVE(analysis->texts, analysis->texts_capacity, analysis->ntexts + more->ntexts) &&
        ARRAY_RESERVE(analysis->conditions, analysis->conditions_capacity,
                      analysis->nconditions + more->nconditions);
    if (good) {
        for (size_t i = 0; i < more->nsheets; i++)
            analysis->sheets[analysis->nsheets++] = more->sheets[i];
        for (size_t i = 0; i < more->ntexts; i++)
            analysis->texts[analysis->ntexts++] = more->texts[i];
        for (size_t i = 0; i < more->nconditions; i++)
            analysis->conditions[analysis->nconditions++] = more->conditions[i];
        more->nsheets = more->ntexts = 0;
    }
    csy_analysis_free(more);
    return good ? CSY_OK : error_memory(error);
}

csy_status sheets_name_window(csy_status status, csy_analysis **analysis, const char *window,
                              csy_error *error)
{
    if (status || !window || !*analysis)
        return status;
    csy_value value;
    if (sheets_set_text(*analysis, &value, window)) {
        (*analysis)->window = value.text;
        return CSY_OK;
    }
    csy_analysis_free(*analysis);
    return error_memory(error);
}

csy_range_kind csy_analysis_kind(const csy_analysis *analysis)
{
    bool found[CSY_RANGE_UNKNOWN + 1] = {false};
    for (size_t i = 0; i < analysis->nsheets; i++) {
        const csy_sheet *sheet = &analysis->sheets[i].view;
        for (size_t k = 0; k < sheet->nrows * sheet->ncolumns; k++) {
            const csy_value *value = &sheet->values[k];
            if (!value->none && sheet->columns[k % sheet->ncolumns].ranged)
                found[value->range.kind] = true;
        }
    }
    bool others = found[CSY_RANGE_EXACT] || found[CSY_RANGE_PROVEN];
    return found[CSY_RANGE_UNKNOWN]  ? CSY_RANGE_UNKNOWN
           : found[CSY_RANGE_STAR]   ? (others ? CSY_RANGE_PROVEN : CSY_RANGE_STAR)
           : found[CSY_RANGE_PROVEN] ? CSY_RANGE_PROVEN
           : found[CSY_RANGE_EXACT]  ? CSY_RANGE_EXACT
                                     : CSY_RANGE_CLOCK;
}

/* A row by what it is sorted by, and where it was. */
struct sorted {
    const csy_value *value;
    csy_column_kind kind;
    size_t row, column;
};

static int compare_values(const struct sorted *x, const struct sorted *y)
{
    if (x->value->none || y->value->none)
        return x->value->none - y->value->none;
    if (x->kind == CSY_COLUMN_TEXT)
        return strcmp(x->value->text, y->value->text);
    int64_t a = x->value->range.estimate, b = y->value->range.estimate;
    return (a < b) - (a > b);
}

static int compare_rows(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order = compare_values(x, y);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* The rows of a sheet in that order; false on no memory. */
static bool reorder(struct sheet *sheet, const struct sorted *rows, size_t top)
{
    size_t n = sheet->view.ncolumns;
    csy_value *values = malloc((sheet->view.nrows * n + 1) * sizeof *values);
    if (!values)
        return false;
    for (size_t i = 0; i < top; i++)
        memcpy(values + i * n, sheet->values + rows[i].row * n, n * sizeof *values);
    free(sheet->values);
    sheet->values_capacity = sheet->view.nrows * n;
    sheet->view.values = sheet->values = values;
    sheet->ncut += sheet->view.nrows - top;
    sheet->view.nrows = top;
    return true;
}

/* What others see of a sheet is where it begins. */
size_t sheets_cut(const csy_sheet *sheet)
{
    return ((const struct sheet *)sheet)->ncut;
}

/* The first sheet, and how many go together from there on. */
struct joined_sheets {
    struct sheet *sheets;
    size_t n;
};

static struct joined_sheets joined_from(csy_analysis *analysis, size_t first)
{
    struct joined_sheets found = {analysis->sheets + first, analysis->nsheets > first};
    while (first + found.n < analysis->nsheets && found.sheets[found.n].joined)
        found.n++;
    return found;
}

/* Their column of that name; NULL: there is none. */
static struct sheet *find_column(const struct joined_sheets *in, const char *name, size_t *out)
{
    for (size_t i = 0; i < in->n; i++)
        for (*out = 0; *out < in->sheets[i].view.ncolumns; ++*out)
            if (strcmp(in->sheets[i].columns[*out].name, name) == 0)
                return &in->sheets[i];
    return NULL;
}

static bool has_range(const csy_value *value)
{
    return value->range.kind != CSY_RANGE_CLOCK && value->range.kind != CSY_RANGE_UNKNOWN;
}

static int64_t end_of(const csy_value *value, bool high)
{
    const csy_range *range = &value->range;
    return !has_range(value) ? range->estimate : high ? range->hi : range->lo;
}

/* Mark rows that other offsets put above one that is above them, or below one that is below. */
static void mark_open(struct sheet *sheet, const struct sorted *rows, size_t n)
{
    size_t columns = sheet->view.ncolumns, column = n > 0 ? rows[0].column : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < columns; c++)
            sheet->values[i * columns + c].open = false;
    int64_t above = INT64_MAX, below = INT64_MIN;
    for (size_t i = 0; i < n && !rows[i].value->none; i++) {
        csy_value *value = &sheet->values[rows[i].row * columns + column];
        value->open = end_of(value, true) > above;
        above = end_of(value, false) < above ? end_of(value, false) : above;
    }
    for (size_t i = n; i-- > 0;) {
        csy_value *value = &sheet->values[rows[i].row * columns + column];
        if (value->none)
            continue;
        value->open |= end_of(value, false) < below;
        below = end_of(value, true) > below ? end_of(value, true) : below;
    }
}

static csy_status sort_rows(const struct joined_sheets *in, struct sheet *by, size_t column,
                            size_t top, csy_error *error)
{
    size_t n = in->sheets[0].view.nrows;
    struct sorted *rows = malloc((n + 1) * sizeof *rows);
    bool good = rows != NULL;
    for (size_t i = 0; good && i < n; i++)
        rows[i] = (struct sorted){&by->values[i * by->view.ncolumns + column],
                                  by->columns[column].kind, i, column};
    if (good && n > 1)
        qsort(rows, n, sizeof *rows, compare_rows);
    if (good && by->columns[column].ranged)
        mark_open(by, rows, n);
    top = top == 0 || top > n ? n : top;
    for (size_t i = 0; good && i < in->n; i++)
        good = reorder(&in->sheets[i], rows, top);
    free(rows);
    return good ? CSY_OK : error_memory(error);
}

/* With all that there are to choose from, as far as they fit. */
static csy_status refuse_column(const struct joined_sheets *in, const char *column,
                                csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX], columns[640] = "";
    size_t used = 0, at;
    for (size_t i = 0; i < in->n; i++)
        for (size_t c = 0; c < in->sheets[i].view.ncolumns && used < sizeof columns; c++) {
            const char *name = in->sheets[i].columns[c].name;
            if (find_column(in, name, &at) == &in->sheets[i])
                used += (size_t)snprintf(columns + used, sizeof columns - used, "%s%s",
                                         used > 0 ? ", " : "",
                                         error_escape(escaped, name, strlen(name)));
        }
    return error_set(error, CSY_USAGE, "unknown column '%s': expected one of %s",
                     error_escape(escaped, column, strlen(column)), columns);
}

csy_status csy_analysis_sort(csy_analysis *analysis, const char *column, size_t top,
                             csy_error *error)
{
    size_t at;
    struct joined_sheets in = joined_from(analysis, 0);
    struct sheet *sheet = find_column(&in, column, &at);
    return sheet ? sort_rows(&in, sheet, at, top, error) : refuse_column(&in, column, error);
}

static size_t index_of(const csy_analysis *analysis, const char *name)
{
    size_t i = 0;
    while (i < analysis->nsheets && strcmp(analysis->sheets[i].view.name, name) != 0)
        i++;
    return i;
}

csy_status sheets_sort(csy_analysis *analysis, const char *name, const char *column,
                       csy_error *error)
{
    size_t at, index = index_of(analysis, name);
    struct joined_sheets in = joined_from(analysis, index);
    struct sheet *sheet = index < analysis->nsheets ? find_column(&in, column, &at) : NULL;
    return sheet ? sort_rows(&in, sheet, at, 0, error) : CSY_OK;
}

static void drop(csy_analysis *analysis, size_t index)
{
    free(analysis->sheets[index].columns);
    free(analysis->sheets[index].values);
    analysis->nsheets--;
    memmove(analysis->sheets + index, analysis->sheets + index + 1,
            (analysis->nsheets - index) * sizeof *analysis->sheets);
    analysis->sheets[analysis->nsheets] = (struct sheet){0};
}

void sheets_drop(csy_analysis *analysis, const char *name)
{
    size_t index = index_of(analysis, name);
    if (index < analysis->nsheets)
        drop(analysis, index);
}

void sheets_drop_empty(csy_analysis *analysis)
{
    for (size_t i = analysis->nsheets; i-- > 0;)
        if (analysis->sheets[i].view.nrows == 0)
            drop(analysis, i);
}

void csy_analysis_free(csy_analysis *analysis)
{
    if (!analysis)
        return;
    for (size_t i = 0; i < analysis->nsheets; i++) {
        free(analysis->sheets[i].columns);
        free(analysis->sheets[i].values);
        free(analysis->sheets[i].sections);
    }
    for (size_t i = 0; i < analysis->ntexts; i++)
        free(analysis->texts[i]);
    free(analysis->texts);
    free(analysis->conditions);
    free(analysis);
}
