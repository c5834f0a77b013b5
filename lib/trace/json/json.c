/* See json.h. */
#include "trace/json/json.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

/* An open object or array that is not skipped. */
struct frame {
    const struct json_field *field; /* the field with this object or array as value */
    const struct json_object *inside;
    bool array;
};

struct json_reader {
    struct json_reading *reading;
    struct json_field document; /* a field with the whole document as its value */
    yajl_handle yajl;
    struct frame *frames; /* array with room for JSON_DEPTH_MAX frames */
    unsigned depth;
    unsigned skipped;               /* number of open objects and arrays in a skipped value; 0 if no
                                     * value is skipped */
    const struct json_field *field; /* field of the next value in an object, or NULL to skip this
                                     * value */
    uint64_t chunk;                 /* offset in the file of the bytes that yajl parses */
    uint64_t last_end;              /* end offset of the last chunk where a value ended */
    uint64_t whole;                 /* offset after the last document that is complete, or 0 */
    bool keyed, known; /* true if the top level has keys; true if the format knows one of them */
    bool ended;        /* true if a value ended in the bytes that yajl parses */
    csy_status status;
    csy_error *error;
};

static const struct json_field *next_field(const struct json_reader *r)
{
    if (r->depth == 0)
        return &r->document;
    return r->frames[r->depth - 1].array ? r->frames[r->depth - 1].field : r->field;
}

static int take(struct json_reader *r, const struct json_field *field, enum json_kind kind,
                const char *text, size_t size)
{
    const struct json_value value = {kind, field->what, text, size, r->depth};
    r->status = r->reading->take(r->reading->user, &value, r->error);
    return !r->status && !r->reading->stop;
}

static int take_scalar(struct json_reader *r, enum json_kind kind, const char *text, size_t size)
{
    const struct json_field *field;
    r->ended = true;
    if (r->skipped > 0 || !(field = next_field(r)))
        return 1;
    if (size > JSON_TEXT_MAX) {
        r->status =
            error_set(r->error, CSY_INPUT, "a string of more than %d MiB", JSON_TEXT_MAX >> 20);
        return 0;
    }
    return take(r, field, kind, text, size);
}

static int take_null(void *user)
{
    return take_scalar(user, JSON_NULL, "null", 4);
}

static int take_bool(void *user, int value)
{
    return value ? take_scalar(user, JSON_BOOL, "true", 4)
                 : take_scalar(user, JSON_BOOL, "false", 5);
}

static int take_number(void *user, const char *text, size_t size)
{
    return take_scalar(user, JSON_NUMBER, text, size);
}

static int take_string(void *user, const unsigned char *text, size_t size)
{
    return take_scalar(user, JSON_STRING, (const char *)text, size);
}

static int take_key(void *user, const unsigned char *text, size_t size)
{
    struct json_reader *r = user;
    const char *key = (const char *)text;
    r->ended = true;
    if (r->skipped > 0)
        return 1;
    const struct json_object *object = r->frames[r->depth - 1].inside;
    r->field = NULL;
    if (object->nfields > 0 && !object->fields[0].name) {
        r->field = &object->fields[0];
        return take(r, r->field, JSON_KEY, key, size);
    }
    for (size_t i = 0; i < object->nfields && !r->field; i++) {
        const char *name = object->fields[i].name;
        if (size > 0 && name[0] == key[0] && strlen(name) == size && memcmp(name, key, size) == 0)
            r->field = &object->fields[i];
    }
    if (r->frames[r->depth - 1].field == &r->document) {
        r->keyed = true;
        r->known |= r->field != NULL;
    }
    return 1;
}

static int open_frame(struct json_reader *r, bool array)
{
    const struct json_field *field = r->skipped > 0 ? NULL : next_field(r);
    const struct json_object *inside = field ? field->inside : NULL;
    r->ended = true;
    if (r->depth + r->skipped >= JSON_DEPTH_MAX) {
        r->status = error_set(r->error, CSY_INPUT,
                              "objects and arrays are nested more than %d deep", JSON_DEPTH_MAX);
        return 0;
    }
    if (r->skipped > 0 || !field || !inside) {
        r->skipped++;
        return 1;
    }
    if (r->depth == 0)
        r->keyed = r->known = false;
    int more = take(r, field, array ? JSON_ARRAY : JSON_OBJECT, "", 0);
    r->frames[r->depth++] = (struct frame){field, inside, array};
    r->field = NULL;
    return more;
}

static int open_object(void *user)
{
    return open_frame(user, false);
}

static int open_array(void *user)
{
    return open_frame(user, true);
}

static int close_any(void *user)
{
    struct json_reader *r = user;
    r->ended = true;
    if (r->skipped > 0) {
        r->skipped--;
        return 1;
    }
    const struct frame frame = r->frames[--r->depth];
    if (r->depth == 0) {
        r->reading->foreign += r->keyed && !r->known;
        r->whole = r->chunk + yajl_get_bytes_consumed(r->yajl);
    }
    return take(r, frame.field, frame.array ? JSON_ARRAY_END : JSON_OBJECT_END, "", 0);
}

uint64_t json_end(const struct json_reading *reading)
{
    const struct json_reader *r = reading->reader;
    return r->chunk + yajl_get_bytes_consumed(r->yajl);
}

/* Add the file and the offset to the message of an error CSY_INPUT. Returns `status`. */
static csy_status refuse(const struct json_reader *r, uint64_t offset, csy_status status)
{
    return status == CSY_INPUT
               ? error_prefix(r->error, status, "%s: offset %" PRIu64, r->reading->name, offset)
               : status;
}

static csy_status read_chunk(struct json_reader *r, const uint8_t *bytes, size_t size)
{
    struct json_reading *reading = r->reading;
    if (reading->bytes) {
        csy_status status = reading->bytes(reading->user, bytes, size, r->error);
        if (status)
            return status;
    }
    yajl_status yajl = yajl_parse(r->yajl, bytes, size);
    uint64_t at = r->chunk + yajl_get_bytes_consumed(r->yajl);
    if (yajl == yajl_status_client_canceled)
        return reading->stop ? CSY_OK : refuse(r, at, r->status);
    if (yajl == yajl_status_ok)
        return CSY_OK;
    unsigned char *why = yajl_get_error(r->yajl, 0, NULL, 0);
    if (!why)
        return error_memory(r->error);
    error_set(r->error, CSY_INPUT, "this is not JSON: %.*s", (int)strcspn((const char *)why, "\n"),
              (const char *)why);
    yajl_free_error(r->yajl, why);
    return refuse(r, at, CSY_INPUT);
}

/* Check that the last value is complete at the end of the stream. */
static csy_status finish(struct json_reader *r)
{
    struct json_reading *reading = r->reading;
    if (reading->open_ended && r->depth == 1 && r->frames[0].array && r->skipped == 0) {
        reading->ended_open = true;
        return CSY_OK;
    }
    yajl_status yajl = yajl_complete_parse(r->yajl);
    if (yajl == yajl_status_ok)
        return CSY_OK;
    if (yajl == yajl_status_client_canceled)
        return reading->stop ? CSY_OK : refuse(r, r->chunk, r->status);
    if (r->whole > 0)
        error_set(r->error, CSY_INPUT,
                  "the JSON is cut off, and --salvage does not support JSON; to read the documents "
                  "that are complete, keep only the first %" PRIu64 " bytes",
                  r->whole);
    else
        error_set(r->error, CSY_INPUT, "the JSON is cut off, and --salvage does not support JSON");
    return refuse(r, r->chunk, CSY_INPUT);
}

csy_status json_read(struct bytes *bytes, struct json_reading *reading, csy_error *error)
{
    static const yajl_callbacks calls = {.yajl_null = take_null,
                                         .yajl_boolean = take_bool,
                                         .yajl_number = take_number,
                                         .yajl_string = take_string,
                                         .yajl_map_key = take_key,
                                         .yajl_start_map = open_object,
                                         .yajl_end_map = close_any,
                                         .yajl_start_array = open_array,
                                         .yajl_end_array = close_any};
    struct json_reader r = {
        .reading = reading, .document = {NULL, reading->root_what, reading->root}, .error = error};
    r.frames = malloc(JSON_DEPTH_MAX * sizeof *r.frames);
    r.yajl = r.frames ? yajl_alloc(&calls, NULL, &r) : NULL;
    if (!r.yajl || !yajl_config(r.yajl, yajl_allow_multiple_values, 1)) {
        if (r.yajl)
            yajl_free(r.yajl);
        free(r.frames);
        return error_memory(error);
    }
    /* cppcheck-suppress autoVariables ; it is reset at the end */
    reading->reader = &r;
    csy_status status = CSY_OK;
    for (bool first = true; !status && !reading->stop; first = false) {
        const uint8_t *at;
        size_t have;
        status = bytes_peek(bytes, first ? 3 : 1, &at, &have, error);
        if (status || have == 0) {
            status = status ? status : finish(&r);
            break;
        }
        if (first && have >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
            bytes_skip(bytes, 3);
            r.chunk = 3;
            if (reading->bytes)
                status = reading->bytes(reading->user, at, 3, error);
            continue;
        }
        status = read_chunk(&r, at, have);
        bytes_skip(bytes, have);
        r.chunk += have;
        r.last_end = r.ended ? r.chunk : r.last_end;
        r.ended = false;
        if (!status && r.chunk - r.last_end > JSON_TEXT_MAX + (uint64_t)have)
            status = refuse(
                &r, r.last_end,
                error_set(error, CSY_INPUT, "a value of more than %d MiB", JSON_TEXT_MAX >> 20));
    }
    yajl_free(r.yajl);
    free(r.frames);
    reading->reader = NULL;
    return status;
}

csy_status json_refuse(const struct json_value *value, const char *field, const char *want,
                       csy_error *error)
{
    static const char *const kinds[] = {[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array"};
    char text[ERROR_ESCAPED_MAX];
    bool scalar = value->kind != JSON_OBJECT && value->kind != JSON_ARRAY;
    return error_set(error, CSY_INPUT, "%s: expected %s, found '%s'", field, want,
                     scalar ? error_escape(text, value->text, value->size) : kinds[value->kind]);
}

csy_status json_take_time(const struct json_value *value, const char *field, const char *unit,
                          unsigned decimals, bool *has, int64_t *ticks, csy_error *error)
{
    char want[64];
    bool exact;
    *has = value->kind != JSON_NULL;
    if (!*has || ((value->kind == JSON_NUMBER || value->kind == JSON_STRING) &&
                  json_ticks(value->text, value->size, decimals, ticks, &exact)))
        return CSY_OK;
    snprintf(want, sizeof want, "%s of at most 64 bits", unit);
    return json_refuse(value, field, want, error);
}

bool json_ticks(const char *text, size_t size, unsigned decimals, int64_t *ticks, bool *exact)
{
    const char *at = text, *end = text + size;
    bool negative = at < end && *at == '-', point = false, any = false;
    uint128 digits = 0;
    int64_t scale = decimals; /* the value is digits * 10^scale ticks */
    *exact = true;
    /* The first 18 digits fit into 64 bits, and most numbers have no more digits. */
    uint64_t few = 0;
    const char *few_end = end - at <= 18 ? end : at + 18;
    for (at += negative; at < few_end; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (*at < '0' || *at > '9')
            break;
        any = true;
        few = few * 10 + (unsigned)(*at - '0');
        scale -= point;
    }
    digits = few;
    for (; at < end; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (*at < '0' || *at > '9')
            break;
        any = true;
        if (digits < (uint128)INT64_MAX * INT64_MAX / 100) {
            digits = digits * 10 + (unsigned)(*at - '0');
            scale -= point;
        } else { /* This digit is far below a tick, or the time exceeds 64 bits anyway. */
            *exact &= *at == '0';
            scale += !point;
        }
    }
    if (any && at < end && (*at == 'e' || *at == 'E')) {
        bool minus = ++at < end && *at == '-';
        int64_t exponent = 0;
        at += at < end && (*at == '-' || *at == '+');
        for (any = false; at < end && *at >= '0' && *at <= '9'; at++, any = true)
            exponent = exponent < 100000 ? exponent * 10 + (*at - '0') : exponent;
        scale += minus ? -exponent : exponent;
    }
    if (!any || at < end)
        return false;
    for (; scale > 0 && digits > 0; scale--) {
        if (digits > (uint128)INT64_MAX)
            return false;
        digits *= 10;
    }
    for (; scale < 0 && digits > 0; scale++) {
        *exact &= digits % 10 == 0;
        digits /= 10;
    }
    digits += negative && !*exact;
    if (digits > (uint128)INT64_MAX)
        return false;
    *ticks = negative ? -(int64_t)digits : (int64_t)digits;
    return true;
}
