/* A .pex as a source of events: its document, and where its records are. */
#include "base/error.h"
#include "base/portable.h"
#include "trace/pex/document.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static bool is_record_file(const struct head *head)
{
    return head->size >= 8 && memcmp(head->bytes, FILE_MAGIC, 8) == 0;
}

/* The content decides: a document begins with '<'; where it does not, a name in .pex still asks to
 * be read as one. */
static bool probe(const struct head *head)
{
    size_t at = head->size >= 3 && memcmp(head->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    /* Bytes, no string: NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
    while (at < head->size && memchr(" \t\r\n", head->bytes[at], 4))
        at++;
    return (at < head->size && head->bytes[at] == '<') || is_record_file(head) ||
           has_suffix(head->name, ".pex");
}

/* Read the XML; *embedded and *end say whether a NUL follows it, and where. */
static csy_status read_document(struct csy_trace *trace, bool *embedded, uint64_t *end,
                                csy_error *error)
{
    char *xml;
    size_t size;
    csy_status status =
        document_load(trace->fd, trace->name, trace->document_start, &xml, &size, embedded, error);
    if (!status)
        status = metadata_parse(trace->name, xml, size, &trace->metadata, error);
    *end = trace->document_start + size;
    free(xml);
    return status;
}

/* href as a path: beside the .pex as it was named, or in the current folder for "-". */
static char *beside(const char *pex, const char *href)
{
    const char *slash = strrchr(pex, '/');
    size_t folder = slash ? (size_t)(slash - pex) + 1 : 0;
    char *path = malloc(folder + strlen(href) + 1);
    if (path) {
        memcpy(path, pex, folder);
        memcpy(path + folder, href, strlen(href) + 1);
    }
    return path;
}

/* Where a link leads to the .pex and nothing stands beside the link, the records stand beside what
 * it leads to; false on no memory. */
static bool look_behind_link(struct csy_trace *trace)
{
    struct stat st;
    bool link = lstat(trace->name, &st) == 0 && S_ISLNK(st.st_mode);
    char *pex = link && stat(trace->record_name, &st) < 0 ? realpath(trace->name, NULL) : NULL;
    if (!pex)
        return true;
    free(trace->record_name);
    trace->record_name = beside(pex, trace->metadata.href);
    free(pex);
    return trace->record_name != NULL;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Who sends a .pex through a pipe may not think of where its records are then looked for. */
static csy_status refuse_records(const struct csy_trace *trace, int reason, csy_error *error)
{
    bool standard = strcmp(trace->name, "-") == 0, pipe = trace->files[0].fd < 0;
    errno = reason;
    if (reason != ENOENT || (!standard && !pipe))
        return error_io(error, trace->record_name, NULL);
    return error_set(
        error, CSY_IO, "%s: %s; a .pex %s finds its records %s, or inside itself (see --embed)",
        trace->record_name, strerror(reason), standard ? "on standard input" : "from a pipe",
        standard ? "in the current folder" : "beside the name of the pipe");
}

static csy_status open_record_file(struct csy_trace *trace, csy_error *error)
{
    struct stat st;
    trace->record_name = beside(trace->name, trace->metadata.href);
    if (!trace->record_name || !look_behind_link(trace))
        return error_memory(error);
    if (is_folder(trace->record_name))
        return error_set(error, CSY_INPUT, "%s: trace_file names a folder: %s", trace->name,
                         trace->record_name);
    trace->record_fd = open(trace->record_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (trace->record_fd < 0) {
        int reason = errno; /* the records of a .pex that is replaced go with it */
        trace->replaced = reason == ENOENT && trace_is_replaced(trace);
        return refuse_records(trace, reason, error);
    }
    csy_status status =
        trace_remember_file(trace, trace->record_fd, &st, trace->record_name, error);
    if (status)
        return status;
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: it is not a regular file", trace->record_name);
    if (st.st_dev == trace->files[0].device && st.st_ino == trace->files[0].inode)
        return error_set(error, CSY_INPUT, "%s: trace_file names the .pex itself", trace->name);
    trace->record_bytes = (uint64_t)st.st_size;
    return CSY_OK;
}

/* Where the records are: after the NUL, or in the file that href names. */
static csy_status find_records(struct csy_trace *trace, bool embedded, uint64_t end,
                               csy_error *error)
{
    if (trace->metadata.href && embedded)
        return error_set(error, CSY_INPUT,
                         "%s: offset %" PRIu64
                         ": records follow the document, but its trace_file has an href",
                         trace->name, end);
    if (trace->metadata.href)
        return open_record_file(trace, error);
    if (!embedded)
        return error_set(
            error, CSY_INPUT,
            "%s: offset %" PRIu64
            ": trace_file has no href and no NUL byte with records follows the document",
            trace->name, end);
    trace->record_start = end + 1;
    trace->record_name = strdup(trace->name);
    return trace->record_name ? CSY_OK : error_memory(error);
}

/* The stream of its records. */
static csy_status open_bytes(const struct csy_trace *trace, struct bytes **out, csy_error *error)
{
    int fd = trace->record_fd >= 0 ? trace->record_fd : trace->fd;
    return bytes_new(fd, trace->record_name, trace->record_start, trace->metadata.gzip,
                     trace->workers, out, error);
}

static csy_status open_pex(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    bool embedded;
    uint64_t end;
    if (is_record_file(&trace->head))
        return error_set(error, CSY_INPUT,
                         "%s: offset 0: this is a record file; name the .pex that goes with it",
                         trace->name);
    if (trace->gzip)
        return error_set(
            error, CSY_INPUT,
            "%s: the whole .pex is in gzip; unpack it with gunzip (its record file, or "
            "the records inside, may stay so)",
            trace->name);
    trace->document_start = start;
    csy_status status = read_document(trace, &embedded, &end, error);
    if (!status)
        status = find_records(trace, embedded, end, error);
    if (status)
        return status;
    trace->timebase_hz = trace->metadata.timebase_hz;
    status = open_bytes(trace, &trace->bytes, error);
    if (!status)
        status = record_reader_open(&trace->records, trace->bytes, trace->record_name,
                                    &trace->header_extra, error);
    if (!status && trace->records.header.global != trace->metadata.global)
        return error_set(error, CSY_INPUT,
                         "%s: offset 12: clock kind=\"%s\" in the .pex, but GLOBAL_TIME is %s here",
                         trace->record_name, trace->metadata.global ? "global" : "local",
                         trace->metadata.global ? "clear" : "set");
    return status;
}

/* Whether the document that a NUL ends is one. */
static csy_status look(struct csy_trace *trace, csy_error *error)
{
    char *xml;
    size_t size;
    bool embedded;
    struct metadata metadata = {0};
    csy_status status = document_load(trace->fd, trace->name, 0, &xml, &size, &embedded, error);
    if (!status && embedded)
        status = metadata_parse(trace->name, xml, size, &metadata, error);
    metadata_fini(&metadata);
    free(xml);
    return status;
}

static csy_status rewind_records(struct csy_trace *trace, csy_error *error)
{
    csy_status status =
        record_reader_open(&trace->records, trace->bytes, trace->record_name, NULL, error);
    trace->records.salvage = trace->salvage;
    return status;
}

static csy_status fork_pex(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    csy_status status = open_bytes(trace, &fork->bytes, error);
    return status ? status : rewind_records(fork, error);
}

static void join_pex(struct csy_trace *fork)
{
    (void)fork;
}

static csy_status next_record(struct csy_trace *trace, struct event *event, bool *more,
                              csy_error *error)
{
    struct record *record = &trace->record;
    csy_status status = record_read(&trace->records, record, more, error);
    event->place = record->offset;
    event->bytes = record->bytes;
    event->size = record->size;
    event->record = record;
    return status;
}

static void close_pex(struct csy_trace *trace)
{
    metadata_fini(&trace->metadata);
    free(trace->header_extra);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    return trace->records.is_cut ? &trace->records.cut : NULL;
}

static const char *place_file(const struct csy_trace *trace)
{
    return trace->record_name;
}

const struct source source_pex = {
    .format = CSY_FORMAT_PEX,
    .written_as = CSY_FORMAT_PEX,
    .title = "a .pex",
    .place = "offset",
    .carried = CARRIED_RECORDS,
    .contexts = true,
    .buffer = true,
    .probe = probe,
    .look = look,
    .open = open_pex,
    .rewind = rewind_records,
    .next = next_record,
    .close = close_pex,
    .fork = fork_pex,
    .join = join_pex,
    .cut = cut,
    .place_file = place_file,
};
