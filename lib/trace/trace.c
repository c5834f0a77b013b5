/* See trace.h: finds the source, and checks that files do not change while they are read. */
#include "trace/trace.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/portable.h"
#include "base/worker.h"
#include "io/gunzip.h"
#include "io/range.h"
#include "trace/cut.h"
#include "trace/input.h"
#include "trace/offsets.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Files that cellsync writes, but cannot read ------------------------------------------- */

static bool begins(const uint8_t *at, const uint8_t *end, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(end - at) >= size && ascii_same((const char *)at, text, size);
}

/* Returns true for a Perfetto trace, a Protocol Buffers message with control characters in field 1.
 * The tag of field 1 is a line feed. */
static bool is_perfetto(const uint8_t *at, const uint8_t *end)
{
    size_t size = 0;
    bool more = true, binary = false;
    if (at == end || *at++ != '\n')
        return false;
    for (unsigned shift = 0; more && at < end && shift < 28; shift += 7) {
        size |= (size_t)(*at & 0x7f) << shift;
        more = *at++ >> 7;
    }
    for (; !more && size > 0 && at < end; size--)
        binary |= *at++ < '\t';
    return !more && binary && (at == end || *at == '\n');
}

/* Returns true for OTLP in Protocol Buffers. The file exporter of the collector puts a length of
 * four bytes before it. Four nested messages, each the field 1 of the previous one, lead to the
 * key of the first attribute of the first resource, such as "service.name". */
static bool is_otlp(const uint8_t *at, const uint8_t *end)
{
    enum { DEPTH = 4 };
    size_t outer = SIZE_MAX, size = 0;
    at += end - at > 4 && *at == 0 ? 4 : 0;
    for (int i = 0; i < DEPTH; i++, outer = size) {
        bool more = true;
        size = 0;
        if (at == end || *at++ != '\n')
            return false;
        for (unsigned shift = 0; more && at < end && shift < 28; shift += 7) {
            size |= (size_t)(*at & 0x7f) << shift;
            more = *at++ >> 7;
        }
        if (more || size == 0 || size >= outer)
            return false;
    }
    if (size >= (size_t)(end - at) || at[size] != 0x12) /* the tag of the attribute's value */
        return false;
    while (size > 0 && *at > ' ' && *at < 0x7f) {
        at++;
        size--;
    }
    return size == 0;
}

/* --- The table of input formats ------------------------------------------------------------ */

/* Returns true if the file begins with an object that has a member, or with an array that contains
 * an object or an array. No CSV header begins with such a text. */
bool json_probe(const struct head *head)
{
    static const char mark[] = "\xef\xbb\xbf";
    const uint8_t *at = head->bytes, *end = at + head->size;
    uint8_t first = 0;
    if (head->size >= 3 && memcmp(at, mark, 3) == 0)
        at += 3;
    for (; at < end; at++) {
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
            continue;
        if (first == '{')
            return *at == '"' || *at == '}';
        if (first == '[')
            return *at == '{' || *at == '[' || *at == ']';
        if (*at != '{' && *at != '[')
            return false;
        first = *at;
    }
    return false;
}

bool otf2_probe(const struct head *head)
{
    size_t size = strlen(head->name);
    return size > 5 && strcmp(head->name + size - 5, ".otf2") == 0;
}

/* The last source tries every file that no other source accepts. */
static const struct source *const sources[] = {&source_otf2,   &source_pcap,   &source_pex,
                                               &source_json,   &source_otlp,   &source_jaeger,
                                               &source_zipkin, &source_chrome, &source_csv};

/* An array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
enum { SOURCES = sizeof sources / sizeof *sources };

static const struct source *added;

void source_add(const struct source *source)
{
    added = source;
}

const struct source *source_of_format(csy_format format)
{
    if (format == CSY_FORMAT_PCAPNG) /* one source reads pcap and pcapng */
        format = CSY_FORMAT_PCAP;
    for (size_t i = 0; i < SOURCES && format != CSY_FORMAT_AUTO; i++)
        if (sources[i]->format == format)
            return sources[i];
    return NULL;
}

/* --- Opening ------------------------------------------------------------------------------- */

/* Maximum number of times to reopen a .pex that another program replaces while it is opened. */
enum { REOPENS_MAX = 100 };

/* Read the first bytes, uncompressed. Choose the source by them, unless the user chose a format. */
static csy_status find_source(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    static const uint8_t magic[] = {0x1f, 0x8b};
    struct head *head = &trace->head;
    uint8_t *bytes = trace->head_bytes;
    const size_t most = sizeof trace->head_bytes;
    struct range range = {.fd = trace->fd, .name = trace->name, .start = start, .next = start};
    head->name = trace->name;
    head->bytes = bytes;
    csy_status status = range_read(&range, bytes, most, &head->size, error);
    if (status)
        return status;
    range_rewind(&range);
    trace->gzip = head->size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
    if (trace->gzip) {
        size_t *n = &head->size;
        struct gunzip *gunzip = NULL;
        uint8_t *block = malloc(GUNZIP_BLOCK_BYTES);
        status = block ? gunzip_new(&range, false, &gunzip, error) : error_memory(error);
        *n = 0;
        if (!status)
            status = gunzip_block(gunzip, block, n, error);
        *n = *n < most ? *n : most;
        if (!status)
            memcpy(bytes, block, *n);
        gunzip_free(gunzip);
        free(block);
    }
    trace->csv_asked.packed = trace->gzip;
    if (status || trace->source)
        return status;
    size_t found = 0;
    while (found + 1 < SOURCES && !(sources[found]->probe && sources[found]->probe(head)))
        found++;
    trace->source = added && added->probe(head) ? added : sources[found];
    const uint8_t *end = bytes + head->size, *second = memchr(bytes, '\n', head->size);
    const uint8_t *text = bytes + begins(bytes, end, "%");
    bool report = begins(bytes, end, "trace       ") && second && begins(second, end, "\nrecords ");
    bool table = text > bytes &&
                 (begins(text, end, " error bounds in ") || begins(text, end, " event errors in "));
    const char *what =
        is_perfetto(bytes, end) && !is_otlp(bytes, end)                       ? "a Perfetto trace"
        : begins(bytes, end, "<!doctype html") || begins(bytes, end, "<html") ? "an HTML page"
        : begins(bytes, end, "digraph ") || begins(bytes, end, "graph bounds {") ? "a graph for dot"
        : table                                                                  ? "a table for TeX"
        : begins(bytes, end, "perfetto_manifest.json") ? "an archive for Perfetto"
        : report                                       ? "a text report"
                                                       : NULL;
    return what ? error_set(error, CSY_INPUT,
                            "%s: this is %s, which cellsync writes but cannot read; pass the "
                            "original trace",
                            head->name, what)
           : is_otlp(bytes, end)
               ? error_set(error, CSY_INPUT,
                           "%s: this is OTLP in binary form (Protocol Buffers), which cellsync "
                           "cannot read; export the spans as JSON, for example with 'format: json' "
                           "of the collector's file exporter",
                           head->name)
               : CSY_OK;
}

static csy_status refuse_absent(const struct csy_trace *trace, csy_error *error)
{
    const char *why = trace->source->absent;
    return why ? error_set(error, CSY_INPUT, "%s: this cellsync was built without %s", trace->name,
                           why)
               : CSY_OK;
}

/* Check the first bytes of a pipe. Do not wait for its end, because a pipe may be endless. */
static csy_status look_at(void *user, int fd, csy_error *error)
{
    struct csy_trace *trace = user;
    const struct source *asked = trace->source;
    trace->fd = fd;
    csy_status status = find_source(trace, 0, error);
    if (!status && !trace->gzip)
        status = refuse_absent(trace, error);
    if (!status && !trace->gzip && trace->source->look)
        status = trace->source->look(trace, error);
    trace->fd = -1;
    trace->source = asked;
    return status;
}

csy_status trace_allocate(const char *name, struct csy_trace **out, csy_error *error)
{
    struct csy_trace *trace = calloc(1, sizeof *trace);
    if (!trace || !(trace->name = strdup(name))) {
        free(trace);
        return error_memory(error);
    }
    trace->fd = trace->record_fd = -1;
    trace->workers = worker_cores();
    trace->progress.stage = "reading";
    trace->segment_bytes = SEGMENT_BYTES;
    trace->loose_kept = LOOSE_KEPT;
    trace->lines = csv_no_lines;
    trace->meanings = &trace->metadata.meanings;
    trace->symbols = &trace->metadata.symbols;
    *out = trace;
    return CSY_OK;
}

static csy_status open_once(const char *path, const csy_input *input, csy_trace **out,
                            csy_error *error)
{
    uint64_t start = 0;
    csy_status status = trace_allocate(path, out, error);
    if (status)
        return status;
    struct csy_trace *trace = *out;
    _Static_assert((int)CSV_NS == (int)CSY_TIME_NS && (int)CSV_TICKS == (int)CSY_TIME_TICKS,
                   "units are the same");
    trace->source = source_of_format(input->format);
    trace->csv_asked.unit = (enum csv_unit)input->time_unit;
    trace->csv_asked.counter_bits = input->counter_bits;
    trace->csv_asked.joined = input->join == CSY_JOIN_ALWAYS;
    trace->csv_asked.measured = input->is_offsets;
    trace->clock_per = input->clock_per;
    trace->is_part = input->part;
    trace->spans = input->spans;
    if (input->columns) {
        trace->csv_asked.columns = trace->csv_columns = strdup(input->columns);
        if (!trace->csv_columns)
            return error_memory(error);
    }
    bool standard = strcmp(trace->name, "-") == 0;
    struct stat st;
    int fd = standard ? dup(STDIN_FILENO) : open(trace->name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_io(error, standard ? "standard input" : trace->name, NULL);
    trace->fd = fd;
    if (!standard && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) &&
        (!trace->source || trace->source == &source_pex))
        trace->source = &source_run;
    status = trace_remember_file(trace, fd, &st, trace->name, error);
    bool folder = trace->source == &source_run;
    if (!status && !folder) {
        off_t at = S_ISREG(st.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
        start = at > 0 ? (uint64_t)at : 0;
        trace->record_bytes = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
        if (at < 0) { /* copy a pipe to a temporary file, because it cannot be read twice */
            trace->fd = -1;
            status = bytes_spool(fd, standard ? "standard input" : trace->name, look_at, trace,
                                 &trace->fd, error);
            close(fd);
        }
    }
    if (!status && !folder)
        status = find_source(trace, start, error);
    if (status)
        return status;
    const struct csv_asked *asked = &trace->csv_asked;
    const struct source *source = trace->source;
    bool shapes = asked->columns || asked->unit != CSV_AUTO || asked->counter_bits > 0;
    if (trace->clock_per != CSY_CLOCK_PER_AUTO && source->format != CSY_FORMAT_OTF2)
        return error_set(error, CSY_USAGE, "%s: --clock-per requires an OTF2 archive", trace->name);
    if (trace->spans != CSY_SPANS_SOUND && !source->spans)
        return error_set(error, CSY_USAGE, "%s: --spans requires a trace of spans", trace->name);
    if (shapes && !source->shaped)
        return error_set(error, CSY_USAGE, "%s: %s a CSV", trace->name,
                         asked->counter_bits > 0 ? "--counter-bits requires"
                                                 : "--columns and --time-unit require");
    status = refuse_absent(trace, error);
    return status ? status : source->open(trace, start, error);
}

csy_status trace_open(const char *path, const csy_input *input, struct csy_trace **out,
                      csy_error *error)
{
    csy_trace *trace = NULL;
    /* path of the anchor file, if `path` is the folder of an OTF2 archive */
    char *anchor = NULL;
    struct stat st;
    if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        size_t size = strlen(path);
        if (asprintf(&anchor, "%s%straces.otf2", path, path[size - (size > 0)] == '/' ? "" : "/") <
            0)
            return error_memory(error);
        if (stat(anchor, &st) == 0 && S_ISREG(st.st_mode))
            path = anchor;
    }
    csy_status status = open_once(path, input, &trace, error);
    for (unsigned n = 0; status && trace && trace->replaced && n < REOPENS_MAX; n++) {
        csy_trace_free(trace);
        trace = NULL;
        status = open_once(path, input, &trace, error);
    }
    free(anchor);
    if (status)
        csy_trace_free(trace);
    else
        *out = trace;
    return status;
}

/* Parts have no parts. NOLINTNEXTLINE(misc-no-recursion) */
void csy_trace_free(csy_trace *trace)
{
    if (!trace)
        return;
    if (trace->source && trace->source->close)
        trace->source->close(trace);
    bytes_free(trace->bytes);
    for (size_t i = 0; i < trace->nparts; i++)
        csy_trace_free(trace->parts[i]);
    FREE_ALL(trace->parts, trace->part_places, trace->part_name, trace->csv_columns);
    clock_steps_fini(&trace->steps);
    offsets_free(trace->offsets);
    FREE_ALL(trace->files, trace->name);
    if (trace->fd >= 0)
        close(trace->fd);
    free(trace);
}

csy_status trace_fork(struct csy_trace *trace, struct csy_trace **out, csy_error *error)
{
    *out = trace;
    if (!trace->source->fork)
        return CSY_OK;
    struct csy_trace *fork = malloc(sizeof *fork);
    if (!fork)
        return error_memory(error);
    *fork = *trace;
    fork->bytes = NULL;
    fork->state = NULL;
    fork->record_name = NULL;
    fork->lines = csv_no_lines;
    csy_status status = trace->source->fork(trace, fork, error);
    if (status)
        trace_join(trace, fork);
    else
        *out = fork;
    return status;
}

void trace_join(struct csy_trace *trace, struct csy_trace *fork)
{
    if (!fork || fork == trace)
        return;
    fork->source->join(fork);
    bytes_free(fork->bytes);
    free(fork);
}

csy_status trace_rewind(struct csy_trace *trace, csy_error *error)
{
    if (trace->bytes)
        bytes_rewind(trace->bytes);
    return trace->source->rewind(trace, error);
}

const csy_cut *trace_cut(const struct csy_trace *trace)
{
    return trace->salvage && trace->source->cut ? trace->source->cut(trace) : NULL;
}

const char *trace_place(const struct csy_trace *trace, uint64_t *place)
{
    size_t part = 0;
    if (!trace->part_places)
        return trace->name;
    while (part + 1 < trace->nparts && trace->part_places[part + 1].first <= *place)
        part++;
    *place += trace->part_places[part].own - trace->part_places[part].first;
    return trace->parts[part]->name;
}

csy_status trace_at_place(const struct csy_trace *trace, uint64_t place, csy_status status,
                          csy_error *error)
{
    const struct source *source = trace->source;
    if ((status != CSY_INPUT && status != CSY_MEMORY) || place == TRACE_NO_PLACE)
        return status;
    const char *file = trace->parts         ? trace_place(trace, &place)
                       : source->place_file ? source->place_file(trace)
                       : trace->record_name ? trace->record_name
                                            : trace->name;
    return error_prefix(error, status, "%s: %s %" PRIu64, file, source->place, place);
}

void trace_warn(struct csy_trace *trace, const char *format, ...)
{
    va_list args;
    if (trace->nwarnings >= TRACE_WARNINGS_MAX)
        return;
    va_start(args, format);
    /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX, format, args);
    va_end(args);
}

/* --- Changes of files ---------------------------------------------------------------------- */

/* Maximum number of times to examine a file that seems to have changed. */
enum { LOOKS_MAX = 10 };

csy_status trace_remember_file(struct csy_trace *trace, int fd, struct stat *st, const char *name,
                               csy_error *error)
{
    if (fstat(fd, st) < 0)
        return error_io(error, name, NULL);
    if (S_ISDIR(st->st_mode) && !(trace->source && trace->source->folder))
        return error_set(error, CSY_IO, "%s: this is a folder, not a file", name);
    return ARRAY_PUSH(trace->files, trace->nfiles, trace->files_capacity,
                      (struct file_identity){
                          name, st->st_dev, st->st_ino, S_ISREG(st->st_mode) ? fd : -1, st->st_size,
                          st->st_nlink, portable_modified(st), portable_changed(st)})
               ? CSY_OK
               : error_memory(error);
}

csy_status trace_refuse_changed(const struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_IO, "%s: the trace has changed while it was read", trace->name);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool is_replaced(const char *name, const struct file_identity *file)
{
    struct stat st;
    return strcmp(name, "-") != 0 && stat(name, &st) == 0 &&
           (st.st_dev != file->device || st.st_ino != file->inode);
}

/* Returns true if a program has written to the file since it was opened. A rename, or a new or
 * removed hard link, also changes the ctime. So a new ctime alone only counts if the number of
 * links and the file with this name are the same. */
static bool is_changed(const char *name, const struct file_identity *file, const struct stat *st)
{
    struct timespec modified = portable_modified(st), changed = portable_changed(st);
    if (st->st_size != file->size || !same_time(&modified, &file->modified))
        return true;
    return st->st_nlink == file->links && !same_time(&changed, &file->changed) &&
           !is_replaced(name, file);
}

bool trace_is_replaced(const struct csy_trace *trace)
{
    return is_replaced(trace->name, &trace->files[0]);
}

csy_status trace_check_unchanged(const struct csy_trace *trace, csy_error *error)
{
    static const struct timespec wait = {.tv_nsec = 2000000};
    struct stat st;
    for (size_t i = 0; i < trace->nfiles; i++) {
        const struct file_identity *file = &trace->files[i];
        bool changed = file->fd >= 0;
        /* A rename may change the ctime before the name, so wait and look again. */
        for (unsigned look = 0; look < LOOKS_MAX && changed; look++) {
            if (look > 0)
                nanosleep(&wait, NULL);
            if (fstat(file->fd, &st) < 0)
                return error_io(error, trace->name, NULL);
            changed = is_changed(file->name, file, &st);
        }
        if (changed)
            return trace_refuse_changed(trace, error);
    }
    return CSY_OK;
}

csy_status trace_check_file(const struct csy_trace *trace, size_t file, int fd, csy_error *error)
{
    const struct file_identity *known = &trace->files[file];
    struct stat st;
    if (fstat(fd, &st) < 0)
        return error_io(error, known->name, NULL);
    return st.st_dev != known->device || st.st_ino != known->inode ||
                   is_changed(known->name, known, &st)
               ? trace_refuse_changed(trace, error)
               : CSY_OK;
}

/* --- Public functions ---------------------------------------------------------------------- */

csy_status cut_refuse(const csy_cut *cut, const char *unit, bool salvage_helps, csy_error *error)
{
    uint64_t n = cut->records;
    if (n == 0)
        return error_set(error, CSY_INPUT, "%s; no whole %s precedes it", cut->text, unit);
    return error_set(error, CSY_INPUT, "%s; %" PRIu64 " whole %s%s it%s", cut->text, n, unit,
                     n == 1 ? " precedes" : "s precede", salvage_helps ? " (see --salvage)" : "");
}

void csy_trace_set_salvage(csy_trace *trace, bool salvage)
{
    trace->salvage = salvage;
}

void csy_trace_set_workers(csy_trace *trace, unsigned workers)
{
    trace->workers = workers ? workers : worker_cores();
    if (trace->bytes)
        bytes_set_workers(trace->bytes, trace->workers);
}

csy_format csy_trace_format(const csy_trace *trace)
{
    return trace->source->format;
}

const char *csy_trace_name(const csy_trace *trace)
{
    return trace->name;
}

const char *csy_trace_machine(const csy_trace *trace)
{
    return trace->metadata.machine ? trace->metadata.machine : "";
}

uint64_t csy_trace_timebase_hz(const csy_trace *trace)
{
    return trace->timebase_hz;
}

uint64_t csy_trace_written(const csy_trace *trace)
{
    return trace->written;
}

bool csy_trace_is_synchronized(const csy_trace *trace)
{
    return trace->source->is_synchronized && trace->source->is_synchronized(trace);
}

const char *csy_trace_place_name(const csy_trace *trace)
{
    return trace->source->place;
}

bool csy_trace_timebase_assumed(const csy_trace *trace)
{
    return trace->timebase_assumed;
}

const char *csy_trace_warning(const csy_trace *trace, size_t index)
{
    return index < trace->nwarnings ? trace->warnings[index] : NULL;
}

void csy_trace_set_progress(csy_trace *trace, csy_progress progress, void *user)
{
    trace->progress.call = progress;
    trace->progress.user = user;
}

/* --- Settings for reading ------------------------------------------------------------------ */

csy_status csy_input_new(csy_input **out, csy_error *error)
{
    csy_input *input = calloc(1, sizeof *input);
    if (!input)
        return error_memory(error);
    *out = input;
    return CSY_OK;
}

void csy_input_free(csy_input *input)
{
    if (!input)
        return;
    FREE_ALL(unconst(input->columns), unconst(input->offsets), input);
}

csy_status csy_input_set_format(csy_input *input, csy_format format, csy_error *error)
{
    csy_status status = error_check_choice("format", (int)format, CSY_FORMAT_ZIPKIN, error);
    if (status)
        return status;
    if (format != CSY_FORMAT_AUTO && !source_of_format(format))
        return error_set(error, CSY_USAGE, "this format can be written, but not read");
    input->format = format;
    return CSY_OK;
}

csy_status csy_input_set_time_unit(csy_input *input, csy_time_unit unit, csy_error *error)
{
    if ((unsigned)unit > CSY_TIME_NS)
        return error_set(error, CSY_USAGE, "unknown unit of time");
    input->time_unit = unit;
    return CSY_OK;
}

csy_status csy_input_set_counter_bits(csy_input *input, unsigned bits, csy_error *error)
{
    if (bits > 0 && (bits < CSV_COUNTER_BITS_MIN || bits > CSV_COUNTER_BITS_MAX))
        return error_set(error, CSY_USAGE, "a counter must have from %d to %d bits, not %u",
                         CSV_COUNTER_BITS_MIN, CSV_COUNTER_BITS_MAX, bits);
    input->counter_bits = bits;
    return CSY_OK;
}

static csy_status set_text(const char **text, const char *value, csy_error *error)
{
    char *copy = value ? strdup(value) : NULL;
    if (value && !copy)
        return error_memory(error);
    free(unconst(*text));
    *text = copy;
    return CSY_OK;
}

csy_status csy_input_set_columns(csy_input *input, const char *columns, csy_error *error)
{
    return set_text(&input->columns, columns, error);
}

csy_status csy_input_set_offsets(csy_input *input, const char *path, csy_error *error)
{
    return set_text(&input->offsets, path, error);
}

csy_status csy_input_set_join(csy_input *input, csy_join join, csy_error *error)
{
    if ((unsigned)join > CSY_JOIN_ALWAYS)
        return error_set(error, CSY_USAGE, "unknown way to join files");
    input->join = join;
    return CSY_OK;
}

csy_status csy_input_set_clock_per(csy_input *input, csy_clock_per per, csy_error *error)
{
    if ((unsigned)per > CSY_CLOCK_PER_LOCATION)
        return error_set(error, CSY_USAGE, "unknown unit of clocks");
    input->clock_per = per;
    return CSY_OK;
}

csy_status csy_input_set_spans(csy_input *input, csy_spans spans, csy_error *error)
{
    if ((unsigned)spans > CSY_SPANS_NESTED)
        return error_set(error, CSY_USAGE, "unknown order of spans");
    input->spans = spans;
    return CSY_OK;
}
