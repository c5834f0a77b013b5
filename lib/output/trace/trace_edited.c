/* Writes spans in the format in which they were read: the bytes of the input with corrected times
 * and two more attributes of each span. */
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

struct edited {
    struct json_reading json;
    const struct csy_sync *sync;
    const struct items *items;
    struct outfile *out;
    csy_format format;
    unsigned decimals;
    csy_events *events;
    uint8_t *pending; /* bytes of the input that are not written yet */
    size_t pending_size, pending_capacity;
    uint64_t pending_at; /* the offset of the first one */
    int128 origin_ticks; /* global times are this far from the reference's own times */
    /* The span that is copied. */
    size_t item; /* of the next span */
    const struct json_item *span; /* NULL: it has no times */
    size_t thread;
    int64_t begin_ticks, end_ticks; /* corrected */
    bool has_attributes, any_attribute;
};

/* --- Copying --------------------------------------------------------------------------------- */

static csy_status take_bytes(void *user, const uint8_t *bytes, size_t size, csy_error *error)
{
    struct edited *e = user;
    /* The values of the bytes before were read, but a value may have begun in them. */
    enum { KEPT = 64 };
    size_t kept = e->pending_size < KEPT ? e->pending_size : KEPT;
    size_t done = e->pending_size - kept;
    outfile_write(e->out, e->pending, done);
    memmove(e->pending, e->pending + done, kept);
    e->pending_size = kept;
    e->pending_at += done;
    if (!ARRAY_RESERVE(e->pending, e->pending_capacity, kept + size))
        return error_memory(error);
    memcpy(e->pending + kept, bytes, size);
    e->pending_size += size;
    return outfile_failed(e->out) ? CSY_IO : CSY_OK;
}

/* Write all bytes before an offset, and leave out all up to another one. */
static void copy_until(struct edited *e, uint64_t before, uint64_t after)
{
    size_t used = (size_t)(after - e->pending_at);
    outfile_write(e->out, e->pending, (size_t)(before - e->pending_at));
    memmove(e->pending, e->pending + used, e->pending_size - used);
    e->pending_size -= used;
    e->pending_at = after;
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

/* Replace the value that was just read by a number in the unit of the format. */
static void put_time(struct edited *e, const struct json_value *value, int64_t units)
{
    char text[NUMBER_DIGITS_MAX + 3], *at = text;
    uint64_t end = json_end(&e->json), begin = end;
    bool quoted = value->kind == JSON_STRING;
    if (quoted) { /* escapes make it longer than its text */
        for (begin -= 2; e->pending[begin - e->pending_at] != '"'; begin--) {
        }
        *at++ = '"';
    } else {
        begin -= value->size;
    }
    at = number_put(at, units);
    if (quoted)
        *at++ = '"';
    copy_until(e, begin, end);
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

/* --- Fields ---------------------------------------------------------------------------------- */

static csy_status begin_span(struct edited *e, csy_error *error)
{
    csy_event event;
    bool more = true;
    if (e->item >= e->items->count)
        return trace_refuse_changed(e->sync->trace, error);
    e->span = &e->items->all[e->item++];
    e->has_attributes = e->any_attribute = false;
    if (e->span->flags & SPAN_UNTIMED) {
        e->span = NULL;
        return CSY_OK;
    }
    for (unsigned parts = items_parts(e->items, e->item - 1); parts > 0; parts--) {
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
    if (value->what == SPAN_DURATION) {
        put_time(e, value, unit_of(e, e->end_ticks) - unit_of(e, e->begin_ticks));
        return CSY_OK;
    }
    if (ticks == 0) /* no time */
        return CSY_OK;
    csy_status status = correct(e, ticks, &ticks, error);
    if (!status)
        put_time(e, value, unit_of(e, ticks));
    return status;
}

static csy_status take(void *user, const struct json_value *value, csy_error *error)
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
        return value->kind == JSON_NUMBER || value->kind == JSON_STRING
                   ? take_time(e, value, error)
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

csy_status edited_write(struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out,
                        csy_error *error)
{
    const struct thread *reference = &sync->survey.threads.items[sync->reference];
    struct edited e = {.sync = sync,
                       .items = &json_trace_of(trace)->items,
                       .out = out,
                       .format = trace->source->format,
                       .decimals = spans_decimals(trace->source->format)};
    e.origin_ticks =
        placement_of(sync, sync->reference, reference->first_ticks) - reference->first_ticks;
    e.json = (struct json_reading){
        .name = trace->name, .take = take, .bytes = take_bytes, .user = &e};
    e.json.root = spans_root(e.format, &e.json.root_what);
    csy_status status = csy_events_open(sync, &e.events, error);
    if (status)
        return status;
    bytes_rewind(trace->bytes);
    status = json_read(trace->bytes, &e.json, error);
    if (!status && e.item != e.items->count)
        status = trace_refuse_changed(trace, error);
    if (status == CSY_IO && outfile_failed(out))
        status = CSY_OK; /* outfile_complete reports the failed write */
    if (!status)
        outfile_write(out, e.pending, e.pending_size);
    csy_events_free(e.events);
    free(e.pending);
    return status;
}
