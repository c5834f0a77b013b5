/* How long actors were in which state: what programs did, and contexts that are switched. */
#include "acting.h"
#include "truth.h"

#include <cellsync/analysis.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TRIALS = 300, CORES_THREADS = 4, CORES_STEPS = 60 };

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

/* Threads of one clock, of which another tells, from some step on, when they have a core; the
 * system tells of each how long it had one, at its first record and its last. */
struct cores {
    struct buffer rows;
    int64_t now, together; /* that at least one had a core that is there */
    struct core_of {
        bool there, on, waits, ended;
        int64_t spent, since; /* the begin of a wait */
    } threads[CORES_THREADS];
    bool told;
};

static void cores_go_on(struct cores *c, int64_t ticks)
{
    bool any = false;
    c->now += ticks;
    for (size_t i = 0; i < CORES_THREADS; i++) {
        c->threads[i].spent += c->threads[i].on ? ticks : 0;
        any |= c->threads[i].on && c->threads[i].there;
    }
    c->together += any ? ticks : 0;
}

static void cores_switch(struct cores *c, size_t i, const char *event)
{
    char row[96];
    struct core_of *core = &c->threads[i];
    core->on = strcmp(event, "IN") == 0;
    core->there |= c->told;
    snprintf(row, sizeof row, "k,c,%lld,,%s,%c,,,\n", (long long)c->now, event, (char)('a' + i));
    if (c->told)
        buffer_text(&c->rows, row);
}

static void cores_record(struct cores *c, size_t i, const char *event, const char *begin)
{
    char row[128], spent[48] = ",,";
    struct core_of *core = &c->threads[i];
    int64_t user = core->spent / 3;
    core->there = true;
    if (strcmp(event, "SPENT") == 0)
        snprintf(spent, sizeof spent, "%lld,%lld,0", (long long)user,
                 (long long)(core->spent - user));
    snprintf(row, sizeof row, "%c,c,%lld,%s,%s,,%s\n", (char)('a' + i), (long long)c->now, begin,
             event, spent);
    buffer_text(&c->rows, row);
}

/* Something becomes of a thread that has begun. */
static void cores_step(struct cores *c, struct random *r, size_t i)
{
    struct core_of *core = &c->threads[i];
    char begin[32];
    if (!core->on) {
        cores_switch(c, i, "IN");
    } else if (random_chance(r, 50)) {
        cores_switch(c, i, random_chance(r, 50) ? "OUT" : "PUSHED");
    } else if (core->waits) {
        snprintf(begin, sizeof begin, "%lld", (long long)core->since);
        cores_record(c, i, "WAITED", begin);
        core->waits = false;
    } else {
        core->waits = random_chance(r, 50);
        core->since = c->now;
        cores_record(c, i, "MARK", "");
    }
}

static void cores_draw(struct cores *c, struct random *r)
{
    int64_t tell = random_between(r, 0, CORES_STEPS);
    bool begun[CORES_THREADS] = {false};
    *c = (struct cores){.told = false};
    buffer_text(&c->rows, "# timebase_hz=1000000000\n"
                          "thread,clock,time,begin,event,who,user_ns,system_ns,runnable_ns\n");
    for (int64_t step = 0; step < CORES_STEPS; step++) {
        size_t i = step == 0 ? 0 : (size_t)random_between(r, 0, CORES_THREADS - 1);
        c->told = tell < CORES_STEPS / 2 && step >= tell;
        if (!begun[i]) {
            cores_switch(c, i, "IN");
            cores_go_on(c, 1);
            cores_record(c, i, "SPENT", "");
        } else {
            cores_step(c, r, i);
        }
        begun[i] = true;
        cores_go_on(c, random_between(r, 1, 9));
    }
    for (size_t i = 0; i < CORES_THREADS; i++) {
        if (!begun[i])
            continue;
        if (!c->threads[i].on)
            cores_switch(c, i, "IN");
        cores_go_on(c, 1);
        cores_record(c, i, "SPENT", "");
        c->threads[i].on = false;
    }
}

static csy_meaning *cores_meaning(void)
{
    return acting_meaning("<events version=\"1\">"
                          "<recordType name=\"OUT\" role=\"suspend\" state=\"blocked\">"
                          "<field name=\"who\" role=\"thread\"/></recordType>"
                          "<recordType name=\"PUSHED\" role=\"suspend\" state=\"ready\">"
                          "<field name=\"who\" role=\"thread\"/></recordType>"
                          "<recordType name=\"IN\" role=\"resume\">"
                          "<field name=\"who\" role=\"thread\"/></recordType>"
                          "<recordType name=\"WAITED\" role=\"wait\"/>"
                          "<recordType name=\"SPENT\" role=\"mark\">"
                          "<field name=\"user_ns\" role=\"user_ns\"/>"
                          "<field name=\"system_ns\" role=\"system_ns\"/>"
                          "<field name=\"runnable_ns\" role=\"runnable_ns\"/></recordType>"
                          "</events>");
}

/* What is said of all, and of the sum of actors and the longest of them. */
static csy_range together_of(const struct buffer *rows, bool levels, int64_t *longest, int64_t *sum)
{
    csy_error error;
    csy_trace *trace;
    csy_sync *sync;
    csy_options *options;
    csy_analysis *analysis;
    char path[32];
    const csy_states asked = {.levels = levels};
    csy_meaning *meaning = cores_meaning();
    int fd = file_of(rows->bytes, rows->size);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    close(fd);
    ck_ok(csy_options_new(&options, &error), error);
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    ck_ok(csy_sync_states(sync, meaning, &asked, &analysis, &error), error);
    const csy_sheet *sheet = csy_analysis_sheet(analysis, 0);
    *longest = *sum = 0;
    for (size_t row = 0; row + 1 < sheet->nrows; row++) { /* the last one is of all */
        const char *name = sheet->values[row * sheet->ncolumns + 1].text;
        int64_t own = value_of(sheet, name, "virtual")->range.estimate;
        *sum += own;
        *longest = own > *longest ? own : *longest;
    }
    csy_range out = value_of(sheet, "all", "virtual")->range;
    csy_analysis_free(analysis);
    csy_sync_free(sync);
    csy_trace_free(trace);
    csy_options_free(options);
    csy_meaning_free(meaning);
    return out;
}

/* The time with at least one actor executing is no more than that of all together and no less than
 * that of any, but for the tick between when it got its core and what the system first counted; and
 * so is what is said of it, in which the truth is. */
START_TEST(counted)
{
    int narrower = 0, off = 0;
    for (int trial = 0; trial < trials_of(TRIALS); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct cores c;
        int64_t longest, sum;
        cores_draw(&c, &r);
        csy_range out = together_of(&c.rows, trial % 2, &longest, &sum);
        ck_assert_msg(out.lo <= c.together && c.together <= out.hi,
                      "trial %d: %lld is not in [%lld, %lld]", trial, (long long)c.together,
                      (long long)out.lo, (long long)out.hi);
        ck_assert_msg(longest - 1 <= out.lo && out.lo <= out.estimate && out.estimate <= out.hi &&
                          out.hi <= sum,
                      "trial %d: %lld <= [%lld, %lld, %lld] <= %lld", trial, (long long)longest,
                      (long long)out.lo, (long long)out.estimate, (long long)out.hi,
                      (long long)sum);
        narrower += out.lo > longest && out.hi < sum;
        off += out.estimate != c.together;
        buffer_free(&c.rows);
    }
    printf("%d are narrower than from the longest to the sum, %d estimates are off\n", narrower,
           off);
    ck_assert_of_trials(narrower * 20 > trials_of(TRIALS));
    ck_assert_of_trials(off * 20 > trials_of(TRIALS));
}
END_TEST

/* The main thread has no core from 10 to 80, before switches are recorded; b spins in a wait from
 * 120 on.  By events a executes from 0 to 100, b from 110 to 120 alone. */
START_TEST(late_switches)
{
    const char *const text = "# timebase_hz=1000000000\n"
                             "thread,clock,time,begin,event,who,user_ns,system_ns,runnable_ns\n"
                             "a,c,0,,SPENT,,0,0,0\n"
                             "k,c,100,,OUT,a,,,\n"
                             "k,c,110,,IN,b,,,\n"
                             "b,c,110,,SPENT,,0,0,0\n"
                             "b,c,150,120,WAITED,,,,\n"
                             "b,c,150,,SPENT,,30,10,0\n"
                             "k,c,150,,IN,a,,,\n"
                             "a,c,160,,SPENT,,40,0,70\n";
    struct buffer rows = {0};
    buffer_text(&rows, text);
    for (int levels = 0; levels < 2; levels++) {
        int64_t longest, sum;
        csy_range out = together_of(&rows, levels, &longest, &sum);
        ck_assert_int_eq(longest, 40);
        ck_assert_int_eq(sum, 80);
        ck_assert_int_eq(out.kind, CSY_RANGE_PROVEN);
        ck_assert_int_eq(out.lo, 50); /* of 120 by events 70 were none of a's */
        ck_assert_int_eq(out.hi, 80); /* the truth */
        ck_assert_int_eq(out.estimate, 80);
    }
    buffer_free(&rows);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("states");
    tcase_add_test(tests, programs);
    tcase_add_test(tests, early);
    tcase_add_test(tests, switches);
    tcase_add_test(tests, counted);
    tcase_add_test(tests, late_switches);
    return unit_run();
}
