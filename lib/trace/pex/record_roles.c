/* See record_roles.h. */
#include "trace/pex/record_roles.h"

#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "base/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 24, LOCATIONS_MAX = 64 };

#define BIT(end) (UINT32_C(1) << (end))
#define KEYED                                                                                      \
    (BIT(CSY_END_SEND) | BIT(CSY_END_RECV) | BIT(CSY_END_ENTER) | BIT(CSY_END_LEAVE) |             \
     BIT(CSY_END_POST) | BIT(CSY_END_WAIT) | BIT(CSY_END_RELEASE) | BIT(CSY_END_ACQUIRE))

/* The key of all events with a type that names no fields for a key. */
static const char the_only[] = "all";

/* The state of a thread or context (a writer) that has records in a file. */
struct block_writer {
    uint64_t block; /* number of the current block */
    uint64_t records;
};

struct writer_key {
    uint64_t file;
    uint32_t thread, spe;
};

struct record_roles {
    const struct metadata *metadata;
    bool flushes;
    struct texts writer_names; /* maps the bytes of each writer's struct writer_key to an index */
    struct block_writer *writers;
    size_t writers_capacity;
    uint32_t last_writer;
    struct writer_key last_key;
    char block[NUMBER_MAX];
    struct event_roles roles;
    bool said; /* true if the last record set `roles`, so that the next one must clear it */
    char location[LOCATIONS_MAX];
    char lives[LOCATIONS_MAX];
    char *key, *same;            /* key: text of the key of a message, group, or lock; same: key
                                  * that events at the same moment share */
    const struct record *record; /* the last record */
    const uint8_t *payload;
    uint64_t self; /* rank of the record's writer */
    bool lacks;    /* true if the record ended before a field that was read */
};

csy_status record_roles_new(const struct metadata *metadata, bool flushes,
                            struct record_roles **out, csy_error *error)
{
    struct record_roles *roles = calloc(1, sizeof *roles);
    size_t size = (size_t)metadata->orders.nmatch_most * NUMBER_MAX + sizeof the_only;
    if (roles) {
        roles->key = malloc(size);
        roles->same = malloc(size);
    }
    if (!roles || !roles->key || !roles->same) {
        record_roles_free(roles);
        return error_memory(error);
    }
    roles->metadata = metadata;
    roles->flushes = flushes;
    roles->last_writer = NO_TEXT;
    roles->said = true; /* so that `roles` is cleared before its first use */
    *out = roles;
    return CSY_OK;
}

void record_roles_rewind(struct record_roles *roles)
{
    for (size_t i = 0; i < roles->writer_names.count; i++)
        roles->writers[i] = (struct block_writer){0};
    roles->last_writer = NO_TEXT;
}

void record_roles_free(struct record_roles *roles)
{
    if (!roles)
        return;
    texts_fini(&roles->writer_names);
    FREE_ALL(roles->writers, roles->key, roles->same, roles);
}

static uint64_t value(struct record_roles *r, uint32_t field)
{
    if (field == FIELD_SELF)
        return r->self;
    if (field >= r->record->npayload) {
        r->lacks = true;
        return 0;
    }
    return load64(r->payload + 8 * (size_t)field);
}

/* Set *block to the number of the record's block (records that its thread wrote to the buffer at
 * once). If records BUFFER_FLUSH end blocks, *flush is true for such a record. Otherwise, a block
 * ends after block_records records, or when another thread writes. */
static csy_status take_block(struct record_roles *r, size_t file, const char *name, uint64_t *block,
                             bool *flush, csy_error *error)
{
    const struct record *record = r->record;
    uint64_t most = r->metadata->block_records;
    uint32_t number = r->last_writer;
    const struct writer_key key = {file, record->thread, record->spe};
    if (number == NO_TEXT || memcmp(&r->last_key, &key, sizeof key) != 0) {
        bool added;
        r->last_key = key;
        if (!texts_find(&r->writer_names, (const char *)&key, sizeof key, &number, &added) ||
            !ARRAY_RESERVE(r->writers, r->writers_capacity, r->writer_names.count))
            return error_memory(error);
        if (added)
            r->writers[number] = (struct block_writer){0};
    }
    struct block_writer *writer = &r->writers[number];
    bool begins =
        !r->flushes && writer->records > 0 && (number != r->last_writer || writer->records == most);
    if (begins)
        *writer = (struct block_writer){.block = writer->block + 1};
    r->last_writer = number;
    *block = writer->block;
    *flush = r->flushes && record->id == ID_BUFFER_FLUSH;
    if (*flush) {
        uint64_t counted = record->npayload ? load64(r->payload) : 0, found = writer->records;
        if (record->npayload == 0)
            return error_offset(error, name, record->offset,
                                "BUFFER_FLUSH has no payload, expected the number of records");
        if (counted != found)
            return error_offset(error, name, record->offset,
                                "BUFFER_FLUSH gives %" PRIu64 " records, but only %" PRIu64
                                " precede%s it",
                                counted, found, found == 1 ? "s" : "");
        *writer = (struct block_writer){.block = writer->block + 1};
        return CSY_OK;
    }
    writer->records++;
    return CSY_OK;
}

static bool read_number(struct record_roles *r, const struct said_number *said, uint64_t *out)
{
    *out = said->field == FIELD_NONE ? said->value : value(r, said->field);
    return said->is_there && !r->lacks;
}

/* Write a key that consists of the values of n fields, such as "3/4". */
static csy_text read_key(struct record_roles *r, uint32_t first, uint32_t n, char *text)
{
    const uint32_t *fields = r->metadata->orders.fields;
    char *at = text;
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            *at++ = '/';
        at = number_put_unsigned(at, value(r, fields[first + i]));
    }
    if (n == 0)
        at = put_text(at, the_only);
    return (csy_text){text, (size_t)(at - text)};
}

static bool read_ticks(struct record_roles *r, const struct said_number *said, int64_t *out)
{
    uint64_t number;
    bool has = read_number(r, said, &number);
    *out = !has ? 0 : number > INT64_MAX ? INT64_MAX : (int64_t)number;
    return has;
}

static void read_keyed(struct record_roles *r, const struct type_order *order)
{
    struct event_roles *out = &r->roles;
    csy_text key = read_key(r, order->match, order->nmatch, r->key);
    out->has_turn = order->turn != FIELD_NONE;
    if (out->has_turn)
        out->turn = value(r, order->turn);
    out->has_latency = read_ticks(r, &order->latency, &out->latency_ticks);
    read_number(r, &order->capacity, &out->capacity);
    if (order->roles & (BIT(CSY_END_ENTER) | BIT(CSY_END_LEAVE))) {
        out->collective = (struct event_collective){.kind = order->kind,
                                                    .enters = order->roles & BIT(CSY_END_ENTER),
                                                    .leaves = order->roles & BIT(CSY_END_LEAVE),
                                                    .self = r->self,
                                                    .has_instance = order->instance != FIELD_NONE,
                                                    .has_root = order->root != FIELD_NONE};
        if (order->instance != FIELD_NONE)
            out->collective.instance = value(r, order->instance);
        if (order->root != FIELD_NONE)
            out->collective.root = value(r, order->root);
        if (order->sent != FIELD_NONE) {
            out->collective.gives_nothing = value(r, order->sent) == 0;
            out->collective.gets_nothing = value(r, order->received) == 0;
        }
    }
    if (r->lacks) {
        out->lacking |= order->roles & KEYED;
        return;
    }
    csy_text *const texts[CSY_END_ACQUIRE + 1] = {
        [CSY_END_SEND] = &out->send,       [CSY_END_RECV] = &out->recv,
        [CSY_END_ENTER] = &out->members,   [CSY_END_LEAVE] = &out->members,
        [CSY_END_POST] = &out->post,       [CSY_END_WAIT] = &out->wait,
        [CSY_END_RELEASE] = &out->release, [CSY_END_ACQUIRE] = &out->acquire};
    for (unsigned i = 0; i <= CSY_END_ACQUIRE; i++)
        if (texts[i] && order->roles >> i & 1)
            *texts[i] = key;
    out->sync = order->sync;
}

static void read_lives(struct record_roles *r, uint32_t roles, uint32_t field, bool context)
{
    struct event_roles *out = &r->roles;
    uint32_t living = roles & (BIT(CSY_END_SPAWN) | BIT(CSY_END_JOIN));
    if (!living)
        return;
    r->lacks = false;
    uint64_t number = value(r, field);
    char *text = r->lives, *end = put_unsigned(text, "spe", number);
    if (!context)
        end = put_unsigned(end, " tid", number);
    csy_text life = {text, (size_t)(end - text)};
    if (r->lacks)
        out->lacking |= living;
    else if (living & BIT(CSY_END_SPAWN))
        out->spawn = life;
    if (!r->lacks && living & BIT(CSY_END_JOIN))
        out->join = life;
}

/* Set the members of r->roles that depend only on the type and the payload of the record. */
static void read_roles(struct record_roles *r, const struct record *record, bool global,
                       size_t file)
{
    const struct metadata *m = r->metadata;
    const struct type_order *order = type_orders_find(&m->orders, record->id);
    uint32_t usual = order || record->spe            ? 0
                     : record->id == ID_THREAD_START ? BIT(CSY_END_SPAWN)
                     : record->id == ID_THREAD_STOP  ? BIT(CSY_END_JOIN)
                                                     : 0;
    struct event_roles *out = &r->roles;
    r->record = record;
    r->payload = record_payload(record, global);
    r->lacks = false;
    if (r->said) /* clear the roles only if necessary, because few records have roles */
        *out = (struct event_roles){.spawned = true};
    r->said = order || usual;
    out->late = !order || !order->before;
    if (!order) {
        read_lives(r, usual, 0, true);
        return;
    }
    r->self = metadata_self(m, record->spe, record->thread, file);
    if (order->roles & KEYED)
        read_keyed(r, order);
    read_lives(r, order->roles, order->thread, false);
    if (!m->orders.limit)
        return;
    /* If the record ends before a field that limits times, omit this limit. Bounds remain valid. */
    r->lacks = false;
    out->has_latency_max = read_ticks(r, &order->latency_max, &out->latency_max_ticks);
    r->lacks = false;
    read_ticks(r, &order->within, &out->within_ticks);
    if (order->nsame > 0)
        out->same = read_key(r, order->same, order->nsame, r->same);
    if (r->lacks)
        out->same.size = 0;
    uint64_t other = order->other_time == FIELD_NONE ? 0 : value(r, order->other_time);
    if (order->other_time == FIELD_NONE || r->lacks)
        return;
    out->other_clock = (csy_text){EVENT_PPE, strlen(EVENT_PPE)};
    out->other_ticks = other > INT64_MAX ? INT64_MAX : (int64_t)other;
}

csy_status record_roles_read(struct record_roles *roles, const struct record *record, bool global,
                             size_t file, const char *name, struct named_stamp *stamp,
                             const struct event_roles **out, csy_error *error)
{
    const struct metadata *m = roles->metadata;
    const char *buffer = m->files[file].buffer;
    struct event_roles *own = &roles->roles;
    uint64_t block;
    bool flush;
    *out = own;
    read_roles(roles, record, global, file);
    /* The record of a switch belongs to the context that was switched. But in a trace with blocks,
     * it may be written much later, so it belongs to its writer. */
    char *end, *text = roles->location;
    if (record_is_switch(record) && m->granularity != GRANULARITY_BLOCK)
        end = put_unsigned(text, "spe", load64(roles->payload));
    else
        end = put_unsigned(text, record->spe ? "spe" : "tid", record->thread);
    own->location = (csy_text){text, (size_t)(end - text)};
    if (m->granularity != GRANULARITY_THREAD)
        own->buffer = (csy_text){buffer, strlen(buffer)};
    if (m->nfiles > 1)
        own->stream = (csy_text){buffer, strlen(buffer)};
    /* On an SPE, the clock (decrementer) has only 32 bits, so the begin is given relative to the
     * end. On the PPE, the begin may be any 64-bit value, because the traced program sets it. */
    *stamp = (struct named_stamp){.interval = record->interval};
    if (record->interval && record->spe && !global) {
        stamp->begin_ticks = -record_interval_ticks(record);
    } else if (record->interval) {
        bool raw = !record->spe && record->begin > INT64_MAX;
        stamp->time_ticks = (int64_t)record->stamp;
        stamp->begin_ticks = raw ? INT64_MAX : (int64_t)record->begin;
    }
    if (m->granularity != GRANULARITY_BLOCK)
        return CSY_OK;
    csy_status status = take_block(roles, file, name, &block, &flush, error);
    if (status)
        return status;
    end = number_put_unsigned(roles->block, block);
    own->block_number = block;
    own->block = (csy_text){roles->block, (size_t)(end - roles->block)};
    own->flush = flush ? FLUSH_ITSELF : FLUSH_NONE;
    own->alone = flush && m->block_after == BLOCK_AFTER_BLOCK;
    roles->said |= flush;
    if (flush && stamp->interval && stamp->begin_ticks < stamp->time_ticks)
        own->flush_lo = stamp->begin_ticks - stamp->time_ticks;
    return CSY_OK;
}

csy_status record_roles_check_block(struct record_roles *roles, const struct record *record,
                                    const char *name, csy_error *error)
{
    uint64_t block;
    bool flush;
    roles->record = record;
    roles->payload = record_payload(record, false);
    return roles->metadata->granularity == GRANULARITY_BLOCK
               ? take_block(roles, 0, name, &block, &flush, error)
               : CSY_OK;
}

csy_status record_roles_of_run(struct record_roles *roles, const struct record *record,
                               const char *name, struct event_roles **out, csy_error *error)
{
    *out = &roles->roles;
    read_roles(roles, record, false, 0);
    return record_roles_check_block(roles, record, name, error);
}
