/* CSV traces: every table that RFC 4180 allows comes back field by field; the rest is refused. */
#include "support.h"
#include "trace/csv/csv.h"

#include <string.h>
#include <unistd.h>

/* A reader over a text, with what it reads from. */
struct source {
    int fd;
    struct bytes *bytes;
    struct csv_reader reader;
    csy_error error;
};

static csy_status source_open(struct source *s, const void *text, size_t size)
{
    s->fd = file_of(text, size);
    ck_ok(bytes_new(s->fd, "a.csv", 0, false, 1, &s->bytes, &s->error), s->error);
    return csv_open(&s->reader, s->bytes, "a.csv", NULL, &s->error);
}

static void source_close(struct source *s)
{
    csv_close(&s->reader);
    bytes_free(s->bytes);
    close(s->fd);
}

static void open_well(struct source *s, const char *text)
{
    ck_ok(source_open(s, text, strlen(text)), s->error);
}

/* The next row, which is there. */
static struct csv_row next_row(struct source *s)
{
    struct csv_row row;
    bool more;
    ck_ok(csv_read(&s->reader, &row, &more, &s->error), s->error);
    ck_assert(more);
    return row;
}

static void assert_end(struct source *s)
{
    struct csv_row row;
    bool more = true;
    ck_ok(csv_read(&s->reader, &row, &more, &s->error), s->error);
    ck_assert(!more);
}

static void assert_text(const char *got, size_t size, const char *want)
{
    ck_assert_msg(size == strlen(want) && memcmp(got, want, size) == 0, "%.*s is not %s", (int)size,
                  got, want);
}

START_TEST(rows_are_read)
{
    struct source s;
    open_well(&s, "thread,time\nA,5\nB,-7\nA,+9223372036854775807\nC,-9223372036854775808");
    static const struct {
        const char *thread;
        int64_t time;
    } want[] = {{"A", 5}, {"B", -7}, {"A", INT64_MAX}, {"C", INT64_MIN}};
    for (size_t i = 0; i < 4; i++) {
        struct csv_row row = next_row(&s);
        ck_assert_uint_eq(row.line, i + 2);
        assert_text(row.stamp.thread, row.stamp.thread_size, want[i].thread);
        ck_assert_int_eq(row.stamp.time_ticks, want[i].time);
        ck_assert_int_eq(row.stamp.core, STAMP_CORE_NONE);
        ck_assert_uint_eq(row.nfields, 2);
        ck_assert_uint_eq(row.end_size, i < 3);
    }
    assert_end(&s);
    assert_end(&s);
    ck_assert_uint_eq(s.reader.timebase_hz, 1000000000);
    source_close(&s);
}
END_TEST

START_TEST(columns_are_found_by_name)
{
    struct source s;
    open_well(&s, "x,\"core\",time,\"a \"\"q\"\"\",global_time,thread\r\n"
                  "1,ppe,2,3,,A\r\n"
                  ",\"spe\",\"4\",,7,\"B\"\r\n"
                  ",,6,,,C\r\n");
    ck_assert_uint_eq(s.reader.ncolumns, 6);
    ck_assert_uint_eq(s.reader.columns.core, 1);
    ck_assert_uint_eq(s.reader.columns.time, 2);
    ck_assert_uint_eq(s.reader.columns.global[GLOBAL_TIME], 4);
    ck_assert_uint_eq(s.reader.columns.thread, 5);
    static const enum stamp_core cores[] = {STAMP_CORE_PPE, STAMP_CORE_SPE, STAMP_CORE_NONE};
    static const char *const names[] = {"A", "B", "C"};
    for (size_t i = 0; i < 3; i++) {
        struct csv_row row = next_row(&s);
        ck_assert_int_eq(row.stamp.core, cores[i]);
        ck_assert_int_eq(row.stamp.time_ticks, 2 * (int64_t)i + 2);
        assert_text(row.stamp.thread, row.stamp.thread_size, names[i]);
    }
    assert_end(&s);
    source_close(&s);
}
END_TEST

/* It is only a name for the event: the first will do. */
START_TEST(columns_may_be_called_event_twice)
{
    struct source s;
    open_well(&s, "event,thread,event,time\nX,A,Y,1\n");
    ck_assert_uint_eq(s.reader.columns.event, 0);
    ck_assert_uint_eq(s.reader.columns.thread, 1);
    source_close(&s);
}
END_TEST

START_TEST(names_are_unquoted)
{
    struct source s;
    open_well(&s, "thread,time\n\"a \"\"b\"\", c\nd\",1\n\"\"\"\",2\n\" \",3\n");
    static const char *const names[] = {"a \"b\", c\nd", "\"", " "};
    static const uint64_t lines[] = {2, 4, 5};
    for (size_t i = 0; i < 3; i++) {
        struct csv_row row = next_row(&s);
        assert_text(row.stamp.thread, row.stamp.thread_size, names[i]);
        ck_assert_uint_eq(row.line, lines[i]);
    }
    assert_end(&s);
    source_close(&s);
}
END_TEST

START_TEST(what_stands_before_the_rows_is_kept)
{
    static const char text[] = "\xef\xbb\xbf# a comment\r\n\n#timebase_hz = 79800000\n"
                               "# timebase_hz=\t79800000 \n# other=1\nthread,time\r\nA,5\n";
    struct source s;
    open_well(&s, text);
    size_t before = strlen(text) - strlen("A,5\n");
    ck_assert_uint_eq(s.reader.preamble_size, before);
    ck_assert_mem_eq(s.reader.preamble, text, before);
    ck_assert_uint_eq(s.reader.header_size, strlen("thread,time"));
    ck_assert_uint_eq(s.reader.header_end_size, 2);
    ck_assert_uint_eq(s.reader.timebase_hz, 79800000);
    ck_assert_uint_eq(next_row(&s).line, 7);
    source_close(&s);
}
END_TEST

/* A comment is a line, whatever stands in it. */
START_TEST(comments_may_hold_quotes)
{
    struct source s;
    open_well(&s, "# a 5\" disk\n# timebase_hz=7\nthread,time\nA,5\n");
    ck_assert_uint_eq(s.reader.timebase_hz, 7);
    ck_assert_int_eq(next_row(&s).stamp.time_ticks, 5);
    assert_end(&s);
    source_close(&s);
}
END_TEST

START_TEST(comments_that_give_no_timebase)
{
    static const char *const comments[] = {"# timebase=5",     "# timebase_hz",
                                           "# timebase_hz 5",  "# xtimebase_hz=5",
                                           "## timebase_hz=5", "#"};
    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
        struct source s;
        char text[100];
        snprintf(text, sizeof text, "%s\nthread,time\n", comments[i]);
        open_well(&s, text);
        ck_assert_uint_eq(s.reader.timebase_hz, 1000000000);
        source_close(&s);
    }
}
END_TEST

/* Blanks around names and values do not matter, nor the case of names. */
START_TEST(blanks_do_not_matter)
{
    struct source s;
    open_well(&s, " Time (us) ,\tThread\t,\" CORE\",x\n 5 , A,spe ,\n\t-6.5\t, B b ,, y\n");
    struct csv_row row = next_row(&s);
    ck_assert_int_eq(row.stamp.time_ticks, 5000);
    assert_text(row.stamp.thread, row.stamp.thread_size, "A");
    ck_assert_int_eq(row.stamp.core, STAMP_CORE_SPE);
    row = next_row(&s);
    ck_assert_int_eq(row.stamp.time_ticks, -6500);
    assert_text(row.stamp.thread, row.stamp.thread_size, "B b");
    assert_text(row.fields[3].at, row.fields[3].size, " y");
    assert_end(&s);
    source_close(&s);
}
END_TEST

START_TEST(separators_are_told_from_the_header)
{
    static const char *const texts[] = {"time;thread;a,b\n1;A;\"x;\"\n",
                                        "time\tthread\ta;b\n1\tA\t;\n", "x;y,time,thread\n;,1,A\n",
                                        "\"a;b;c;d\",thread,time\n,A,1\n"};
    static const char separators[] = {';', '\t', ',', ','};
    for (size_t i = 0; i < 4; i++) {
        struct source s;
        open_well(&s, texts[i]);
        ck_assert_int_eq(s.reader.separator, separators[i]);
        struct csv_row row = next_row(&s);
        ck_assert_uint_eq(row.nfields, 3);
        ck_assert_int_eq(row.stamp.time_ticks, 1);
        assert_text(row.stamp.thread, row.stamp.thread_size, "A");
        assert_end(&s);
        source_close(&s);
    }
}
END_TEST

START_TEST(empty_lines_are_no_rows)
{
    struct source s;
    open_well(&s, "\n\r\nthread,time\n\n\r\nA,5\n\nB,6\n\n\n");
    ck_assert_uint_eq(next_row(&s).line, 6);
    ck_assert_uint_eq(next_row(&s).line, 8);
    assert_end(&s);
    source_close(&s);
}
END_TEST

START_TEST(tables_without_rows)
{
    static const char *const texts[] = {"thread,time", "thread,time\n", "time,thread\r\n\r\n"};
    for (size_t i = 0; i < 3; i++) {
        struct source s;
        open_well(&s, texts[i]);
        assert_end(&s);
        source_close(&s);
    }
}
END_TEST

START_TEST(bad_headers_are_refused)
{
    static const struct {
        const char *text, *want;
    } faults[] = {
        {"", "a.csv: line 1: the header line is missing, for example thread,time"},
        {"\n# only comments\n",
         "a.csv: line 3: the header line is missing, for example thread,time"},
        {"\n# only comments", "a.csv: line 2: the header line is missing, for example thread,time"},
        {"thread,x\n",
         "a.csv: line 1: the header has no column \"time\" (or timestamp, ts; time_s, "
         "_ms, _us, _ns); found: thread, x; pass its name with --columns=time=NAME"},
        {"\nThreads,time\n",
         "a.csv: line 2: the header has no column \"thread\" (or tid, cpu, host, process, rank); "
         "found: Threads, time; pass its name with --columns=thread=NAME"},
        {"thread time\n",
         "a.csv: line 1: the header has no column \"thread\" (or tid, cpu, host, "
         "process, rank) and no column \"time\" (or timestamp, ts; time_s, _ms, _us, "
         "_ns); found: thread "
         "time; columns must be separated by commas, semicolons, or tabs"},
        {"thread,time,THREAD \n", "a.csv: line 1: two columns have the name \"thread\""},
        {"tid,host,time\n", "a.csv: line 1: several columns could be the column \"thread\"; choose "
                            "one: --columns=thread=tid or "
                            "--columns=thread=host (each value is a separate clock, unless a "
                            "column \"clock\" exists)"},
        {"thread,ts,time_us,time_s\n", "a.csv: line 1: several columns could be the column "
                                       "\"time\"; choose one: --columns=time=time_us or "
                                       "--columns=time=time_s"},
        {"thread,time,begin,duration\n",
         "a.csv: line 1: the header has the columns \"begin\" and \"duration\", but an interval "
         "has "
         "one begin; to ignore \"begin\", pass --columns=begin=; to ignore \"duration\", pass "
         "--columns=duration="},
        {"T1,5\n", "a.csv: line 1: the header line is missing; found a row: T1, 5; to add a "
                   "header: (printf 'thread,time\\n'; cat a.csv) | cellsync -"},
        {"x;1.5;T1\n", "a.csv: line 1: the header line is missing; found a row: x, 1.5, T1; to add "
                       "a header: (printf 'thread;time_s;x3\\n'; cat a.csv) | cellsync -"},
        {"#\n\nT1\t5\n", "a.csv: line 3: the header line is missing; found a row: T1, 5; to add a "
                         "header: awk 'NR==3 {print \"thread\\ttime\"} 1' <a.csv | cellsync -"},
        {"17\n", "a.csv: line 1: the header line is missing, and the file has only one column: 17"},
        {"thread,time,thread\n", "a.csv: line 1: two columns have the name \"thread\""},
        {"core,thread,time,\"core\"\n", "a.csv: line 1: two columns have the name \"core\""},
        {"global_time,thread,time,global_time\n",
         "a.csv: line 1: two columns have the name \"global_time\""},
        {"thread,\"time\n", "a.csv: line 1: a quote is misplaced, or a quoted field does not end"},
        {"thread,ti\"me\"\n", "a.csv: line 1: a quote is misplaced"},
        {"# timebase_hz=0\nthread,time\n",
         "a.csv: line 1: timebase_hz \"0\": expected a whole number above 0"},
        {"# timebase_hz=2\n#\n# timebase_hz=3\nthread,time\n",
         "a.csv: line 3: # timebase_hz=3 contradicts # timebase_hz=2 in line 1"},
        {"# timebase_hz=14.3e6\nthread,time\n",
         "a.csv: line 1: timebase_hz \"14.3e6\": expected a whole number above 0"},
        {"# timebase_hz=\nthread,time\n",
         "a.csv: line 1: timebase_hz \"\": expected a whole number above 0"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct source s;
        ck_refused(source_open(&s, faults[i].text, strlen(faults[i].text)), CSY_INPUT, s.error,
                   faults[i].want);
        source_close(&s);
    }
    static const char nul[] = "# timebase_hz=30\0 0\nthread,time\n";
    struct source s;
    ck_refused(source_open(&s, nul, sizeof nul - 1), CSY_INPUT, s.error,
               "a.csv: line 1: timebase_hz \"30\\x00 0\": expected a whole number above 0");
    source_close(&s);
}
END_TEST

/* Behind a header thread,time,core and one good row. */
START_TEST(bad_rows_are_refused)
{
    static const struct {
        const char *row, *want;
    } faults[] = {
        {"A", "a.csv: line 3: the row has 1 field, but the header has 3"},
        {"A,1", "a.csv: line 3: the row has 2 fields, but the header has 3"},
        {"A,1,,", "a.csv: line 3: the row has 4 fields, but the header has 3"},
        {"A,1,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n",
         "a.csv: line 3: the row has 41 fields, but the header has 3"},
        {",1,", "a.csv: line 3: the name of the thread is empty"},
        {"\"\",1,", "a.csv: line 3: the name of the thread is empty"},
        {"A,,", "a.csv: line 3: time \"\": expected a whole number of ticks"},
        {"A,+,", "a.csv: line 3: time \"+\": expected a whole number of ticks"},
        {"A,1.5,",
         "a.csv: line 3: time \"1.5\": ticks are whole numbers; for a time in seconds, "
         "name the column time_s (also _ms, _us, _ns), or pass --time-unit=s (also ms, us, "
         "ns)"},
        {"A,1e3,",
         "a.csv: line 3: time \"1e3\": ticks are whole numbers; for a time in seconds, "
         "name the column time_s (also _ms, _us, _ns), or pass --time-unit=s (also ms, us, "
         "ns)"},
        {"A,1709577002114.25,",
         "a.csv: line 3: time \"1709577002114.25\": ticks are whole numbers; for a time in ms, "
         "name the column time_ms, or pass --time-unit=ms"},
        {"A,1.5e15,", "a.csv: line 3: time \"1.5e15\": ticks are whole numbers; for a time in us, "
                      "name the column time_us, or pass --time-unit=us"},
        {"A,1.7095770021140375e+18,",
         "a.csv: line 3: time \"1.7095770021140375e+18\": ticks are whole numbers; for a time in "
         "ns, name the column time_ns, or pass --time-unit=ns"},
        {"A,1 1,", "a.csv: line 3: time \"1 1\": expected a whole number of ticks"},
        {" ,1,", "a.csv: line 3: the name of the thread is empty"},
        {"A,--1,", "a.csv: line 3: time \"--1\": expected a whole number of ticks"},
        {"A,0x1,", "a.csv: line 3: time \"0x1\": expected a whole number of ticks"},
        {"A,\"1\"\"\",", "a.csv: line 3: time \"1\"\"\": expected a whole number of ticks"},
        {"A,9223372036854775808,",
         "a.csv: line 3: time \"9223372036854775808\": the value does not fit 64 bits"},
        {"A,-9223372036854775809,",
         "a.csv: line 3: time \"-9223372036854775809\": the value does not fit 64 bits"},
        {"A,99999999999999999999999,",
         "a.csv: line 3: time \"99999999999999999999999\": the value does not fit 64 bits"},
        {"A,1,PPE",
         "a.csv: line 3: core \"PPE\": expected ppe, spe, or nothing; --columns=core= ignores "
         "the column"},
        {"A,1,\r",
         "a.csv: line 3: core \"\\x0d\": expected ppe, spe, or nothing; --columns=core= ignores "
         "the column"},
        {"\"B\n,1,", "a.csv: line 3: a quote is misplaced, or a quoted field does not end"},
        {"A,1,\"x\n\"y", "a.csv: line 3: a quote is misplaced"},
        {"A,1,\"x\" ", "a.csv: line 3: a quote is misplaced"},
        {"A,1, \"x\"", "a.csv: line 3: a quote is misplaced"},
        {"A\xc3\xa9\t,x,", "a.csv: line 3: time \"x\": expected a whole number of ticks"},
        {"A,\x01,", "a.csv: line 3: time \"\\x01\": expected a whole number of ticks"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct source s;
        struct csv_row row;
        char text[200];
        bool more;
        snprintf(text, sizeof text, "thread,time,core\nZ,-0,spe\n%s", faults[i].row);
        open_well(&s, text);
        ck_assert_int_eq(next_row(&s).stamp.time_ticks, 0);
        csy_status status = csv_read(&s.reader, &row, &more, &s.error);
        ck_refused(status, CSY_INPUT, s.error, faults[i].want);
        source_close(&s);
    }
}
END_TEST

START_TEST(names_hold_no_nul)
{
    static const char text[] = "thread,time\nA\0B,5\n";
    struct source s;
    struct csv_row row;
    bool more;
    ck_ok(source_open(&s, text, sizeof text - 1), s.error);
    ck_refused(csv_read(&s.reader, &row, &more, &s.error), CSY_INPUT, s.error,
               "a.csv: line 2: thread \"A\\x00B\": the value contains a NUL byte");
    source_close(&s);
}
END_TEST

/* Open "thread,time,x" and a row of `size` bytes of which the last column fills all but the
 * first. */
static csy_status read_long_row(struct source *s, size_t size, const char *end)
{
    static const char head[] = "thread,time,x\n", begin[] = "A,5,";
    struct buffer text = {0};
    struct csv_row row;
    bool more;
    buffer_text(&text, head);
    buffer_text(&text, begin);
    for (size_t i = strlen(begin); i < size; i++)
        buffer_text(&text, "y");
    buffer_text(&text, end);
    ck_ok(source_open(s, text.bytes, text.size), s->error);
    csy_status status = csv_read(&s->reader, &row, &more, &s->error);
    ck_assert(status || row.size == size);
    buffer_free(&text);
    source_close(s);
    return status;
}

START_TEST(rows_have_a_limit)
{
    static const char *const ends[] = {"", "\n", "\nB,6,\n"};
    struct source s;
    for (size_t i = 0; i < 3; i++) {
        ck_ok(read_long_row(&s, CSV_ROW_BYTES_MAX, ends[i]), s.error);
        ck_refused(read_long_row(&s, CSV_ROW_BYTES_MAX + 1, ends[i]), CSY_INPUT, s.error,
                   "a.csv: line 2: the row is longer than 1 MiB");
        ck_refused(read_long_row(&s, 3 * CSV_ROW_BYTES_MAX, ends[i]), CSY_INPUT, s.error,
                   "a.csv: line 2: the row is longer than 1 MiB");
    }
}
END_TEST

START_TEST(what_stands_before_the_rows_has_a_limit)
{
    struct source s;
    struct buffer text = {0};
    while (text.size + 16 < CSV_ROW_BYTES_MAX)
        buffer_text(&text, "# 16 bytes, all\n");
    buffer_text(&text, "thread,time,too\n");
    ck_ok(source_open(&s, text.bytes, text.size), s.error);
    ck_assert_uint_eq(s.reader.preamble_size, CSV_ROW_BYTES_MAX);
    source_close(&s);
    text.size -= 16;
    buffer_text(&text, "# 16 bytes, all\n# 16 bytes, all\nthread,time\n");
    ck_refused(source_open(&s, text.bytes, text.size), CSY_INPUT, s.error,
               "a.csv: line 65537: the lines before the first row are longer than 1 MiB");
    source_close(&s);
    buffer_free(&text);
}
END_TEST

enum { COLUMNS_MAX = 7, ROWS = 400, FIELD_BYTES_MAX = 12 };

/* A field as it is meant, and as it stands between its commas. */
struct drawn_field {
    char meant[FIELD_BYTES_MAX + 1];
    char raw[2 * FIELD_BYTES_MAX + 1];
    bool quoted;
};

struct drawn_row {
    uint64_t line;
    int64_t time;
    size_t start, size; /* in the text */
    struct drawn_field fields[COLUMNS_MAX];
};

static struct drawn_field draw_field(struct random *r, size_t least)
{
    static const char letters[] = "ab #'\t,,\"\"\n\r";
    struct drawn_field f = {.quoted = random_chance(r, 20)};
    size_t size = (size_t)random_between(r, (int64_t)least, FIELD_BYTES_MAX);
    bool plain = random_chance(r, 60);
    for (size_t i = 0; i < size; i++)
        f.meant[i] = letters[random_between(r, 0, plain ? 5 : (int64_t)sizeof letters - 2)];
    f.quoted |= strpbrk(f.meant, ",\"\r\n") != NULL;
    char *to = f.raw;
    for (size_t i = 0; i < size; i++) {
        if (f.meant[i] == '"')
            *to++ = '"';
        *to++ = f.meant[i];
    }
    return f;
}

static uint64_t count_lines(const struct buffer *text)
{
    uint64_t lines = 1;
    for (size_t i = 0; i < text->size; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}

/* Append a row whose first column is the thread and whose last is the time. */
static struct drawn_row write_row(struct random *r, struct buffer *text, size_t ncolumns)
{
    struct drawn_row row = {.line = count_lines(text), .start = text->size};
    row.time = random_between(r, -999999, 999999);
    for (size_t i = 0; i < ncolumns; i++) {
        struct drawn_field *f = &row.fields[i];
        *f = draw_field(r, i == 0);
        f->quoted |= strchr(" \t", f->meant[0]) || strchr(" \t", f->meant[strlen(f->meant) - 1]);
        if (i == ncolumns - 1) {
            snprintf(f->meant, sizeof f->meant, "%d", (int)row.time);
            strcpy(f->raw, f->meant);
            f->quoted = random_chance(r, 20);
        }
        buffer_text(text, f->quoted ? "\"" : "");
        buffer_text(text, f->raw);
        buffer_text(text, f->quoted ? "\"" : "");
        buffer_text(text, i < ncolumns - 1 ? "," : "");
    }
    row.size = text->size - row.start;
    return row;
}

static bool same_row(const struct csv_row *got, const struct drawn_row *want,
                     const struct buffer *text, size_t ncolumns)
{
    bool same = got->line == want->line && got->stamp.time_ticks == want->time &&
                got->nfields == ncolumns && got->size == want->size &&
                memcmp(got->bytes, text->bytes + want->start, want->size) == 0 &&
                got->stamp.thread_size == strlen(want->fields[0].meant) &&
                memcmp(got->stamp.thread, want->fields[0].meant, got->stamp.thread_size) == 0;
    for (size_t i = 0; same && i < ncolumns; i++) {
        const struct csv_field *f = &got->fields[i];
        const char *raw = want->fields[i].raw;
        same = f->quoted == want->fields[i].quoted && f->size == strlen(raw) &&
               memcmp(f->at, raw, f->size) == 0;
    }
    return same;
}

/* Tables with any bytes in their fields and both kinds of line ends come back. */
START_TEST(tables_come_back)
{
    static const char *const ends[] = {"\n", "\r\n", "\n\n", "\r\n\r\n"};
    static struct drawn_row rows[ROWS];
    struct random r = random_trial((uint64_t)_i);
    struct buffer text = {0};
    struct source s;
    size_t ncolumns = (size_t)random_between(&r, 2, COLUMNS_MAX);
    buffer_text(&text, "thread,");
    for (size_t i = 2; i < ncolumns; i++)
        buffer_text(&text, "x,");
    buffer_text(&text, "time\n");
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = write_row(&r, &text, ncolumns);
        buffer_text(&text, i == ROWS - 1 ? "" : ends[random_between(&r, 0, 3)]);
    }
    ck_ok(source_open(&s, text.bytes, text.size), s.error);
    for (size_t i = 0; i < ROWS; i++) {
        struct csv_row row = next_row(&s);
        if (!same_row(&row, &rows[i], &text, ncolumns))
            ck_abort_msg("table %d, row %zu: %.*s", _i, i, (int)row.size, row.bytes);
    }
    assert_end(&s);
    source_close(&s);
    buffer_free(&text);
}
END_TEST

START_TEST(decimals_are_steps_of_a_second)
{
    static const struct {
        enum csv_unit unit;
        const char *text;
        uint64_t steps;
    } times[] = {{CSV_AUTO, "100", 0},
                 {CSV_TICKS, "100", 0},
                 {CSV_S, "100", 1},
                 {CSV_S, "-1.250000", 1000000},
                 {CSV_S, "1,25", 100},
                 {CSV_S, "25e-3", 1000},
                 {CSV_S, "2.5E-3", 10000},
                 {CSV_S, "1.5e1", 1},
                 {CSV_S, "1e300", 1},
                 {CSV_S, "1e-300", UINT64_C(10000000000000000000)},
                 {CSV_US, "1.000", 1000000000},
                 {CSV_NS, "1e9", 1000000000},
                 {CSV_STAMPS, "2024-05-01T12:00:00Z", 1},
                 {CSV_STAMPS, "2024-05-01 12:00:00.2500+02:00", 10000}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct csv_scale scale;
        csv_scale_init(&scale, times[i].unit, 1000000000, ',');
        ck_assert_uint_eq(csv_time_steps(&scale, times[i].text, strlen(times[i].text)),
                          times[i].steps);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("csv");
    tcase_add_test(tests, decimals_are_steps_of_a_second);
    tcase_add_test(tests, rows_are_read);
    tcase_add_test(tests, columns_are_found_by_name);
    tcase_add_test(tests, columns_may_be_called_event_twice);
    tcase_add_test(tests, names_are_unquoted);
    tcase_add_test(tests, what_stands_before_the_rows_is_kept);
    tcase_add_test(tests, comments_may_hold_quotes);
    tcase_add_test(tests, comments_that_give_no_timebase);
    tcase_add_test(tests, blanks_do_not_matter);
    tcase_add_test(tests, separators_are_told_from_the_header);
    tcase_add_test(tests, empty_lines_are_no_rows);
    tcase_add_test(tests, tables_without_rows);
    tcase_add_test(tests, bad_headers_are_refused);
    tcase_add_test(tests, bad_rows_are_refused);
    tcase_add_test(tests, names_hold_no_nul);
    tcase_add_test(tests, rows_have_a_limit);
    tcase_add_test(tests, what_stands_before_the_rows_has_a_limit);
    tcase_add_loop_test(tests, tables_come_back, 0, 40);
    return unit_run();
}
