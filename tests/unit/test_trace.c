/* Opening a trace: what is taken for what, where its records are looked for, and what is
 * refused. */
#include "support.h"
#include "trace/trace.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct folder folder;

#define PEX(trace_file)                                                                            \
    "<pdt_trace version='1'><machine name='QS20' timebase_hz='14318000'/>" trace_file "</"         \
    "pdt_trace>"

static const char *write_text(const char *name, const char *text)
{
    const char *path = folder_file(&folder, name);
    file_write(path, text, strlen(text));
    return path;
}

/* A record file of n PPE records. */
static struct buffer record_file(uint32_t flags, uint64_t n)
{
    struct buffer b = {0};
    add_header(&b, flags, n);
    for (uint64_t i = 0; i < n; i++)
        add_ppe(&b, 100 * i);
    return b;
}

static const char *write_records(const char *name, uint32_t flags, bool gzip)
{
    struct buffer b = record_file(flags, 3), packed = {0};
    const char *path = folder_file(&folder, name);
    buffer_gzip(&packed, b.bytes, b.size);
    file_write(path, gzip ? packed.bytes : b.bytes, gzip ? packed.size : b.size);
    buffer_free(&b);
    buffer_free(&packed);
    return path;
}

/* All records of an open trace, twice. */
static void read_records(csy_trace *trace, uint64_t first_offset)
{
    struct record record;
    csy_error error;
    bool more;
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < 3; i++) {
            ck_ok(record_read(&trace->records, &record, &more, &error), error);
            ck_assert(more);
            ck_assert_uint_eq(record.stamp, 100 * i);
            ck_assert_uint_eq(record.offset, first_offset + 32 * i);
        }
        ck_ok(record_read(&trace->records, &record, &more, &error), error);
        ck_assert(!more);
        ck_ok(trace_rewind(trace, &error), error);
    }
}

static void open_and_read(const char *path, uint64_t first_offset)
{
    csy_trace *trace;
    csy_error error;
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_assert_int_eq(csy_trace_format(trace), CSY_FORMAT_PEX);
    ck_assert_str_eq(csy_trace_name(trace), path);
    ck_assert_str_eq(csy_trace_machine(trace), "QS20");
    ck_assert_uint_eq(csy_trace_timebase_hz(trace), 14318000);
    read_records(trace, first_offset);
    csy_trace_free(trace);
}

START_TEST(two_files)
{
    const char *pex = write_text("a.pex", PEX("<trace_file href='a.trace'/>"));
    write_records("a.trace", 0, false);
    open_and_read(pex, 32);
    pex = write_text("b.pex", PEX("<trace_file href='b.gz' compression='gzip'/>"));
    write_records("b.gz", 0, true);
    open_and_read(pex, 32);
}
END_TEST

/* White space may stand in front of the NUL, and records are at their offset in the file. */
START_TEST(embedded_records)
{
    static const char *const documents[] = {PEX("<trace_file/>"), PEX("<trace_file/>") "\n \n",
                                            "\xef\xbb\xbf" PEX("<trace_file compression='gzip'/>")};
    for (size_t i = 0; i < 3; i++) {
        struct buffer b = record_file(0, 3), file = {0};
        buffer_text(&file, documents[i]);
        buffer_add(&file, "", 1);
        uint64_t at = i == 2 ? 32 : file.size + 32;
        if (i == 2)
            buffer_gzip(&file, b.bytes, b.size);
        else
            buffer_add(&file, b.bytes, b.size);
        const char *path = folder_file(&folder, "a.pex");
        file_write(path, file.bytes, file.size);
        open_and_read(path, at);
        buffer_free(&file);
        buffer_free(&b);
    }
}
END_TEST

static csy_format format_of(const char *path, csy_format from)
{
    csy_trace *trace;
    csy_error error;
    ck_ok(csy_trace_open(path, &(csy_input){.format = from}, &trace, &error), error);
    csy_format format = csy_trace_format(trace);
    csy_trace_free(trace);
    return format;
}

START_TEST(content_decides_the_format)
{
    write_records("a.trace", 0, false);
    const char *pex = write_text("a.csv", " \n\t" PEX("<trace_file href='a.trace'/>"));
    ck_assert_int_eq(format_of(pex, CSY_FORMAT_AUTO), CSY_FORMAT_PEX);
    const char *csv = write_text("b.txt", "# <x>\nthread,time\nA,1\n");
    ck_assert_int_eq(format_of(csv, CSY_FORMAT_AUTO), CSY_FORMAT_CSV);
    ck_assert_int_eq(format_of(csv, CSY_FORMAT_CSV), CSY_FORMAT_CSV);
    const char *marked = write_text("d.csv", "\xef\xbb\xbf" PEX("<trace_file href='a.trace'/>"));
    ck_assert_int_eq(format_of(marked, CSY_FORMAT_AUTO), CSY_FORMAT_PEX);
    const char *odd = write_text("c.csv", "<thread>,thread,time\n1,A,1\n");
    ck_assert_int_eq(format_of(odd, CSY_FORMAT_CSV), CSY_FORMAT_CSV);
}
END_TEST

/* The message after the path. */
static void assert_refused(const char *path, csy_status want, const char *after)
{
    csy_trace *trace = NULL;
    csy_error error;
    char text[1024];
    snprintf(text, sizeof text, "%s%s", path, after);
    ck_refused(csy_trace_open(path, NULL, &trace, &error), want, error, text);
    ck_assert_ptr_null(trace);
    ck_assert_int_eq(csy_trace_open(path, NULL, &trace, NULL), want);
}

START_TEST(files_that_are_no_traces)
{
    assert_refused(folder_file(&folder, "missing"), CSY_IO, ": No such file or directory");
    assert_refused(write_records("a.trace", 0, false), CSY_INPUT,
                   ": offset 0: this is a record file; give the name of its .pex instead");
    assert_refused(write_text("head", "PDTTRACE"), CSY_INPUT,
                   ": offset 0: this is a record file; give the name of its .pex instead");
    assert_refused(write_text("empty", ""), CSY_INPUT,
                   ": line 1: the header line is missing, for example thread,time");
    assert_refused(write_text("a.pex", "thread,time\n"), CSY_INPUT,
                   ": offset 0 (line 1): not well-formed XML: Start tag expected, '<' not found");
}
END_TEST

START_TEST(record_files_that_do_not_fit)
{
    const char *pex = write_text("a.pex", PEX("<trace_file/>"));
    char want[200];
    snprintf(want, sizeof want,
             ": offset %zu: the element trace_file has no href, but no NUL byte with records "
             "follows the document",
             strlen(PEX("<trace_file/>")));
    assert_refused(pex, CSY_INPUT, want);
    assert_refused(write_text("b.pex", PEX("<trace_file href='b.pex'/>")), CSY_INPUT,
                   ": the trace_file in the .pex is the .pex itself");
    struct buffer both = {0};
    buffer_text(&both, PEX("<trace_file href='a.trace'/>"));
    size_t end = both.size;
    buffer_add(&both, "", 1);
    file_write(folder_file(&folder, "c.pex"), both.bytes, both.size);
    snprintf(want, sizeof want,
             ": offset %zu: records follow the document, but its element trace_file has an href",
             end);
    assert_refused(folder_file(&folder, "c.pex"), CSY_INPUT, want);
    buffer_free(&both);
}
END_TEST

START_TEST(clocks_that_do_not_fit)
{
    csy_trace *trace;
    csy_error error;
    char want[700];
    const char *local = write_records("local.trace", 0, false);
    const char *global = write_records("global.trace", 1, false);
    const char *a = write_text("a.pex", PEX("<trace_file href='global.trace'/>"));
    const char *b =
        write_text("b.pex", PEX("<trace_file href='local.trace'/><clock kind='global'/>"));
    snprintf(want, sizeof want,
             "%s: offset 12: the .pex contains clock kind=\"local\", but the flag GLOBAL_TIME is "
             "set in this file",
             global);
    ck_refused(csy_trace_open(a, NULL, &trace, &error), CSY_INPUT, error, want);
    snprintf(want, sizeof want,
             "%s: offset 12: the .pex contains clock kind=\"global\", but the flag GLOBAL_TIME is "
             "clear in this file",
             local);
    ck_refused(csy_trace_open(b, NULL, &trace, &error), CSY_INPUT, error, want);
}
END_TEST

START_TEST(record_files_that_are_missing)
{
    csy_trace *trace;
    csy_error error;
    char want[700];
    const char *pex = write_text("a.pex", PEX("<trace_file href='none.trace'/>"));
    snprintf(want, sizeof want, "%s: No such file or directory",
             folder_file(&folder, "none.trace"));
    ck_refused(csy_trace_open(pex, NULL, &trace, &error), CSY_IO, error, want);
    ck_assert_int_eq(mkfifo(folder_file(&folder, "none.trace"), 0600), 0);
    snprintf(want, sizeof want, "%s: this is not a regular file",
             folder_file(&folder, "none.trace"));
    ck_refused(csy_trace_open(pex, NULL, &trace, &error), CSY_IO, error, want);
}
END_TEST

/* Make fd the standard input for one opening. */
static csy_status open_standard_input(int fd, csy_trace **trace, csy_error *error)
{
    int saved = dup(STDIN_FILENO);
    ck_assert_int_ge(saved, 0);
    dup2(fd, STDIN_FILENO);
    csy_status status = csy_trace_open("-", NULL, trace, error);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(fd);
    return status;
}

static void assert_rows(csy_trace *trace)
{
    struct csv_row row;
    csy_error error;
    bool more;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 1; i <= 2; i++) {
            ck_ok(csv_read(&trace->lines, &row, &more, &error), error);
            ck_assert(more);
            ck_assert_int_eq(row.stamp.time_ticks, i);
        }
        ck_ok(csv_read(&trace->lines, &row, &more, &error), error);
        ck_assert(!more);
        ck_ok(trace_rewind(trace, &error), error);
    }
}

/* A pipe, and a file that has been read in part. */
START_TEST(standard_input)
{
    static const char text[] = "read before\nthread,time\nA,1\nB,2\n";
    csy_trace *trace;
    csy_error error;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_gt(write(ends[1], text + 12, strlen(text + 12)), 0);
    close(ends[1]);
    ck_ok(open_standard_input(ends[0], &trace, &error), error);
    assert_rows(trace);
    csy_trace_free(trace);
    int fd = file_of(text, strlen(text));
    ck_assert_int_eq(lseek(fd, 12, SEEK_SET), 12);
    ck_ok(open_standard_input(fd, &trace, &error), error);
    assert_rows(trace);
    ck_assert_str_eq(csy_trace_name(trace), "-");
    csy_trace_free(trace);
    csy_trace_free(NULL);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("trace");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, two_files);
    tcase_add_test(tests, embedded_records);
    tcase_add_test(tests, content_decides_the_format);
    tcase_add_test(tests, files_that_are_no_traces);
    tcase_add_test(tests, record_files_that_do_not_fit);
    tcase_add_test(tests, clocks_that_do_not_fit);
    tcase_add_test(tests, record_files_that_are_missing);
    tcase_add_test(tests, standard_input);
    return unit_run();
}
