/* Opaque options, inputs and outputs: setters keep what is good and refuse, with the old value
 * left, what is not. */
#include "support.h"

#include <string.h>

static csy_options *options;
static csy_input *input;
static csy_output *output;

static void make(void)
{
    csy_error error;
    ck_ok(csy_options_new(&options, &error), error);
    ck_ok(csy_input_new(&input, &error), error);
    ck_ok(csy_output_new(&output, &error), error);
}

static void drop(void)
{
    csy_options_free(options);
    csy_input_free(input);
    csy_output_free(output);
    csy_options_free(NULL);
    csy_input_free(NULL);
    csy_output_free(NULL);
}

START_TEST(new_ones_have_the_defaults)
{
    ck_assert_ptr_null(options->reference);
    ck_assert(options->alpha.num == 1 && options->alpha.den == 2);
    ck_assert(options->delta.num == 0 && options->delta.den == 1);
    ck_assert_int_eq(options->max_imprecision_ticks, CSY_IMPRECISION_DEFAULT);
    ck_assert_int_eq(options->max_adjust_ticks, CSY_ADJUST_ANY);
    ck_assert(!options->relax && !options->engine && !options->unwrap && !options->method &&
              !options->center && !options->monotonic && !options->measure && !options->drop &&
              !options->statistics);
    ck_assert(!input->format && !input->time_unit && !input->columns && !input->counter_bits &&
              !input->offsets && !input->is_offsets);
    ck_assert(!output->format && !output->embed && !output->linked && !output->csv_header &&
              !output->csv_time && !output->ranges && !output->json_args && !output->window &&
              !output->only);
    ck_assert_int_eq(output->compress_level, CSY_COMPRESS_BY_NAME);
}
END_TEST

/* Sets a good value, then some that are refused, and sees that the good one is still there. */
#define CHECK_SETTER(object, member, set, good, want, ...)                                         \
    do {                                                                                           \
        const __typeof__((object)->member) wrong[] = {__VA_ARGS__};                                \
        csy_error error;                                                                           \
        ck_ok(set(object, good, &error), error);                                                   \
        ck_assert((object)->member == (good));                                                     \
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {                                \
            ck_assert_int_eq(set(object, wrong[i], &error), CSY_USAGE);                            \
            ck_assert_msg(strstr(error.text, want) != NULL, "%s", error.text);                     \
            ck_assert_int_eq(set(object, wrong[i], NULL), CSY_USAGE);                              \
            ck_assert((object)->member == (good));                                                 \
        }                                                                                          \
    } while (0)

START_TEST(choices)
{
    CHECK_SETTER(options, relax, csy_options_set_relax, CSY_RELAX_GIVEN, "relax has no value ",
                 (csy_relax)(CSY_RELAX_GIVEN + 1), (csy_relax)-1);
    CHECK_SETTER(options, engine, csy_options_set_engine, CSY_ENGINE_DENSE, "engine has no value ",
                 (csy_engine)(CSY_ENGINE_DENSE + 1), (csy_engine)-1);
    CHECK_SETTER(options, unwrap, csy_options_set_unwrap, CSY_UNWRAP_STRICT, "unwrap has no value ",
                 (csy_unwrap)(CSY_UNWRAP_STRICT + 1), (csy_unwrap)-1);
    CHECK_SETTER(options, method, csy_options_set_method, CSY_METHOD_LSQ, "method has no value ",
                 (csy_method)(CSY_METHOD_ENDS + 1), (csy_method)-1);
    CHECK_SETTER(options, center, csy_options_set_center, CSY_CENTER_LOCAL, "center has no value ",
                 (csy_center)(CSY_CENTER_LOCAL + 1), (csy_center)-1);
    CHECK_SETTER(options, statistics, csy_options_set_statistics, CSY_STATISTICS_ALL,
                 "statistics has no value ", (csy_statistics)(CSY_STATISTICS_ALL + 1),
                 (csy_statistics)-1);
    CHECK_SETTER(input, format, csy_input_set_format, CSY_FORMAT_CSV,
                 "this format can be written, but not read", CSY_FORMAT_PFTRACE, CSY_FORMAT_CTF);
    CHECK_SETTER(input, format, csy_input_set_format, CSY_FORMAT_CSV, "format has no value ",
                 (csy_format)(CSY_FORMAT_ZIPKIN + 1), (csy_format)-1);
    CHECK_SETTER(input, spans, csy_input_set_spans, CSY_SPANS_NESTED, "unknown order of spans",
                 (csy_spans)(CSY_SPANS_NESTED + 1), (csy_spans)-1);
    CHECK_SETTER(input, clock_per, csy_input_set_clock_per, CSY_CLOCK_PER_NODE,
                 "unknown unit of clocks", (csy_clock_per)(CSY_CLOCK_PER_LOCATION + 1),
                 (csy_clock_per)-1);
    CHECK_SETTER(input, counter_bits, csy_input_set_counter_bits, 24,
                 "a counter must have from 4 to 62 bits", 63, 3, 1, (unsigned)-1);
    CHECK_SETTER(input, time_unit, csy_input_set_time_unit, CSY_TIME_NS, "unknown unit of time",
                 (csy_time_unit)(CSY_TIME_NS + 1), (csy_time_unit)-1);
    CHECK_SETTER(output, format, csy_output_set_format, CSY_FORMAT_TAR, "unknown output format",
                 (csy_format)(CSY_FORMAT_TAR + 1), (csy_format)-1);
    CHECK_SETTER(output, csv_header, csy_output_set_csv_header, CSY_CSV_BARE,
                 "unknown kind of CSV header", (csy_csv_header)(CSY_CSV_BARE + 1),
                 (csy_csv_header)-1);
    CHECK_SETTER(output, csv_time, csy_output_set_csv_time, CSY_CSV_DATE,
                 "unknown kind of CSV times", (csy_csv_time)(CSY_CSV_DATE + 1), (csy_csv_time)-1);
    ck_assert_int_eq(csy_input_set_offsets(input, "o.csv", NULL), CSY_OK);
    ck_assert_str_eq(input->offsets, "o.csv");
    ck_assert_int_eq(csy_input_set_offsets(input, NULL, NULL), CSY_OK);
    ck_assert_ptr_null(input->offsets);
    ck_assert_int_eq(csy_output_set_ranges(output, true, NULL), CSY_OK);
    ck_assert(output->ranges);
    CHECK_SETTER(output, json_args, csy_output_set_json_args, CSY_JSON_NONE,
                 "unknown kind of JSON arguments", (csy_json_args)(CSY_JSON_NONE + 1),
                 (csy_json_args)-1);
}
END_TEST

START_TEST(numbers)
{
    const int64_t most = (int64_t)1 << 30;
    CHECK_SETTER(options, max_imprecision_ticks, csy_options_set_max_imprecision, most,
                 "max-imprecision is not from 0 to 2^30 ticks", most + 1, -2, INT64_MIN, INT64_MAX);
    CHECK_SETTER(options, max_adjust_ticks, csy_options_set_max_adjust, INT64_MAX,
                 "max-adjust is negative", -2, INT64_MIN);
    CHECK_SETTER(options, latency_ticks, csy_options_set_latency, 7, "latency is negative", -1,
                 INT64_MIN);
    CHECK_SETTER(options, steps, csy_options_set_steps, (uint64_t)CSY_STEPS_MAX,
                 "a clock can have at most 100 steps", CSY_STEPS_MAX + 1, UINT64_MAX);
    CHECK_SETTER(options, drop, csy_options_set_drop, (uint64_t)CSY_DROP_MAX,
                 "at most 50000 records can be dropped", CSY_DROP_MAX + 1, UINT64_MAX);
    CHECK_SETTER(options, advise, csy_options_set_advise, (uint64_t)CSY_ADVISE_MAX,
                 "advice can be about at most 1000 records", CSY_ADVISE_MAX + 1, UINT64_MAX);
    CHECK_SETTER(output, compress_level, csy_output_set_compress_level, 9, "is not from 0 to 9", 10,
                 -2, INT32_MIN);
}
END_TEST

/* Two at once. */
START_TEST(drift)
{
    csy_error error;
    ck_ok(csy_options_set_drift(options, 100000, 20, &error), error);
    ck_assert_int_eq(options->drift_ppb, 100000);
    ck_assert_int_eq(options->wander_ppb, 20);
    ck_refused(csy_options_set_drift(options, 1000000000, CSY_NO_DRIFT, &error), CSY_USAGE, error,
               "drift and wander are not from 0 to below 10^9 ppb");
    ck_refused(csy_options_set_drift(options, CSY_NO_DRIFT, 5, &error), CSY_USAGE, error,
               "a wander requires a drift");
    ck_assert_int_eq(options->wander_ppb, 20);
    ck_ok(csy_options_set_drift(options, CSY_NO_DRIFT, CSY_NO_DRIFT, &error), error);
}
END_TEST

START_TEST(fractions)
{
    const csy_fraction beyond[] = {{3, 2}, {-1, 2}, {1, 0}, {1, -2}, {INT64_MAX, 1}};
    csy_error error;
    ck_ok(csy_options_set_alpha(options, (csy_fraction){1, 1}, &error), error);
    ck_ok(csy_options_set_delta(options, (csy_fraction){7, 2}, &error), error);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        ck_refused(csy_options_set_alpha(options, beyond[i], &error), CSY_USAGE, error,
                   "alpha is not between 0 and 1");
    for (size_t i = 1; i < 4; i++)
        ck_refused(csy_options_set_delta(options, beyond[i], &error), CSY_USAGE, error,
                   "delta is negative");
    ck_assert(options->alpha.num == 1 && options->alpha.den == 1);
    ck_assert(options->delta.num == 7 && options->delta.den == 2);
}
END_TEST

/* What has a clock in an OTF2 archive is one of three. */
START_TEST(clocks)
{
    csy_error error;
    ck_ok(csy_input_set_clock_per(input, CSY_CLOCK_PER_NODE, &error), error);
    ck_refused(csy_input_set_clock_per(input, (csy_clock_per)(CSY_CLOCK_PER_LOCATION + 1), &error),
               CSY_USAGE, error, "unknown unit of clocks");
    ck_assert_int_eq(input->clock_per, CSY_CLOCK_PER_NODE);
}
END_TEST

/* Texts are copied, and NULL is the default again. */
START_TEST(texts)
{
    csy_error error;
    char text[] = "25%..#9";
    ck_ok(csy_options_set_reference(options, text, &error), error);
    ck_ok(csy_input_set_columns(input, text, &error), error);
    ck_ok(csy_output_set_window(output, text, &error), error);
    ck_ok(csy_output_set_only(output, text, &error), error);
    memset(text, 'x', sizeof text - 1);
    ck_assert_str_eq(options->reference, "25%..#9");
    ck_assert_str_eq(input->columns, "25%..#9");
    ck_assert_str_eq(output->window, "25%..#9");
    ck_assert_str_eq(output->only, "25%..#9");
    ck_assert_int_eq(csy_output_set_window(output, text, &error), CSY_USAGE);
    ck_assert_msg(strstr(error.text, "window 'xxxxxxx': expected A..B") != NULL, "%s", error.text);
    ck_assert_str_eq(output->window, "25%..#9");
    ck_ok(csy_options_set_reference(options, NULL, &error), error);
    ck_ok(csy_input_set_columns(input, NULL, &error), error);
    ck_ok(csy_output_set_window(output, NULL, &error), error);
    ck_ok(csy_output_set_only(output, NULL, &error), error);
    ck_assert(!options->reference && !input->columns && !output->window && !output->only);
}
END_TEST

START_TEST(flags)
{
    csy_error error;
    ck_ok(csy_options_set_monotonic(options, true, &error), error);
    ck_ok(csy_options_set_measure(options, true, &error), error);
    ck_ok(csy_output_set_embed(output, true, &error), error);
    ck_ok(csy_output_set_link(output, true, &error), error);
    ck_assert(options->monotonic && options->measure && output->embed && output->linked);
}
END_TEST

/* What is set is what a trace is solved with, and the options may be used again. */
START_TEST(a_trace_is_solved_with_them)
{
    csy_error error;
    csy_trace *trace;
    csy_sync *sync;
    size_t thread;
    ck_ok(csy_trace_new("made", 1000, &trace, &error), error);
    for (int i = 0; i < 3; i++) {
        const char *const names[] = {"a", "b", "c"};
        ck_ok(csy_trace_add_thread(trace, names[i], NULL, &thread, &error), error);
        ck_ok(csy_trace_add(trace, &(csy_new_event){.thread = thread, .time_ticks = 10 * i}, 1,
                            &error),
              error);
    }
    ck_ok(csy_options_set_reference(options, "c", &error), error);
    ck_ok(csy_options_set_method(options, CSY_METHOD_LSQ, &error), error);
    for (int i = 0; i < 2; i++) {
        ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
        ck_assert_int_eq(csy_sync_method(sync), CSY_METHOD_LSQ);
        csy_sync_free(sync);
    }
    ck_ok(csy_options_set_method(options, CSY_METHOD_BHH, &error), error);
    ck_ok(csy_options_set_alpha(options, (csy_fraction){1, 3}, &error), error);
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    ck_assert_uint_eq(csy_sync_reference(sync), 2);
    ck_assert_int_eq(csy_sync_alpha(sync).den, 3);
    csy_sync_free(sync);
    ck_ok(csy_trace_synchronize(trace, NULL, &sync, &error), error);
    ck_assert_uint_eq(csy_sync_reference(sync), 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("options");
    tcase_add_checked_fixture(tests, make, drop);
    tcase_add_test(tests, new_ones_have_the_defaults);
    tcase_add_test(tests, choices);
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, drift);
    tcase_add_test(tests, fractions);
    tcase_add_test(tests, clocks);
    tcase_add_test(tests, texts);
    tcase_add_test(tests, flags);
    tcase_add_test(tests, a_trace_is_solved_with_them);
    return unit_run();
}
