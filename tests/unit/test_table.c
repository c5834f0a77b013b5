/* The <synchronization> table: read back as it was written, refused where anything is amiss. */
#include "support.h"
#include "sync/reread/table.h"

#include <string.h>

#define GOOD_ATTRIBUTES                                                                            \
    "reference=\"ppe\" alpha=\"1/2\" relax=\"exact\" delta=\"7/2\" added_ticks=\"7\" "             \
    "original_crc32=\"0x1c291ca3\" records=\"10\" wraps=\"-1\" splits=\"2\" assumed=\"3\" "        \
    "unwrap=\"strict\" max_imprecision=\"143180\""

#define GOOD_THREADS                                                                               \
    "<ppe_thread first_record=\"0\" records=\"4\" offset=\"0\" earliest=\"0\" latest=\"0\"/>"      \
    "<live_interval id=\"1\" ctx=\"4294967295\" spe=\"3\" first_record=\"2\" records=\"3\" "       \
    "decr_first=\"4012345678\" offset=\"-5\" earliest=\"-inf\" latest=\"inf\"/>"                   \
    "<other/><live_interval id=\"2\" ctx=\"7\" first_record=\"6\" records=\"2\" decr_first=\"0\" " \
    "offset=\"9\" earliest=\"8\" latest=\"11\"/>"                                                  \
    "<live_interval id=\"3\" ctx=\"7\" spe=\"0\" first_record=\"8\" records=\"1\" "                \
    "decr_first=\"1\" offset=\"12\" earliest=\"12\" latest=\"12\"/>"

/* Read a table out of a document with these attributes and children, and a clock before or after
 * it. */
static csy_status read_with(const char *before, const char *after, const char *attributes,
                            const char *threads, struct table *table, csy_error *error)
{
    char xml[3000];
    struct csy_trace trace = {.name = (char[]){"a.pex"}};
    snprintf(xml, sizeof xml,
             "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>%s"
             "<synchronization reference='stale'>" GOOD_THREADS "</synchronization>\n"
             "<synchronization %s>text%s</synchronization>%s</pdt_trace>",
             before, attributes, threads, after);
    trace.table = &trace.metadata.table;
    trace.table_rows = &trace.metadata.rows;
    ck_ok(metadata_parse("a.pex", xml, strlen(xml), &trace.metadata, error), *error);
    csy_status status = table_read(&trace, table, error);
    metadata_fini(&trace.metadata);
    return status;
}

static bool same_row(const struct table_thread *a, const struct table_thread *b)
{
    return a->ppe == b->ppe && a->context == b->context && a->decr_first == b->decr_first &&
           a->spe == b->spe && a->first_record == b->first_record && a->records == b->records &&
           a->offset_ticks == b->offset_ticks && a->earliest_ticks == b->earliest_ticks &&
           a->latest_ticks == b->latest_ticks;
}

/* Wherever the clock says that the trace is synchronized. */
static csy_status read(const char *attributes, const char *threads, struct table *table,
                       csy_error *error)
{
    static const char clock[] = "<clock kind='global'/>";
    struct table kept;
    csy_error kept_error;
    csy_status status = read_with(clock, "", attributes, threads, table, error);
    ck_assert_int_eq(read_with("", clock, attributes, threads, &kept, &kept_error), status);
    ck_assert_uint_eq(table->rows.count, kept.rows.count);
    for (size_t i = 0; i < kept.rows.count; i++)
        ck_assert(same_row(&table->rows.threads[i], &kept.rows.threads[i]));
    if (status)
        ck_assert_str_eq(error->text, kept_error.text);
    table_fini(&kept);
    return status;
}

START_TEST(tables_are_read)
{
    struct table t;
    csy_error error;
    ck_ok(read(GOOD_ATTRIBUTES, GOOD_THREADS, &t, &error), error);
    ck_assert_str_eq(t.reference, "ppe");
    ck_assert(t.alpha.num == 1 && t.alpha.den == 2);
    ck_assert(t.delta.num == 7 && t.delta.den == 2);
    ck_assert_int_eq(t.relax, CSY_RELAX_EXACT);
    ck_assert_int_eq(t.added_ticks, 7);
    ck_assert_uint_eq(t.original_crc32, 0x1c291ca3);
    ck_assert_uint_eq(t.records, 10);
    ck_assert_int_eq(t.wraps, -1);
    ck_assert_uint_eq(t.splits, 2);
    ck_assert_uint_eq(t.assumed, 3);
    ck_assert(t.strict);
    ck_assert_int_eq(t.max_imprecision_ticks, 143180);
    ck_assert_uint_eq(t.rows.count, 4);
    ck_assert(t.rows.threads[0].ppe && !t.rows.threads[1].ppe);
    const struct table_thread *one = &t.rows.threads[1];
    ck_assert_uint_eq(one->context, UINT32_MAX);
    ck_assert_uint_eq(one->decr_first, 4012345678);
    ck_assert_uint_eq(one->spe, 3);
    ck_assert_uint_eq(one->first_record, 2);
    ck_assert_uint_eq(one->records, 3);
    ck_assert_int_eq(one->offset_ticks, -5);
    ck_assert_int_eq(one->earliest_ticks, INT64_MIN);
    ck_assert_int_eq(one->latest_ticks, INT64_MAX);
    ck_assert_uint_eq(t.rows.threads[2].spe, CSY_NO_SPE);
    table_fini(&t);
}
END_TEST

START_TEST(numbers_may_be_the_greatest)
{
    static const char greatest[] =
        "<live_interval id=\"0\" ctx=\"4294967295\" spe=\"18446744073709551614\" "
        "first_record=\"0\" records=\"1\" decr_first=\"4294967295\" "
        "offset=\"9223372036854775807\" earliest=\"-9223372036854775807\" "
        "latest=\"9223372036854775807\"/>";
    struct table t;
    csy_error error;
    ck_ok(read(GOOD_ATTRIBUTES, greatest, &t, &error), error);
    const struct table_thread *thread = &t.rows.threads[0];
    ck_assert_uint_eq(thread->context, UINT32_MAX);
    ck_assert_uint_eq(thread->decr_first, UINT32_MAX);
    ck_assert_uint_eq(thread->spe, UINT64_MAX - 1);
    ck_assert_int_eq(thread->offset_ticks, INT64_MAX);
    ck_assert_int_eq(thread->earliest_ticks, -INT64_MAX);
    table_fini(&t);
}
END_TEST

/* The index of the thread that a record belongs to, or -1. */
static int find(const struct table *t, bool spe, uint32_t context, uint64_t position)
{
    struct record record = {.spe = spe, .thread = context, .position = position};
    const struct table_thread *found = table_find(t, &record);
    return found ? (int)(found - t->rows.threads) : -1;
}

START_TEST(records_are_found)
{
    struct table t;
    csy_error error;
    ck_ok(read(GOOD_ATTRIBUTES, GOOD_THREADS, &t, &error), error);
    ck_assert_int_eq(find(&t, false, 4711, 3), 0);
    ck_assert_int_eq(find(&t, true, UINT32_MAX, 1), -1);
    ck_assert_int_eq(find(&t, true, UINT32_MAX, 2), 1);
    ck_assert_int_eq(find(&t, true, UINT32_MAX, 999), 1);
    ck_assert_int_eq(find(&t, true, 7, 5), -1);
    ck_assert_int_eq(find(&t, true, 7, 7), 2);
    ck_assert_int_eq(find(&t, true, 7, 8), 3);
    ck_assert_int_eq(find(&t, true, 8, 8), -1);
    ck_assert_int_eq(find(&t, true, 0, 8), -1);
    table_fini(&t);
    ck_ok(read(GOOD_ATTRIBUTES, "", &t, &error), error);
    ck_assert_int_eq(find(&t, false, 4711, 0), -1);
    ck_assert_int_eq(find(&t, true, 0, 0), -1);
    table_fini(&t);
}
END_TEST

/* Many intervals of few contexts, against a plain search. */
START_TEST(records_are_found_among_many)
{
    enum { INTERVALS = 300, CONTEXTS = 7 };
    struct random r = random_trial(0);
    struct table_thread threads[INTERVALS];
    uint32_t by_context[INTERVALS];
    struct table t = {.rows = {.threads = threads, .count = INTERVALS}, .by_context = by_context};
    for (uint64_t i = 0; i < INTERVALS; i++)
        threads[i] = (struct table_thread){.context = (uint32_t)random_between(&r, 0, CONTEXTS),
                                           .first_record = 3 * i};
    for (uint32_t context = 0; context <= CONTEXTS; context++)
        for (uint32_t i = 0; i < INTERVALS; i++)
            if (threads[i].context == context)
                by_context[t.nby_context++] = i;
    for (int trial = 0; trial < 5000; trial++) {
        uint32_t context = (uint32_t)random_between(&r, 0, CONTEXTS + 1);
        uint64_t position = (uint64_t)random_between(&r, 0, 3 * INTERVALS);
        int want = -1;
        for (int i = 0; i < INTERVALS; i++)
            if (threads[i].context == context && threads[i].first_record <= position)
                want = i;
        if (find(&t, true, context, position) != want)
            ck_abort_msg("trial %d", trial);
    }
}
END_TEST

/* `text` with the first `old` in it replaced. */
static const char *with(const char *text, const char *old, const char *new)
{
    static char out[3000];
    const char *at = strstr(text, old);
    ck_assert_ptr_nonnull(at);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return out;
}

START_TEST(bad_attributes_are_refused)
{
    static const struct {
        const char *old, *new, *want;
    } faults[] = {
        {"reference=\"ppe\"", "", "\"reference\" is missing or malformed"},
        {"alpha=\"1/2\"", "alpha=\"half\"", "\"alpha\" is missing or malformed"},
        {"alpha=\"1/2\"", "alpha=\"3/2\"", "\"alpha\" is above 1"},
        {"relax=\"exact\"", "relax=\"Exact\"", "\"relax\" is missing or malformed"},
        {"relax=\"exact\"", "", "\"relax\" is missing or malformed"},
        {"delta=\"7/2\"", "delta=\"-1\"", "\"delta\" is missing or malformed"},
        {"delta=\"7/2\"", "delta=\"4\"", "added_ticks is not 2 delta rounded up"},
        {"added_ticks=\"7\"", "added_ticks=\"6\"", "added_ticks is not 2 delta rounded up"},
        {"added_ticks=\"7\"", "added_ticks=\"x\"", "added_ticks is missing or malformed"},
        {"0x1c291ca3", "0x11c291ca3", "original_crc32 is missing or malformed"},
        {"0x1c291ca3", "1c291ca3", "original_crc32 is missing or malformed"},
        {"records=\"10\"", "", "\"records\" is missing or malformed"},
        {"wraps=\"-1\"", "wraps=\"--1\"", "\"wraps\" is missing or malformed"},
        {"splits=\"2\"", "splits=\"-2\"", "\"splits\" is missing or malformed"},
        {"assumed=\"3\"", "", "\"assumed\" is missing or malformed"},
        {"unwrap=\"strict\"", "unwrap=\"\"", "\"unwrap\" is missing or malformed"},
        {"\"143180\"", "\"1073741825\"", "max_imprecision is missing or malformed"},
        {"\"143180\"", "\"-1\"", "max_imprecision is missing or malformed"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct table t;
        csy_error error;
        char want[200];
        const char *attributes = with(GOOD_ATTRIBUTES, faults[i].old, faults[i].new);
        snprintf(want, sizeof want, "a.pex: line 2: synchronization: %s", faults[i].want);
        ck_refused(read(attributes, GOOD_THREADS, &t, &error), CSY_INPUT, error, want);
        table_fini(&t);
    }
}
END_TEST

START_TEST(bad_threads_are_refused)
{
    static const char amiss[] = "an attribute is missing or malformed";
    static const struct {
        const char *old, *new, *element, *want;
    } faults[] = {
        {"id=\"1\"", "id=\"2\"", "live_interval", amiss},
        {"id=\"1\"", "", "live_interval", amiss},
        {"ctx=\"4294967295\"", "ctx=\"4294967296\"", "live_interval", amiss},
        {"ctx=\"7\"", "", "live_interval", amiss},
        {"4012345678", "4294967296", "live_interval", amiss},
        {"decr_first=\"0\"", "", "live_interval", amiss},
        {"records=\"4\"", "", "ppe_thread", amiss},
        {"first_record=\"0\"", "first_record=\"-1\"", "ppe_thread", amiss},
        {"offset=\"9\"", "offset=\"9.0\"", "live_interval", amiss},
        {"earliest=\"8\"", "", "live_interval", amiss},
        {"latest=\"11\"", "latest=\"infinite\"", "live_interval", amiss},
        {"first_record=\"6\"", "first_record=\"2\"", "live_interval",
         "the elements are not in the order of their first records"},
        {"first_record=\"8\"", "first_record=\"6\"", "live_interval",
         "the elements are not in the order of their first records"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct table t;
        csy_error error;
        char want[200];
        const char *threads = with(GOOD_THREADS, faults[i].old, faults[i].new);
        snprintf(want, sizeof want, "a.pex: line 2: %s: %s", faults[i].element, faults[i].want);
        ck_refused(read(GOOD_ATTRIBUTES, threads, &t, &error), CSY_INPUT, error, want);
        table_fini(&t);
    }
}
END_TEST

#define ROW(id, first)                                                                             \
    "<live_interval id=\"" id "\" ctx=\"1\" first_record=\"" first "\" records=\"1\" "             \
    "decr_first=\"0\" offset=\"0\" earliest=\"0\" latest=\"0\"/>"

/* No row after a refused one is taken in its place. */
START_TEST(moved_threads_are_refused)
{
    static const char *const moved[] = {
        ROW("1", "1") ROW("0", "0") ROW("2", "2"), ROW("0", "0") ROW("2", "2") ROW("1", "1"),
        ROW("1", "1") ROW("2", "2") ROW("0", "0"), ROW("0", "0") ROW("0", "0") ROW("1", "1")};
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        struct table t;
        csy_error error;
        ck_refused(read(GOOD_ATTRIBUTES, moved[i], &t, &error), CSY_INPUT, error,
                   "a.pex: line 2: live_interval: an attribute is missing or malformed");
        table_fini(&t);
    }
}
END_TEST

START_TEST(documents_without_a_table)
{
    static const char xml[] = "<pdt_trace version='1'><machine timebase_hz='1'/><trace_file/>"
                              "<a><synchronization/></a></pdt_trace>";
    struct csy_trace trace = {.name = (char[]){"a.pex"}};
    struct table t;
    csy_error error;
    trace.table = &trace.metadata.table;
    trace.table_rows = &trace.metadata.rows;
    ck_ok(metadata_parse("a.pex", xml, strlen(xml), &trace.metadata, &error), error);
    ck_refused(table_read(&trace, &t, &error), CSY_INPUT, error,
               "a.pex: the clock is global, but there is no synchronization element");
    table_fini(&t);
    metadata_fini(&trace.metadata);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("table");
    tcase_add_test(tests, tables_are_read);
    tcase_add_test(tests, numbers_may_be_the_greatest);
    tcase_add_test(tests, records_are_found);
    tcase_add_test(tests, records_are_found_among_many);
    tcase_add_test(tests, bad_attributes_are_refused);
    tcase_add_test(tests, bad_threads_are_refused);
    tcase_add_test(tests, moved_threads_are_refused);
    tcase_add_test(tests, documents_without_a_table);
    return unit_run();
}
