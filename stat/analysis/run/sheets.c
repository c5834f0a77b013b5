/* Fills, packs, sorts, joins, and converts the sheets (tables) of an analysis. */
#include "analysis/run/sheets.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "sync/solution.h"

#include <stdlib.h>
#include <string.h>

/* Each column is stored as differences between successive rows. If a difference occurs several
 * times in a row, it is stored once, with their number. Its first byte is a sum of the following
 * values. */
enum {
    HEAD_NONE = 1,
    HEAD_OPEN = 2,
    HEAD_KIND = 4, /* HEAD_KIND * i is added if the range of the value has the csy_range_kind i */
    HEAD_ENDS = 32,
    HEAD_REPEATS = 64,
    KINDS = 8
};

enum { VARINT_BYTES = 10, RUN_BYTES = 1 + 4 * VARINT_BYTES };

struct difference {
    uint8_t head;
    uint64_t step;         /* estimate (or address of a text) minus that in the row above */
    uint64_t below, above; /* estimate minus lower end of the range, and upper end minus estimate */
};

/* Map numbers of small absolute value to small unsigned numbers. */
static uint64_t fold(uint64_t number)
{
    return number >> 63 ? ~(number << 1) : number << 1;
}

static uint64_t unfold(uint64_t folded)
{
    return folded & 1 ? ~(folded >> 1) : folded >> 1;
}

static uint8_t *put(uint8_t *at, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

static const uint8_t *take(const uint8_t *at, uint64_t *out)
{
    unsigned shift = 0;
    for (*out = 0; *at & 128; shift += 7)
        *out |= (uint64_t)(*at++ & 127) << shift;
    *out |= (uint64_t)*at++ << shift;
    return at;
}

/* Returns the number of a value, or the address of its text, as bits. */
static uint64_t bits_of(const csy_value *value)
{
    uintptr_t address;
    memcpy(&address, &value->text, sizeof address);
    return value->text ? address : (uint64_t)value->range.estimate;
}

static uint8_t *put_run(uint8_t *at, const struct difference *run, uint64_t times)
{
    *at++ = (uint8_t)(run->head | (times > 1 ? HEAD_REPEATS : 0));
    at = put(at, fold(run->step));
    if (run->head & HEAD_ENDS)
        at = put(put(at, fold(run->below)), fold(run->above));
    return times > 1 ? put(at, times) : at;
}

static uint8_t *put_column(uint8_t *at, const csy_sheet *sheet, size_t column)
{
    struct difference run = {0};
    uint64_t above = 0, times = 0;
    for (size_t row = 0; row < sheet->nrows; row++) {
        const csy_value *value = &sheet->values[row * sheet->ncolumns + column];
        const csy_range *range = &value->range;
        struct difference next = {.step = bits_of(value) - above,
                                  .below = (uint64_t)range->estimate - (uint64_t)range->lo,
                                  .above = (uint64_t)range->hi - (uint64_t)range->estimate};
        next.head =
            (uint8_t)((value->none ? HEAD_NONE : 0) | (value->open ? HEAD_OPEN : 0) |
                      HEAD_KIND * (int)range->kind | (next.below || next.above ? HEAD_ENDS : 0));
        bool same = run.head == next.head && run.step == next.step && run.below == next.below &&
                    run.above == next.above;
        if (times > 0 && !same) {
            at = put_run(at, &run, times);
            times = 0;
        }
        run = next;
        times++;
        above = bits_of(value);
    }
    return times > 0 ? put_run(at, &run, times) : at;
}

bool packed_rows_add(struct packed_rows *rows, const csy_sheet *sheet)
{
    uint8_t *column = malloc(sheet->nrows * RUN_BYTES + 1), *bytes = NULL;
    size_t size = 0, capacity = 0;
    bool good = column && ARRAY_RESERVE(rows->blocks, rows->capacity, rows->nblocks + 1);
    for (size_t i = 0; good && i < sheet->ncolumns; i++) {
        size_t n = (size_t)(put_column(column, sheet, i) - column);
        good = ARRAY_RESERVE(bytes, capacity, size + VARINT_BYTES + n);
        if (!good)
            break;
        size = (size_t)(put(bytes + size, n) - bytes);
        memcpy(bytes + size, column, n);
        size += n;
    }
    free(column);
    uint8_t *kept = good ? malloc(size + 1) : NULL; /* copy without unused memory at the end */
    if (kept) {
        memcpy(kept, bytes ? bytes : kept, size);
        rows->blocks[rows->nblocks] =
            (struct packed_block){kept, packed_rows_count(rows) + sheet->nrows};
        rows->nblocks++;
    }
    free(bytes);
    return kept != NULL;
}

size_t packed_rows_count(const struct packed_rows *rows)
{
    return rows->nblocks > 0 ? rows->blocks[rows->nblocks - 1].end : 0;
}

static size_t rows_of(const struct packed_rows *rows, size_t block)
{
    return rows->blocks[block].end - (block > 0 ? rows->blocks[block - 1].end : 0);
}

size_t packed_rows_most(const struct packed_rows *rows)
{
    size_t most = 0;
    for (size_t i = 0; i < rows->nblocks; i++)
        most = rows_of(rows, i) > most ? rows_of(rows, i) : most;
    return most;
}

static csy_value value_of(const struct difference *run, bool text, uint64_t bits)
{
    csy_value out = {.none = (run->head & HEAD_NONE) != 0,
                     .open = (run->head & HEAD_OPEN) != 0,
                     .range = {.kind = (csy_range_kind)(run->head / HEAD_KIND % KINDS)}};
    uintptr_t address = (uintptr_t)bits;
    if (text)
        memcpy(&out.text, &address, sizeof address);
    else {
        out.range.estimate = (int64_t)bits;
        out.range.lo = (int64_t)(bits - run->below);
        out.range.hi = (int64_t)(bits + run->above);
    }
    return out;
}

size_t packed_rows_read(const struct packed_rows *rows, size_t block, const csy_sheet *like,
                        const struct chosen_columns *chosen, csy_value *values)
{
    const uint8_t *at = rows->blocks[block].bytes;
    size_t nrows = rows_of(rows, block);
    for (size_t i = 0; i < chosen->end; i++) {
        uint64_t size;
        at = take(at, &size);
        const uint8_t *next = at + size;
        bool text = like->columns[i].kind == CSY_COLUMN_TEXT;
        size_t row = i < chosen->names || i >= chosen->begin ? 0 : nrows;
        for (uint64_t bits = 0; row < nrows;) {
            struct difference run = {.head = *at++};
            uint64_t times = 1;
            at = take(at, &run.step);
            if (run.head & HEAD_ENDS)
                at = take(take(at, &run.below), &run.above);
            if (run.head & HEAD_REPEATS)
                at = take(at, &times);
            run.step = unfold(run.step);
            run.below = unfold(run.below);
            run.above = unfold(run.above);
            for (; times > 0; times--, row++) {
                bits += run.step;
                /* There is a row, so there is memory:
                 * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
                values[row * like->ncolumns + i] = value_of(&run, text, bits);
            }
        }
        at = next;
    }
    return nrows;
}

void packed_rows_fini(struct packed_rows *rows)
{
    for (size_t i = 0; i < rows->nblocks; i++)
        free(rows->blocks[i].bytes);
    free(rows->blocks);
    *rows = (struct packed_rows){0};
}

enum { PACK_VALUES = 16384 }; /* least number of values in a packed block */

/* Returns a copy of a text, or NULL if out of memory. The analysis owns the copy. */
static const char *copy_text(csy_analysis *analysis, const char *text, size_t size)
{
    char *copy = ARRAY_RESERVE(analysis->texts, analysis->texts_capacity, analysis->ntexts + 1)
                     ? strndup(size > 0 ? text : "", size)
                     : NULL;
    analysis->failed |= !copy;
    if (copy)
        analysis->texts[analysis->ntexts++] = copy;
    return copy;
}

void sheets_add(csy_analysis *analysis, const char *name, const csy_column *columns, size_t n)
{
    analysis->sheets[analysis->nsheets++].view.name = copy_text(analysis, name, strlen(name));
    for (size_t i = 0; i < n; i++)
        sheets_add_column(analysis, columns[i]);
}

void sheets_add_column(csy_analysis *analysis, csy_column column)
{
    struct sheet *sheet = &analysis->sheets[analysis->nsheets - 1];
    column.name = copy_text(analysis, column.name, strlen(column.name));
    analysis->failed |= !column.name || !ARRAY_PUSH(sheet->columns, sheet->view.ncolumns,
                                                    sheet->columns_capacity, column);
    sheet->view.columns = sheet->columns;
}

csy_status sheets_status(const csy_analysis *analysis, csy_error *error)
{
    return analysis->failed ? error_memory(error) : CSY_OK;
}

csy_status sheets_finish(csy_status status, csy_analysis *made, csy_analysis **out,
                         csy_error *error)
{
    if (!status && (!made || made->failed))
        status = error_memory(error);
    if (status)
        csy_analysis_free(made);
    else
        *out = made;
    return status;
}

/* --- Rows ------------------------------------------------------------------------------------ */

void sheets_pack(csy_analysis *analysis)
{
    analysis->sheets[analysis->nsheets - 1].packs = true;
}

static void add_facts(struct sheet_facts *facts, const struct sheet *sheet)
{
    size_t n = sheet->view.ncolumns;
    size_t count = (sheet->view.nrows - packed_rows_count(&sheet->packed)) * n;
    for (size_t i = 0; i < count; i++) {
        const csy_value *value = &sheet->values[i];
        const csy_column *column = &sheet->columns[i % n];
        if (value->none)
            continue;
        facts->kinds |= column->ranged ? 1U << value->range.kind : 0;
        /* Columns of counts, and of shares of counts, do not depend on timestamps. */
        if (column->kind != CSY_COLUMN_TEXT && column->kind != CSY_COLUMN_COUNT)
            facts->stamped |= column->ranged ? value->range.kind == CSY_RANGE_CLOCK
                                             : column->kind != CSY_COLUMN_PPM;
    }
}

struct sheet_facts sheets_facts(const csy_analysis *analysis)
{
    struct sheet_facts facts = {0};
    for (size_t i = 0; i < analysis->nsheets; i++) {
        facts.kinds |= analysis->sheets[i].facts.kinds;
        facts.stamped |= analysis->sheets[i].facts.stamped;
        add_facts(&facts, &analysis->sheets[i]);
    }
    return facts;
}

static bool unpack(struct sheet *sheet)
{
    size_t n = sheet->view.ncolumns, packed = packed_rows_count(&sheet->packed);
    const struct chosen_columns all = {n, n, n};
    if (packed == 0)
        return true;
    csy_value *values = malloc(sheet->view.nrows * n * sizeof *values), *at = values;
    if (!values)
        return false;
    for (size_t i = 0; i < sheet->packed.nblocks; i++)
        at += n * packed_rows_read(&sheet->packed, i, &sheet->view, &all, at);
    memcpy(at, sheet->values, (sheet->view.nrows - packed) * n * sizeof *values);
    free(sheet->values);
    packed_rows_fini(&sheet->packed);
    sheet->packs = false;
    sheet->values_capacity = sheet->view.nrows * n;
    sheet->view.values = sheet->values = values;
    return true;
}

csy_value *sheets_add_row(csy_analysis *analysis)
{
    return sheet_add_row(analysis, &analysis->sheets[analysis->nsheets - 1]);
}

csy_value *sheet_add_row(csy_analysis *analysis, struct sheet *sheet)
{
    size_t n = sheet->view.ncolumns;
    size_t first = (sheet->view.nrows - packed_rows_count(&sheet->packed)) * n;
    if (sheet->packs && first >= PACK_VALUES) {
        csy_sheet rows = sheet->view;
        rows.nrows -= packed_rows_count(&sheet->packed);
        rows.values = sheet->values;
        add_facts(&sheet->facts, sheet);
        analysis->failed |= !packed_rows_add(&sheet->packed, &rows);
        first = 0;
    }
    analysis->failed |= !ARRAY_RESERVE(sheet->values, sheet->values_capacity, first + n);
    if (analysis->failed)
        return NULL;
    for (size_t i = 0; i < n; i++)
        sheet->values[first + i] = (csy_value){.none = true};
    sheet->view.nrows++;
    sheet->view.values = sheet->packed.nblocks > 0 ? NULL : sheet->values;
    return sheet->values + first;
}

csy_value *sheets_put_row(csy_analysis *analysis, const csy_value *values, size_t n)
{
    csy_value *row = sheets_add_row(analysis);
    if (row)
        memcpy(row, values, n * sizeof *row);
    return row;
}

csy_value *sheets_row(const csy_analysis *analysis, size_t index)
{
    const struct sheet *sheet = &analysis->sheets[analysis->nsheets - 1];
    return sheet->values + index * sheet->view.ncolumns;
}

csy_status sheet_reader_init(struct sheet_reader *reader, const csy_sheet *sheet, csy_error *error)
{
    const struct sheet *of = (const struct sheet *)sheet;
    size_t n = sheet->ncolumns, most = packed_rows_most(&of->packed);
    *reader = (struct sheet_reader){.sheet = of, .chosen = {n, n, n}, .part = *sheet};
    if (most == 0)
        return CSY_OK;
    reader->values = malloc(most * n * sizeof *reader->values);
    return reader->values ? CSY_OK : error_memory(error);
}

const csy_sheet *sheet_reader_next(struct sheet_reader *reader)
{
    const struct sheet *sheet = reader->sheet;
    csy_sheet *part = &reader->part;
    size_t block = reader->next++;
    reader->first = block == 0 ? 0 : reader->first + part->nrows;
    if (block > sheet->packed.nblocks)
        return NULL;
    bool packed = block < sheet->packed.nblocks;
    part->values = packed ? reader->values : sheet->values;
    part->nrows = packed ? packed_rows_read(&sheet->packed, block, &sheet->view, &reader->chosen,
                                            reader->values)
                         : sheet->view.nrows - packed_rows_count(&sheet->packed);
    return part;
}

void sheet_reader_fini(struct sheet_reader *reader)
{
    free(reader->values);
    reader->values = NULL;
}

/* --- Contents -------------------------------------------------------------------------------- */

void sheets_add_condition(csy_analysis *analysis, const char *text)
{
    const char *copy = copy_text(analysis, text, strlen(text));
    analysis->failed |= !copy || !ARRAY_PUSH(analysis->conditions, analysis->nconditions,
                                             analysis->conditions_capacity, copy);
}

csy_value sheets_text(csy_analysis *analysis, const char *text)
{
    return sheets_bytes(analysis, text, strlen(text));
}

csy_value sheets_word(csy_analysis *analysis, const char *text)
{
    uint32_t index;
    bool added;
    analysis->failed |= !ARRAY_RESERVE(analysis->by_word, analysis->by_word_capacity,
                                       analysis->words.count + (size_t)1) ||
                        !texts_find(&analysis->words, text, strlen(text), &index, &added);
    if (analysis->failed)
        return SHEETS_NONE;
    if (added)
        analysis->by_word[index] = copy_text(analysis, text, strlen(text));
    return sheets_constant(analysis->by_word[index]);
}

csy_value sheets_bytes(csy_analysis *analysis, const char *text, size_t size)
{
    return sheets_constant(copy_text(analysis, text, size));
}

csy_value sheets_item(csy_analysis *analysis, const struct texts *texts, uint32_t index)
{
    csy_text text = index == NO_TEXT ? (csy_text){"-", 1} : texts_text(texts, index);
    return sheets_bytes(analysis, text.bytes, text.size);
}

csy_value sheets_sum(int128 sum)
{
    return sum > INT64_MIN && sum < INT64_MAX ? sheets_number((int64_t)sum) : SHEETS_NONE;
}

size_t csy_analysis_nsheets(const csy_analysis *analysis)
{
    return analysis->nsheets;
}

const csy_sheet *csy_analysis_sheet(const csy_analysis *analysis, size_t index)
{
    struct sheet *sheet =
        index < analysis->nsheets ? &((csy_analysis *)unconst(analysis))->sheets[index] : NULL;
    return sheet && unpack(sheet) ? &sheet->view : NULL;
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
    (*analysis)->window = copy_text(*analysis, window, strlen(window));
    return sheets_finish(CSY_OK, *analysis, analysis, error);
}

csy_range_kind csy_analysis_kind(const csy_analysis *analysis)
{
    unsigned found = sheets_facts(analysis).kinds;
    bool others = found & (1U << CSY_RANGE_EXACT | 1U << CSY_RANGE_PROVEN);
    return found & 1U << CSY_RANGE_UNKNOWN  ? CSY_RANGE_UNKNOWN
           : found & 1U << CSY_RANGE_STAR   ? (others ? CSY_RANGE_PROVEN : CSY_RANGE_STAR)
           : found & 1U << CSY_RANGE_PROVEN ? CSY_RANGE_PROVEN
           : found & 1U << CSY_RANGE_EXACT  ? CSY_RANGE_EXACT
                                            : CSY_RANGE_CLOCK;
}

struct sorted {
    const csy_value *value;
    csy_column_kind kind;
    size_t row, column;
};

static int compare_rows(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const csy_range *r = &x->value->range, *s = &y->value->range;
    int order = x->value->none || y->value->none ? x->value->none - y->value->none
                : x->kind == CSY_COLUMN_TEXT     ? strcmp(x->value->text, y->value->text)
                                                 : COMPARE(s->estimate, r->estimate);
    return order ? order : COMPARE(x->row, y->row);
}

/* The cast is valid because `view` is the first member of struct sheet. */
size_t sheets_cut(const csy_sheet *sheet)
{
    return ((const struct sheet *)sheet)->ncut;
}

/* The first of several sheets, and their number. Each row is continued in all joined sheets. */
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

/* Returns the sheet that has a column of this name, or NULL. *out becomes the column's index. */
static struct sheet *find_column(const struct joined_sheets *in, const char *name, size_t *out)
{
    for (size_t i = 0; i < in->n; i++)
        for (*out = 0; *out < in->sheets[i].view.ncolumns; ++*out)
            if (strcmp(in->sheets[i].columns[*out].name, name) == 0)
                return &in->sheets[i];
    return NULL;
}

static int64_t end_of(const csy_value *value, bool high)
{
    const csy_range *range = &value->range;
    bool ranged = range->kind != CSY_RANGE_CLOCK && range->kind != CSY_RANGE_UNKNOWN;
    return !ranged ? range->estimate : high ? range->hi : range->lo;
}

/* Mark a value if its range overlaps a range of another row, so that the order is uncertain. */
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
    for (size_t i = 0; good && i < in->n; i++)
        good = unpack(&in->sheets[i]);
    for (size_t i = 0; good && i < n; i++)
        rows[i] = (struct sorted){&by->values[i * by->view.ncolumns + column],
                                  by->columns[column].kind, i, column};
    if (good)
        SORT(rows, n, compare_rows);
    if (good && by->columns[column].ranged)
        mark_open(by, rows, n);
    top = top == 0 || top > n ? n : top;
    for (size_t i = 0; good && i < in->n; i++) {
        struct sheet *sheet = &in->sheets[i];
        size_t width = sheet->view.ncolumns, size = width * sizeof(csy_value);
        csy_value *values = malloc(sheet->view.nrows * size + 1);
        good = values != NULL;
        for (size_t row = 0; good && row < top; row++)
            memcpy(values + row * width, sheet->values + rows[row].row * width, size);
        if (!good)
            break;
        free(sheet->values);
        sheet->values_capacity = sheet->view.nrows * width;
        sheet->view.values = sheet->values = values;
        sheet->ncut += sheet->view.nrows - top;
        sheet->view.nrows = top;
    }
    free(rows);
    return good ? CSY_OK : error_memory(error);
}

csy_status csy_analysis_sort(csy_analysis *analysis, const char *column, size_t top,
                             csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX], columns[640] = "";
    size_t used = 0, at;
    struct joined_sheets in = joined_from(analysis, 0);
    struct sheet *sheet = find_column(&in, column, &at);
    if (sheet)
        return sort_rows(&in, sheet, at, top, error);
    for (size_t i = 0; i < in.n; i++)
        for (size_t c = 0; c < in.sheets[i].view.ncolumns && used < sizeof columns; c++) {
            const char *name = in.sheets[i].columns[c].name;
            if (find_column(&in, name, &at) == &in.sheets[i])
                used += (size_t)snprintf(columns + used, sizeof columns - used, "%s%s",
                                         used > 0 ? ", " : "",
                                         error_escape(escaped, name, strlen(name)));
        }
    return error_set(error, CSY_USAGE, "unknown column '%s': expected one of %s",
                     error_escape(escaped, column, strlen(column)), columns);
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

static void free_sheet(struct sheet *sheet)
{
    packed_rows_fini(&sheet->packed);
    FREE_ALL(sheet->columns, sheet->values, sheet->sections);
}

static void drop(csy_analysis *analysis, size_t index)
{
    free_sheet(&analysis->sheets[index]);
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

/* --- Units of time --------------------------------------------------------------------------- */

#define NS_PER_S 1000000000
#define MILLION 1000000

/* A unit of time: num / den nanoseconds. */
struct rate {
    int128 num, den;
};

static bool is_time(csy_column_kind kind)
{
    return kind == CSY_COLUMN_TICKS || kind == CSY_COLUMN_MICROTICKS;
}

static int64_t convert_end(int64_t end, const struct rate *rate, bool upper)
{
    if (end == INT64_MIN || end == INT64_MAX)
        return end;
    int128 ns =
        upper ? ceil_div(end * rate->num, rate->den) : floor_div(end * rate->num, rate->den);
    return nearest_int64(ns);
}

/* Convert a range to nanoseconds. Returns false if the estimate exceeds 64 bits. */
static bool convert(const struct rate *rate, csy_range *range)
{
    bool one = range->lo == range->hi || range->kind == CSY_RANGE_CLOCK;
    if (range->estimate != INT64_MIN && range->estimate != INT64_MAX) {
        int128 ns = floor_div((int128)2 * range->estimate * rate->num + rate->den, 2 * rate->den);
        if (ns <= INT64_MIN || ns >= INT64_MAX)
            return false;
        range->estimate = (int64_t)ns;
    }
    if (range->kind == CSY_RANGE_UNKNOWN)
        return true;
    range->lo = one ? range->estimate : convert_end(range->lo, rate, false);
    range->hi = one ? range->estimate : convert_end(range->hi, rate, true);
    return true;
}

static csy_status convert_rows(const csy_sheet *part, csy_value *values, uint64_t timebase_hz,
                               csy_error *error)
{
    for (size_t i = 0; values && i < part->nrows * part->ncolumns; i++) {
        csy_column_kind kind = part->columns[i % part->ncolumns].kind;
        bool micro = kind == CSY_COLUMN_MICROTICKS;
        const struct rate rate = {NS_PER_S, (int128)timebase_hz * (micro ? MILLION : 1)};
        if (is_time(kind) && !values[i].none && !convert(&rate, &values[i].range))
            return error_set(error, CSY_INPUT, "a time does not fit 64 bits in nanoseconds");
    }
    return CSY_OK;
}

csy_status csy_analysis_set_time_unit(csy_analysis *analysis, const csy_sync *sync,
                                      csy_time_unit unit, csy_error *error)
{
    static const csy_column_kind kinds[] = {[CSY_TIME_S] = CSY_COLUMN_S,
                                            [CSY_TIME_MS] = CSY_COLUMN_MS,
                                            [CSY_TIME_US] = CSY_COLUMN_US,
                                            [CSY_TIME_NS] = CSY_COLUMN_NS};
    csy_status status = CSY_OK;
    if (unit == CSY_TIME_TICKS)
        return CSY_OK;
    if (unit < CSY_TIME_S || unit > CSY_TIME_NS || analysis->time_unit > CSY_TIME_TICKS)
        return error_set(error, CSY_USAGE,
                         "the unit of times in tables must be ticks, s, ms, us, or ns, and can be "
                         "set only once");
    analysis->time_unit = unit;
    for (size_t i = 0; i < analysis->nsheets && !status; i++) {
        struct sheet *sheet = &analysis->sheets[i];
        struct packed_rows changed = {0};
        struct sheet_reader reader;
        const csy_sheet *part;
        status = sheet_reader_init(&reader, &sheet->view, error);
        while (!status && (part = sheet_reader_next(&reader))) {
            bool packed = reader.next <= sheet->packed.nblocks;
            status = convert_rows(part, packed ? reader.values : sheet->values,
                                  sync->trace->timebase_hz, error);
            if (!status && packed && !packed_rows_add(&changed, part))
                status = error_memory(error);
        }
        sheet_reader_fini(&reader);
        packed_rows_fini(status ? &changed : &sheet->packed);
        if (!status)
            sheet->packed = changed;
        for (size_t column = 0; !status && column < sheet->view.ncolumns; column++)
            if (is_time(sheet->columns[column].kind))
                sheet->columns[column].kind = kinds[unit];
    }
    return status;
}

/* --- Sections: their tables are appended to each other, and separated again ------------------- */

enum { BLOCK_COLUMN = 1 }; /* In the combined tables, column 0 is the number of the section. */

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
                *values = sheets_number((int64_t)all->nsections);
            for (size_t i = 0; values && i < part->ncolumns; i++) {
                const csy_value *value = &part->values[row * part->ncolumns + i];
                values[BLOCK_COLUMN + i] = *value;
                if (value->text)
                    values[BLOCK_COLUMN + i] = sheets_word(all, value->text);
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
        values[0] = sheets_number((int64_t)to->nsections);
        values[1] = sheets_number(section->begin_ticks);
        values[2] = sheets_number(section->end_ticks);
        values[3] = sheets_text(to, section->window);
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

void csy_analysis_free(csy_analysis *analysis)
{
    if (!analysis)
        return;
    for (size_t i = 0; i < analysis->nsheets; i++)
        free_sheet(&analysis->sheets[i]);
    for (size_t i = 0; i < analysis->ntexts; i++)
        free(analysis->texts[i]);
    texts_fini(&analysis->words);
    FREE_ALL(analysis->texts, (void *)analysis->by_word, analysis->conditions, analysis);
}
