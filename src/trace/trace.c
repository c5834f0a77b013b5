/* A trace that is open for reading. */
#include "trace/trace.h"

#include "base/error.h"
#include "base/portable.h"
#include "base/worker.h"
#include "trace/document.h"
#include "trace/gunzip.h"
#include "trace/range.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How often a .pex may be replaced between two looks at it. */
enum { REOPENS_MAX = 100 };

/* How often a file that seems changed is looked at. */
enum { LOOKS_MAX = 10 };

/* Within which a CSV that is copied has its header. */
enum { LOOK_BYTES = 16 * 1024 };

static csy_status remember_file(struct csy_trace *trace, int fd, struct stat *st, const char *name,
                                csy_error *error)
{
    if (fstat(fd, st) < 0)
        return error_io(error, name, NULL);
    if (S_ISDIR(st->st_mode))
        return error_set(error, CSY_IO, "%s: it is a folder", name);
    trace->files[trace->nfiles++] =
        (struct file_identity){st->st_dev,          st->st_ino,   S_ISREG(st->st_mode) ? fd : -1,
                               st->st_size,         st->st_nlink, portable_modified(st),
                               portable_changed(st)};
    return CSY_OK;
}

csy_status trace_refuse_changed(const struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_IO, "%s: the trace has changed while it was read", trace->name);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Whether another file has its name by now. */
static bool is_replaced(const char *name, const struct file_identity *file)
{
    struct stat st;
    return strcmp(name, "-") != 0 && stat(name, &st) == 0 &&
           (st.st_dev != file->device || st.st_ino != file->inode);
}

/* Whether it was written to.  Its names may come and go, which changes the other time, too. */
static bool is_changed(const char *name, const struct file_identity *file, const struct stat *st)
{
    struct timespec modified = portable_modified(st), changed = portable_changed(st);
    if (st->st_size != file->size || !same_time(&modified, &file->modified))
        return true;
    return st->st_nlink == file->links && !same_time(&changed, &file->changed) &&
           !is_replaced(name, file);
}

csy_status trace_check_unchanged(const struct csy_trace *trace, csy_error *error)
{
    static const struct timespec wait = {.tv_nsec = 2000000};
    struct stat st;
    for (size_t i = 0; i < trace->nfiles; i++) {
        const struct file_identity *file = &trace->files[i];
        const char *name = i == 0 ? trace->name : trace->record_name;
        bool changed = file->fd >= 0;
        /* A system that renames changes the time before the name: so look again. */
        for (unsigned look = 0; look < LOOKS_MAX && changed; look++) {
            if (look > 0)
                nanosleep(&wait, NULL);
            if (fstat(file->fd, &st) < 0)
                return error_io(error, trace->name, NULL);
            changed = is_changed(name, file, &st);
        }
        if (changed)
            return trace_refuse_changed(trace, error);
    }
    return CSY_OK;
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

/* What gzip makes of the first bytes of the input. */
static csy_status unpack_head(const struct range *range, uint8_t *head, size_t size, size_t *n,
                              csy_error *error)
{
    struct gunzip *gunzip = NULL;
    uint8_t *block = malloc(GUNZIP_BLOCK_BYTES);
    csy_status status = block ? gunzip_new(range, false, &gunzip, error) : error_memory(error);
    *n = 0;
    if (!status)
        status = gunzip_block(gunzip, block, n, error);
    *n = *n < size ? *n : size;
    if (!status)
        memcpy(head, block, *n);
    gunzip_free(gunzip);
    free(block);
    return status;
}

/* The first bytes of the input, unpacked where it is gzip. */
static csy_status read_head(struct csy_trace *trace, uint64_t start, uint8_t *head, size_t size,
                            size_t *n, csy_error *error)
{
    static const uint8_t magic[] = {0x1f, 0x8b};
    struct range range = {.fd = trace->fd, .name = trace->name, .start = start, .next = start};
    csy_status status = range_read(&range, head, size, n, error);
    if (status)
        return status;
    trace->gzip = *n >= sizeof magic && memcmp(head, magic, sizeof magic) == 0;
    range_rewind(&range);
    return trace->gzip ? unpack_head(&range, head, size, n, error) : CSY_OK;
}

/* The content decides: a document begins with '<'; where it does not, a name in .pex still asks to
 * be read as one. */
static csy_status detect_format(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    uint8_t head[64];
    size_t n;
    csy_status status = read_head(trace, start, head, sizeof head, &n, error);
    if (status || trace->format != CSY_FORMAT_AUTO)
        return status;
    size_t at = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    /* Bytes, no string: NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
    while (at < n && memchr(" \t\r\n", head[at], 4))
        at++;
    bool xml = at < n && head[at] == '<';
    if (!xml && n >= 8 && memcmp(head, FILE_MAGIC, 8) == 0)
        return error_set(error, CSY_INPUT,
                         "%s: offset 0: this is a record file; name the .pex that goes with it",
                         trace->name);
    trace->format = xml || has_suffix(trace->name, ".pex") ? CSY_FORMAT_PEX : CSY_FORMAT_CSV;
    return CSY_OK;
}

/* Bring the XML into view, up to a NUL or the end of the file. */
static csy_status peek_document(struct bytes *bytes, const char *name, const uint8_t **xml,
                                size_t *size, bool *embedded, csy_error *error)
{
    size_t have = 0, seen = 0;
    for (;;) {
        csy_status status = bytes_peek(bytes, seen + 1, xml, &have, error);
        if (status)
            return status;
        const uint8_t *nul = have > seen ? memchr(*xml + seen, 0, have - seen) : NULL;
        *embedded = nul != NULL;
        *size = nul ? (size_t)(nul - *xml) : have;
        if (nul || have == seen)
            return CSY_OK;
        if (have > DOCUMENT_BYTES_MAX)
            return error_set(error, CSY_INPUT, "%s: offset %d: the XML is longer than %d bytes",
                             name, DOCUMENT_BYTES_MAX, DOCUMENT_BYTES_MAX);
        seen = have;
    }
}

/* Read the XML; *embedded and *end say whether a NUL follows it, and where. */
static csy_status read_document(struct csy_trace *trace, uint64_t start, bool *embedded,
                                uint64_t *end, csy_error *error)
{
    struct bytes *bytes;
    const uint8_t *xml;
    size_t size;
    csy_status status = bytes_new(trace->fd, trace->name, start, false, 1, &bytes, error);
    if (status)
        return status;
    status = peek_document(bytes, trace->name, &xml, &size, embedded, error);
    if (!status) {
        status = metadata_parse(trace->name, (const char *)xml, size, &trace->metadata, error);
        *end = start + size;
    }
    bytes_free(bytes);
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
        trace->replaced = reason == ENOENT && is_replaced(trace->name, &trace->files[0]);
        return refuse_records(trace, reason, error);
    }
    csy_status status = remember_file(trace, trace->record_fd, &st, trace->record_name, error);
    if (status)
        return status;
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: it is not a regular file", trace->record_name);
    if (st.st_dev == trace->files[0].device && st.st_ino == trace->files[0].inode)
        return error_set(error, CSY_INPUT, "%s: trace_file names the .pex itself", trace->name);
    trace->record_bytes = (uint64_t)st.st_size;
    return CSY_OK;
}

/* Where the records are: behind the NUL, or in the file that href names. */
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

static csy_status open_pex(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    bool embedded;
    uint64_t end;
    if (trace->gzip)
        return error_set(
            error, CSY_INPUT,
            "%s: the whole .pex is in gzip; unpack it with gunzip (its record file, or "
            "the records inside, may stay so)",
            trace->name);
    csy_status status = read_document(trace, start, &embedded, &end, error);
    if (!status)
        status = find_records(trace, embedded, end, error);
    if (status)
        return status;
    trace->timebase_hz = trace->metadata.timebase_hz;
    int fd = trace->record_fd >= 0 ? trace->record_fd : trace->fd;
    status = bytes_new(fd, trace->record_name, trace->record_start, trace->metadata.gzip,
                       trace->threads, &trace->bytes, error);
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

static csy_status open_csv(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    trace->record_start = start;
    csy_status status =
        bytes_new(trace->fd, trace->name, start, trace->gzip, trace->threads, &trace->bytes, error);
    if (!status)
        status = csv_open(&trace->csv, trace->bytes, trace->name, &trace->csv_asked, error);
    trace->timebase_hz = trace->csv.timebase_hz;
    trace->timebase_assumed = trace->csv.timebase_assumed;
    trace->nwarnings = csv_comment_warnings(&trace->csv.comments, trace->warnings);
    return status;
}

/* Whether the document that a NUL ends is one. */
static csy_status look_at_document(const struct csy_trace *trace, struct bytes *bytes,
                                   csy_error *error)
{
    const uint8_t *xml;
    size_t size;
    bool embedded;
    struct metadata metadata = {0};
    csy_status status = peek_document(bytes, trace->name, &xml, &size, &embedded, error);
    if (!status && embedded)
        status = metadata_parse(trace->name, (const char *)xml, size, &metadata, error);
    metadata_fini(&metadata);
    return status;
}

/* Refuse what is no trace by its begin, before all of an endless one has been copied. */
static csy_status look_at(void *user, int fd, csy_error *error)
{
    struct csy_trace *trace = user;
    struct bytes *bytes = NULL;
    struct csv_reader csv;
    uint8_t head[LOOK_BYTES];
    csy_format from = trace->format;
    trace->fd = fd;
    ssize_t n = pread(fd, head, sizeof head, 0);
    csy_status status = detect_format(trace, 0, error);
    bool is_text = trace->format == CSY_FORMAT_CSV;
    if (!status && !trace->gzip)
        status = bytes_new(fd, trace->name, 0, false, 1, &bytes, error);
    if (bytes && !is_text) {
        status = look_at_document(trace, bytes, error);
    } else if (bytes && n > 0 && (memchr(head, '\n', (size_t)n) || !head[0])) {
        status = csv_open(&csv, bytes, trace->name, &trace->csv_asked, error);
        csv_close(&csv);
    }
    bytes_free(bytes);
    trace->fd = -1;
    trace->format = from;
    return status;
}

/* Open what the user named; *start is where the trace begins in *fd.  What cannot be read twice is
 * spooled. */
static csy_status open_input(struct csy_trace *trace, uint64_t *start, csy_error *error)
{
    bool standard = strcmp(trace->name, "-") == 0;
    struct stat st;
    int fd = standard ? dup(STDIN_FILENO) : open(trace->name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_io(error, standard ? "standard input" : trace->name, NULL);
    trace->fd = fd;
    csy_status status = remember_file(trace, fd, &st, trace->name, error);
    if (status)
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

/* What is said of a CSV: the enumerators of both units are the same. */
static csy_status take_input(struct csy_trace *trace, const csy_input *input, csy_error *error)
{
    _Static_assert((int)CSV_NS == (int)CSY_TIME_NS && (int)CSV_TICKS == (int)CSY_TIME_TICKS,
                   "units are the same");
    trace->csv_asked.unit = (enum csv_unit)input->time_unit;
    if (!input->columns)
        return CSY_OK;
    trace->csv_asked.columns = trace->csv_columns = strdup(input->columns);
    return trace->csv_columns ? CSY_OK : error_memory(error);
}

/* Once the format is known. */
static csy_status check_input(const struct csy_trace *trace, csy_error *error)
{
    const struct csv_asked *asked = &trace->csv_asked;
    if (trace->format == CSY_FORMAT_CSV || (!asked->columns && asked->unit == CSV_AUTO))
        return CSY_OK;
    return error_set(error, CSY_USAGE, "%s: columns and units of time are chosen of a CSV only",
                     trace->name);
}

static csy_status open_once(const char *path, const csy_input *input, csy_trace **out,
                            csy_error *error)
{
    uint64_t start = 0;
    struct csy_trace *trace = calloc(1, sizeof *trace);
    *out = trace;
    if (!trace)
        return error_memory(error);
    trace->fd = trace->record_fd = -1;
    trace->format = input->format;
    trace->threads = worker_cores();
    trace->progress.stage = "reading";
    trace->segment_bytes = SEGMENT_BYTES;
    trace->name = strdup(path);
    csy_status status = trace->name ? take_input(trace, input, error) : error_memory(error);
    if (!status)
        status = open_input(trace, &start, error);
    if (!status)
        status = detect_format(trace, start, error);
    if (!status)
        status = check_input(trace, error);
    if (!status)
        status = trace->format == CSY_FORMAT_PEX ? open_pex(trace, start, error)
                                                 : open_csv(trace, start, error);
    return status;
}

void csy_input_init(csy_input *input)
{
    *input = (csy_input){.format = CSY_FORMAT_AUTO};
}

csy_status csy_trace_open(const char *path, csy_format from, csy_trace **out, csy_error *error)
{
    csy_input input;
    csy_input_init(&input);
    input.format = from;
    return csy_trace_open_input(path, &input, out, error);
}

csy_status csy_trace_open_input(const char *path, const csy_input *input, csy_trace **out,
                                csy_error *error)
{
    const csy_input usual = {.format = CSY_FORMAT_AUTO};
    input = input ? input : &usual;
    if ((unsigned)input->format > CSY_FORMAT_CSV)
        return error_set(error, CSY_USAGE, "%s: the format is written only, not read", path);
    if ((unsigned)input->time_unit > CSY_TIME_NS)
        return error_set(error, CSY_USAGE, "%s: there is no such unit of time", path);
    csy_trace *trace = NULL;
    csy_status status = open_once(path, input, &trace, error);
    for (unsigned n = 0; status && trace && trace->replaced && n < REOPENS_MAX; n++) {
        csy_trace_free(trace);
        status = open_once(path, input, &trace, error);
    }
    if (status)
        csy_trace_free(trace);
    else
        *out = trace;
    return status;
}

void csy_trace_free(csy_trace *trace)
{
    if (!trace)
        return;
    csv_close(&trace->csv);
    bytes_free(trace->bytes);
    metadata_fini(&trace->metadata);
    free(trace->header_extra);
    free(trace->record_name);
    free(trace->csv_columns);
    free(trace->name);
    if (trace->fd >= 0)
        close(trace->fd);
    if (trace->record_fd >= 0)
        close(trace->record_fd);
    free(trace);
}

csy_status trace_rewind(struct csy_trace *trace, csy_error *error)
{
    csy_status status;
    bytes_rewind(trace->bytes);
    if (trace->format == CSY_FORMAT_PEX) {
        status = record_reader_open(&trace->records, trace->bytes, trace->record_name, NULL, error);
    } else {
        csv_close(&trace->csv);
        status = csv_open(&trace->csv, trace->bytes, trace->name, &trace->csv_asked, error);
    }
    trace->records.salvage = trace->csv.salvage = trace->salvage;
    return status;
}

const csy_cut *trace_cut(const struct csy_trace *trace)
{
    if (!trace->salvage)
        return NULL;
    if (trace->format == CSY_FORMAT_PEX)
        return trace->records.is_cut ? &trace->records.cut : NULL;
    return trace->csv.is_cut ? &trace->csv.cut : NULL;
}

void csy_trace_set_salvage(csy_trace *trace, bool salvage)
{
    trace->salvage = salvage;
}

void csy_trace_set_threads(csy_trace *trace, unsigned threads)
{
    trace->threads = threads ? threads : worker_cores();
    bytes_set_threads(trace->bytes, trace->threads);
}

csy_format csy_trace_format(const csy_trace *trace)
{
    return trace->format;
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

uint64_t csy_written(const csy_trace *trace)
{
    return trace->written;
}

bool csy_trace_is_synchronized(const csy_trace *trace)
{
    return trace->format == CSY_FORMAT_CSV &&
           (trace->csv.facts_size > 0 || trace->csv.synchronized);
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
