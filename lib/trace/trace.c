/* See trace.h. Finds the source of a trace, and forwards calls to it. */
#include "trace/trace.h"

#include "base/ascii.h"
#include "base/error.h"
#include "base/worker.h"
#include "io/gunzip.h"
#include "io/range.h"
#include "trace/input.h"
#include "trace/offsets.h"
#include "trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Files that are written and never read ------------------------------------------------- */

struct rest {
    const uint8_t *at, *end;
};

static bool begins(struct rest rest, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(rest.end - rest.at) >= size && ascii_same((const char *)rest.at, text, size);
}

/* Returns true for Protocol Buffers with a binary field 1, followed by another field 1, whose tag
 * has the same code as a line feed. */
static bool is_perfetto(struct rest rest)
{
    size_t size = 0;
    bool more = true, binary = false;
    if (!begins(rest, "\n"))
        return false;
    rest.at++;
    for (unsigned shift = 0; more && rest.at < rest.end && shift < 28; shift += 7) {
        size |= (size_t)(*rest.at & 0x7f) << shift;
        more = *rest.at++ >> 7;
    }
    for (; !more && size > 0 && rest.at < rest.end; size--) {
        binary |= *rest.at < '\t';
        rest.at++;
    }
    return !more && binary && (rest.at == rest.end || *rest.at == '\n');
}

static bool is_text_report(struct rest rest)
{
    const uint8_t *line;
    if (!begins(rest, "trace       "))
        return false;
    line = memchr(rest.at, '\n', (size_t)(rest.end - rest.at));
    return line && begins((struct rest){line, rest.end}, "\nrecords ");
}

static bool is_table(struct rest rest)
{
    if (!begins(rest, "%"))
        return false;
    rest.at++;
    return begins(rest, " error bounds in ") || begins(rest, " event errors in ");
}

static const char *find(struct rest rest)
{
    return is_perfetto(rest)                                            ? "a Perfetto trace"
           : begins(rest, "<!doctype html") || begins(rest, "<html")    ? "an HTML page"
           : begins(rest, "digraph ") || begins(rest, "graph bounds {") ? "a graph for dot"
           : is_table(rest)                                             ? "a table for TeX"
           : is_text_report(rest)                                       ? "a text report"
                                                                        : NULL;
}

/* --- The table of input formats ------------------------------------------------------------ */

/* The last source tries every file that the others do not accept. */
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
    if (format == CSY_FORMAT_PCAPNG) /* both have the same reader */
        format = CSY_FORMAT_PCAP;
    for (size_t i = 0; i < SOURCES && format != CSY_FORMAT_AUTO; i++)
        if (sources[i]->format == format)
            return sources[i];
    return NULL;
}

static const struct source *source_of_head(const struct head *head)
{
    if (added && added->probe(head))
        return added;
    size_t i = 0;
    while (i + 1 < SOURCES && !sources[i]->probe(head))
        i++;
    return sources[i];
}

/* --- Opening ------------------------------------------------------------------------------- */

/* How often a .pex is opened again because it was replaced in the meantime. */
enum { REOPENS_MAX = 100 };

/* Set the source by the user's choice, or by the head of the file, unpacked if it is gzip. */
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
    trace->source = source_of_head(head);
    const char *what = find((struct rest){head->bytes, head->bytes + head->size});
    return what ? error_set(error, CSY_INPUT,
                            "%s: this is %s, which cellsync writes but cannot read; pass the trace "
                            "that it was made from",
                            head->name, what)
                : CSY_OK;
}

/* Refuse a pipe that begins like no trace. This is checked early, because a pipe may be endless. */
static csy_status look_at(void *user, int fd, csy_error *error)
{
    struct csy_trace *trace = user;
    const struct source *asked = trace->source;
    trace->fd = fd;
    csy_status status = find_source(trace, 0, error);
    if (!status && !trace->gzip)
        status = trace->source->look(trace, error);
    trace->fd = -1;
    trace->source = asked;
    return status;
}

/* Open the file that the user named, and set *start to the offset of the trace in it. A pipe is
 * copied to a temporary file, because it cannot be read twice. */
static csy_status open_input(struct csy_trace *trace, uint64_t *start, csy_error *error)
{
    bool standard = strcmp(trace->name, "-") == 0;
    struct stat st;
    int fd = standard ? dup(STDIN_FILENO) : open(trace->name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_io(error, standard ? "standard input" : trace->name, NULL);
    trace->fd = fd;
    if (!standard && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) &&
        (!trace->source || trace->source == &source_pex))
        trace->source = &source_run;
    csy_status status = trace_remember_file(trace, fd, &st, trace->name, error);
    if (status || trace->source == &source_run)
        return status;
    off_t at = S_ISREG(st.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
    *start = at > 0 ? (uint64_t)at : 0;
    trace->record_bytes = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    if (at >= 0)
        return CSY_OK;
    trace->fd = -1;
    status = bytes_spool(fd, standard ? "standard input" : trace->name, look_at, trace, &trace->fd,
                         error);
    close(fd);
    return status;
}

/* Copy the options of an input. Both enumerations of units have the same values. */
static csy_status take_input(struct csy_trace *trace, const csy_input *input, csy_error *error)
{
    _Static_assert((int)CSV_NS == (int)CSY_TIME_NS && (int)CSV_TICKS == (int)CSY_TIME_TICKS,
                   "units are the same");
    trace->csv_asked.unit = (enum csv_unit)input->time_unit;
    trace->csv_asked.counter_bits = input->counter_bits;
    trace->csv_asked.joined = input->join == CSY_JOIN_ALWAYS;
    trace->csv_asked.measured = input->is_offsets;
    trace->clock_per = input->clock_per;
    trace->is_part = input->part;
    trace->spans = input->spans;
    if (!input->columns)
        return CSY_OK;
    trace->csv_asked.columns = trace->csv_columns = strdup(input->columns);
    return trace->csv_columns ? CSY_OK : error_memory(error);
}

/* Refuse options that do not fit the format. Call it after the format is known. */
static csy_status check_input(const struct csy_trace *trace, csy_error *error)
{
    const struct csv_asked *asked = &trace->csv_asked;
    if (trace->clock_per != CSY_CLOCK_PER_AUTO && trace->source->format != CSY_FORMAT_OTF2)
        return error_set(error, CSY_USAGE, "%s: what has a clock is chosen of an OTF2 archive only",
                         trace->name);
    if (trace->spans != CSY_SPANS_SOUND && !trace->source->spans)
        return error_set(error, CSY_USAGE, "%s: the order of spans is chosen of spans only",
                         trace->name);
    if (trace->source->shaped ||
        (!asked->columns && asked->unit == CSV_AUTO && asked->counter_bits == 0))
        return CSY_OK;
    if (asked->counter_bits > 0)
        return error_set(error, CSY_USAGE, "%s: the bits of counters are chosen of a CSV only",
                         trace->name);
    return error_set(error, CSY_USAGE, "%s: columns and units of time are chosen of a CSV only",
                     trace->name);
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

/* If path is the folder of an OTF2 archive, find its anchor file, which the caller frees. For other
 * paths, *out is NULL, with CSY_OK. */
static csy_status find_anchor(const char *path, char **out, csy_error *error)
{
    struct stat st;
    *out = NULL;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return CSY_OK;
    size_t size = strlen(path);
    if (asprintf(out, "%s%straces.otf2", path, path[size - (size > 0)] == '/' ? "" : "/") < 0) {
        *out = NULL;
        return error_memory(error);
    }
    if (stat(*out, &st) == 0 && S_ISREG(st.st_mode))
        return CSY_OK;
    free(*out);
    *out = NULL;
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
    trace->source = source_of_format(input->format);
    status = take_input(trace, input, error);
    if (!status)
        status = open_input(trace, &start, error);
    if (!status && trace->source != &source_run)
        status = find_source(trace, start, error);
    if (!status)
        status = check_input(trace, error);
    if (!status)
        status = trace->source->open(trace, start, error);
    return status;
}

csy_status trace_open(const char *path, const csy_input *input, struct csy_trace **out,
                      csy_error *error)
{
    csy_trace *trace = NULL;
    char *anchor;
    csy_status status = find_anchor(path, &anchor, error);
    if (status)
        return status;
    path = anchor ? anchor : path;
    status = open_once(path, input, &trace, error);
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
    if (trace->source)
        trace->source->close(trace);
    bytes_free(trace->bytes);
    for (size_t i = 0; i < trace->nparts; i++)
        csy_trace_free(trace->parts[i]);
    free(trace->parts);
    free(trace->part_places);
    free(trace->part_name);
    free(trace->csv_columns);
    clock_steps_fini(&trace->steps);
    offsets_free(trace->offsets);
    free(trace->files);
    free(trace->name);
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
    return trace->salvage ? trace->source->cut(trace) : NULL;
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
    if ((status != CSY_INPUT && status != CSY_MEMORY) || !error || place == TRACE_NO_PLACE)
        return status;
    csy_error inner = *error;
    const char *file = trace->parts         ? trace_place(trace, &place)
                       : source->place_file ? source->place_file(trace)
                                            : trace->name;
    return error_set(error, status, "%s: %s %" PRIu64 ": %s", file, source->place, place,
                     inner.text);
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
