/* Sections: that each is the window that it is said to be, whose figures are those of concurrency,
 * which has them as blocks; and that tables which were put below one another are found again. */
#include "acting.h"

#include "analysis/run/sheets.h"

#include <cellsync/analysis.h>

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 400, BLOCK_COLUMNS = 3 };

struct trial {
    struct acting acting;
    csy_trace *trace;
    csy_sync *sync;
    csy_meaning *meaning;
    csy_section *sections;
    size_t n;
};

static void hold_same(const csy_value *a, const csy_value *b, csy_column_kind kind)
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
            hold_same(&all->values[(first + row) * all->ncolumns + c + columns],
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
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
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
    ck_assert_of_trials(tried * 2 > trials_of(TRIALS));
    ck_assert_of_trials(partial * 10 > trials_of(TRIALS));
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
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
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
    csy_sections_free(t.sections);
    ck_assert_int_eq(
        csy_sync_sections(t.sync, t.meaning, "BARRIER", 3, 3, &t.sections, &t.n, &error),
        CSY_USAGE);
    ck_assert_ptr_null(t.sections);
    csy_meaning_free(t.meaning);
    csy_sync_free(t.sync);
    csy_trace_free(t.trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("sections");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, as_windows);
    tcase_add_test(tests, chosen);
    tcase_add_test(tests, estimates_are_in_their_ranges);
    return unit_run();
}
