/* Packed rows: what is read is what was added, to the bit; and sheets whose rows are packed are
 * the same in every way that rows are read. */
#include "support.h"

#include "analysis/run/sheets.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 300, ROWS = 400, COLUMNS = 6, LARGE = 9000, SECTIONS = 300 };

static const char *const words[] = {"", "a", "idle", "blocked"};

/* Runs, steps, and numbers at both ends of 64 bits. */
static int64_t draw_number(struct random *r, int64_t last)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    switch (random_between(r, 0, 5)) {
    case 0:
        return ends[random_between(r, 0, 6)];
    case 1:
        return (int64_t)random_bits(r);
    case 2:
        return random_between(r, -300, 300);
    default:
        return last;
    }
}

static csy_value draw_value(struct random *r, bool text, const csy_value *last)
{
    csy_value out = {.none = random_chance(r, 10), .open = random_chance(r, 10)};
    if (text) {
        out.text = random_chance(r, 10) ? NULL : words[random_between(r, 0, 3)];
        return out;
    }
    static const csy_range_kind kinds[] = {CSY_RANGE_EXACT, CSY_RANGE_PROVEN, CSY_RANGE_STAR,
                                           CSY_RANGE_CLOCK, CSY_RANGE_UNKNOWN};
    out.range.kind = random_chance(r, 20) ? kinds[random_between(r, 0, 4)] : last->range.kind;
    out.range.estimate = draw_number(r, last->range.estimate);
    out.range.lo = draw_number(r, out.range.estimate);
    out.range.hi = draw_number(r, out.range.estimate);
    return out;
}

static void hold_same(const csy_value *a, const csy_value *b)
{
    ck_assert(a->none == b->none && a->open == b->open && a->text == b->text);
    ck_assert_int_eq(a->range.estimate, b->range.estimate);
    ck_assert_int_eq(a->range.lo, b->range.lo);
    ck_assert_int_eq(a->range.hi, b->range.hi);
    ck_assert_int_eq(a->range.kind, b->range.kind);
}

START_TEST(blocks_are_read_as_they_were_added)
{
    static csy_value values[ROWS * COLUMNS], read[ROWS * COLUMNS];
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        csy_column columns[COLUMNS] = {{.kind = CSY_COLUMN_TEXT}};
        struct packed_rows rows = {0};
        size_t nrows = (size_t)random_between(&r, 0, ROWS), ncolumns = COLUMNS;
        for (size_t i = 1; i < ncolumns; i++)
            columns[i].kind = random_chance(&r, 30) ? CSY_COLUMN_TEXT : CSY_COLUMN_TICKS;
        for (size_t i = 0; i < nrows * ncolumns; i++)
            values[i] =
                draw_value(&r, columns[i % ncolumns].kind == CSY_COLUMN_TEXT,
                           i < ncolumns ? &(csy_value){.none = false} : &values[i - ncolumns]);
        size_t cut = (size_t)random_between(&r, 0, (int64_t)nrows);
        csy_sheet first = {
            .ncolumns = ncolumns, .columns = columns, .nrows = cut, .values = values};
        csy_sheet second = first;
        second.nrows = nrows - cut;
        second.values = values + cut * ncolumns;
        ck_assert(packed_rows_add(&rows, &first) && packed_rows_add(&rows, &second));
        ck_assert_uint_eq(packed_rows_count(&rows), nrows);
        ck_assert_uint_eq(packed_rows_most(&rows), cut > nrows - cut ? cut : nrows - cut);
        size_t names = (size_t)random_between(&r, 0, COLUMNS);
        size_t begin = (size_t)random_between(&r, (int64_t)names, COLUMNS);
        const struct chosen_columns chosen = {names, begin,
                                              (size_t)random_between(&r, (int64_t)begin, COLUMNS)};
        const csy_value mark = {.text = words[0], .range = {.estimate = 77}};
        for (size_t i = 0; i < nrows * ncolumns; i++)
            read[i] = mark;
        ck_assert_uint_eq(packed_rows_read(&rows, 0, &first, &chosen, read), cut);
        ck_assert_uint_eq(packed_rows_read(&rows, 1, &first, &chosen, read + cut * ncolumns),
                          nrows - cut);
        for (size_t i = 0; i < nrows * ncolumns; i++) {
            size_t column = i % ncolumns;
            bool is = column < names || (column >= begin && column < chosen.end);
            hold_same(&read[i], is ? &values[i] : &mark);
        }
        packed_rows_fini(&rows);
    }
}
END_TEST

static csy_analysis *new_table(bool packs)
{
    static const csy_column columns[] = {TEXT_COLUMN("name"), TICKS_COLUMN("time", true),
                                         COUNT_COLUMN("count", false)};
    csy_analysis *out = calloc(1, sizeof *out);
    ck_assert_ptr_nonnull(out);
    SHEETS_ADD(out, "table", columns);
    ck_assert(!out->failed);
    if (packs)
        sheets_pack(out);
    return out;
}

static void add_row(csy_analysis *out, int64_t row)
{
    csy_value *values = sheets_add_row(out);
    ck_assert_ptr_nonnull(values);
    sheets_set_constant(&values[0], words[row % 4]);
    values[1] = (csy_value){.range = {row * 3, row, row * 7, CSY_RANGE_PROVEN}};
    if (row % 5)
        sheets_set_number(&values[2], row * row);
}

START_TEST(sheets_with_packed_rows_are_the_same)
{
    csy_analysis *plain = new_table(false), *packed = new_table(true);
    struct sheet_reader reader;
    csy_error error;
    const csy_sheet *part;
    size_t rows = 0, parts = 0;
    for (int64_t i = 0; i < LARGE; i++) {
        add_row(plain, i);
        add_row(packed, i);
    }
    ck_assert_ptr_null(packed->sheets[0].view.values);
    ck_assert_uint_eq(sheets_facts(packed).kinds, sheets_facts(plain).kinds);
    ck_assert(!sheets_facts(packed).stamped);
    const csy_sheet *all = csy_analysis_sheet(plain, 0);
    ck_ok(sheet_reader_init(&reader, &packed->sheets[0].view, &error), error);
    for (; (part = sheet_reader_next(&reader)); parts++, rows += part->nrows) {
        ck_assert_uint_eq(reader.first, rows);
        for (size_t i = 0; i < part->nrows * 3; i++)
            hold_same(&part->values[i], &all->values[rows * 3 + i]);
    }
    sheet_reader_fini(&reader);
    ck_assert_uint_eq(rows, LARGE);
    ck_assert_uint_gt(parts, 1);
    ck_ok(csy_analysis_sort(plain, "count", 0, &error), error);
    ck_ok(csy_analysis_sort(packed, "count", 0, &error), error);
    all = csy_analysis_sheet(plain, 0);
    const csy_sheet *unpacked = csy_analysis_sheet(packed, 0);
    ck_assert_uint_eq(unpacked->nrows, LARGE);
    for (size_t i = 0; i < LARGE * 3; i++)
        hold_same(&unpacked->values[i], &all->values[i]);
    csy_analysis_free(plain);
    csy_analysis_free(packed);
}
END_TEST

/* More rows together than are held as they are; texts belong to what is freed. */
START_TEST(packed_sections_are_found_again)
{
    csy_analysis *all = NULL;
    struct section_views views;
    csy_error error;
    int64_t row = 0;
    for (size_t i = 0; i < SECTIONS; i++) {
        const csy_section section = {.window = "#1..#2"};
        csy_analysis *one = new_table(false);
        for (size_t k = 0; k < i; k++)
            add_row(one, row++);
        if (i > 0)
            sheets_set_text(one, &sheets_row(one, i - 1)[0], "a text of its own");
        ck_ok(csy_analysis_append(&all, one, &section, &error), error);
    }
    ck_assert_ptr_null(all->sheets[1].view.values);
    ck_assert_uint_lt(all->ntexts, SECTIONS + 20);
    row = 0;
    ck_ok(section_views_init(&views, all, &error), error);
    for (size_t i = 0; i < SECTIONS; i++) {
        csy_analysis *view = section_views_next(&views);
        const csy_sheet *sheet = csy_analysis_sheet(view, 0);
        ck_assert_uint_eq(sheet->nrows, i);
        for (size_t k = 0; k < i; k++, row++) {
            ck_assert_str_eq(sheet->values[3 * k].text,
                             k + 1 < i ? words[row % 4] : "a text of its own");
            ck_assert_int_eq(sheet->values[3 * k + 1].range.hi, row * 7);
            ck_assert(sheet->values[3 * k + 2].none == (row % 5 == 0));
        }
        csy_analysis_free(view);
    }
    section_views_fini(&views);
    ck_assert_uint_eq(csy_analysis_sheet(all, 1)->nrows, (size_t)row);
    csy_analysis_free(all);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("sheets");
    tcase_add_test(tests, blocks_are_read_as_they_were_added);
    tcase_add_test(tests, sheets_with_packed_rows_are_the_same);
    tcase_add_test(tests, packed_sections_are_found_again);
    return unit_run();
}
