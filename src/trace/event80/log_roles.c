/* What records of event80 say of order. */
#include "trace/event80/log_roles.h"

#include "base/error.h"
#include "base/put.h"
#include "trace/pex/record_roles.h"

#include <stdlib.h>

/* As a record of a .pex: enx, exx, the flag and the data. */
enum { VALUES = 3 + LOG_DATA, IMAGE_BYTES = RECORD_PPE_BYTES + 8 * VALUES, KEY_MAX = 96 };

struct log_roles {
    const struct metadata *metadata;
    struct record_roles *said; /* by the document, or NULL */
    size_t log;
    csy_text context;
    uint64_t self; /* its rank */
    struct event_roles roles;
    char key[KEY_MAX];
};

csy_status log_roles_new(const struct metadata *metadata, struct log_roles **out, csy_error *error)
{
    struct log_roles *roles = calloc(1, sizeof *roles);
    if (!roles)
        return error_memory(error);
    roles->metadata = metadata;
    *out = roles;
    return metadata->orders.count ? record_roles_new(metadata, false, &roles->said, error) : CSY_OK;
}

void log_roles_free(struct log_roles *roles)
{
    if (!roles)
        return;
    record_roles_free(roles->said);
    free(roles);
}

void log_roles_begin(struct log_roles *roles, size_t log, csy_text context)
{
    const struct metadata *m = roles->metadata;
    roles->log = log;
    roles->context = context;
    roles->self = metadata_self(m, true, m->files[log].context, log);
}

/* --- What the document says ----------------------------------------------------------------- */

/* The record as it would be in a .pex of global time, whose stamps are as wide as ours. */
static csy_status read_said(struct log_roles *roles, const struct log_record *record,
                            csy_error *error)
{
    uint8_t image[IMAGE_BYTES] = {0};
    struct named_stamp unused;
    const struct event_roles *said;
    uint8_t *values = image + RECORD_PPE_BYTES;
    store64(values, record->enx);
    store64(values + 8, record->exx);
    store64(values + 16, (uint64_t)(int64_t)record->flag);
    for (size_t i = 0; i < LOG_DATA; i++)
        store64(values + 24 + 8 * i, (uint64_t)(int64_t)record->data[i]);
    const struct record as = {.offset = record->place,
                              .bytes = image,
                              .size = sizeof image,
                              .id = log_type_id(record->type),
                              .npayload = VALUES,
                              .thread = roles->metadata->files[roles->log].context,
                              .spe = true,
                              .interval = record->interval,
                              .stamp = (uint64_t)record->time_ticks,
                              .begin = (uint64_t)record->begin_ticks};
    csy_status status =
        record_roles_read(roles->said, &as, true, roles->log, "", &unused, &said, error);
    roles->roles = *said;
    roles->roles.stream = roles->roles.buffer = (csy_text){NULL, 0}; /* a log is a clock */
    return status;
}

/* --- What it says by itself ----------------------------------------------------------------- */

/* COMMUNICATOR/SENDER>RECEIVER/TAG */
static csy_text name_channel(struct log_roles *roles, const struct log_record *record)
{
    uint64_t partner = (uint64_t)record->data[LOG_PARTNER];
    bool sends = record->type == LOG_MPI_SEND;
    char *at = number_put(roles->key, record->data[LOG_COMMUNICATOR]);
    at = number_put_unsigned(put_text(at, "/"), sends ? roles->self : partner);
    at = number_put_unsigned(put_text(at, ">"), sends ? partner : roles->self);
    at = number_put(put_text(at, "/"), record->data[LOG_TAG]);
    return (csy_text){roles->key, (size_t)(at - roles->key)};
}

bool log_operation_kind(enum log_type type, enum collective_kind *out)
{
    switch (type) {
    case LOG_MPI_ALLREDUCE:
        *out = COLLECTIVE_ALLREDUCE;
        return true;
    case LOG_MPI_REDUCE:
        *out = COLLECTIVE_REDUCE;
        return true;
    case LOG_MPI_BARRIER:
        *out = COLLECTIVE_BARRIER;
        return true;
    case LOG_MPI_BCAST:
        *out = COLLECTIVE_BCAST;
        return true;
    default:
        return false;
    }
}

static void say_collective(struct log_roles *roles, const struct log_record *record,
                           enum collective_kind kind)
{
    char *end = number_put(roles->key, record->data[LOG_COMMUNICATOR]);
    bool nothing = record->data[LOG_BYTES] <= 0;
    roles->roles.members = (csy_text){roles->key, (size_t)(end - roles->key)};
    roles->roles.collective =
        (struct event_collective){.kind = kind,
                                  .enters = true,
                                  .leaves = true,
                                  .gives_nothing = nothing,
                                  .gets_nothing = nothing,
                                  .self = roles->self,
                                  .has_root = record->data[LOG_PARTNER] >= 0,
                                  .root = (uint64_t)record->data[LOG_PARTNER]};
}

static void read_own(struct log_roles *roles, const struct log_record *record)
{
    struct event_roles *out = &roles->roles;
    *out = (struct event_roles){.location = roles->context, .spawned = true, .late = true};
    bool has_partner = record->data[LOG_PARTNER] >= 0;
    enum collective_kind kind;
    switch (record->type) {
    case LOG_MPI_SEND: /* to MPI_PROC_NULL: no message */
        if (has_partner)
            out->send = name_channel(roles, record);
        break;
    case LOG_MPI_RECV: /* from anybody: who it was is not known */
        if (has_partner)
            out->recv = name_channel(roles, record);
        else
            out->lacking = UINT32_C(1) << CSY_END_RECV;
        break;
    default:
        if (log_operation_kind(record->type, &kind))
            say_collective(roles, record, kind);
        break;
    }
}

csy_status log_roles_read(struct log_roles *roles, const struct log_record *record,
                          const struct event_roles **out, csy_error *error)
{
    *out = &roles->roles;
    if (roles->said && type_orders_find(&roles->metadata->orders, log_type_id(record->type)))
        return read_said(roles, record, error);
    read_own(roles, record);
    return CSY_OK;
}
