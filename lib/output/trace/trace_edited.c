/* Writes spans, or the events of a profiler, in the format of the input. The output has the bytes
 * of the input with corrected times, and two more attributes for each span. */
#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "io/path.h"
#include "io/range.h"
#include "output/encode/difference.h"
#include "output/encode/escape.h"
#include "output/encode/text.h"
#include "output/trace/trace_out.h"
#include "sync/drift/drift.h"
#include "sync/options.h"
#include "trace/json/items.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The place of a time in the input, and the time. */
struct spot {
    uint64_t begin, end;
    int64_t ticks;
    bool found, quoted;
};

struct edited {
    struct json_reading json;
    const struct csy_sync *sync;
    const struct json_trace *trace;
    struct outfile *out;
    csy_format format;
    unsigned decimals;
    uint8_t *pending; /* bytes read from the input; those before `done` are already written */
    size_t done, size, capacity;
    uint64_t pending_at; /* offset in the input of the first pending byte */
    uint64_t held;       /* offset of the first byte that may still be changed, or UINT64_MAX */
    int128 origin_ticks; /* global time minus the reference clock's own time */
    size_t thread;       /* index of the thread that is being corrected */
    /* Members for spans: */
    csy_events *events;
    size_t item;                    /* index of the next item that may be a span */
    const struct json_item *span;   /* current span, or NULL if the span has no times */
    int64_t begin_ticks, end_ticks; /* corrected times of the span */
    bool has_attributes, any_attribute;
    /* Members for the traces of profilers: */
    uint32_t *thread_of; /* index of the thread of each clock */
    size_t document;
    bool bare; /* true if the document is an array */
    struct spot time, duration;
    char process[256];
    size_t process_size;
};

/* --- Copying --------------------------------------------------------------------------------- */

/* Write the pending bytes up to offset `before`, and skip those up to offset `after`. */
static void copy_until(struct edited *e, uint64_t before, uint64_t after)
{
    size_t end = (size_t)(before - e->pending_at);
    outfile_write(e->out, e->pending + e->done, end - e->done);
    e->done = (size_t)(after - e->pending_at);
}

static csy_status take_bytes(void *user, const uint8_t *bytes, size_t size, csy_error *error)
{
    struct edited *e = user;
    /* Do not write the last bytes yet. If a number continues after them, it may have to be
     * replaced. */
    enum { KEPT = 64 };
    uint64_t end = e->pending_at + e->size, kept = e->size > KEPT ? end - KEPT : e->pending_at;
    kept = e->held < kept ? e->held : kept;
    if (kept > e->pending_at + e->done)
        copy_until(e, kept, kept);
    if (e->done > 0)
        memmove(e->pending, e->pending + e->done, e->size - e->done);
    e->size -= e->done;
    e->pending_at += e->done;
    e->done = 0;
    if (!ARRAY_RESERVE(e->pending, e->capacity, e->size + size))
        return error_memory(error);
    memcpy(e->pending + e->size, bytes, size);
    e->size += size;
    return outfile_failed(e->out) ? CSY_IO : CSY_OK;
}

/* Returns the place of the number that was read last, which may be in a string. */
static struct spot spot_of(const struct edited *e, const struct json_value *value)
{
    uint64_t end = json_end(&e->json), begin = end - value->size;
    bool quoted = value->kind == JSON_STRING;
    if (quoted) /* a string in the file may have escapes, and be longer than its text */
        for (begin = end - 2; e->pending[begin - e->pending_at] != '"';)
            begin--;
    return (struct spot){.begin = begin, .end = end, .found = true, .quoted = quoted};
}

/* --- Times ----------------------------------------------------------------------------------- */

/* Convert a local time of the span's clock to a time of the reference's clock. */
static csy_status correct(const struct edited *e, int64_t local_ticks, int64_t *out,
                          csy_error *error)
{
    int128 ticks = placement_of(e->sync, e->thread, local_ticks) - e->origin_ticks;
    *out = (int64_t)ticks;
    return fits_int64(ticks)
               ? CSY_OK
               : error_set(error, CSY_INPUT, "the corrected time does not fit 64 bits");
}

/* Find the greatest error of a corrected time, rounded up. Returns false if it has no limit. */
static bool find_error(const struct edited *e, int64_t local_ticks, int64_t *out)
{
    const struct csy_sync *sync = e->sync;
    const csy_thread *view = &sync->views[e->thread];
    int128 least, greatest, age;
    if (sync->drift) {
        age = knots_age(&sync->drift->clocks[e->thread], local_ticks);
        if (!drift_bounds(sync, e->thread, local_ticks, &least, &greatest))
            return false;
    } else {
        if (view->earliest_ticks == INT64_MIN || view->latest_ticks == INT64_MAX)
            return false;
        age = (int128)view->offset_ticks * AGE_UNIT;
        least = (int128)view->earliest_ticks * AGE_UNIT;
        greatest = (int128)view->latest_ticks * AGE_UNIT;
    }
    int128 most = age - least > greatest - age ? age - least : greatest - age;
    most = ceil_div(most + difference_delta(sync, e->thread), AGE_UNIT) +
           1;                          /* times are rounded down to a tick */
    most += e->decimals > 0 ? 500 : 0; /* rounding to a microsecond adds at most 500 ns */
    *out = (int64_t)most;
    return fits_int64(most);
}

/* Convert ticks to the time unit of the format, rounded to the nearest. */
static int64_t unit_of(const struct edited *e, int64_t ticks)
{
    return e->decimals == 0 ? ticks : (int64_t)floor_div((int128)ticks + 500, 1000);
}

/* Write a number in place of a time of the input. `units` counts time units of the format or, if
 * `thousandths` is true, thousandths of a unit. */
static void put_time(struct edited *e, const struct spot *spot, int64_t units, bool thousandths)
{
    char text[QUOTIENT_TEXT_MAX + 2], *at = text;
    if (spot->quoted)
        *at++ = '"';
    if (thousandths) {
        at = decimal_put(at, units, 3);
        while (at[-1] == '0')
            at--;
        at -= at[-1] == '.';
    } else {
        at = number_put(at, units);
    }
    if (spot->quoted)
        *at++ = '"';
    copy_until(e, spot->begin, spot->end);
    outfile_write(e->out, text, (size_t)(at - text));
}

/* --- Attributes ------------------------------------------------------------------------------ */

static char *put_attribute(const struct edited *e, char *at, const char *name, int64_t value)
{
    static const char *const texts[][3] = {
        [0] = {"{\"key\":\"", "\",\"value\":{\"intValue\":\"", "\"}}"},
        [1] = {"{\"key\":\"", "\",\"type\":\"int64\",\"value\":", "}"},
        [2] = {"\"", "\":\"", "\""}};
    const char *const *text = texts[e->format == CSY_FORMAT_OTLP     ? 0
                                    : e->format == CSY_FORMAT_JAEGER ? 1
                                                                     : 2];
    at = put_text(put_text(put_text(at, text[0]), name), text[1]);
    return put_text(number_put(at, value), text[2]);
}

/* Insert a span's shift and error as attributes between the texts `before` and `after`, `bytes`
 * bytes before the last byte read. If `replace`, replace these bytes. */
static void put_attributes(struct edited *e, const char *before, const char *after, size_t bytes,
                           bool replace)
{
    char text[512], *at = put_text(text, before);
    int64_t begin_error, end_error;
    at = put_attribute(e, at, "cellsync.shift_ns", e->begin_ticks - e->span->begin_ticks);
    if (e->sync->method == CSY_METHOD_BHH && find_error(e, e->span->begin_ticks, &begin_error) &&
        find_error(e, e->span->end_ticks, &end_error)) {
        at = put_text(at, ",");
        at = put_attribute(e, at, "cellsync.error_ns",
                           begin_error > end_error ? begin_error : end_error);
    }
    at = put_text(at, after);
    uint64_t end = json_end(&e->json);
    copy_until(e, end - bytes, replace ? end : end - bytes);
    outfile_write(e->out, text, (size_t)(at - text));
}

/* --- Spans ----------------------------------------------------------------------------------- */

static csy_status begin_span(struct edited *e, csy_error *error)
{
    csy_event event;
    bool more = true;
    const struct items *items = &e->trace->items;
    if (e->item >= items->count)
        return trace_refuse_changed(e->sync->trace, error);
    e->span = &items->all[e->item++];
    e->has_attributes = e->any_attribute = false;
    if (e->span->flags & SPAN_UNTIMED) {
        e->span = NULL;
        return CSY_OK;
    }
    csy_status status = CSY_OK;
    for (unsigned parts = items_parts(items, e->item - 1); parts > 0; parts--) {
        status = csy_events_next(e->events, &event, &more, error);
        if (status || !more)
            return status ? status : trace_refuse_changed(e->sync->trace, error);
        e->thread = event.thread;
    }
    status = correct(e, e->span->begin_ticks, &e->begin_ticks, error);
    return status ? status : correct(e, e->span->end_ticks, &e->end_ticks, error);
}

static csy_status take_span(void *user, const struct json_value *value, csy_error *error)
{
    struct edited *e = user;
    bool zipkin = e->format == CSY_FORMAT_ZIPKIN, otlp = e->format == CSY_FORMAT_OTLP, exact;
    bool number = (value->kind == JSON_NUMBER || value->kind == JSON_STRING) && value->size > 0;
    struct spot spot;
    int64_t ticks = 0;
    csy_status status = CSY_OK;
    if (value->what == SPAN_SPAN && value->kind == JSON_OBJECT)
        return begin_span(e, error);
    if (!e->span)
        return CSY_OK;
    switch ((enum span_field)value->what) {
    case SPAN_BEGIN:
    case SPAN_END:
    case SPAN_DURATION:
    case SPAN_TIME:
        if (!number || !json_ticks(value->text, value->size, e->decimals, &ticks, &exact))
            return CSY_OK; /* leave a value unchanged if it is not a time */
        spot = spot_of(e, value);
        if (value->what == SPAN_DURATION) {
            put_time(e, &spot, unit_of(e, e->end_ticks) - unit_of(e, e->begin_ticks), false);
        } else if (ticks != 0) { /* the time 0 means that the span has no time */
            status = correct(e, ticks, &ticks, error);
            if (!status)
                put_time(e, &spot, unit_of(e, ticks), false);
        }
        break;
    case SPAN_TAG:
        e->any_attribute = true;
        break;
    case SPAN_ATTRIBUTES:
        if (value->kind == (zipkin ? JSON_OBJECT_END : JSON_ARRAY_END)) {
            put_attributes(e, e->any_attribute ? "," : "", "", 1, false);
            e->has_attributes = true;
        } else if (value->kind == JSON_NULL) {
            put_attributes(e, zipkin ? "{" : "[", zipkin ? "}" : "]", strlen("null"), true);
            e->has_attributes = true;
        } else if (!zipkin) {
            e->any_attribute |= value->kind == JSON_OBJECT;
        }
        break;
    case SPAN_SPAN:
        if (value->kind == JSON_OBJECT_END) {
            if (!e->has_attributes)
                put_attributes(e,
                               otlp     ? ",\"attributes\":["
                               : zipkin ? ",\"tags\":{"
                                        : ",\"tags\":[",
                               zipkin ? "}" : "]", 1, false);
            e->span = NULL;
        }
        break;
    default:
        break;
    }
    return status;
}

/* --- Events of a profiler -------------------------------------------------------------------- */

static csy_status take_event(void *user, const struct json_value *value, csy_error *error)
{
    struct edited *e = user;
    bool document = value->what == CHROME_DOCUMENT;
    bool whole = document && value->depth == 0, exact;
    bool event = value->what == CHROME_EVENT || (document && e->bare);
    int64_t ticks;
    csy_status status;
    if (value->kind == JSON_ARRAY) {
        e->bare |= whole;
    } else if (value->kind == JSON_OBJECT && event) {
        e->held = json_end(&e->json) - 1;
        e->time.found = e->duration.found = false;
        e->process_size = 0;
    } else if (value->kind == JSON_OBJECT_END && event) {
        const struct chrome_clocks *clocks = &e->trace->clocks;
        int64_t base = clocks->bases[e->document], begin = 0, end = 0;
        uint32_t clock = chrome_clock(clocks, e->document, e->process, e->process_size);
        struct spot time = e->time, duration = e->duration;
        e->held = UINT64_MAX;
        if (!time.found || clock == NO_TEXT || e->thread_of[clock] == NO_TEXT)
            return CSY_OK;
        e->thread = e->thread_of[clock];
        if (__builtin_add_overflow(time.ticks, base, &time.ticks) ||
            __builtin_add_overflow(time.ticks, duration.found ? duration.ticks : 0, &end))
            return error_set(error, CSY_INPUT, "the corrected time does not fit 64 bits");
        status = correct(e, time.ticks, &begin, error);
        status = status ? status : correct(e, end, &end, error);
        if (status)
            return status;
        if (duration.found && duration.begin < time.begin)
            put_time(e, &duration, end - begin, true);
        put_time(e, &time, begin - base, true);
        if (duration.found && duration.begin > time.begin)
            put_time(e, &duration, end - begin, true);
    } else if (value->kind == JSON_OBJECT_END && whole) {
        uint64_t end = json_end(&e->json);
        size_t at = (size_t)(end - 1 - e->pending_at); /* position of the closing brace */
        while (at > 0 && strchr(" \t\r\n", e->pending[at - 1]))
            at--;
        bool empty = at > 0 && e->pending[at - 1] == '{';
        copy_until(e, end - 1, end - 1);
        outfile_print(e->out, "%s\"cellsync\":\"%s\"", empty ? "" : ",", csy_version());
        e->document++;
    } else if (value->kind == JSON_ARRAY_END && whole) {
        e->bare = false;
        e->document++;
    } else if (value->what == CHROME_PROCESS) {
        e->process_size = value->size < sizeof e->process - 1 ? value->size : sizeof e->process - 1;
        memcpy(e->process, value->text, e->process_size);
    } else if ((value->what == CHROME_TIME || value->what == CHROME_DURATION) &&
               (value->kind == JSON_NUMBER || value->kind == JSON_STRING) &&
               json_ticks(value->text, value->size, CHROME_DECIMALS, &ticks, &exact)) {
        struct spot *spot = value->what == CHROME_TIME ? &e->time : &e->duration;
        *spot = spot_of(e, value);
        spot->ticks = ticks;
    }
    return CSY_OK;
}

/* Find the thread of each clock by the name of the clock. */
static csy_status find_threads(struct edited *e, csy_error *error)
{
    const struct items *items = &e->trace->items;
    const struct csy_sync *sync = e->sync;
    struct texts names = {0};
    e->thread_of = malloc((items->nclocks + 1) * sizeof *e->thread_of);
    bool added, good = e->thread_of != NULL;
    for (size_t t = 0; t < sync->survey.threads.count && good; t++) {
        const char *name = sync->survey.threads.items[t].name;
        uint32_t number;
        good = texts_find(&names, name, strlen(name), &number, &added);
    }
    for (size_t c = 0; c < items->nclocks && good; c++)
        if (!texts_look(&names, items->clocks[c].name, strlen(items->clocks[c].name),
                        &e->thread_of[c]))
            e->thread_of[c] = NO_TEXT;
    texts_fini(&names);
    return good ? CSY_OK : error_memory(error);
}

/* --- Files ----------------------------------------------------------------------------------- */

static struct edited begin_edit(struct csy_trace *trace, const struct csy_sync *sync)
{
    int64_t first = sync->survey.threads.items[sync->reference].first_ticks;
    return (struct edited){.sync = sync,
                           .trace = json_trace_of(trace),
                           .format = trace->source->written_as,
                           .decimals = spans_decimals(trace->source->written_as),
                           .origin_ticks = placement_of(sync, sync->reference, first) - first};
}

csy_status edited_write(struct csy_trace *trace, const struct csy_sync *sync,
                        struct outfile *const *files, size_t nfiles, csy_error *error)
{
    struct edited e = begin_edit(trace, sync);
    const struct items *items = &e.trace->items;
    bool spans = trace->source->spans;
    csy_status status = spans ? csy_events_open(sync, &e.events, error) : find_threads(&e, error);
    bool failed = false;
    for (size_t i = 0; i < items->nparts && !status && !failed; i++) {
        e.out = files[nfiles > 1 ? i : 0];
        if (nfiles == 1 && i > 0) /* each document of a file with JSON lines has its own line */
            outfile_add(e.out, "\n");
        e.json = (struct json_reading){.name = items->parts[i].trace->name,
                                       .root = &chrome_root,
                                       .root_what = CHROME_DOCUMENT,
                                       .take = spans ? take_span : take_event,
                                       .bytes = take_bytes,
                                       .open_ended = !spans,
                                       .user = &e};
        if (spans)
            e.json.root = spans_root(e.format, &e.json.root_what);
        e.done = e.size = 0;
        e.pending_at = 0;
        e.held = UINT64_MAX;
        e.bare = false;
        bytes_rewind(items->parts[i].trace->bytes);
        status = json_read(items->parts[i].trace->bytes, &e.json, error);
        if (!status)
            outfile_write(e.out, e.pending + e.done, e.size - e.done);
        e.document += !status && e.json.ended_open;
        failed = status == CSY_IO && outfile_failed(e.out);
        if (failed)
            status = CSY_OK; /* outfile_complete will report this failed write */
    }
    if (!status && !failed && e.events && e.item != items->count)
        status = trace_refuse_changed(trace, error);
    csy_events_free(e.events);
    FREE_ALL(e.pending, e.thread_of);
    return status;
}

/* --- An archive for Perfetto ----------------------------------------------------------------- */

/* The archive has the format POSIX ustar. The manifest follows perfetto.dev, "Trace manifest
 * format", version 1. Perfetto ignores baseTimeNanoseconds, so offsets include this time. */

enum { TAR_BLOCK = 512, TAR_NAME_MAX = 100 };
#define TAR_SIZE_MAX UINT64_C(077777777777)
#define MANIFEST_NAME "perfetto_manifest.json"

struct member_file {
    const struct csy_trace *part;
    const char *name;
    uint64_t size;
    int64_t offset_ns, error_ns; /* time of the reference minus time of the file; its error */
};

/* Find the least and the greatest offset of a file's events, and the middle between them. */
static csy_status find_offset(struct edited *e, size_t number, struct member_file *file,
                              csy_error *error)
{
    const struct items *items = &e->trace->items;
    const struct json_part *part = &items->parts[number];
    bool last = number + 1 == items->nparts;
    size_t end = last ? items->count : part[1].first;
    size_t documents = (last ? e->trace->clocks.nbases : part[1].document) - part->document;
    int128 least = 0, greatest = 0;
    bool any = false;
    if (documents != 1)
        return error_set(error, CSY_USAGE,
                         "%s: Perfetto opens only files with one profile, but this file has %zu; "
                         "write a folder, as in -o synced/",
                         part->trace->name, documents);
    int64_t base_ns = e->trace->clocks.bases[part->document];
    for (size_t i = part->first; i < end; i++) {
        const struct json_item *item = &items->all[i];
        e->thread = e->thread_of[items_clock(items, i)];
        if (e->thread == NO_TEXT)
            continue;
        for (unsigned k = 0; k < 2; k++) {
            int64_t local_ns = k ? item->end_ticks : item->begin_ticks;
            int128 offset =
                placement_of(e->sync, e->thread, local_ns) - e->origin_ticks - local_ns + base_ns;
            least = !any || offset < least ? offset : least;
            greatest = !any || offset > greatest ? offset : greatest;
            any = true;
        }
    }
    int128 middle = floor_div(least + greatest, 2);
    if (!fits_int64(middle) || !fits_int64(greatest - middle))
        return error_set(error, CSY_INPUT, "%s: the clock offset does not fit 64 bits",
                         part->trace->name);
    file->offset_ns = (int64_t)middle;
    file->error_ns = (int64_t)(greatest - middle);
    return CSY_OK;
}

static void tar_header(struct outfile *out, const char *name, uint64_t size)
{
    char block[TAR_BLOCK] = {0};
    unsigned sum = 0;
    put_text(block, name);
    put_text(block + 100, "0000644"); /* permissions */
    put_text(block + 108, "0000000"); /* user id */
    put_text(block + 116, "0000000"); /* group id */
    snprintf(block + 124, 12, "%011" PRIo64, size);
    put_text(block + 136, "00000000000"); /* time of the last change */
    memset(block + 148, ' ', 8);          /* the checksum's own bytes count as blanks */
    block[156] = '0';                     /* type: regular file */
    memcpy(block + 257, "ustar", sizeof "ustar");
    block[263] = block[264] = '0'; /* version */
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += (unsigned char)block[i];
    snprintf(block + 148, 7, "%06o", sum);
    outfile_write(out, block, TAR_BLOCK);
}

static void tar_pad(struct outfile *out, uint64_t size)
{
    static const char zeros[TAR_BLOCK];
    outfile_write(out, zeros, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static csy_status copy_file(struct outfile *out, const struct member_file *file, csy_error *error)
{
    enum { ROOM = 65536 };
    const struct csy_trace *part = file->part;
    /* find_files has set `part`: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    struct range range = {.fd = part->fd,
                          .name = part->name,
                          .start = part->record_start,
                          .next = part->record_start};
    uint64_t copied = 0;
    csy_status status = CSY_OK;
    for (size_t got = 1; got > 0 && copied < file->size && !outfile_failed(out); copied += got) {
        uint64_t left = file->size - copied;
        status = range_read(&range, outfile_room(out, ROOM), left < ROOM ? (size_t)left : ROOM,
                            &got, error);
        got = status ? 0 : got;
        outfile_advance(out, got);
    }
    return status || copied == file->size || outfile_failed(out)
               ? status
               : trace_refuse_changed(part, error);
}

/* Find the offsets of all files. The file with the least offset is the reference, so that no time
 * is negative unless a file has negative times. Perfetto drops events before 0. */
static csy_status find_files(struct edited *e, struct member_file *files, size_t *reference,
                             csy_error *error)
{
    const struct items *items = &e->trace->items;
    size_t n = items->nparts;
    csy_status status = find_threads(e, error);
    *reference = 0;
    for (size_t i = 0; i < n && !status; i++) {
        struct stat st;
        struct member_file *file = &files[i];
        const struct csy_trace *part = file->part = items->parts[i].trace;
        const char *name = file->name = path_name(part->name);
        if (strcmp(part->name, "-") == 0)
            return error_set(error, CSY_USAGE,
                             "standard input has no file name, which the archive needs");
        if (strlen(name) >= TAR_NAME_MAX || !json_is_plain(name, strlen(name)))
            return error_set(error, CSY_USAGE,
                             "%s: this file name is not allowed in the archive, because it has %d "
                             "bytes or more, or contains quotes, backslashes, control characters, "
                             "or bytes that are not UTF-8",
                             part->name, TAR_NAME_MAX);
        for (size_t k = 0; k < i; k++)
            if (strcmp(name, files[k].name) == 0)
                return error_set(
                    error, CSY_USAGE,
                    "%s and %s would have the same name in the archive; rename one of them",
                    files[k].part->name, part->name);
        if (strcmp(name, MANIFEST_NAME) == 0)
            return error_set(
                error, CSY_USAGE,
                "%s: rename this file, because the manifest of the archive has this name",
                part->name);
        if (fstat(part->fd, &st) != 0)
            return error_io(error, part->name, NULL);
        file->size = (uint64_t)st.st_size - part->record_start;
        status = find_offset(e, i, file, error);
        if (!status && file->size > TAR_SIZE_MAX)
            status = error_set(error, CSY_USAGE, "%s: the archive would be larger than 8 GiB",
                               part->name);
        if (!status && file->offset_ns < files[*reference].offset_ns)
            *reference = i;
    }
    for (size_t i = 0; i < n && !status; i++) {
        int64_t difference;
        if (__builtin_sub_overflow(files[i].offset_ns, files[*reference].offset_ns, &difference))
            status = error_set(error, CSY_INPUT, "%s: the clock offset does not fit 64 bits",
                               files[i].part->name);
    }
    return status;
}

csy_status tar_write(struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out,
                     csy_error *error)
{
    struct edited e = begin_edit(trace, sync);
    size_t n = e.trace->items.nparts, reference, worst = 0, size;
    char *manifest = NULL;
    struct member_file *files = calloc(n, sizeof *files);
    csy_status status = files ? find_files(&e, files, &reference, error) : error_memory(error);
    FILE *text = status ? NULL : open_memstream(&manifest, &size);
    if (text) {
        fputs("{\"perfetto_manifest\":{\"version\":1,\"files\":[\n", text);
        for (size_t i = 0; i < n; i++) {
            const char *name = files[i].name;
            fprintf(text, "{\"path\":\"%s\",\"machine\":{\"name\":\"%s\"}", name, name);
            if (i != reference)
                fprintf(text,
                        ",\"clocks\":{\"sync_to\":{\"file\":\"%s\"},\"offset_ns\":%" PRId64 "}",
                        files[reference].name, files[i].offset_ns - files[reference].offset_ns);
            fputs(i + 1 < n ? "},\n" : "}\n", text);
        }
        fputs("]}}\n", text);
    }
    if (!status && (!text || fclose(text) != 0))
        status = error_memory(error);
    if (!status) {
        tar_header(out, MANIFEST_NAME, size);
        outfile_write(out, manifest, size);
        tar_pad(out, size);
    }
    for (size_t i = 0; i < n && !status; i++) {
        tar_header(out, files[i].name, files[i].size);
        status = copy_file(out, &files[i], error);
        tar_pad(out, files[i].size);
        worst = files[i].error_ns > files[worst].error_ns ? i : worst;
    }
    for (unsigned i = 0; i < 2; i++) { /* two empty blocks end the archive */
        tar_pad(out, 1);
        outfile_write(out, "", 1);
    }
    if (!status && files[worst].error_ns > 1 && trace->nwarnings < TRACE_WARNINGS_MAX) {
        char time[CSY_TIME_TEXT_MAX];
        snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
                 "Perfetto applies one offset to each file, but the clocks of a file drift or "
                 "differ, so times in the archive are wrong by up to %s, in addition to the errors "
                 "in the report; -o FOLDER/ writes files without this error",
                 text_time(files[worst].error_ns, trace->timebase_hz, time));
    }
    FREE_ALL(manifest, files, e.thread_of);
    return status;
}
