/*
 * The public interface on the samples: bounds and offsets are those that an independent solver
 * gave for them, by either engine; events add up; what is written can be read; errors need not be
 * listened to.
 */
#include "output/file/tempname.h"
#include "support.h"

#include <cellsync/analysis.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct folder folder;

static const struct {
    const char *name, *suffix;
} samples[] = {{"paper", "csv"},          {"one-sided", "csv"},    {"plain", "pex"},
               {"switches", "pex"},       {"switches-gz", "pex"},  {"embedded", "pex"},
               {"trailing-bytes", "pex"}, {"jitter", "pex"},       {"steps-back", "pex"},
               {"stragglers", "pex"},     {"garbage-begin", "pex"}};

enum { NSAMPLES = sizeof samples / sizeof *samples };

static const char *sample_path(const char *name, const char *suffix)
{
    static char path[600];
    snprintf(path, sizeof path, SAMPLES "/%s.%s", name, suffix);
    return path;
}

static csy_trace *open_sample(const char *name, const char *suffix)
{
    csy_trace *trace;
    csy_error error;
    ck_ok(csy_trace_open(sample_path(name, suffix), NULL, &trace, &error), error);
    return trace;
}

static csy_sync *solve(csy_trace *trace, const csy_options *options)
{
    csy_sync *sync;
    csy_error error;
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    return sync;
}

static csy_options default_options(void)
{
    return options_default;
}

/* Text of a bound, as the samples have it. */
static void add_ticks(struct buffer *b, int64_t ticks, const char *after)
{
    char text[40];
    snprintf(text, sizeof text, "%" PRId64 "%s", ticks, after);
    if (ticks == INT64_MIN || ticks == INT64_MAX)
        snprintf(text, sizeof text, "%s%s", ticks < 0 ? "-inf" : "inf", after);
    buffer_text(b, text);
}

static struct buffer offsets_text(const csy_sync *sync)
{
    struct buffer b = {0};
    buffer_text(&b, "thread,records,offset_ticks,earliest_ticks,latest_ticks\n");
    for (size_t t = 0; t < csy_sync_nthreads(sync); t++) {
        const csy_thread *thread = csy_sync_thread(sync, t);
        buffer_text(&b, thread->name);
        buffer_text(&b, ",");
        add_ticks(&b, (int64_t)thread->records, ",");
        add_ticks(&b, thread->offset_ticks, ",");
        add_ticks(&b, thread->earliest_ticks, ",");
        add_ticks(&b, thread->latest_ticks, "\n");
    }
    return b;
}

static struct buffer bounds_text(csy_sync *sync)
{
    struct buffer b = {0};
    csy_error error;
    buffer_text(&b, "thread_s,thread_t,lower_ticks,upper_ticks,error_ticks\n");
    for (size_t s = 0; s < csy_sync_nthreads(sync); s++) {
        for (size_t t = s + 1; t < csy_sync_nthreads(sync); t++) {
            int64_t lower, upper, apart;
            ck_ok(csy_sync_bounds(sync, s, t, &lower, &upper, &apart, &error), error);
            buffer_text(&b, csy_sync_thread(sync, s)->name);
            buffer_text(&b, ",");
            buffer_text(&b, csy_sync_thread(sync, t)->name);
            buffer_text(&b, ",");
            add_ticks(&b, lower, ",");
            add_ticks(&b, upper, ",");
            add_ticks(&b, apart < 0 ? INT64_MAX : apart, "\n");
        }
    }
    return b;
}

/* The first six columns of a CSV without quotes. */
static struct buffer first_columns(const struct buffer *csv)
{
    struct buffer b = {0};
    size_t commas = 0;
    for (size_t at = 0; at < csv->size; at++) {
        uint8_t c = csv->bytes[at];
        commas = c == '\n' ? 0 : commas + (c == ',');
        if (commas < 6)
            buffer_add(&b, &c, 1);
    }
    return b;
}

/* Those of the CSV report, which then says what all bounds rest on. */
static struct buffer bounds_report(csy_sync *sync)
{
    struct buffer b = {0}, bounds = bounds_text(sync);
    for (size_t at = 0, end; at < bounds.size; at = end + 1) {
        end = at;
        while (bounds.bytes[end] != '\n')
            end++;
        buffer_add(&b, bounds.bytes + at, end - at);
        if (at == 0) {
            buffer_text(&b, ",event_error_ticks\n");
            continue;
        }
        size_t error = end;
        while (bounds.bytes[error - 1] != ',')
            error--;
        int64_t ticks = strtoll((char *)bounds.bytes + error, NULL, 10);
        buffer_text(&b, ",");
        add_ticks(&b, csy_sync_event_error(sync, ticks), "\n");
    }
    buffer_free(&bounds);
    return b;
}

static void assert_expected(struct buffer got, const char *name, const char *suffix)
{
    struct buffer want = file_read(sample_path(name, suffix));
    ck_assert_msg(buffer_is(&got, want.bytes, want.size), "%s.%s", name, suffix);
    buffer_free(&got);
    buffer_free(&want);
}

START_TEST(bounds_and_offsets_are_the_expected_ones)
{
    const char *name = samples[_i].name;
    csy_trace *trace = open_sample(name, samples[_i].suffix);
    for (int engine = CSY_ENGINE_AUTO; engine <= CSY_ENGINE_DENSE; engine++) {
        csy_options options = default_options();
        options.engine = (csy_engine)engine;
        csy_sync *sync = solve(trace, &options);
        assert_expected(offsets_text(sync), name, "offsets.csv");
        assert_expected(bounds_text(sync), name, "bounds.csv");
        csy_sync_free(sync);
    }
    csy_trace_free(trace);
}
END_TEST

/* Walk over all events and compare them with what the solution says of their threads. */
static void assert_events(const csy_sync *sync)
{
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more;
    uint64_t records = 0, inversions = 0, counts[200] = {0};
    int64_t greatest = INT64_MIN, largest = 0;
    ck_ok(csy_events_open(sync, &events, &error), error);
    for (;;) {
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        const csy_thread *thread = csy_sync_thread(sync, event.thread);
        ck_assert_uint_eq(event.record, records++);
        ck_assert(event.size > 0 && event.bytes);
        ck_assert_int_eq(event.global_ticks, event.local_ticks + thread->offset_ticks);
        if (counts[event.thread]++ == 0)
            ck_assert_uint_eq(event.record, thread->first_record);
        inversions += event.global_ticks < greatest;
        largest = greatest > event.global_ticks + largest ? greatest - event.global_ticks : largest;
        greatest = event.global_ticks > greatest ? event.global_ticks : greatest;
    }
    csy_events_free(events);
    ck_assert_uint_eq(records, csy_sync_records(sync));
    for (size_t t = 0; t < csy_sync_nthreads(sync); t++)
        ck_assert_uint_eq(counts[t], csy_sync_thread(sync, t)->records);
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    ck_assert_uint_eq(inversions, imprecision->inversions);
    ck_assert_int_eq(largest, imprecision->largest_inversion_ticks);
    ck_assert_int_le(largest, imprecision->added_ticks);
}

START_TEST(events_add_up)
{
    csy_options options = default_options();
    csy_trace *trace = open_sample(samples[_i].name, samples[_i].suffix);
    csy_sync *sync = solve(trace, &options);
    assert_events(sync);
    assert_events(sync);
    csy_events_free(NULL);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

START_TEST(bounds_of_no_thread_are_refused)
{
    csy_trace *trace = open_sample("paper", "csv");
    csy_options options = default_options();
    for (options.engine = CSY_ENGINE_SWEEP; options.engine <= CSY_ENGINE_DENSE; options.engine++) {
        csy_sync *sync = solve(trace, &options);
        static const size_t beyond[] = {3, 4, 1000000, SIZE_MAX};
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
            int64_t lower = 7, upper = 7;
            csy_error error;
            ck_assert_int_eq(csy_sync_bounds(sync, beyond[i], 0, &lower, &upper, NULL, &error),
                             CSY_USAGE);
            ck_assert_int_eq(csy_sync_bounds(sync, 0, beyond[i], &lower, &upper, NULL, &error),
                             CSY_USAGE);
            ck_assert_ptr_nonnull(strstr(error.text, "is asked for, the last of 3 is 2"));
            ck_assert(lower == 7 && upper == 7);
        }
        csy_sync_free(sync);
    }
    csy_trace_free(trace);
}
END_TEST

START_TEST(the_known_answer)
{
    csy_trace *trace = open_sample("paper", "csv");
    csy_options options = default_options();
    options.reference = "T1";
    csy_sync *sync = solve(trace, &options);
    int64_t lower, upper, apart;
    csy_error error;
    ck_assert_uint_eq(csy_sync_reference(sync), 0);
    ck_assert(csy_sync_alpha(sync).num == 1 && csy_sync_alpha(sync).den == 2);
    ck_assert_int_eq(csy_sync_center(sync), CSY_CENTER_REFERENCE);
    ck_assert_int_eq(csy_sync_thread(sync, 1)->offset_ticks, 8);
    ck_ok(csy_sync_bounds(sync, 1, 0, &lower, &upper, &apart, &error), error);
    ck_assert_int_eq(lower, 6);
    ck_assert_int_eq(upper, 10);
    ck_assert_int_eq(apart, 4);
    ck_ok(csy_sync_bounds(sync, 0, 1, &lower, &upper, NULL, &error), error);
    ck_assert_int_eq(lower, -10);
    ck_assert_int_eq(upper, -6);
    ck_ok(csy_sync_bounds(sync, 2, 2, &lower, &upper, &apart, &error), error);
    ck_assert(lower == 0 && upper == 0 && apart == 0);
    ck_assert_ptr_null(csy_sync_witness(sync));
    ck_assert_uint_eq(csy_sync_summary(sync)->pairs, 3);
    csy_sync_free(sync);
    csy_sync_free(NULL);
    csy_trace_free(trace);
}
END_TEST

START_TEST(traces_are_written_in_every_form)
{
    static const struct {
        const char *name;
        csy_output output;
        size_t nfiles;
        csy_format format;
    } forms[] = {{"a.pex", {.compress_level = -1}, 2, CSY_FORMAT_PEX},
                 {"b.pex", {.compress_level = -1, .embed = true}, 1, CSY_FORMAT_PEX},
                 {"c.csv", {.compress_level = -1}, 1, CSY_FORMAT_CSV},
                 {"d.pex", {.compress_level = 1}, 2, CSY_FORMAT_PEX},
                 {"e.pex", {.compress_level = 9, .embed = true}, 1, CSY_FORMAT_PEX}};
    csy_options options = default_options();
    csy_trace *trace = open_sample("switches", "pex");
    csy_sync *sync = solve(trace, &options);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        csy_trace *written;
        csy_proof proof;
        csy_error error;
        const char *path = folder_file(&folder, forms[i].name);
        size_t before = folder_count(&folder);
        csy_trace_set_workers(trace, (unsigned)i);
        ck_ok(csy_trace_check_outputs(trace, NULL, path, &forms[i].output, NULL, &error), error);
        ck_ok(csy_sync_write_trace(sync, path, &forms[i].output, &error), error);
        ck_assert_uint_eq(folder_count(&folder) - before, forms[i].nfiles);
        ck_ok(csy_trace_open(path, NULL, &written, &error), error);
        ck_assert_int_eq(csy_trace_format(written), forms[i].format);
        ck_assert_uint_eq(csy_trace_timebase_hz(written), csy_trace_timebase_hz(trace));
        csy_trace_free(written);
        if (forms[i].format == CSY_FORMAT_PEX)
            ck_ok(prove(path, &proof, &error), error);
    }
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* A CSV made of a .pex has the same clocks: solved again, it gives the same bounds. */
START_TEST(csv_output_is_input)
{
    csy_options options = default_options();
    csy_error error;
    csy_trace *trace = open_sample("jitter", "pex"), *again;
    csy_sync *sync = solve(trace, &options);
    const char *path = folder_file(&folder, "a.csv");
    ck_ok(csy_sync_write_trace(sync, path, NULL, &error), error);
    ck_ok(csy_trace_open(path, NULL, &again, &error), error);
    csy_sync *solved = solve(again, &options);
    assert_expected(bounds_text(solved), "jitter", "bounds.csv");
    csy_sync_free(solved);
    csy_trace_free(again);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* With what their bounds rest on: delta was found to be 0 on a Cell, or above 0, or to be 0 and
 * nothing says what the clocks are. */
static const struct {
    const char *name, *suffix, *tex, *condition;
} reported[] = {
    {"plain", "pex", "% error bounds in ticks",
     "every timestamp is exact to the tick; if not, pass --delta"},
    {"jitter", "pex", "% event errors in ticks", NULL},
    {"paper", "csv", "% error bounds in ticks",
     "all clocks run at the same rate and tick at the same instants, and every timestamp is exact "
     "to "
     "the "
     "tick; if not, pass --drift, --delta=1/2 or more, or both"},
};

START_TEST(reports_are_written)
{
    csy_options options = default_options();
    csy_error error;
    csy_trace *trace = open_sample(reported[_i].name, reported[_i].suffix);
    csy_sync *sync = solve(trace, &options);
    const char *path = folder_file(&folder, "report");
    char text[CSY_WARNING_TEXT_MAX];
    ck_assert(csy_sync_imprecision(sync)->conditional == (_i == 1));
    ck_assert_pstr_eq(csy_sync_condition(sync, text), reported[_i].condition);
    for (int format = CSY_REPORT_TEXT; format <= CSY_REPORT_TEX; format++) {
        ck_ok(csy_sync_write_report(sync, path, (csy_report_format)format, CSY_PAIRS_AUTO, &error),
              error);
        struct buffer report = file_read(path), want = bounds_report(sync);
        struct buffer columns = first_columns(&report);
        ck_assert_uint_gt(report.size, 0);
        ck_assert(format != CSY_REPORT_CSV || buffer_is(&columns, want.bytes, want.size));
        ck_assert(format != CSY_REPORT_JSON || report.bytes[0] == '{');
        ck_assert(format != CSY_REPORT_HTML || memcmp(report.bytes, "<!DOCTYPE html>\n", 16) == 0);
        const char *tex = reported[_i].tex;
        ck_assert(format != CSY_REPORT_TEX || memcmp(report.bytes, tex, strlen(tex)) == 0);
        buffer_free(&report);
        buffer_free(&columns);
        buffer_free(&want);
    }
    ck_assert_int_eq(
        csy_sync_write_report(sync, "/dev/full", CSY_REPORT_TEXT, CSY_PAIRS_AUTO, &error), CSY_IO);
    ck_assert_uint_eq(folder_count(&folder), 1);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* A trace from text, opened. */
static csy_trace *open_text(const char *text)
{
    csy_trace *trace;
    csy_error error;
    const char *path = folder_file(&folder, "text.csv");
    file_write(path, text, strlen(text));
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    return trace;
}

/* A@10 B@0 B@3 A@8: B counts 3 while A steps back by 2, so the order misses 5 over two edges. */
static const char contradiction[] = "thread,time\nA,10\nB,0\nB,3\nA,8\n";

static void assert_witness(const csy_sync *sync)
{
    const csy_witness *witness = csy_sync_witness(sync);
    int64_t sum = 0;
    ck_assert_ptr_nonnull(witness);
    ck_assert_uint_eq(witness->length, 2);
    for (size_t i = 0; i < 2; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        ck_assert_uint_eq(edge->t, witness->edges[1 - i].s);
        ck_assert_uint_lt(edge->record_s, edge->record_t);
        ck_assert_uint_eq(edge->place_s, edge->record_s + 2);
        ck_assert_uint_eq(edge->place_t, edge->record_t + 2);
        ck_assert_int_eq(edge->weight_ticks, edge->time_t - edge->time_s);
        sum += edge->weight_ticks;
    }
    ck_assert_int_eq(sum, -5);
    ck_assert_int_eq(witness->weight_ticks, -5);
    ck_assert(witness->least_delta.num == 5 && witness->least_delta.den == 4);
}

/* Rows outlive their traces; nothing is written before it is asked for. */
START_TEST(tables_gather_traces)
{
    csy_error error;
    csy_table *table;
    csy_options options = default_options();
    const char *path = folder_file(&folder, "t.csv");
    ck_ok(csy_table_new(path, CSY_REPORT_CSV, &table, &error), error);
    for (int i = 0; i < 2; i++) {
        csy_trace *trace = open_sample(i ? "jitter" : "plain", "pex");
        csy_sync *sync = solve(trace, &options);
        ck_ok(csy_table_add(table, sync, &error), error);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    ck_assert_uint_eq(folder_count(&folder), 0);
    ck_ok(csy_table_write(table, &error), error);
    struct buffer text = file_read(path);
    size_t lines = 0;
    for (size_t i = 0; i < text.size; i++)
        lines += text.bytes[i] == '\n';
    ck_assert_uint_eq(lines, 3);
    buffer_free(&text);
    csy_table_free(table);
}
END_TEST

START_TEST(tables_that_do_not_fit)
{
    csy_error error;
    csy_table *table = NULL;
    csy_options options = default_options();
    ck_assert_int_eq(csy_table_new("t", CSY_REPORT_JSON, &table, &error), CSY_USAGE);
    ck_assert_int_eq(csy_table_new("t", CSY_REPORT_HTML, &table, &error), CSY_USAGE);
    ck_assert_ptr_null(table);
    csy_trace *trace = open_sample("plain", "pex");
    ck_ok(csy_table_new(csy_trace_name(trace), CSY_REPORT_TEX, &table, &error), error);
    csy_sync *sync = solve(trace, &options);
    ck_assert_int_eq(csy_table_add(table, sync, &error), CSY_INPUT);
    csy_sync_free(sync);
    csy_table_free(table);
    ck_ok(csy_table_new("/dev/full", CSY_REPORT_TEXT, &table, &error), error);
    options.method = CSY_METHOD_LSQ;
    sync = solve(trace, &options);
    ck_assert_int_eq(csy_table_add(table, sync, &error), CSY_USAGE);
    ck_assert_int_eq(csy_table_write(table, &error), CSY_IO);
    csy_table_free(table);
    csy_table_free(NULL);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

START_TEST(contradictions_are_relaxed)
{
    csy_trace *trace = open_text(contradiction);
    csy_options options = default_options();
    for (int engine = CSY_ENGINE_SWEEP; engine <= CSY_ENGINE_DENSE; engine++) {
        options.engine = (csy_engine)engine;
        csy_sync *sync = solve(trace, &options);
        const csy_imprecision *imprecision = csy_sync_imprecision(sync);
        ck_assert(imprecision->delta.num == 5 && imprecision->delta.den == 4);
        ck_assert_int_eq(imprecision->added_ticks, 3);
        assert_witness(sync);
        assert_events(sync);
        csy_sync_free(sync);
    }
    csy_trace_free(trace);
}
END_TEST

/* Refused, with the witness and nothing else. */
START_TEST(contradictions_are_refused)
{
    csy_trace *trace = open_text(contradiction);
    csy_options options = default_options();
    for (int i = 0; i < 4; i++) {
        csy_sync *sync = NULL;
        csy_error error;
        csy_events *events;
        int64_t lower, upper;
        options.engine = i & 1 ? CSY_ENGINE_DENSE : CSY_ENGINE_SWEEP;
        options.relax = i & 2 ? CSY_RELAX_GIVEN : CSY_RELAX_NONE;
        options.delta = (csy_fraction){12499, 10000};
        ck_assert_int_eq(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INFEASIBLE);
        ck_assert_int_eq(error.status, CSY_INFEASIBLE);
        assert_witness(sync);
        ck_assert_uint_eq(csy_sync_nthreads(sync), 2);
        ck_assert_str_eq(csy_sync_thread(sync, 1)->name, "B");
        ck_assert_int_eq(csy_sync_bounds(sync, 0, 1, &lower, &upper, NULL, NULL), CSY_USAGE);
        ck_assert_int_eq(csy_events_open(sync, &events, NULL), CSY_USAGE);
        ck_assert_int_eq(csy_sync_write_trace(sync, folder_file(&folder, "o.csv"), NULL, NULL),
                         CSY_USAGE);
        ck_assert_int_eq(csy_sync_write_report(sync, folder_file(&folder, "r"), CSY_REPORT_TEXT,
                                               CSY_PAIRS_AUTO, NULL),
                         CSY_USAGE);
        csy_sync_free(sync);
        ck_assert_int_eq(csy_trace_synchronize(trace, &options, &sync, NULL), CSY_INFEASIBLE);
        csy_sync_free(sync);
    }
    ck_assert_uint_eq(folder_count(&folder), 1);
    csy_trace_free(trace);
}
END_TEST

START_TEST(given_deltas_that_suffice)
{
    csy_trace *trace = open_text(contradiction);
    csy_options options = default_options();
    options.relax = CSY_RELAX_GIVEN;
    options.delta = (csy_fraction){5, 4};
    csy_sync *sync = solve(trace, &options);
    ck_assert_ptr_null(csy_sync_witness(sync));
    ck_assert_int_eq(csy_sync_imprecision(sync)->added_ticks, 3);
    assert_events(sync);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* What there is of a solution without bounds, and what is refused. */
static void assert_no_bounds(csy_sync *sync)
{
    csy_error error;
    int64_t lower, upper, bound;
    ck_assert_int_eq(csy_sync_bounds(sync, 0, 0, &lower, &upper, &bound, &error), CSY_USAGE);
    ck_assert_msg(strstr(error.text, ": only --method=bhh gives bounds"), "%s", error.text);
    const char *path = folder_file(&folder, "report");
    ck_assert_int_eq(csy_sync_write_report(sync, path, CSY_REPORT_CSV, CSY_PAIRS_AUTO, &error),
                     CSY_USAGE);
    ck_assert_uint_eq(folder_count(&folder), 0);
    ck_assert_ptr_null(csy_sync_witness(sync));
    ck_assert_uint_eq(csy_sync_summary(sync)->pairs, 0);
    for (size_t t = 0; t < csy_sync_nthreads(sync); t++) {
        ck_assert_int_eq(csy_sync_thread(sync, t)->earliest_ticks, INT64_MIN);
        ck_assert_int_eq(csy_sync_thread(sync, t)->latest_ticks, INT64_MAX);
    }
}

/* The method's offset and an event's global time agree, or there is no offset. */
static void assert_offsets(const csy_sync *sync, bool moves_threads)
{
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more;
    int64_t previous = INT64_MIN;
    ck_ok(csy_events_open(sync, &events, &error), error);
    while (csy_events_next(events, &event, &more, &error) == CSY_OK && more) {
        int64_t offset = csy_sync_thread(sync, event.thread)->offset_ticks;
        ck_assert_int_eq(offset == CSY_NO_OFFSET, !moves_threads);
        ck_assert(moves_threads ? offset + event.local_ticks == event.global_ticks
                                : event.global_ticks > previous);
        previous = event.global_ticks;
    }
    ck_assert(!more);
    csy_events_free(events);
}

START_TEST(methods_to_compare_with)
{
    static const csy_method methods[] = {CSY_METHOD_LAMPORT, CSY_METHOD_LAMPORT_CLOCK,
                                         CSY_METHOD_LSQ};
    for (size_t i = 0; i < 3; i++) {
        csy_options options = default_options();
        options.method = methods[i];
        bool lsq = methods[i] == CSY_METHOD_LSQ;
        csy_trace *trace = open_sample("jitter", "pex");
        csy_sync *sync = solve(trace, &options);
        const csy_damage *damage = csy_sync_damage(sync);
        ck_assert_int_eq(csy_sync_method(sync), methods[i]);
        ck_assert_uint_eq(damage->mean.pairs, csy_sync_records(sync) - csy_sync_nthreads(sync));
        ck_assert_int_eq(damage->damaged == 0 && damage->worst_ticks == 0, lsq);
        ck_assert_int_eq(csy_sync_imprecision(sync)->inversions > 0, lsq);
        assert_no_bounds(sync);
        assert_offsets(sync, lsq);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
}
END_TEST

START_TEST(damage_is_measured_where_asked)
{
    csy_options options = default_options();
    csy_trace *trace = open_sample("jitter", "pex");
    csy_sync *sync = solve(trace, &options);
    uint64_t inversions = csy_sync_imprecision(sync)->inversions;
    ck_assert_ptr_null(csy_sync_damage(sync));
    csy_sync_free(sync);
    options.measure = true;
    sync = solve(trace, &options);
    ck_assert_uint_eq(csy_sync_damage(sync)->mean.pairs,
                      csy_sync_records(sync) - csy_sync_nthreads(sync));
    ck_assert_uint_eq(csy_sync_damage(sync)->damaged, 0);
    ck_assert_uint_eq(csy_sync_imprecision(sync)->inversions, inversions);
    ck_assert_uint_gt(inversions, 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* Records that are not where their thread's offset puts them, by the events themselves. */
static csy_correction count_corrections(const csy_sync *sync)
{
    csy_correction counted = {0, 0};
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more;
    ck_ok(csy_events_open(sync, &events, &error), error);
    for (;;) {
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        int64_t offset = csy_sync_thread(sync, event.thread)->offset_ticks;
        int64_t by = llabs(event.global_ticks - event.local_ticks - offset);
        counted.records += by > 0;
        counted.largest_ticks = by > counted.largest_ticks ? by : counted.largest_ticks;
    }
    csy_events_free(events);
    return counted;
}

START_TEST(corrections_are_counted)
{
    for (int monotonic = 0; monotonic < 2; monotonic++) {
        csy_options options = default_options();
        options.monotonic = monotonic;
        csy_trace *trace = open_sample("jitter", "pex");
        csy_sync *sync = solve(trace, &options);
        const csy_correction *got = csy_sync_correction(sync);
        const csy_correction want = count_corrections(sync);
        ck_assert_int_eq(want.records > 0, monotonic);
        ck_assert_uint_eq(got->records, want.records);
        ck_assert_int_eq(got->largest_ticks, want.largest_ticks);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
}
END_TEST

/* Each may be, but not with the others, or not for this trace. */
START_TEST(options_that_do_not_fit)
{
    csy_trace *trace = open_text("thread,time\nA,1\nB,2\n");
    csy_sync *sync = NULL;
    csy_options options[8];
    const size_t n = sizeof options / sizeof *options;
    for (size_t i = 0; i < n; i++)
        options[i] = default_options();
    options[0].reference = "C\n";
    options[1].relax = CSY_RELAX_GIVEN;
    options[1].delta = (csy_fraction){INT64_MAX, 1};
    options[2].relax = CSY_RELAX_PAPER;
    options[2].engine = CSY_ENGINE_SWEEP;
    options[3].method = CSY_METHOD_LSQ;
    options[3].unwrap = CSY_UNWRAP_STRICT;
    options[4].method = CSY_METHOD_LAMPORT;
    options[4].center = CSY_CENTER_LOCAL;
    options[5].method = CSY_METHOD_LSQ;
    options[5].monotonic = true;
    options[6].relax = CSY_RELAX_NONE;
    options[6].drop = 1;
    options[7].method = CSY_METHOD_LSQ;
    options[7].drop = 1;
    for (size_t i = 0; i < n; i++) {
        csy_error error = {CSY_OK, ""};
        csy_status status = csy_trace_synchronize(trace, &options[i], &sync, &error);
        ck_assert_msg(status == CSY_USAGE && error.text[0], "options %zu: %u", i, status);
        ck_assert_int_eq(csy_trace_synchronize(trace, &options[i], &sync, NULL), CSY_USAGE);
        ck_assert_ptr_null(sync);
    }
    csy_trace_free(trace);
}
END_TEST

START_TEST(traces_that_cannot_be_solved)
{
    csy_options options = default_options();
    csy_sync *sync = NULL;
    csy_error error;
    csy_trace *trace = open_text("thread,time\n");
    ck_assert_int_eq(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INPUT);
    ck_assert_msg(strstr(error.text, ": the trace has no records"), "%s", error.text);
    csy_trace_free(trace);
    trace = open_text("thread,time\nA,0\nA,300000000000000000\n");
    ck_assert_int_eq(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INPUT);
    ck_assert_msg(strstr(error.text, "text.csv: line 3: "), "%s", error.text);
    csy_trace_free(trace);
    ck_assert_ptr_null(sync);
}
END_TEST

/* How far two clocks are apart and how long the trace lasts fit 64 bits together, just so:
 * 2^63 - 10 and 9; or not. */
START_TEST(offsets_near_the_end)
{
    csy_options options = default_options();
    csy_sync *sync = NULL;
    csy_error error;
    csy_trace *trace = open_text("thread,time\nA,-4611686018427387904\nB,4611686018427387898\n"
                                 "A,-4611686018427387895\n");
    csy_sync_free(solve(trace, &options));
    csy_trace_free(trace);
    trace = open_text("thread,time\nA,-4611686018427387904\nB,4611686018427387899\n"
                      "A,-4611686018427387895\n");
    ck_assert_int_eq(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INPUT);
    ck_assert_msg(strstr(error.text, ": the difference between two clocks does not fit 64 bits"),
                  "%s", error.text);
    ck_assert_ptr_null(sync);
    csy_trace_free(trace);
}
END_TEST

/* A stream of CTF is an SPE's, or a context's whose SPE has a number beyond 63 bits. */
START_TEST(numbers_of_spes)
{
    csy_options options = default_options();
    struct buffer file = {0};
    csy_trace *trace;
    csy_error error;
    const char *path = folder_file(&folder, "a.pex"), *ctf = folder_file(&folder, "a.ctf");
    buffer_text(&file, "<pdt_trace version='1'><machine timebase_hz='14318000'/><trace_file/>"
                       "</pdt_trace>");
    buffer_add(&file, "", 1);
    add_header(&file, 0, UINT64_MAX);
    add_switch(&file, true, 10, 1, INT64_MAX);
    add_switch(&file, true, 20, 2, (uint64_t)INT64_MAX + 1);
    add_spe(&file, 1, 1000);
    add_spe(&file, 2, 2000);
    add_ppe(&file, 30);
    file_write(path, file.bytes, file.size);
    buffer_free(&file);
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    csy_sync *sync = solve(trace, &options);
    ck_ok(csy_sync_write_trace(sync, ctf, NULL, &error), error);
    ck_assert_int_eq(access(folder_file(&folder, "a.ctf/spe9223372036854775807"), F_OK), 0);
    ck_assert_int_eq(access(folder_file(&folder, "a.ctf/context2"), F_OK), 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
    tempname_remove_folder(ctf, true);
}
END_TEST

/* Of what a .pex can have besides. */
START_TEST(pex_outputs_that_do_not_fit)
{
    csy_options options = default_options();
    csy_trace *trace = open_sample("plain", "pex");
    csy_sync *sync = solve(trace, &options);
    const char *pex = folder_file(&folder, "a.pex");
    const char *named = folder_file(&folder, "a.89abcdef.trace");
    const csy_output best = {.format = CSY_FORMAT_PEX, .compress_level = 9};
    const csy_output plain = {.format = CSY_FORMAT_PEX, .compress_level = -1};
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, pex, &best, NULL, NULL), CSY_OK);
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, named, &plain, NULL, NULL), CSY_OK);
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, pex, NULL, pex, NULL), CSY_USAGE);
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, pex, NULL, named, NULL), CSY_USAGE);
    options.monotonic = true;
    ck_assert_int_eq(csy_trace_check_outputs(trace, &options, pex, NULL, NULL, NULL), CSY_USAGE);
    ck_assert_uint_eq(folder_count(&folder), 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

START_TEST(outputs_that_do_not_fit)
{
    csy_trace *trace = open_text("thread,time\nA,1\nB,2\n");
    csy_options options = default_options();
    csy_sync *sync = solve(trace, &options);
    const char *own = folder_file(&folder, "text.csv"), *pex = folder_file(&folder, "a.pex");
    const char *csv = folder_file(&folder, "a.csv");
    ck_assert_int_eq(csy_sync_write_trace(sync, pex, NULL, NULL), CSY_USAGE);
    ck_assert_int_eq(csy_sync_write_trace(sync, own, NULL, NULL), CSY_INPUT);
    ck_assert_int_eq(csy_sync_write_report(sync, own, CSY_REPORT_TEXT, CSY_PAIRS_AUTO, NULL),
                     CSY_INPUT);
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, own, NULL, NULL, NULL), CSY_INPUT);
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, NULL, NULL, own, NULL), CSY_INPUT);
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, csv, NULL, csv, NULL), CSY_USAGE);
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, csv, NULL, "-", NULL), CSY_OK);
    const csy_output packed = {.compress_level = 0};
    ck_assert_int_eq(csy_trace_check_outputs(trace, NULL, csv, &packed, NULL, NULL), CSY_USAGE);
    ck_assert_int_eq(csy_sync_write_trace(sync, csv, &packed, NULL), CSY_USAGE);
    ck_assert_int_eq(csy_sync_write_report(sync, csv, (csy_report_format)(CSY_REPORT_TEX + 1),
                                           CSY_PAIRS_AUTO, NULL),
                     CSY_USAGE);
    ck_assert_int_eq(
        csy_sync_write_report(sync, csv, CSY_REPORT_JSON, (csy_pairs)(CSY_PAIRS_MET + 1), NULL),
        CSY_USAGE);
    ck_assert_int_eq(csy_sync_write_graph(sync, csv, (csy_graph)(CSY_GRAPH_BOUNDS + 1), NULL),
                     CSY_USAGE);
    ck_assert_uint_eq(folder_count(&folder), 1);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* Between the solution and its events the file has got a row more, or a row less; of threads that
 * are known. */
START_TEST(events_of_another_file)
{
    static const char *const others[] = {"thread,time\nA,1\nB,2\nA,3\nB,4\n",
                                         "thread,time\nA,1\nB,2\n", "thread,time\n"};
    csy_options options = default_options();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        csy_trace *trace = open_text("thread,time\nA,1\nB,2\nA,3\n");
        csy_sync *sync = solve(trace, &options);
        const char *path = folder_file(&folder, "text.csv");
        csy_events *events;
        csy_event event;
        csy_error error;
        csy_status status = CSY_OK;
        char want[600];
        file_write(path, others[i], strlen(others[i]));
        ck_ok(csy_events_open(sync, &events, &error), error);
        for (bool more = true; !status && more;)
            status = csy_events_next(events, &event, &more, &error);
        snprintf(want, sizeof want, "%s: the trace has changed while it was read", path);
        ck_refused(status, CSY_IO, error, want);
        csy_events_free(events);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
}
END_TEST

enum { STAGES_MAX = 16 };

/* How often what was told. */
struct told {
    unsigned calls, begun;
    const char *stages[STAGES_MAX]; /* in the order in which they were first told */
    csy_unit units[STAGES_MAX];
};

static void note_call(void *user, const char *stage, csy_unit unit, uint64_t done, uint64_t total)
{
    struct told *told = user;
    ck_assert(stage && stage[0] && (total == 0 || done <= total));
    told->calls++;
    for (unsigned i = 0; i < told->begun; i++)
        if (strcmp(told->stages[i], stage) == 0)
            return;
    ck_assert_uint_lt(told->begun, STAGES_MAX);
    told->stages[told->begun] = stage;
    told->units[told->begun++] = unit;
}

static void assert_told(const struct told *told, const char *const *stages, unsigned n)
{
    ck_assert_uint_eq(told->begun, n);
    for (unsigned i = 0; i < n; i++) {
        bool threads = strcmp(stages[i], "statistics") == 0 || strcmp(stages[i], "closing") == 0 ||
                       strcmp(stages[i], "pairing") == 0 || strcmp(stages[i], "listing pairs") == 0;
        ck_assert_str_eq(told->stages[i], stages[i]);
        ck_assert_int_eq(told->units[i], threads ? CSY_UNIT_THREADS : CSY_UNIT_BYTES);
    }
}

START_TEST(progress_is_told)
{
    static const char *const sweep[] = {"reading",    "relaxing",      "statistics", "measuring",
                                        "summing",    "writing",       "syncing",    "profiling",
                                        "diagnosing", "listing pairs", "pairing",    "reporting",
                                        "explaining", "drawing"};
    static const char *const dense[] = {"reading", "relaxing", "closing", "statistics"};
    csy_explanation *why;
    csy_error error;
    csy_output output;
    csy_options options = default_options();
    csy_trace *trace = open_sample("jitter", "pex");
    struct told told = {0}, again = {0};
    csy_trace_set_progress(trace, note_call, &told);
    csy_sync *sync = solve(trace, &options);
    output = settings_default;
    output.embed = true;
    const char *path = folder_file(&folder, "out");
    ck_ok(csy_sync_write_trace(sync, path, &output, &error), error);
    for (int format = CSY_REPORT_TEXT; format <= CSY_REPORT_TEX; format++)
        ck_ok(csy_sync_write_report(sync, path, (csy_report_format)format, CSY_PAIRS_ALL, &error),
              error);
    ck_ok(csy_sync_explain(sync, 0, 1, &why, &error), error);
    csy_explanation_free(why);
    ck_ok(csy_sync_write_graph(sync, path, CSY_GRAPH_CONSTRAINTS, &error), error);
    assert_told(&told, sweep, 14);
    csy_sync_free(sync);
    unsigned calls = told.calls;
    csy_trace_set_progress(trace, note_call, &again);
    options.engine = CSY_ENGINE_DENSE;
    options.relax = CSY_RELAX_PAPER;
    sync = solve(trace, &options);
    ck_assert_uint_eq(told.calls, calls);
    again.begun = again.begun > 4 ? 4 : again.begun;
    ck_assert_int_eq(again.units[1], CSY_UNIT_THREADS); /* rounds, not passes as above */
    again.units[1] = CSY_UNIT_BYTES;
    assert_told(&again, dense, 4);
    csy_trace_set_progress(trace, NULL, NULL);
    calls = again.calls;
    csy_sync_free(sync);
    csy_sync_free(solve(trace, &options));
    ck_assert_uint_eq(again.calls, calls);
    csy_trace_free(trace);
    ck_assert_str_eq(csy_version(), CSY_VERSION);
}
END_TEST

#define CHECK_CHOICE(call, text) ck_refused(call, CSY_USAGE, error, text)

/* Values of an enum that are none: setters refuse theirs (test_options.c), and so does what takes a
 * value as it is, or in what is asked. */
START_TEST(values_that_are_none)
{
    csy_trace *trace = open_sample("plain", "pex");
    csy_options options = default_options();
    csy_sync *sync = solve(trace, &options);
    csy_error error;
    csy_meaning *m;
    csy_analysis *a = NULL;
    csy_table *table;
    ck_ok(csy_meaning_new(&m, &error), error);
    static const int none[] = {-1, 99};
    for (size_t i = 0; i < 2; i++) {
        int bad = none[i];
        char units[40], per[40], text[60];
        snprintf(units, sizeof units, "units has no value %d", bad);
        snprintf(per, sizeof per, "per has no value %d", bad);
        csy_units no_units = (csy_units)bad;
        CHECK_CHOICE(csy_sync_states(sync, m, &(csy_states){.units = no_units}, &a, &error), units);
        CHECK_CHOICE(csy_sync_states_of_sections(sync, m, &(csy_states){.units = no_units}, NULL, 0,
                                                 &a, &error),
                     units);
        CHECK_CHOICE(
            csy_sync_concurrency(sync, m, &(csy_concurrency){.units = no_units}, &a, &error),
            units);
        CHECK_CHOICE(
            csy_sync_concurrency(sync, m, &(csy_concurrency){.per = (csy_per)bad}, &a, &error),
            per);
        CHECK_CHOICE(csy_sync_timeline(sync, m, no_units, 9, NULL, NULL, &a, &error), units);
        CHECK_CHOICE(csy_sync_overview(sync, m, no_units, 9, NULL, NULL, &a, &error), units);
        CHECK_CHOICE(
            csy_sync_profile(sync, m, &(csy_profile_options){.per = (csy_per)bad}, &a, &error),
            per);
        snprintf(text, sizeof text, "follow has no value %d", bad);
        CHECK_CHOICE(csy_sync_profile(sync, m, &(csy_profile_options){.follow = (csy_follow)bad},
                                      &a, &error),
                     text);
        snprintf(text, sizeof text, "weight has no value %d", bad);
        CHECK_CHOICE(
            csy_sync_calls(sync, m, &(csy_calls_options){.weight = (csy_weight)bad}, &a, &error),
            text);
        snprintf(text, sizeof text, "at has no value %d", bad);
        CHECK_CHOICE(csy_sync_calls(sync, m, &(csy_calls_options){.at = (csy_at)bad}, &a, &error),
                     text);
        csy_comm_options comm;
        csy_comm_options_init(&comm);
        comm.group = (csy_comm_group)bad;
        snprintf(text, sizeof text, "group has no value %d", bad);
        CHECK_CHOICE(csy_sync_comm(sync, m, &comm, &a, &error), text);
        csy_comm_options_init(&comm);
        comm.by = (csy_comm_by)bad;
        snprintf(text, sizeof text, "by has no value %d", bad);
        CHECK_CHOICE(csy_sync_comm(sync, m, &comm, &a, &error), text);
        csy_sync_set_ranges(sync, (csy_ranges)bad);
        snprintf(text, sizeof text, "ranges has no value %d", bad);
        CHECK_CHOICE(csy_sync_states(sync, m, NULL, &a, &error), text);
        csy_sync_set_ranges(sync, CSY_RANGES_EXACT);
        ck_assert_ptr_null(a);
        ck_ok(csy_sync_states(sync, m, NULL, &a, &error), error);
        snprintf(text, sizeof text, "format has no value %d", bad);
        CHECK_CHOICE(csy_analysis_write(a, sync, "-", (csy_report_format)bad, &error), text);
        CHECK_CHOICE(csy_analysis_set_time_unit(a, sync, (csy_time_unit)bad, &error),
                     "the unit of times in tables must be ticks, s, ms, us, or ns, and can be set "
                     "only once");
        csy_analysis_free(a);
        a = NULL;
        CHECK_CHOICE(
            csy_sync_write_report(sync, "-", (csy_report_format)bad, CSY_PAIRS_AUTO, &error),
            "-: unknown report format");
        CHECK_CHOICE(csy_sync_write_report(sync, "-", CSY_REPORT_TEXT, (csy_pairs)bad, &error),
                     "-: unknown report format");
        CHECK_CHOICE(csy_sync_write_graph(sync, "-", (csy_graph)bad, &error),
                     "-: unknown kind of graph");
        CHECK_CHOICE(csy_table_new("-", (csy_report_format)bad, &table, &error),
                     "-: the formats of a table are text, CSV, TeX, and Markdown");
        ck_ok(csy_table_new("-", CSY_REPORT_TEXT, &table, &error), error);
        csy_table_set_unit(table, (csy_table_unit)bad);
        snprintf(text, sizeof text, "table-unit has no value %d", bad);
        CHECK_CHOICE(csy_table_write(table, &error), text);
        csy_table_free(table);
    }
    csy_meaning_free(m);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("api");
    unit_in_folder(tests, &folder);
    tcase_add_loop_test(tests, bounds_and_offsets_are_the_expected_ones, 0, NSAMPLES);
    tcase_add_loop_test(tests, events_add_up, 0, NSAMPLES);
    tcase_add_test(tests, the_known_answer);
    tcase_add_test(tests, bounds_of_no_thread_are_refused);
    tcase_add_test(tests, traces_are_written_in_every_form);
    tcase_add_test(tests, csv_output_is_input);
    tcase_add_loop_test(tests, reports_are_written, 0, 3);
    tcase_add_test(tests, tables_gather_traces);
    tcase_add_test(tests, tables_that_do_not_fit);
    tcase_add_test(tests, contradictions_are_relaxed);
    tcase_add_test(tests, contradictions_are_refused);
    tcase_add_test(tests, given_deltas_that_suffice);
    tcase_add_test(tests, methods_to_compare_with);
    tcase_add_test(tests, damage_is_measured_where_asked);
    tcase_add_test(tests, corrections_are_counted);
    tcase_add_test(tests, options_that_do_not_fit);
    tcase_add_test(tests, traces_that_cannot_be_solved);
    tcase_add_test(tests, offsets_near_the_end);
    tcase_add_test(tests, numbers_of_spes);
    tcase_add_test(tests, pex_outputs_that_do_not_fit);
    tcase_add_test(tests, outputs_that_do_not_fit);
    tcase_add_test(tests, events_of_another_file);
    tcase_add_test(tests, progress_is_told);
    tcase_add_test(tests, values_that_are_none);
    return unit_run();
}
