/* csy_events_read: decoded events are those of the CSV that is written of the trace, whatever the
 * size of the batches, and those of csy_events_next. */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct folder folder;

static uint64_t big_endian(const uint8_t *p, size_t size)
{
    uint64_t value = 0;
    while (size-- > 0)
        value = value << 8 | *p++;
    return value;
}

static csy_sync *synchronize(csy_trace *trace)
{
    csy_sync *sync;
    csy_error error;
    csy_options options;
    options = options_default;
    ck_ok(csy_trace_synchronize(trace, &options, &sync, &error), error);
    return sync;
}

/* The line of a record in a CSV: cellsync-csv(5), Synchronized CSV traces. */
static void print_record(FILE *out, const csy_sync *sync, const csy_decoded *e)
{
    bool spe = e->core == CSY_CORE_SPE;
    size_t width = spe ? 4 : 8;
    fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%s,%" PRIu32 ",0x%04x,%.*s,",
            csy_sync_thread(sync, e->thread)->name, e->local_ticks, e->global_ticks,
            spe ? "spe" : "ppe", e->tid, e->id, (int)e->name_size, e->name);
    if (e->interval && spe)
        fprintf(out, "%" PRId64, e->local_begin_ticks);
    else if (e->interval)
        fprintf(out, "%" PRIu64, (uint64_t)e->local_begin_ticks);
    fprintf(out, ",0x%08" PRIx64 ",", big_endian(e->bytes + 12, 4));
    for (size_t i = 0; i < e->nfields; i++)
        fprintf(out, "%s%" PRIu64, i ? " " : "", e->values[i]);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 "\n", big_endian(e->bytes + 16, width),
            big_endian(e->bytes + 16 + width, width));
}

static void assert_sound(const csy_sync *sync, const csy_decoded *e, uint64_t position)
{
    ck_assert_uint_eq(e->record, position);
    ck_assert(e->thread < csy_sync_nthreads(sync));
    ck_assert(e->interval ||
              (e->local_begin_ticks == e->local_ticks && e->global_begin_ticks == e->global_ticks));
    ck_assert_uint_eq((uint64_t)e->global_begin_ticks - (uint64_t)e->local_begin_ticks,
                      (uint64_t)e->global_ticks - (uint64_t)e->local_ticks);
}

/* All events in batches of up to `most`, or of random sizes, as lines. */
static void print_all(const char *path, const csy_sync *sync, size_t most,
                      void (*print)(FILE *out, const csy_sync *sync, const csy_decoded *e))
{
    csy_error error;
    csy_events *events;
    struct random r = random_trial(most);
    csy_decoded *batch = calloc(most, sizeof *batch);
    FILE *out = fopen(path, "w");
    size_t got = 1;
    uint64_t position = 0;
    ck_assert(batch && out);
    ck_ok(csy_events_open(sync, &events, &error), error);
    while (got > 0) {
        size_t n = (size_t)random_between(&r, 1, (int64_t)most);
        ck_ok(csy_events_read(events, batch, n, &got, &error), error);
        ck_assert_uint_le(got, n);
        for (size_t i = 0; i < got; i++) {
            assert_sound(sync, &batch[i], position++);
            print(out, sync, &batch[i]);
        }
    }
    ck_assert_uint_eq(position, csy_sync_records(sync));
    ck_ok(csy_events_read(events, batch, most, &got, &error), error);
    ck_assert_uint_eq(got, 0); /* still at the end */
    csy_events_free(events);
    free(batch);
    ck_assert_int_eq(fclose(out), 0);
}

/* The two files from the given line of the first on. */
static void assert_same_lines(const char *a, int skipped, const char *b)
{
    struct buffer x = file_read(a), y = file_read(b);
    const uint8_t *from = x.bytes;
    for (int i = 0; i < skipped; i++)
        from = (const uint8_t *)memchr(from, '\n', x.size - (size_t)(from - x.bytes)) + 1;
    size_t left = x.size - (size_t)(from - x.bytes);
    ck_assert_uint_gt(left, 0);
    ck_assert_uint_eq(left, y.size);
    ck_assert(memcmp(from, y.bytes, left) == 0);
    buffer_free(&x);
    buffer_free(&y);
}

static void assert_decoded(const char *name, const csy_options *options)
{
    static const size_t sizes[] = {1, 7, 4096};
    char path[4096], rows[4096], found[4096];
    csy_error error;
    csy_trace *trace;
    csy_sync *sync;
    csy_output output;
    snprintf(path, sizeof path, SAMPLES "/%s.pex", name);
    snprintf(rows, sizeof rows, "%s", folder_file(&folder, "rows.csv"));
    snprintf(found, sizeof found, "%s", folder_file(&folder, "found.csv"));
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    output = settings_default;
    output.csv_header = CSY_CSV_BARE;
    ck_ok(csy_sync_write_trace(sync, rows, &output, &error), error);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        print_all(found, sync, sizes[i], print_record);
        assert_same_lines(rows, 1, found);
    }
    csy_sync_free(sync);
    csy_trace_free(trace);
}

START_TEST(records_are_those_of_the_csv)
{
    static const char *const samples[] = {"plain",         "jitter",      "embedded",
                                          "garbage-begin", "rare-ppe",    "steps-back",
                                          "stragglers",    "long-sleeps", "switches-gz"};
    csy_options options;
    options = options_default;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        assert_decoded(samples[i], &options);
    options.monotonic = true; /* and times of no offset */
    assert_decoded("jitter", &options);
    options.monotonic = false;
    options.method = CSY_METHOD_LAMPORT_CLOCK;
    assert_decoded("jitter", &options);
}
END_TEST

/* The lines of write_rows as a synchronized CSV has them. */
static void print_row(FILE *out, const csy_sync *sync, const csy_decoded *e)
{
    ck_assert(e->nfields == 5 && !e->values && e->track < csy_sync_ntracks(sync));
    ck_assert(e->core == CSY_CORE_NONE && e->id == 0);
    for (size_t i = 0; i < e->nfields; i++) {
        bool quoted = i == 2;
        fputs(quoted ? "\"" : "", out);
        for (size_t k = 0; k < e->texts[i].size; k++)
            fprintf(out, e->texts[i].bytes[k] == '"' ? "\"\"" : "%c", e->texts[i].bytes[k]);
        fputs(quoted ? "\"," : ",", out);
    }
    fprintf(out, "%" PRId64 ",", e->global_ticks);
    if (e->interval)
        fprintf(out, "%" PRId64, e->global_begin_ticks);
    fputs("\n", out);
    ck_assert(e->name_size == e->texts[2].size);
    ck_assert(memcmp(e->name, e->texts[2].bytes, e->name_size) == 0);
    ck_assert(memchr(e->bytes, '\n', e->size) == NULL && memchr(e->bytes, '"', e->size) != NULL);
}

START_TEST(rows_are_those_of_the_csv)
{
    char path[4096], rows[4096], found[4096];
    csy_error error;
    csy_output output;
    csy_trace *trace;
    struct random r = random_trial(3);
    snprintf(path, sizeof path, "%s", folder_file(&folder, "in.csv"));
    snprintf(rows, sizeof rows, "%s", folder_file(&folder, "rows.csv"));
    snprintf(found, sizeof found, "%s", folder_file(&folder, "found.csv"));
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs("thread,time,event,begin,note\n", out);
    for (int i = 0; i < 500 + trials_of(4500); i++)
        fprintf(out, "t%d,%d,\" say \"\"%d\"\"\",%.*s,%s\n", (int)random_between(&r, 0, 5), 10 * i,
                i % 9, random_chance(&r, 50) ? 0 : 1, "0", i % 3 ? "x" : "");
    ck_assert_int_eq(fclose(out), 0);
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    csy_sync *sync = synchronize(trace);
    output = settings_default;
    output.csv_header = CSY_CSV_BARE;
    ck_ok(csy_sync_write_trace(sync, rows, &output, &error), error);
    print_all(found, sync, 1000, print_row);
    /* Columns of global times come last, after a comma that print_row has written. */
    assert_same_lines(rows, 1, found);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

START_TEST(next_goes_on_where_read_was)
{
    csy_error error;
    csy_trace *trace;
    csy_events *events;
    csy_decoded batch[50];
    csy_event event;
    size_t got;
    bool more = true;
    uint64_t position = 0;
    ck_ok(csy_trace_open(SAMPLES "/plain.pex", NULL, &trace, &error), error);
    csy_sync *sync = synchronize(trace);
    ck_ok(csy_events_open(sync, &events, &error), error);
    for (int turn = 0; more; turn++) {
        if (turn % 3 == 2) {
            ck_ok(csy_events_read(events, batch, 50, &got, &error), error);
            for (size_t i = 0; i < got; i++)
                ck_assert_uint_eq(batch[i].record, position++);
        }
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        ck_assert(!more || (event.record == position++ && event.size >= 24));
    }
    ck_assert_uint_eq(position, csy_sync_records(sync));
    csy_events_free(events);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

START_TEST(fields_have_names)
{
    csy_error error;
    csy_trace *trace;
    csy_events *events;
    ck_ok(csy_trace_open(SAMPLES "/../demo.pex", NULL, &trace, &error), error);
    csy_sync *sync = synchronize(trace);
    ck_ok(csy_events_open(sync, &events, &error), error);
    ck_assert_str_eq(csy_events_field_name(events, 0x0703, 0), "lock");
    ck_assert_str_eq(csy_events_field_name(events, 0x0703, 1), "value1");
    ck_assert_str_eq(csy_events_field_name(events, 0x7777, 3), "value3");
    ck_assert_ptr_null(csy_events_field_name(events, 1 << 16, 0));
    csy_events_free(events);
    csy_sync_free(sync);
    csy_trace_free(trace);
    ck_ok(csy_trace_open(SAMPLES "/paper.csv", NULL, &trace, &error), error);
    sync = synchronize(trace);
    ck_ok(csy_events_open(sync, &events, &error), error);
    ck_assert_str_eq(csy_events_field_name(events, 0, 0), "thread");
    ck_assert_ptr_null(csy_events_field_name(events, 0, 1000));
    csy_events_free(events);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("decode");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, records_are_those_of_the_csv);
    tcase_add_test(tests, rows_are_those_of_the_csv);
    tcase_add_test(tests, next_goes_on_where_read_was);
    tcase_add_test(tests, fields_have_names);
    return unit_run();
}
