/*
 * Traces cut off at every byte: the error counts the whole records in front of that, and a salvaged
 * trace comes to what a trace of just these records comes to; plain and packed, beside the document
 * and after it, by one thread and by three in segments.
 */
#include "support.h"

#include "trace/trace.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { RECORDS = 40, SEGMENT = 128, SOLVE_EVERY = 3, WRITE_AT = 300, PLAIN_MAX = 4096 };

/* A record file; ends[i] is the offset after record i. */
struct records {
    struct buffer file;
    size_t ends[RECORDS];
};

/* The first n of RECORDS records, under a header that counts `claimed`. */
static void make_records(struct records *out, size_t n, uint64_t claimed)
{
    uint64_t now = 1000000000;
    *out = (struct records){0};
    add_header(&out->file, 0, claimed);
    for (uint32_t i = 0; i < n; i++) {
        now += 7 + i % 5;
        if (i == 20)
            add_switch(&out->file, true, now, 9, 3);
        else if (i % 4 == 0)
            add_ppe(&out->file, now);
        else
            add_spe(&out->file, i % 4, (uint32_t)(1000 * (i % 4) - now));
        out->ends[i] = out->file.size;
    }
}

/* How the records lie. */
struct container {
    bool embedded, gzip;
    struct folder folder;
    char pex[300];
};

static void container_open(struct container *c, bool embedded, bool gzip)
{
    *c = (struct container){.embedded = embedded, .gzip = gzip};
    folder_open(&c->folder);
    snprintf(c->pex, sizeof c->pex, "%s", folder_file(&c->folder, "a.pex"));
}

/* Write the trace; returns how many bytes stand in front of the records. */
static size_t container_write(const struct container *c, const void *bytes, size_t size)
{
    struct buffer file = {0};
    buffer_text(&file, "<pdt_trace version='1'><machine timebase_hz='14318000'/><trace_file");
    if (c->gzip)
        buffer_text(&file, " compression='gzip'");
    buffer_text(&file, c->embedded ? "/></pdt_trace>" : " href='a.trace'/></pdt_trace>");
    size_t start = c->embedded ? file.size + 1 : 0;
    unlink(c->pex); /* some file systems are slow to truncate */
    unlink(folder_file(&c->folder, "a.trace"));
    if (c->embedded) {
        buffer_add(&file, "", 1);
        buffer_add(&file, bytes, size);
    } else {
        file_write(folder_file(&c->folder, "a.trace"), bytes, size);
    }
    file_write(c->pex, file.bytes, file.size);
    buffer_free(&file);
    return start;
}

/* What zlib makes of packed bytes; true where they are cut off. */
static bool unpack(const struct buffer *packed, size_t size, uint8_t plain[PLAIN_MAX], size_t *got)
{
    z_stream stream = {.next_in = packed->bytes,
                       .avail_in = (uInt)size,
                       .next_out = plain,
                       .avail_out = PLAIN_MAX};
    ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    int result = inflate(&stream, Z_SYNC_FLUSH);
    *got = PLAIN_MAX - stream.avail_out;
    inflateEnd(&stream);
    return result != Z_STREAM_END;
}

static size_t count_whole(const struct records *r, size_t have)
{
    size_t n = 0;
    while (n < RECORDS && r->ends[n] <= have)
        n++;
    return n;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void check_refused(csy_status status, const csy_error *error, size_t whole, const char *unit)
{
    char want[96];
    if (whole == 0)
        snprintf(want, sizeof want, "; no whole %s precedes it", unit);
    else
        snprintf(want, sizeof want, "; %zu whole %s%s it (see --salvage)", whole, unit,
                 whole == 1 ? " precedes" : "s precede");
    ck_assert_int_eq(status, CSY_INPUT);
    ck_assert_msg(ends_with(error->text, want), "%s, want %s", error->text, want);
}

/* Open and solve; the trace is freed where that fails. */
static csy_status solve(const char *path, bool salvage, unsigned threads, csy_trace **trace,
                        csy_sync **sync, csy_error *error)
{
    csy_options options;
    options = options_default;
    csy_status status = csy_trace_open(path, NULL, trace, error);
    if (status)
        return status;
    csy_trace_set_workers(*trace, threads);
    csy_trace_set_salvage(*trace, salvage);
    (*trace)->segment_bytes = SEGMENT;
    status = csy_trace_synchronize(*trace, &options, sync, error);
    if (status)
        csy_trace_free(*trace);
    return status;
}

static void check_same_solution(const csy_sync *a, const csy_sync *b)
{
    ck_assert_uint_eq(csy_sync_records(a), csy_sync_records(b));
    ck_assert_uint_eq(csy_sync_nthreads(a), csy_sync_nthreads(b));
    for (size_t t = 0; t < csy_sync_nthreads(a); t++) {
        const csy_thread *x = csy_sync_thread(a, t), *y = csy_sync_thread(b, t);
        ck_assert_str_eq(x->name, y->name);
        ck_assert_uint_eq(x->records, y->records);
        ck_assert_int_eq(x->offset_ticks, y->offset_ticks);
        ck_assert_int_eq(x->earliest_ticks, y->earliest_ticks);
        ck_assert_int_eq(x->latest_ticks, y->latest_ticks);
    }
}

/* The records that are written, when the output is checked. */
static struct buffer written(csy_sync *sync, const struct container *c, bool embed)
{
    csy_error error;
    csy_proof proof;
    csy_output output;
    output = settings_default;
    output.embed = embed;
    char path[300];
    snprintf(path, sizeof path, "%s", folder_file(&c->folder, "out.pex"));
    ck_ok(csy_sync_write_trace(sync, path, &output, &error), error);
    ck_ok(prove(path, &proof, &error), error);
    ck_assert_uint_eq(proof.records, csy_sync_records(sync));
    return file_read(embed ? path : folder_records(&c->folder, "out"));
}

/* What the whole records come to by themselves. */
static void check_salvaged(const struct container *c, size_t whole, uint64_t place,
                           unsigned threads, bool write)
{
    csy_trace *trace, *other;
    csy_sync *sync, *alone;
    csy_error error;
    struct records records;
    struct container copy;
    ck_ok(solve(c->pex, true, threads, &trace, &sync, &error), error);
    ck_assert_ptr_nonnull(csy_sync_cut(sync));
    ck_assert_uint_eq(csy_sync_cut(sync)->records, whole);
    ck_assert_uint_eq(csy_sync_cut(sync)->place, place);
    make_records(&records, whole, whole);
    container_open(&copy, false, false);
    container_write(&copy, records.file.bytes, records.file.size);
    ck_ok(solve(copy.pex, false, 1, &other, &alone, &error), error);
    ck_assert_ptr_null(csy_sync_cut(alone));
    check_same_solution(sync, alone);
    if (write) {
        struct buffer ours = written(sync, c, false);
        struct buffer theirs = written(alone, &copy, false);
        ck_assert(buffer_is(&ours, theirs.bytes, theirs.size));
        buffer_free(&ours);
        ours = written(sync, c, true); /* the CRC-32 takes a pass of its own */
        buffer_free(&ours);
        buffer_free(&theirs);
    }
    csy_sync_free(sync);
    csy_sync_free(alone);
    csy_trace_free(trace);
    csy_trace_free(other);
    folder_close(&copy.folder);
    buffer_free(&records.file);
}

/* One cut: `have` bytes of the record file can still be read. */
static void check_cut(const struct container *c, const struct records *r, size_t start, size_t have,
                      size_t cut)
{
    csy_trace *trace;
    csy_sync *sync;
    csy_error error;
    size_t whole = count_whole(r, have);
    uint64_t place = (c->gzip ? 0 : start) + (whole ? r->ends[whole - 1] : FILE_HEADER_BYTES);
    check_refused(solve(c->pex, false, 1, &trace, &sync, &error), &error, whole, "record");
    check_refused(solve(c->pex, false, 3, &trace, &sync, &error), &error, whole, "record");
    if (whole == 0)
        ck_assert_int_eq(solve(c->pex, true, 1, &trace, &sync, &error), CSY_INPUT);
    for (unsigned threads = 1; threads <= 3 && whole > 0 && cut % SOLVE_EVERY == 0; threads += 2)
        check_salvaged(c, whole, place, threads, threads > 1 && cut == WRITE_AT);
}

/* _i: 1 embedded, 2 gzip, 4 the header counts the records. */
START_TEST(cut_anywhere)
{
    struct container c;
    struct records r;
    struct buffer packed = {0};
    uint8_t plain[PLAIN_MAX];
    bool counted = _i & 4;
    container_open(&c, _i & 1, _i & 2);
    make_records(&r, RECORDS, counted ? RECORDS : RECORDS_UNKNOWN);
    if (c.gzip)
        buffer_gzip(&packed, r.file.bytes, r.file.size);
    const struct buffer *file = c.gzip ? &packed : &r.file;
    for (size_t cut = 0; cut < file->size; cut++) {
        if ((cut + (size_t)_i) % every_of_trials() && cut != WRITE_AT)
            continue;
        size_t start = container_write(&c, file->bytes, cut);
        size_t have = cut, n = count_whole(&r, cut);
        bool is_cut = c.gzip ? unpack(file, cut, plain, &have) : true;
        if (is_cut && (c.gzip || counted || n == 0 || r.ends[n - 1] != cut) &&
            (have != FILE_HEADER_BYTES || c.gzip || counted))
            check_cut(&c, &r, start, have, cut);
    }
    folder_close(&c.folder);
    buffer_free(&packed);
    buffer_free(&r.file);
}
END_TEST

START_TEST(whole_traces_are_not_salvaged)
{
    struct container c;
    struct records r;
    csy_trace *trace;
    csy_sync *sync;
    csy_error error;
    container_open(&c, _i & 1, false);
    make_records(&r, RECORDS, RECORDS);
    container_write(&c, r.file.bytes, r.file.size);
    ck_ok(solve(c.pex, true, 3, &trace, &sync, &error), error);
    ck_assert_ptr_null(csy_sync_cut(sync));
    csy_sync_free(sync);
    csy_trace_free(trace);
    buffer_add(&r.file, "", 1); /* more than is counted is no cut */
    container_write(&c, r.file.bytes, r.file.size);
    ck_assert_int_eq(solve(c.pex, true, 1, &trace, &sync, &error), CSY_INPUT);
    folder_close(&c.folder);
    buffer_free(&r.file);
}
END_TEST

/* Without salvaging, a last row needs no line end; salvaged, it is only whole with one. */
START_TEST(rows_cut_anywhere)
{
    static const char text[] =
        "# timebase_hz=1000\nthread,time\na,1\nb,22\n\"a\",33\nb,-44\r\na,55\n";
    static const size_t header = sizeof "# timebase_hz=1000\nthread,time\n" - 1;
    struct folder folder;
    csy_trace *trace;
    csy_sync *sync;
    csy_error error;
    folder_open(&folder);
    char path[300];
    snprintf(path, sizeof path, "%s", folder_file(&folder, "a.csv"));
    size_t whole = 0;
    for (size_t cut = header + 1; cut < sizeof text; cut++) {
        bool ended = text[cut - 1] == '\n';
        whole += ended;
        unlink(path);
        file_write(path, text, cut);
        csy_status status = solve(path, false, 1, &trace, &sync, &error);
        if (status == CSY_OK) {
            ck_assert_uint_eq(csy_sync_records(sync), whole + !ended);
            ck_assert_ptr_null(csy_sync_cut(sync));
            ck_assert(text[cut - 1] >= '0' || ended);
            csy_sync_free(sync);
            csy_trace_free(trace);
        } else {
            check_refused(status, &error, whole, "row");
        }
        if (whole == 0)
            continue;
        ck_ok(solve(path, true, 3, &trace, &sync, &error), error);
        ck_assert_uint_eq(csy_sync_records(sync), whole);
        ck_assert(ended == !csy_sync_cut(sync));
        if (!ended) {
            ck_assert_uint_eq(csy_sync_cut(sync)->records, whole);
            ck_assert_uint_eq(csy_sync_cut(sync)->place, whole + 3);
        }
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    folder_close(&folder);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("salvage");
    tcase_add_loop_test(tests, cut_anywhere, 0, 8);
    tcase_add_loop_test(tests, whole_traces_are_not_salvaged, 0, 2);
    tcase_add_test(tests, rows_cut_anywhere);
    return unit_run();
}
