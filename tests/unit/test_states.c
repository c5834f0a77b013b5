/* How long actors were in which state: what programs did, and contexts that are switched. */
#include "acting.h"
#include "truth.h"

#include <cellsync/analysis.h>

#include <string.h>

enum { TRIALS = 300 };

static const csy_value *value_of(const csy_sheet *sheet, const char *name, const char *column)
{
    for (size_t c = 0; c < sheet->ncolumns; c++)
        for (size_t r = 0; r < sheet->nrows && strcmp(sheet->columns[c].name, column) == 0; r++)
            if (strcmp(sheet->values[r * sheet->ncolumns + 1].text, name) == 0)
                return &sheet->values[r * sheet->ncolumns + c];
    ck_abort_msg("no %s of %s", column, name);
}

static void takes(const csy_sheet *sheet, const char *name, const char *column, int64_t want)
{
    const csy_value *value = value_of(sheet, name, column);
    ck_assert(!value->none);
    ck_assert_msg(value->range.estimate == want, "%s of %s: %lld, want %lld", column, name,
                  (long long)value->range.estimate, (long long)want);
    ck_assert_int_eq(value->range.kind, CSY_RANGE_CLOCK);
    ck_assert_int_eq(value->range.lo, want);
    ck_assert_int_eq(value->range.hi, want);
}

static csy_analysis *states_of(csy_sync *sync)
{
    csy_error error;
    csy_meaning *meaning;
    csy_analysis *analysis;
    ck_ok(csy_meaning_new(&meaning, &error), error);
    ck_ok(csy_sync_states(sync, meaning, NULL, &analysis, &error), error);
    csy_meaning_free(meaning);
    ck_assert_uint_eq(csy_analysis_nsheets(analysis), 1);
    ck_assert_ptr_null(csy_analysis_sheet(analysis, 1));
    return analysis;
}

START_TEST(programs)
{
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct acting a;
        csy_trace *trace;
        csy_sync *sync;
        acting_draw(&r, ACTING_THREADS, 12, 9, trial % 2, &a);
        acting_solve(&a, &trace, &sync);
        csy_analysis *analysis = states_of(sync);
        const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
        int64_t all = 0;
        for (size_t i = 0; i < a.nthreads; i++) {
            const char name[] = {(char)('a' + i), 0};
            int64_t active = acting_active(&a, i), here = acting_here(&a, i);
            takes(sheet, i ? name : "ppe", "user", active);
            if (!acting_is_early(&a, i))
                takes(sheet, i ? name : "ppe", "blocked", here - active);
            all += active;
        }
        takes(sheet, "all", "user", all);
        csy_analysis_free(analysis);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
}
END_TEST

/* A thread that waits before its first record has been there: from when the wait began, if the
 * trace had begun then. */
START_TEST(early)
{
    static const struct acting a = {
        .n = 7,
        .nthreads = 3,
        .events = {{0, 0, ACTING_MARK, 100, 100},
                   {0, 1, ACTING_MARK, 129, 129},
                   {1, 0, ACTING_WAIT, 130, 110},
                   {0, 2, ACTING_MARK, 131, 131},
                   {2, 0, ACTING_WAIT, 140, 90},
                   {1, 1, ACTING_WAIT, 150, 105},
                   {0, 3, ACTING_MARK, 160, 160}},
    };
    csy_trace *trace;
    csy_sync *sync;
    acting_solve(&a, &trace, &sync);
    csy_analysis *analysis = states_of(sync);
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    takes(sheet, "b", "user", 0);
    takes(sheet, "b", "blocked", 45);
    takes(sheet, "c", "blocked", 0);
    csy_analysis_free(analysis);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* Twice on an SPE, with a decrementer that was set anew in between, and a second context there. */
START_TEST(switches)
{
    struct truth truth;
    truth_begin(&truth);
    truth_ppe(&truth, 1000);
    truth_switched(&truth, true, 1, 1100);
    truth_spe(&truth, 1, 1110, 5000, 0);
    truth_ppe(&truth, 1120);
    truth_spe(&truth, 1, 1150, 5000, 0);
    truth_switched(&truth, false, 1, 1160);
    truth_switched(&truth, true, 4, 1162);
    truth_spe(&truth, 4, 1170, 9000, 1);
    truth_spe(&truth, 4, 1190, 9000, 1);
    truth_switched(&truth, false, 4, 1195);
    truth_switched(&truth, true, 1, 1200);
    truth_spe(&truth, 1, 1205, 777777, 2);
    truth_spe(&truth, 1, 1230, 777777, 2);
    truth_switched(&truth, false, 1, 1240);
    truth_ppe(&truth, 1250);
    csy_error error;
    csy_options *options;
    ck_ok(csy_options_new(&options, &error), error);
    struct solved solved = truth_solve(&truth, options);
    csy_analysis *analysis = states_of(solved.sync);
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    takes(sheet, "tid4711", "user", 250);
    takes(sheet, "tid0", "user", 140);
    takes(sheet, "spe1", "user", 65);
    takes(sheet, "spe1", "switch", 35);
    takes(sheet, "spe1", "ready", 50);
    takes(sheet, "spe1", "absent", 100);
    takes(sheet, "spe4", "user", 20);
    takes(sheet, "spe4", "switch", 13);
    takes(sheet, "SPE 1", "user", 85);
    takes(sheet, "SPE 1", "switch", 48);
    takes(sheet, "SPE 1", "absent", 117);
    ck_assert(value_of(sheet, "PPE", "absent")->none);
    takes(sheet, "all", "user", 475);
    csy_analysis_free(analysis);
    csy_options_free(options);
    solved_free(&solved);
    buffer_free(&truth.file);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("states");
    tcase_add_test(tests, programs);
    tcase_add_test(tests, early);
    tcase_add_test(tests, switches);
    return unit_run();
}
