/* A synchronized trace that is read as one says what the solution it was written with did. */
#include "support.h"

#include <cellsync/analysis.h>
#include <stdlib.h>

#include <stdio.h>
#include <string.h>

static struct folder folder;

static void assert_same_threads(csy_sync *a, csy_sync *b, bool pex, bool bounds)
{
    csy_error error;
    size_t tau = csy_sync_reference(a);
    ck_assert_uint_eq(csy_sync_nthreads(a), csy_sync_nthreads(b));
    ck_assert_uint_eq(csy_sync_reference(a), csy_sync_reference(b));
    ck_assert_uint_eq(csy_sync_records(a), csy_sync_records(b));
    for (size_t t = 0; t < csy_sync_nthreads(a); t++) {
        const csy_thread *x = csy_sync_thread(a, t), *y = csy_sync_thread(b, t);
        size_t found;
        ck_assert_str_eq(x->name, y->name);
        ck_assert_int_eq(x->offset_ticks, y->offset_ticks);
        ck_assert(x->first_record == y->first_record && x->records == y->records);
        ck_ok(csy_sync_find_thread(b, x->name, strlen(x->name), &found, &error), error);
        ck_assert_uint_eq(found, t);
        if (!pex)
            continue;
        ck_assert(x->kind == y->kind && x->context == y->context && x->spe == y->spe &&
                  x->decr_first == y->decr_first);
        ck_assert(x->earliest_ticks == y->earliest_ticks && x->latest_ticks == y->latest_ticks);
        for (int turned = 0; bounds && turned < 2; turned++) {
            int64_t lower[2], upper[2], width[2];
            size_t s = turned ? tau : t, u = turned ? t : tau;
            ck_ok(csy_sync_bounds(a, s, u, &lower[0], &upper[0], &width[0], &error), error);
            ck_ok(csy_sync_bounds(b, s, u, &lower[1], &upper[1], &width[1], &error), error);
            ck_assert(lower[0] == lower[1] && upper[0] == upper[1] && width[0] == width[1]);
        }
    }
}

static void assert_same_facts(const csy_sync *a, const csy_sync *b)
{
    const csy_imprecision *x = csy_sync_imprecision(a), *y = csy_sync_imprecision(b);
    char text[2][CSY_WARNING_TEXT_MAX];
    ck_assert(csy_sync_alpha(a).num == csy_sync_alpha(b).num &&
              csy_sync_alpha(a).den == csy_sync_alpha(b).den);
    ck_assert_int_eq(csy_sync_center(a), csy_sync_center(b));
    ck_assert(x->relax == y->relax && x->delta.num == y->delta.num && x->delta.den == y->delta.den);
    ck_assert(x->added_ticks == y->added_ticks && x->conditional == y->conditional);
    ck_assert_uint_eq(csy_sync_dropped(a)->count, csy_sync_dropped(b)->count);
    for (size_t i = 0; i < csy_sync_dropped(a)->count; i++)
        ck_assert_uint_eq(csy_sync_dropped(a)->records[i].record,
                          csy_sync_dropped(b)->records[i].record);
    const char *said = csy_sync_delta_warning(a, text[0]),
               *again = csy_sync_delta_warning(b, text[1]);
    ck_assert(!said == !again && (!said || strcmp(said, again) == 0));
}

static void assert_same_clocks(const csy_sync *a, const csy_sync *b)
{
    const csy_clock_report *x = csy_sync_clock_report(a), *y = csy_sync_clock_report(b);
    ck_assert(x->wraps == y->wraps && x->splits == y->splits && x->assumed == y->assumed &&
              x->contexts == y->contexts);
}

/* Every event is the same one in both, at the same times. */
static void assert_same_events(const csy_sync *sync, const csy_sync *read, bool records)
{
    csy_error error;
    csy_events *events, *others;
    csy_decoded x, y;
    size_t got, got_other;
    uint64_t n = 0;
    ck_ok(csy_events_open(sync, &events, &error), error);
    ck_ok(csy_events_open(read, &others, &error), error);
    for (;; n++) {
        ck_ok(csy_events_read(events, &x, 1, &got, &error), error);
        ck_ok(csy_events_read(others, &y, 1, &got_other, &error), error);
        ck_assert_uint_eq(got, got_other);
        if (got == 0)
            break;
        ck_assert(x.record == n && y.record == n && x.thread == y.thread && x.track == y.track);
        ck_assert(x.local_ticks == y.local_ticks && x.global_ticks == y.global_ticks);
        if (!records)
            continue;
        ck_assert(x.interval == y.interval && x.local_begin_ticks == y.local_begin_ticks &&
                  x.global_begin_ticks == y.global_begin_ticks);
        ck_assert(x.core == y.core && x.id == y.id && x.tid == y.tid && x.nfields == y.nfields);
        ck_assert(x.name_size == y.name_size && memcmp(x.name, y.name, x.name_size) == 0);
        ck_assert(x.nfields == 0 || memcmp(x.values, y.values, x.nfields * 8) == 0);
    }
    ck_assert_uint_eq(n, csy_sync_records(read));
    for (uint64_t at = n; at > 0; at = at / 2) { /* and from anywhere */
        ck_ok(csy_events_seek(others, at - 1, &error), error);
        ck_ok(csy_events_read(others, &y, 1, &got, &error), error);
        ck_assert(got == 1 && y.record == at - 1);
    }
    csy_events_free(events);
    csy_events_free(others);
}

static void assert_refused(csy_sync *read)
{
    csy_error error;
    csy_explanation *explanation;
    const csy_diagnosis *diagnosis;
    const csy_profile *profile;
    const char *out = folder_file(&folder, "no");
    ck_assert_int_eq(csy_sync_write_trace(read, out, NULL, &error), CSY_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, ": the trace was already synchronized, so "));
    for (int f = CSY_REPORT_TEXT; f <= CSY_REPORT_TEX; f++)
        ck_assert_int_eq(
            csy_sync_write_report(read, out, (csy_report_format)f, CSY_PAIRS_AUTO, &error),
            CSY_USAGE);
    ck_assert_int_eq(csy_sync_write_graph(read, out, CSY_GRAPH_CONSTRAINTS, &error), CSY_USAGE);
    ck_assert_int_eq(csy_sync_write_figures(read, out, &error), CSY_USAGE);
    ck_assert_int_eq(csy_sync_explain(read, 0, 0, &explanation, &error), CSY_USAGE);
    ck_assert_int_eq(csy_sync_diagnose(read, &diagnosis, &error), CSY_USAGE);
    ck_assert_int_eq(csy_sync_profile_delta(read, &profile, &error), CSY_USAGE);
    int64_t lower, upper;
    size_t n = csy_sync_nthreads(read), other = csy_sync_reference(read) == 0 ? n - 1 : 0;
    ck_assert_int_eq(csy_sync_bounds(read, n, 0, &lower, &upper, NULL, &error), CSY_USAGE);
    if (n > 2)
        ck_assert_int_eq(csy_sync_bounds(read, other, other, &lower, &upper, NULL, &error),
                         CSY_USAGE);
}

/* Bounds of all pairs, and of sums, are what they were before it was written. */
static void assert_renewed(csy_sync *sync, csy_sync *read)
{
    csy_error error;
    size_t n = csy_sync_nthreads(sync);
    ck_ok(csy_sync_renew_bounds(read, &error), error);
    ck_ok(csy_sync_renew_bounds(read, &error), error); /* there is nothing more to be had */
    ck_assert_int_eq(csy_sync_ranges(read), csy_sync_ranges(sync));
    int64_t *c = calloc(n, sizeof *c);
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++) {
            int64_t lower[2], upper[2], width[2];
            ck_ok(csy_sync_bounds(sync, s, t, &lower[0], &upper[0], &width[0], &error), error);
            ck_ok(csy_sync_bounds(read, s, t, &lower[1], &upper[1], &width[1], &error), error);
            ck_assert(lower[0] == lower[1] && upper[0] == upper[1] && width[0] == width[1]);
        }
    for (size_t t = 0; t < n; t++)
        c[t] = t < n / 2 ? -1 : t >= n - n / 2;
    csy_range want, got;
    ck_ok(csy_sync_bound_sum(sync, c, &want, &error), error);
    ck_ok(csy_sync_bound_sum(read, c, &got, &error), error);
    ck_assert(want.lo == got.lo && want.hi == got.hi && want.kind == got.kind);
    free(c);
}

static void try_sample(const char *name, const char *written, const csy_options *options)
{
    char path[4096], copy[4096];
    csy_error error;
    csy_trace *trace, *again;
    csy_sync *sync, *read, *twice;
    bool pex = strstr(written, ".pex") != NULL;
    snprintf(path, sizeof path, SAMPLES "/%s", name);
    snprintf(copy, sizeof copy, "%s", folder_file(&folder, written));
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    csy_output output;
    output = settings_default;
    output.embed = pex;
    ck_ok(csy_sync_write_trace(sync, copy, &output, &error), error);
    ck_ok(csy_trace_open(copy, NULL, &again, &error), error);
    ck_ok(csy_trace_read_solution(again, &read, &error), error);
    ck_ok(csy_trace_read_solution(again, &twice, &error), error);
    bool bhh = options->method == CSY_METHOD_BHH;
    if ((bhh || options->method == CSY_METHOD_LSQ) && !options->monotonic) {
        assert_same_threads(sync, read, pex, bhh && pex);
        assert_same_threads(sync, twice, pex, bhh && pex);
    } else {
        ck_assert_int_eq(csy_sync_method(read), options->method);
        ck_assert_uint_eq(csy_sync_nthreads(sync), csy_sync_nthreads(read));
    }
    if (options->method == CSY_METHOD_BHH)
        assert_same_facts(sync, read);
    if (pex)
        assert_same_clocks(sync, read);
    bool csv = strstr(name, ".csv") != NULL;
    if (pex || csv)
        assert_same_events(sync, read, pex);
    assert_refused(read);
    bool whole = csy_sync_dropped(sync)->count == 0;
    if (bhh && pex && whole)
        assert_renewed(sync, read);
    else
        ck_ok(csy_sync_renew_bounds(read, &error), error);
    if (!whole && pex)
        ck_assert_int_eq(csy_sync_ranges(read), CSY_RANGES_STAR);
    csy_sync_free(twice);
    csy_sync_free(read);
    csy_sync_free(sync);
    csy_trace_free(again);
    csy_trace_free(trace);
}

START_TEST(what_was_written_is_read)
{
    static const char *const samples[] = {"plain.pex",         "jitter.pex",      "rare-ppe.pex",
                                          "stragglers.pex",    "switches-gz.pex", "long-sleeps.pex",
                                          "garbage-begin.pex", "steps-back.pex"};
    csy_options options;
    options = options_default;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        try_sample(samples[i], "out.pex", &options);
        try_sample(samples[i], "out.csv", &options);
    }
    try_sample("paper.csv", "out.csv", &options);
    try_sample("one-sided.csv", "out.csv", &options);
    options.center = CSY_CENTER_LOCAL;
    options.unwrap = CSY_UNWRAP_STRICT;
    try_sample("jitter.pex", "out.pex", &options);
    options.center = CSY_CENTER_REFERENCE;
    options.unwrap = CSY_UNWRAP_ASSUME;
    options.drop = 3;
    try_sample("jitter.pex", "out.pex", &options);
    try_sample("jitter.pex", "out.csv", &options);
    options.drop = 0;
    options.monotonic = true; /* no one offset moves them */
    try_sample("jitter.pex", "out.csv", &options);
    try_sample("paper.csv", "out.csv", &options);
    options.monotonic = false;
    for (int m = CSY_METHOD_LAMPORT; m <= CSY_METHOD_LSQ; m++) {
        options.method = (csy_method)m;
        try_sample("paper.csv", "out.csv", &options);
    }
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        try_sample(samples[i], "out.pex", &options); /* lsq: offsets, and no bounds */
}
END_TEST

/* A CSV of these lines has no solution that can be read. */
static void refuse_rows(const char *rows, const char *want)
{
    csy_error error;
    csy_trace *trace;
    csy_sync *sync;
    const char *path = folder_file(&folder, "bad.csv");
    file_write(path, rows, strlen(rows));
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_assert_int_eq(csy_trace_read_solution(trace, &sync, &error), CSY_INPUT);
    ck_assert_msg(strstr(error.text, want) != NULL, "%s", error.text);
    csy_trace_free(trace);
}

START_TEST(what_is_refused)
{
    csy_error error;
    csy_trace *trace;
    csy_sync *sync;
    refuse_rows("thread,time\na,1\n", "bad.csv: the trace is not synchronized: the column");
    refuse_rows("thread,time,global_time\na,1,x\n",
                "bad.csv: line 2: global_time is not a whole number");
    refuse_rows("thread,time,global_time\na,1,1\nb,1,01\n",
                "bad.csv: line 3: global_time is not a whole number");
    refuse_rows("# cellsync reference=a alpha=2 delta=0 added_ticks=0 original_crc32=0x0\n"
                "thread,time,global_time\na,1,1\n",
                "bad.csv: the line # cellsync: \"alpha\" is missing or malformed");
    refuse_rows("# cellsync reference=z alpha=1 delta=0 added_ticks=0 original_crc32=0x0\n"
                "thread,time,global_time\na,1,1\n",
                "bad.csv: no thread has the name of the reference, z");
    ck_ok(csy_trace_open(SAMPLES "/plain.pex", NULL, &trace, &error), error);
    ck_refused(csy_trace_read_solution(trace, &sync, &error), CSY_INPUT, error,
               SAMPLES "/plain.pex: the trace is not synchronized: its times are local");
    csy_trace_free(trace);
}
END_TEST

/* A table that does not fit the records: reading says so, at the place. */
START_TEST(tables_that_lie)
{
    static const char *const lies[][3] = {
        {" ctx=\"2\"", " ctx=\"9\"", "the table of threads has no thread for this record"},
        {" records=\"", " records=\"9", "fewer than the"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        csy_error error;
        csy_options options;
        csy_trace *trace;
        csy_sync *sync;
        csy_events *events;
        csy_event event;
        bool more = true;
        csy_status status;
        char path[4096];
        snprintf(path, sizeof path, "%s", folder_file(&folder, "lie.pex"));
        options = options_default;
        ck_ok(csy_trace_open(SAMPLES "/plain.pex", NULL, &trace, &error), error);
        ck_ok(csy_trace_synchronize(trace, &options, &sync, &error), error);
        ck_ok(csy_sync_write_trace(sync, path, NULL, &error), error);
        csy_sync_free(sync);
        csy_trace_free(trace);
        struct buffer file = file_read(path), changed = {0};
        buffer_add(&file, "", 1);
        char *table = strstr((char *)file.bytes, "<synchronization");
        char *at = table ? strstr(table, lies[i][0]) : NULL;
        ck_assert_ptr_nonnull(at);
        buffer_add(&changed, file.bytes, (size_t)(at - (char *)file.bytes));
        buffer_text(&changed, lies[i][1]);
        buffer_text(&changed, at + strlen(lies[i][0]));
        file_write(path, changed.bytes, changed.size);
        buffer_free(&file);
        buffer_free(&changed);
        ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
        status = csy_trace_read_solution(trace, &sync, &error);
        ck_assert_msg(!status, "%s", error.text);
        ck_ok(csy_events_open(sync, &events, &error), error);
        while (!status && more)
            status = csy_events_next(events, &event, &more, &error);
        ck_assert_int_eq(status, CSY_INPUT);
        ck_assert_msg(strstr(error.text, lies[i][2]) != NULL, "%s", error.text);
        csy_events_free(events);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("reread");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, what_was_written_is_read);
    tcase_add_test(tests, what_is_refused);
    tcase_add_test(tests, tables_that_lie);
    return unit_run();
}
