/* Rows to threads: a name is a clock, and everything of the PPE is one clock, `ppe`. */
#include "clock/timeline.h"
#include "support.h"

#include <string.h>

static char file[] = "a.csv";
static struct csy_trace trace = {.name = file, .source = &source_csv};

static struct event event_of(uint64_t position, const char *thread, enum stamp_core core,
                             int64_t time)
{
    return (struct event){
        .position = position,
        .place = 12,
        .stamp = {
            .thread = thread, .thread_size = strlen(thread), .core = core, .time_ticks = time}};
}

START_TEST(names_are_clocks)
{
    static const struct {
        const char *name;
        enum stamp_core core;
        uint32_t thread, track;
    } rows[] = {{"A", STAMP_CORE_NONE, 0, 0},  {"B", STAMP_CORE_SPE, 1, 1},
                {"A", STAMP_CORE_SPE, 0, 0},   {"A", STAMP_CORE_PPE, 2, 2},
                {"x", STAMP_CORE_PPE, 2, 3},   {"ppe", STAMP_CORE_NONE, 2, 4},
                {"ppe", STAMP_CORE_PPE, 2, 4}, {"PPE", STAMP_CORE_NONE, 3, 5},
                {"pp", STAMP_CORE_NONE, 4, 6}, {"ppee", STAMP_CORE_SPE, 5, 7},
                {"B", STAMP_CORE_NONE, 1, 1},  {"A", STAMP_CORE_PPE, 2, 2}};
    struct threads threads;
    struct names *names;
    csy_error error;
    threads_init(&threads);
    ck_ok(names_new(&threads, NULL, &names, &error), error);
    for (uint64_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct event event = event_of(i, rows[i].name, rows[i].core, (int64_t)i);
        ck_ok(names_push(names, &event, &trace, &error), error);
        ck_assert_uint_eq(event.thread, rows[i].thread);
        ck_assert_uint_eq(event.track, rows[i].track);
        ck_assert_uint_eq(threads.tracks[event.track].thread, event.thread);
    }
    ck_assert_uint_eq(threads.count, 6);
    ck_assert_uint_eq(threads.ntracks, 8);
    ck_assert_ptr_null(threads.tracks[1].name);
    ck_assert_str_eq(threads.tracks[3].name, "x");
    ck_assert_uint_eq(threads.ppe, 2);
    ck_assert_ptr_null(threads.items[2].name);
    ck_assert_int_eq(threads.items[2].kind, CSY_KIND_PPE);
    ck_assert_uint_eq(threads.items[2].records, 5);
    ck_assert_uint_eq(threads.items[2].first_record, 3);
    ck_assert_str_eq(threads.items[1].name, "B");
    ck_assert_int_eq(threads.items[1].kind, CSY_KIND_SPE);
    ck_assert_int_eq(threads.items[1].context, CSY_NO_CONTEXT);
    ck_assert_uint_eq(threads.items[1].spe, CSY_NO_SPE);
    ck_assert_int_eq(threads.items[1].min_ticks, 1);
    ck_assert_int_eq(threads.items[1].max_ticks, 10);
    names_free(names);
    threads_fini(&threads);
}
END_TEST

/* Threads on one clock share it; one of the same name on another clock is another thread. */
START_TEST(clocks_are_shared)
{
    static const struct {
        const char *name, *clock;
        enum stamp_core core;
        uint32_t thread, track;
    } rows[] = {{"A", "host1", STAMP_CORE_NONE, 0, 0}, {"B", "host1", STAMP_CORE_NONE, 0, 1},
                {"A", "host2", STAMP_CORE_SPE, 1, 2},  {"host1", "", STAMP_CORE_NONE, 0, 3},
                {"A", "", STAMP_CORE_NONE, 2, 4},      {"host1", "host1", STAMP_CORE_NONE, 0, 3},
                {"A", "host1", STAMP_CORE_SPE, 0, 0},  {"C", "A", STAMP_CORE_NONE, 2, 5},
                {"A", "ppe", STAMP_CORE_NONE, 3, 6},   {"A", "host2", STAMP_CORE_PPE, 3, 6},
                {"Z", "Y", STAMP_CORE_NONE, 4, 7},     {"Y", "Y", STAMP_CORE_NONE, 4, 8}};
    struct threads threads;
    struct names *names;
    csy_error error;
    threads_init(&threads);
    ck_ok(names_new(&threads, NULL, &names, &error), error);
    for (uint64_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct event event = event_of(i, rows[i].name, rows[i].core, (int64_t)i);
        event.stamp.clock = rows[i].clock;
        event.stamp.clock_size = strlen(rows[i].clock);
        ck_ok(names_push(names, &event, &trace, &error), error);
        ck_assert_uint_eq(event.thread, rows[i].thread);
        ck_assert_uint_eq(event.track, rows[i].track);
    }
    ck_assert_str_eq(threads.items[0].name, "host1");
    ck_assert_str_eq(threads.tracks[0].name, "A");
    ck_assert_ptr_null(threads.tracks[3].name);
    ck_assert_uint_eq(threads.items[0].records, 5);
    names_free(names);
    threads_fini(&threads);
}
END_TEST

START_TEST(the_name_ppe_is_taken)
{
    struct threads threads;
    struct names *names;
    csy_error error;
    struct event event = event_of(0, "ppe", STAMP_CORE_SPE, 0);
    threads_init(&threads);
    ck_ok(names_new(&threads, NULL, &names, &error), error);
    ck_refused(names_push(names, &event, &trace, &error), CSY_INPUT, error,
               "a.csv: line 12: thread \"ppe\" has the core \"spe\", but this name is reserved for "
               "the PPE");
    ck_assert_uint_eq(threads.count, 0);
    names_free(names);
    names_free(NULL);
    threads_fini(&threads);
}
END_TEST

/* Names that differ little, more of them than any cache has room for, against a plain list. */
START_TEST(names_are_told_apart)
{
    enum { NAMES = 3000 };
    static char seen[NAMES][16];
    struct random r = random_trial(0);
    struct threads threads;
    struct names *names;
    csy_error error;
    size_t nseen = 0;
    uint64_t rows = 2000 + (uint64_t)trials_of(18000);
    threads_init(&threads);
    ck_ok(names_new(&threads, NULL, &names, &error), error);
    for (uint64_t i = 0; i < rows; i++) {
        char name[16];
        int number = (int)random_between(&r, 0, NAMES - 1);
        snprintf(name, sizeof name, "%.*s%d", number % 3, "\xc3\xa9", number);
        struct event event = event_of(i, name, STAMP_CORE_SPE, 0);
        size_t want = 0;
        while (want < nseen && strcmp(seen[want], name) != 0)
            want++;
        if (want == nseen)
            strcpy(seen[nseen++], name);
        ck_ok(names_push(names, &event, &trace, &error), error);
        if (event.thread != want || strcmp(threads.items[event.thread].name, name) != 0)
            ck_abort_msg("row %d: %s is thread %u, want %zu", (int)i, name, event.thread, want);
    }
    ck_assert_uint_eq(threads.count, nseen);
    names_free(names);
    threads_fini(&threads);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("timeline");
    tcase_add_test(tests, names_are_clocks);
    tcase_add_test(tests, clocks_are_shared);
    tcase_add_test(tests, the_name_ppe_is_taken);
    tcase_add_test(tests, names_are_told_apart);
    return unit_run();
}
