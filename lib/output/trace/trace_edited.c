/* Writes spans, or the events of a profiler, in the format in which they were read: the bytes of
 * the input with corrected times, and two more attributes of each span. */
#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "output/trace/trace_out.h"
#include "sync/drift/drift.h"
#include "sync/method.h"
#include "trace/json/json_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A time in the input, which is replaced when the process of its event is known. */
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
    uint8_t *pending; /* bytes of the input; those before `done` are written */
    size_t done, size, capacity;
    uint64_t pending_at; /* the offset of the first one */
    uint64_t held;       /* bytes from this offset on must stay; UINT64_MAX: none */
    int128 origin_ticks; /* global times are this far from the reference's own times */
    size_t thread;       /* of the times that are corrected */
    /* Spans. */
    csy_events *events;
    size_t item;                    /* of the next span */
    const struct json_item *span;   /* NULL: it has no times */
    int64_t begin_ticks, end_ticks; /* corrected */
    bool has_attributes, any_attribute;
    /* Events of a profiler. */
    uint32_t *thread_of; /* by clock */
    size_t document;
    bool bare; /* the document is an array */
    struct spot time, duration;
    char process[256];
    size_t process_size;
};

/* --- Copying --------------------------------------------------------------------------------- */

/* Write all bytes before an offset, and leave out all up to another one. */
static void copy_until(struct edited *e, uint64_t before, uint64_t after)
{
    size_t end = (size_t)(before - e->pending_at);
    outfile_write(e->out, e->pending + e->done, end - e->done);
    e->done = (size_t)(after - e->pending_at);
}

static csy_status take_bytes(void *user, const uint8_t *bytes, size_t size, csy_error *error)
{
    struct edited *e = user;
    /* The values of the bytes before were read, but another value may have begun in them. */
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

/* The place of the number, or the string with one, that was just read. */
static struct spot spot_of(const struct edited *e, const struct json_value *value)
{
    struct spot spot = {
        .end = json_end(&e->json), .found = true, .quoted = value->kind == JSON_STRING};
    spot.begin = spot.end - value->size;
    if (spot.quoted) /* escapes make it longer than its text */
        for (spot.begin = spot.end - 2; e->pending[spot.begin - e->pending_at] != '"';
             spot.begin--) {
        }
    return spot;
}

/* --- Times ----------------------------------------------------------------------------------- */

/* A local time of the span's clock as a time of the reference. */
static csy_status correct(const struct edited *e, int64_t local_ticks, int64_t *out,
                          csy_error *error)
{
    int128 ticks = placement_of(e->sync, e->thread, local_ticks) - e->origin_ticks;
    *out = (int64_t)ticks;
    return fits_int64(ticks) ? CSY_OK : error_set(error, CSY_INPUT, "the time leaves 64 bits");
}

/* The greatest error of a local time that the bounds allow, rounded up; false if there is none. */
static bool find_error(const struct edited *e, int64_t local_ticks, int64_t *out)
{
    const struct csy_sync *sync = e->sync;
    const csy_thread *view = &sync->views[e->thread];
    const csy_fraction delta = sync->imprecision.delta;
    int128 least, greatest, age;
    int128 tick = (int128)AGE_UNIT +
                  (sync->drift && e->thread != sync->reference ? sync->drift->view.rate_ppb : 0);
    int128 off = delta.num > 0 ? ceil_div(delta.num * tick, delta.den) : 0;
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
    most = ceil_div(most + off, AGE_UNIT) + 1; /* times are rounded down */
    most += e->decimals > 0 ? 500 : 0;         /* or to a microsecond */
    *out = (int64_t)most;
    return fits_int64(most);
}

/* Ticks in the unit of the format, rounded to the nearest. */
static int64_t unit_of(const struct edited *e, int64_t ticks)
{
    enum { MICROSECOND = 1000 };
    return e->decimals == 0 ? ticks
                            : (int64_t)floor_div((int128)ticks + MICROSECOND / 2, MICROSECOND);
}

/* Replace a time by units, or thousandths of units. */
static void put_time(struct edited *e, const struct spot *spot, int64_t units, bool thousandths)
{
    char text[NUMBER_DIGITS_MAX + 8], *at = text;
    if (spot->quoted)
        *at++ = '"';
    if (thousandths) {
        uint64_t size = units < 0 ? -(uint64_t)units : (uint64_t)units;
        at = put_text(at, units < 0 ? "-" : "");
        at = number_put_unsigned(at, size / 1000);
        if (size % 1000 > 0) {
            *at++ = '.';
            for (uint64_t rest = size % 1000, unit = 100; rest > 0; rest %= unit, unit /= 10)
                *at++ = (char)('0' + rest / unit);
        }
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

/* Add both attributes before the last byte that was read. */
static void put_attributes(struct edited *e, const char *before, const char *after)
{
    enum { ROOM = 512 };
    char text[ROOM], *at = put_text(text, before);
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
    copy_until(e, end - 1, end - 1);
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
    for (unsigned parts = items_parts(items, e->item - 1); parts > 0; parts--) {
        csy_status status = csy_events_next(e->events, &event, &more, error);
        if (status || !more)
            return status ? status : trace_refuse_changed(e->sync->trace, error);
        e->thread = event.thread;
    }
    csy_status status = correct(e, e->span->begin_ticks, &e->begin_ticks, error);
    return status ? status : correct(e, e->span->end_ticks, &e->end_ticks, error);
}

static csy_status take_time(struct edited *e, const struct json_value *value, csy_error *error)
{
    int64_t ticks = 0;
    bool exact;
    bool number = (value->kind == JSON_NUMBER || value->kind == JSON_STRING) && value->size > 0;
    if (!number || !json_ticks(value->text, value->size, e->decimals, &ticks, &exact))
        return CSY_OK; /* the reader accepts no other times that it uses */
    const struct spot spot = spot_of(e, value);
    if (value->what == SPAN_DURATION) {
        put_time(e, &spot, unit_of(e, e->end_ticks) - unit_of(e, e->begin_ticks), false);
        return CSY_OK;
    }
    if (ticks == 0) /* no time */
        return CSY_OK;
    csy_status status = correct(e, ticks, &ticks, error);
    if (!status)
        put_time(e, &spot, unit_of(e, ticks), false);
    return status;
}

static csy_status take_span(void *user, const struct json_value *value, csy_error *error)
{
    struct edited *e = user;
    bool zipkin = e->format == CSY_FORMAT_ZIPKIN;
    if (value->what == SPAN_SPAN && value->kind == JSON_OBJECT)
        return begin_span(e, error);
    if (!e->span)
        return CSY_OK;
    switch ((enum span_field)value->what) {
    case SPAN_BEGIN:
    case SPAN_END:
    case SPAN_DURATION:
    case SPAN_TIME:
        return value->kind == JSON_NUMBER || value->kind == JSON_STRING ? take_time(e, value, error)
                                                                        : CSY_OK;
    case SPAN_TAG:
        e->any_attribute = true;
        break;
    case SPAN_ATTRIBUTES:
        if (value->kind == (zipkin ? JSON_OBJECT_END : JSON_ARRAY_END)) {
            put_attributes(e, e->any_attribute ? "," : "", "");
            e->has_attributes = true;
        } else if (!zipkin) {
            e->any_attribute |= value->kind == JSON_OBJECT;
        }
        break;
    case SPAN_SPAN:
        if (value->kind == JSON_OBJECT_END) {
            if (!e->has_attributes)
                put_attributes(e,
                               e->format == CSY_FORMAT_OTLP     ? ",\"attributes\":["
                               : e->format == CSY_FORMAT_JAEGER ? ",\"tags\":["
                                                                : ",\"tags\":{",
                               zipkin ? "}" : "]");
            e->span = NULL;
        }
        break;
    default:
        break;
    }
    return CSY_OK;
}

/* --- Events of a profiler -------------------------------------------------------------------- */

/* The event is read: correct its times, which may be in any order. */
static csy_status end_event(struct edited *e, csy_error *error)
{
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
        return error_set(error, CSY_INPUT, "the time leaves 64 bits");
    csy_status status = correct(e, time.ticks, &begin, error);
    if (!status)
        status = correct(e, end, &end, error);
    if (status)
        return status;
    if (duration.found && duration.begin < time.begin)
        put_time(e, &duration, end - begin, true);
    put_time(e, &time, begin - base, true);
    if (duration.found && duration.begin > time.begin)
        put_time(e, &duration, end - begin, true);
    return CSY_OK;
}

static void take_field(struct edited *e, const struct json_value *value)
{
    bool number = value->kind == JSON_NUMBER || value->kind == JSON_STRING, exact;
    struct spot *spot = value->what == CHROME_TIME       ? &e->time
                        : value->what == CHROME_DURATION ? &e->duration
                                                         : NULL;
    int64_t ticks;
    if (value->what == CHROME_PROCESS) {
        e->process_size = value->size < sizeof e->process - 1 ? value->size : sizeof e->process - 1;
        memcpy(e->process, value->text, e->process_size);
    } else if (spot && number &&
               json_ticks(value->text, value->size, CHROME_DECIMALS, &ticks, &exact)) {
        *spot = spot_of(e, value);
        spot->ticks = ticks;
    }
}

static csy_status take_event(void *user, const struct json_value *value, csy_error *error)
{
    struct edited *e = user;
    bool document = value->what == CHROME_DOCUMENT;
    bool whole = document && value->depth == 0, event = value->what == CHROME_EVENT || document;
    if (value->kind == JSON_ARRAY)
        e->bare |= whole;
    else if (value->kind == JSON_OBJECT && event && (!document || e->bare)) {
        e->held = json_end(&e->json) - 1;
        e->time.found = e->duration.found = false;
        e->process_size = 0;
    } else if (value->kind == JSON_OBJECT_END && event && (!document || e->bare))
        return end_event(e, error);
    else if (value->kind == JSON_OBJECT_END && whole) {
        uint64_t end = json_end(&e->json);
        copy_until(e, end - 1, end - 1);
        outfile_print(e->out, ",\"cellsync\":\"%s\"", csy_version());
        e->document++;
    } else if (value->kind == JSON_ARRAY_END && whole) {
        e->bare = false;
        e->document++;
    } else
        take_field(e, value);
    return CSY_OK;
}

/* Find the thread of each clock by its name. */
static csy_status find_threads(struct edited *e, csy_error *error)
{
    const struct items *items = &e->trace->items;
    const struct csy_sync *sync = e->sync;
    struct texts names = {0};
    bool added, good = true;
    e->thread_of = malloc((items->nclocks + 1) * sizeof *e->thread_of);
    good = e->thread_of != NULL;
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

static csy_status write_part(struct edited *e, const struct json_part *part, csy_error *error)
{
    bool spans = e->sync->trace->source->spans;
    e->json = (struct json_reading){.name = part->trace->name,
                                    .root = &chrome_root,
                                    .root_what = CHROME_DOCUMENT,
                                    .take = spans ? take_span : take_event,
                                    .bytes = take_bytes,
                                    .open_ended = !spans,
                                    .user = e};
    if (spans)
        e->json.root = spans_root(e->format, &e->json.root_what);
    e->done = e->size = 0;
    e->pending_at = 0;
    e->held = UINT64_MAX;
    e->bare = false;
    bytes_rewind(part->trace->bytes);
    csy_status status = json_read(part->trace->bytes, &e->json, error);
    if (status == CSY_IO && outfile_failed(e->out))
        return CSY_OK; /* outfile_complete reports the failed write */
    if (!status)
        outfile_write(e->out, e->pending + e->done, e->size - e->done);
    e->document += !status && e->json.ended_open;
    return status;
}

csy_status edited_write(struct csy_trace *trace, const struct csy_sync *sync,
                        struct outfile *const *files, size_t nfiles, csy_error *error)
{
    const struct thread *reference = &sync->survey.threads.items[sync->reference];
    struct edited e = {.sync = sync,
                       .trace = json_trace_of(trace),
                       .format = trace->source->written_as,
                       .decimals = spans_decimals(trace->source->written_as)};
    const struct items *items = &e.trace->items;
    e.origin_ticks =
        placement_of(sync, sync->reference, reference->first_ticks) - reference->first_ticks;
    csy_status status =
        trace->source->spans ? csy_events_open(sync, &e.events, error) : find_threads(&e, error);
    for (size_t i = 0; i < items->nparts && !status; i++) {
        e.out = files[nfiles > 1 ? i : 0];
        if (nfiles == 1 && i > 0) /* documents of one file, such as JSON lines */
            outfile_add(e.out, "\n");
        status = write_part(&e, &items->parts[i], error);
    }
    if (!status && e.events && e.item != items->count)
        status = trace_refuse_changed(trace, error);
    if (e.events)
        csy_events_free(e.events);
    free(e.pending);
    free(e.thread_of);
    return status;
}
