/*
 * What records of event80 say of order: messages and collective operations of MPI, unless the
 * document gives a type roles of its own.  pex(5), Event logs.
 */
#ifndef TRACE_EVENT80_LOG_ROLES_H
#define TRACE_EVENT80_LOG_ROLES_H

#include "trace/event.h"
#include "trace/event80/log.h"
#include "trace/pex/metadata.h"

struct log_roles;

/* metadata must outlive it. */
csy_status log_roles_new(const struct metadata *metadata, struct log_roles **out, csy_error *error);
void log_roles_free(struct log_roles *roles);

/* Records of the log with this number follow, of the context of this name, which must stay. */
void log_roles_begin(struct log_roles *roles, size_t log, csy_text context);

/* What the record says; texts of *out hold until the next one. */
csy_status log_roles_read(struct log_roles *roles, const struct log_record *record,
                          const struct event_roles **out, csy_error *error);

/* What a record of this type is by itself; false: no collective operation. */
bool log_operation_kind(enum log_type type, enum collective_kind *out);

/* The id that a record of this type has in a .pex. */
static inline uint16_t log_type_id(enum log_type type)
{
    return (uint16_t)(type << 8 | 0x0b);
}

#endif
