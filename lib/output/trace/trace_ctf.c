/* A synchronized trace as a CTF folder.
 *
 * There is a stream for the PPE, one for each SPE, and one for each context with an unknown SPE;
 * for a CSV, one for each clock. Streams beyond STREAMS_MAX share the last one. Timestamps of a
 * stream must not decrease. In buffer order they do not, unless timestamps are imprecise. An event
 * that would precede its predecessor gets the same timestamp; its own time is in its context. */
#include "base/error.h"
#include "base/number.h"
#include "io/path.h"
#include "output/trace/ctf.h"
#include "output/trace/times.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STREAMS_MAX = 256 };

struct writing_thread {
    struct ctf_stream *stream; /* NULL before the thread's first record */
    size_t name_size;
};

struct ctf_trace {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    struct selection selection;
    struct ctf_files files;
    struct ctf_written *written;
    struct ctf_stream *streams[STREAMS_MAX];
    size_t nstreams;
    struct writing_thread *threads;
};

/* Find the stream of an SPE, context, or clock. -1 stands for unknown, and for the PPE. */
static struct ctf_stream *find_stream(const struct ctf_trace *w, enum ctf_core core, int64_t spe,
                                      int64_t context)
{
    for (size_t i = 0; i < w->nstreams; i++) {
        struct ctf_stream *stream = w->streams[i];
        if (stream->core == core && stream->spe == spe && stream->context == context)
            return stream;
    }
    return NULL;
}

static csy_status thread_stream(struct ctf_trace *w, size_t index, struct ctf_stream **out,
                                csy_error *error)
{
    const csy_thread *thread = &w->sync->views[index];
    enum ctf_core core = w->written->rows               ? CTF_CLOCK
                         : thread->kind == CSY_KIND_PPE ? CTF_PPE
                                                        : CTF_SPE;
    /* An SPE number beyond 63 bits counts as unknown. */
    int64_t spe = core != CTF_CLOCK && thread->spe <= INT64_MAX ? (int64_t)thread->spe : -1;
    int64_t context = core == CTF_CLOCK ? (int64_t)index : spe < 0 ? thread->context : -1;
    /* Reserve two streams, for the PPE and for all others. */
    bool full = w->nstreams >= STREAMS_MAX - 2;
    *out = find_stream(w, core, spe, context);
    if (!*out && full && core != CTF_PPE) {
        spe = context = -1;
        *out = find_stream(w, core, spe, context);
    }
    if (*out)
        return CSY_OK;
    struct ctf_stream *stream = *out = calloc(1, sizeof *stream);
    if (!stream)
        return error_memory(error);
    *stream =
        (struct ctf_stream){.core = core, .instance = w->nstreams, .spe = spe, .context = context};
    if (core == CTF_PPE)
        snprintf(stream->name, sizeof stream->name, "ppe");
    else if (spe >= 0)
        snprintf(stream->name, sizeof stream->name, "spe%" PRId64, spe);
    else if (context >= 0)
        snprintf(stream->name, sizeof stream->name, "%s%" PRId64,
                 core == CTF_CLOCK ? "clock" : "context", context);
    else
        snprintf(stream->name, sizeof stream->name, "others");
    w->streams[w->nstreams++] = stream;
    return CSY_OK;
}

/* The timestamp of an event in its stream: its time, or the previous timestamp if that is later. */
static uint64_t choose_timestamp(struct ctf_trace *w, const struct ctf_stream *stream,
                                 int64_t global_ticks)
{
    int128 since = (int128)global_ticks - w->written->base_ticks;
    if (since >= (int128)stream->last)
        return (uint64_t)since;
    w->written->raised++;
    return stream->last;
}

/* The context of an event, and its fields. */
struct item {
    uint64_t record;
    const char *thread, *clock; /* clock: set for a CSV, which has none of the next three members
                                 * and no timestamp */
    size_t thread_size, clock_size;
    uint32_t tid;
    uint16_t event_id;
    uint32_t pc;
    int64_t global_ticks, local_ticks;
    uint64_t stamp;
    bool interval;
    int64_t begin_ticks;
    uint64_t begin_stamp; /* for a CSV, begin in local time */
    uint32_t id;          /* id of its class */
    bool counted;         /* the fields follow a count */
    uint16_t count;
    const void *fields; /* big-endian */
    size_t size;
};

static size_t context_bytes(const struct item *item)
{
    return 60 + item->thread_size + item->clock_size;
}

static uint8_t *put_context(uint8_t *at, const struct item *item)
{
    at = ctf_put64(at, item->record);
    at = ctf_put(at, item->thread, item->thread_size + 1);
    if (item->clock) {
        at = ctf_put(at, item->clock, item->clock_size + 1);
    } else {
        at = ctf_put32(at, item->tid);
        at = ctf_put16(at, item->event_id);
        at = ctf_put32(at, item->pc);
    }
    at = ctf_put64(at, (uint64_t)item->global_ticks);
    at = ctf_put64(at, (uint64_t)item->local_ticks);
    if (!item->clock)
        at = ctf_put64(at, item->stamp);
    *at++ = item->interval;
    at = ctf_put64(at, (uint64_t)item->begin_ticks);
    return ctf_put64(at, item->begin_stamp);
}

static void take_record(struct ctf_trace *w, const struct record *record, struct item *item)
{
    const struct record_type *type = types_of_id(w->trace->types, record->id);
    bool described = record->npayload == (type ? type->nfields : 0);
    item->tid = record->thread;
    item->event_id = record->id;
    item->pc = load32(record->bytes + 12);
    item->stamp = record->stamp;
    item->begin_stamp = record->begin;
    /* With the right number of values, the event's class has the fields of the .pex. */
    uint8_t(*met)[CTF_IDS / 8] = described ? w->written->described : w->written->sequences;
    met[record->spe][record->id / 8] |= (uint8_t)(1U << record->id % 8);
    item->counted = !described;
    item->id = record->id + (item->counted ? CTF_SEQUENCE : 0U);
    item->count = record->npayload;
    item->fields = record_payload(record, false);
    item->size = 8 * (size_t)record->npayload;
}

static csy_status take_row(struct ctf_trace *w, const struct event *read, const csy_event *event,
                           struct item *item, csy_error *error)
{
    struct ctf_rows *rows = w->written->rows;
    item->clock = item->thread;
    item->clock_size = item->thread_size;
    item->thread = w->sync->tracks[event->track].name;
    item->thread_size = strlen(item->thread);
    item->begin_stamp = (uint64_t)read->stamp.begin_ticks;
    csy_status status = ctf_rows_take(rows, read, &item->id, error);
    item->fields = rows->text;
    item->size = rows->size;
    return status;
}

/* Write the event that describes a thread; it precedes the thread's first record. */
static csy_status put_thread(struct ctf_trace *w, struct ctf_stream *stream,
                             const struct item *item, const csy_thread *thread, csy_error *error)
{
    uint64_t timestamp = choose_timestamp(w, stream, item->global_ticks);
    uint8_t *at = ctf_event(&w->files, stream, CTF_THREAD, timestamp, context_bytes(item) + 52);
    if (!at)
        return error_memory(error);
    at = put_context(at, item);
    at = ctf_put64(at, thread->first_record);
    at = ctf_put64(at, thread->records);
    if (!item->clock) {
        at = ctf_put64(at, thread->spe); /* -1: unknown */
        at = ctf_put32(at, thread->decr_first);
    }
    at = ctf_put64(at, (uint64_t)thread->offset_ticks);
    at = ctf_put64(at, (uint64_t)thread->earliest_ticks);
    at = ctf_put64(at, (uint64_t)thread->latest_ticks);
    ctf_event_end(&w->files, stream, at);
    return CSY_OK;
}

static csy_status put_item(struct ctf_trace *w, struct ctf_stream *stream, const struct item *item,
                           csy_error *error)
{
    size_t bytes = context_bytes(item) + 2 + item->size;
    uint64_t timestamp = choose_timestamp(w, stream, item->global_ticks);
    uint8_t *at = ctf_event(&w->files, stream, item->id, timestamp, bytes);
    if (!at)
        return error_memory(error);
    at = put_context(at, item);
    if (item->counted)
        at = ctf_put16(at, item->count);
    at = ctf_put(at, item->fields, item->size);
    ctf_event_end(&w->files, stream, at);
    return CSY_OK;
}

static csy_status put_event(void *user, const struct event *read, const csy_event *event,
                            csy_error *error)
{
    struct ctf_trace *w = user;
    const csy_thread *thread = &w->sync->views[event->thread];
    struct writing_thread *own = &w->threads[event->thread];
    struct item item;
    csy_status status =
        placement_event_begin(w->sync, read, event, &item.interval, &item.begin_ticks, error);
    if (status)
        return status;
    item.record = event->record;
    item.thread = thread->name;
    item.thread_size = own->name_size;
    item.clock = NULL;
    item.clock_size = 0;
    item.global_ticks = event->global_ticks;
    item.local_ticks = event->local_ticks;
    item.counted = false;
    if (w->written->rows)
        status = take_row(w, read, event, &item, error);
    else
        take_record(w, read->record, &item);
    if (!status && !own->stream) {
        status = thread_stream(w, event->thread, &own->stream, error);
        if (!status)
            status = put_thread(w, own->stream, &item, thread, error);
    }
    return status ? status : put_item(w, own->stream, &item, error);
}

static bool has_failed(const void *user)
{
    return outfolder_failed(((const struct ctf_trace *)user)->files.folder);
}

static void set_relay(void *user, const struct relay *relay)
{
    ((struct ctf_trace *)user)->files.relay = relay;
}

/* Write the metadata. Errors name the folder by its final name, target. */
static csy_status put_metadata(const struct ctf_trace *w, const char *target, csy_error *error)
{
    struct outfile *out;
    char *path = outfolder_path(w->files.folder, "metadata");
    csy_status status = path ? outfile_open(path, NULL, &out, error) : error_memory(error);
    free(path);
    if (status)
        return status;
    status = ctf_metadata_write(w->trace, w->sync, w->written, out, error);
    status = outfile_complete(out, status, error);
    return status == CSY_IO ? error_io(error, target, NULL) : status;
}

static bool is_ctf_file(void *user, int folder_fd, const char *name)
{
    bool *is_metadata_there = user;
    static const uint8_t magic[] = {0xc1, 0xfc, 0x1f, 0xc1}, turned[] = {0xc1, 0x1f, 0xfc, 0xc1};
    struct stat st;
    char head[sizeof CTF_SIGNATURE - 1] = "";
    int fd = openat(folder_fd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                pread(fd, head, sizeof head, 0) > 0;
    if (fd >= 0)
        close(fd);
    if (good && strcmp(name, "metadata") == 0) {
        *is_metadata_there = true;
        return memcmp(head, CTF_SIGNATURE, sizeof head) == 0;
    }
    return good &&
           (memcmp(head, magic, sizeof magic) == 0 || memcmp(head, turned, sizeof turned) == 0);
}

/* Called for an entry of a folder that must be empty. */
static bool is_entry(void *user, int folder_fd, const char *name)
{
    (void)user;
    (void)folder_fd;
    (void)name;
    return false;
}

/* True if the folder is empty or contains only a CTF trace. Read it twice, because another process
 * may replace it meanwhile and empty the old one. */
static bool may_go(const char *path)
{
    struct stat before, after;
    bool same = false, good = false;
    for (unsigned look = 0; !good && !same && look < 100; look++) {
        bool is_metadata_there = false;
        bool was = stat(path, &before) == 0;
        good = outfolder_visit(path, is_entry, NULL) ||
               (outfolder_visit(path, is_ctf_file, &is_metadata_there) && is_metadata_there);
        bool is = stat(path, &after) == 0;
        same = was == is && (!is || before.st_ino == after.st_ino);
    }
    return good;
}

csy_status ctf_check_target(const char *path, csy_error *error)
{
    struct stat st;
    if (path_is_standard(path))
        return error_set(error, CSY_USAGE, "%s: a CTF trace is a folder, which cannot be piped",
                         path);
    if (stat(path, &st) < 0 && path_is_regular(path))
        return CSY_OK;
    if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
        return error_set(error, CSY_IO, "%s: it is not a folder", path);
    return may_go(path) ? CSY_OK
                        : error_set(error, CSY_IO,
                                    "%s: it is a folder that holds more than a CTF trace", path);
}

csy_status ctf_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     const char *path, csy_error *error)
{
    static const struct writer_format format = {
        .event = put_event, .relay = set_relay, .failed = has_failed};
    struct ctf_trace w = {.trace = trace, .sync = sync};
    csy_status status = ctf_check_target(path, error);
    if (status)
        return status;
    w.written = calloc(1, sizeof *w.written);
    w.threads = calloc(sync->survey.threads.count, sizeof *w.threads);
    status = w.written && w.threads ? CSY_OK : error_memory(error);
    for (size_t t = 0; !status && t < sync->survey.threads.count; t++)
        w.threads[t].name_size = strlen(sync->views[t].name);
    if (!status)
        status = selection_init(&w.selection, sync, output, error);
    if (!status)
        w.written->part = !w.selection.all;
    if (!status && sync->tracks)
        status = ctf_rows_new(&trace->lines, trace->source->valued, trace->has_routines,
                              &w.written->rows, error);
    if (!status)
        status = outfolder_open(path, &w.files.folder, error);
    if (!status) {
        w.written->base_ticks = times_base(sync);
        status = writer_walk(&(struct writer){trace, sync, &w.selection, &format, &w}, error);
    }
    for (size_t i = 0; i < w.nstreams; i++) {
        if (!status)
            ctf_flush(&w.files, w.streams[i]);
        free(w.streams[i]->packet.bytes);
        free(w.streams[i]);
    }
    if (!status)
        status = put_metadata(&w, path, error);
    if (!status)
        status = trace_check_unchanged(trace, error);
    if (!status)
        status = ctf_check_target(path, error); /* again, since the folder may have changed */
    if (!status)
        status = outfolder_publish(w.files.folder, &trace->progress, error);
    outfolder_close(w.files.folder);
    selection_fini(&w.selection);
    for (size_t i = 0; i < RELAY_PENDING; i++)
        free(w.files.spares[i].bytes);
    free(w.threads);
    if (w.written)
        ctf_rows_free(w.written->rows);
    free(w.written);
    return status;
}
