/* Packed rows: what is read is what was added, to the bit; and sheets whose rows are packed are
 * the same in every way that rows are read. */
#include "acting.h"

#include "analysis/run/sheets.h"

#include <cellsync/analysis.h>

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
    values[0] = sheets_constant(words[row % 4]);
    values[1] = (csy_value){.range = {row * 3, row, row * 7, CSY_RANGE_PROVEN}};
    if (row % 5)
        values[2] = sheets_number(row * row);
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
            sheets_row(one, i - 1)[0] = sheets_text(one, "a text of its own");
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

/* Sections: that each is the window that it is said to be, whose figures are those of concurrency,
 * which has them as blocks; and that tables which were put below one another are found again. */
enum { SECTION_TRIALS = 400, BLOCK_COLUMNS = 3 };

struct trial {
    struct acting acting;
    csy_trace *trace;
    csy_sync *sync;
    csy_meaning *meaning;
    csy_section *sections;
    size_t n;
};

static void hold_alike(const csy_value *a, const csy_value *b, csy_column_kind kind)
{
    ck_assert(a->none == b->none);
    if (a->none)
        return;
    if (kind == CSY_COLUMN_TEXT) {
        ck_assert_str_eq(a->text, b->text);
        return;
    }
    ck_assert_int_eq(a->range.kind, b->range.kind);
    ck_assert_int_eq(a->range.estimate, b->range.estimate);
    if (a->range.kind == CSY_RANGE_UNKNOWN)
        return;
    ck_assert_int_eq(a->range.lo, b->range.lo);
    ck_assert_int_eq(a->range.hi, b->range.hi);
}

/* Rows of a sheet, from one on and without its first columns, are all of another one. */
static void hold_rows(const csy_sheet *all, size_t first, size_t columns, const csy_sheet *one)
{
    ck_assert_str_eq(all->name, one->name);
    ck_assert_uint_eq(all->ncolumns, one->ncolumns + columns);
    ck_assert_uint_le(first + one->nrows, all->nrows);
    for (size_t row = 0; row < one->nrows; row++)
        for (size_t c = 0; c < one->ncolumns; c++) {
            const csy_column *column = &one->columns[c];
            ck_assert_str_eq(all->columns[c + columns].name, column->name);
            hold_alike(&all->values[(first + row) * all->ncolumns + c + columns],
                       &one->values[row * one->ncolumns + c], column->kind);
        }
}

/* Where the waits are, by the records in the order of the buffer; sections are by their begins. */
static void hold_waits(const struct trial *t)
{
    const struct acting *a = &t->acting;
    size_t waits = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct acting_event *e = &a->events[i];
        int64_t first, last;
        char begin[32], record[32];
        bool found = false;
        acting_span(a, e->thread, &first, &last);
        snprintf(begin, sizeof begin, "#%zu.begin..#%zu", i, i);
        snprintf(record, sizeof record, "..#%zu", i);
        if (e->kind != ACTING_WAIT)
            continue;
        waits++;
        for (size_t k = 0; k < t->n && !found; k++) {
            const char *window = t->sections[k].window;
            const char *dots = strstr(window, "..");
            found = e->begin > first ? strcmp(window, begin) == 0
                                     : strcmp(dots, record) == 0 && !strstr(window, "begin");
        }
        ck_assert_msg(found, "no section ends at record %zu", i);
    }
    ck_assert_uint_eq(waits, t->n);
    for (size_t k = 0; k < t->n; k++)
        ck_assert(t->sections[k].begin_ticks <= t->sections[k].end_ticks &&
                  (k == 0 || t->sections[k - 1].begin_ticks <= t->sections[k].begin_ticks));
}

/* One by one and all at once. */
static void hold_blocks(const struct trial *t)
{
    const csy_concurrency all = {.units = CSY_UNITS_ACTORS, .section = "BARRIER"};
    csy_analysis *blocks, *one;
    csy_error error;
    size_t first[2] = {0, 0};
    ck_ok(csy_sync_concurrency(t->sync, t->meaning, &all, &blocks, &error), error);
    for (size_t k = 0; k < t->n; k++) {
        const csy_concurrency asked = {.units = CSY_UNITS_ACTORS, .window = t->sections[k].window};
        ck_ok(csy_sync_concurrency(t->sync, t->meaning, &asked, &one, &error), error);
        for (size_t i = 0; i < 2; i++) {
            const csy_sheet *sheet = csy_analysis_sheet(blocks, i);
            hold_rows(sheet, first[i], BLOCK_COLUMNS, csy_analysis_sheet(one, i));
            const csy_value *values = &sheet->values[first[i] * sheet->ncolumns];
            ck_assert_int_eq(values[0].range.estimate, (int64_t)k + 1);
            ck_assert_int_eq(values[1].range.estimate, t->sections[k].begin_ticks);
            ck_assert_int_eq(values[2].range.estimate, t->sections[k].end_ticks);
            first[i] += csy_analysis_sheet(one, i)->nrows;
        }
        csy_analysis_free(one);
    }
    for (size_t i = 0; i < 2; i++)
        ck_assert_uint_eq(csy_analysis_sheet(blocks, i)->nrows, first[i]);
    csy_analysis_free(blocks);
}

static csy_analysis *states_of(const struct trial *t, const char *window)
{
    const csy_states asked = {.window = window, .levels = true};
    csy_analysis *out;
    csy_error error;
    ck_ok(csy_sync_states(t->sync, t->meaning, &asked, &out, &error), error);
    ck_ok(csy_analysis_sort(out, "user", 2, &error), error);
    return out;
}

/* What several take of one pass is what each has of its own. */
static void hold_at_once(const struct trial *t)
{
    const csy_states asked = {.levels = true, .pairs = true};
    csy_analysis **each = calloc(t->n + 1, sizeof(csy_analysis *));
    csy_error error;
    ck_assert_ptr_nonnull(each);
    ck_ok(csy_sync_states_of_sections(t->sync, t->meaning, &asked, t->sections, t->n, each, &error),
          error);
    for (size_t k = 0; k < t->n; k++) {
        const csy_states alone = {.levels = true, .pairs = true, .window = t->sections[k].window};
        csy_analysis *one;
        ck_ok(csy_sync_states(t->sync, t->meaning, &alone, &one, &error), error);
        ck_assert_uint_eq(csy_analysis_nsheets(each[k]), csy_analysis_nsheets(one));
        for (size_t i = 0; i < csy_analysis_nsheets(one); i++) {
            ck_assert_uint_eq(csy_analysis_sheet(each[k], i)->nrows,
                              csy_analysis_sheet(one, i)->nrows);
            hold_rows(csy_analysis_sheet(each[k], i), 0, 0, csy_analysis_sheet(one, i));
        }
        csy_analysis_free(one);
        csy_analysis_free(each[k]);
    }
    free((void *)each);
}

static void hold_appended(const struct trial *t)
{
    csy_analysis *all = NULL;
    csy_error error;
    for (size_t k = 0; k < t->n; k++)
        ck_ok(
            csy_analysis_append(&all, states_of(t, t->sections[k].window), &t->sections[k], &error),
            error);
    const csy_sheet *list = csy_analysis_sheet(all, 0);
    ck_assert_str_eq(list->name, "sections");
    ck_assert_uint_eq(list->nrows, t->n);
    size_t first[2] = {0, 0};
    struct section_views views;
    ck_ok(section_views_init(&views, all, &error), error);
    for (size_t k = 0; k < t->n; k++) {
        csy_analysis *one = states_of(t, t->sections[k].window);
        csy_analysis *view = section_views_next(&views);
        ck_assert_str_eq(list->values[k * list->ncolumns + 3].text, t->sections[k].window);
        ck_assert_uint_eq(csy_analysis_nsheets(view), csy_analysis_nsheets(one));
        for (size_t i = 0; i < 2; i++) {
            const csy_sheet *sheet = csy_analysis_sheet(all, i + 1);
            hold_rows(sheet, first[i], 1, csy_analysis_sheet(one, i));
            hold_rows(csy_analysis_sheet(view, i), 0, 0, csy_analysis_sheet(one, i));
            ck_assert_uint_eq(sheets_cut(csy_analysis_sheet(view, i)),
                              sheets_cut(csy_analysis_sheet(one, i)));
            ck_assert_int_eq(sheet->values[first[i] * sheet->ncolumns].range.estimate,
                             (int64_t)k + 1);
            first[i] += csy_analysis_sheet(one, i)->nrows;
        }
        csy_analysis_free(view);
        csy_analysis_free(one);
    }
    section_views_fini(&views);
    ck_assert_int_eq(csy_analysis_write(all, t->sync, "-", CSY_REPORT_HTML, &error), CSY_USAGE);
    csy_analysis_free(all);
}

START_TEST(as_windows)
{
    int tried = 0, partial = 0;
    csy_error error;
    for (int trial = 0; trial < trials_of(SECTION_TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct trial t = {.sections = NULL};
        acting_draw(&r, 4, 8, 6, true, &t.acting);
        if (trial % 3 == 0)
            acting_draw_messages(&t.acting, &r);
        acting_solve_off(&t.acting, NULL, trial % 2, &t.trace, &t.sync);
        ck_ok(csy_meaning_new(&t.meaning, &error), error);
        csy_status status =
            csy_sync_sections(t.sync, t.meaning, "BARRIER", 0, 0, &t.sections, &t.n, &error);
        if (status == CSY_OK) {
            if (t.acting.nmessages == 0)
                hold_waits(&t);
            hold_blocks(&t);
            hold_appended(&t);
            hold_at_once(&t);
            tried++;
            partial += t.acting.nmessages > 0;
        } else {
            ck_assert_int_eq(status, CSY_USAGE);
        }
        csy_sections_free(t.sections);
        csy_meaning_free(t.meaning);
        csy_sync_free(t.sync);
        csy_trace_free(t.trace);
    }
    ck_assert_of_trials(tried * 2 > trials_of(SECTION_TRIALS));
    ck_assert_of_trials(partial * 10 > trials_of(SECTION_TRIALS));
}
END_TEST

static int hold_estimates(const csy_analysis *analysis)
{
    int below = 0;
    for (size_t i = 0; i < csy_analysis_nsheets(analysis); i++) {
        const csy_sheet *sheet = csy_analysis_sheet(analysis, i);
        for (size_t k = 0; k < sheet->nrows * sheet->ncolumns; k++) {
            const csy_range *range = &sheet->values[k].range;
            if (sheet->values[k].none || range->kind == CSY_RANGE_UNKNOWN ||
                sheet->columns[k % sheet->ncolumns].kind == CSY_COLUMN_TEXT)
                continue;
            ck_assert_msg(range->lo <= range->estimate && range->estimate <= range->hi,
                          "%s %s: %lld [%lld, %lld]", sheet->name,
                          sheet->columns[k % sheet->ncolumns].name, (long long)range->estimate,
                          (long long)range->lo, (long long)range->hi);
            below += range->estimate < 0;
        }
    }
    return below;
}

/* Stamps that are off step back, so that a time may be below 0 by the estimate; it is in its range
 * all the same. */
START_TEST(estimates_are_in_their_ranges)
{
    static const char *const windows[] = {NULL, "..", "25%..75%", "#1..#4"};
    int below = 0;
    csy_error error;
    for (int trial = 0; trial < trials_of(SECTION_TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting acting;
        csy_trace *trace;
        csy_sync *sync;
        csy_meaning *meaning;
        csy_analysis *analysis;
        const char *window = windows[trial % 4];
        acting_draw(&r, 4, 8, 3, trial % 2, &acting);
        acting_solve_off(&acting, &r, 2, &trace, &sync);
        ck_ok(csy_meaning_new(&meaning, &error), error);
        const csy_states states = {.levels = trial % 8 < 4, .window = window};
        const csy_concurrency levels = {.units = CSY_UNITS_ACTORS, .window = window};
        csy_status status = csy_sync_states(sync, meaning, &states, &analysis, &error);
        if (!status) {
            below += hold_estimates(analysis);
            csy_analysis_free(analysis);
            ck_ok(csy_sync_concurrency(sync, meaning, &levels, &analysis, &error), error);
            below += hold_estimates(analysis);
            csy_analysis_free(analysis);
        } else {
            ck_assert_int_eq(status, CSY_USAGE);
        }
        csy_meaning_free(meaning);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    ck_assert_of_trials(below > 0);
}
END_TEST

/* Only some of them. */
START_TEST(chosen)
{
    static const struct acting a = {.n = 4,
                                    .nthreads = 2,
                                    .events = {{0, 0, ACTING_MARK, 0, 0},
                                               {1, 1, ACTING_MARK, 3, 3},
                                               {0, 2, ACTING_WAIT, 9, 8},
                                               {1, 3, ACTING_WAIT, 12, 4}}};
    struct trial t = {.sections = NULL};
    csy_error error;
    acting_solve(&a, &t.trace, &t.sync);
    ck_ok(csy_meaning_new(&t.meaning, &error), error);
    ck_ok(csy_sync_sections(t.sync, t.meaning, "BARRIER", 2, 9, &t.sections, &t.n, &error), error);
    ck_assert_uint_eq(t.n, 1);
    ck_assert_str_eq(t.sections->window, "#2.begin..#2");
    ck_assert_int_eq(t.sections->end_ticks, 9);
    csy_section *none = NULL;
    ck_assert_int_eq(csy_sync_sections(t.sync, t.meaning, "BARRIER", 3, 3, &none, &t.n, &error),
                     CSY_USAGE);
    ck_assert(!none && t.n == 1);
    csy_sections_free(t.sections);
    csy_meaning_free(t.meaning);
    csy_sync_free(t.sync);
    csy_trace_free(t.trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("sheets");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, blocks_are_read_as_they_were_added);
    tcase_add_test(tests, sheets_with_packed_rows_are_the_same);
    tcase_add_test(tests, packed_sections_are_found_again);
    tcase_add_test(tests, as_windows);
    tcase_add_test(tests, chosen);
    tcase_add_test(tests, estimates_are_in_their_ranges);
    return unit_run();
}
