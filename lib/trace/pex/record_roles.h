/* Finds what records do in the order of events (their roles, such as send or recv), for a .pex
 * without a total order of records. */
#ifndef TRACE_PEX_RECORD_ROLES_H
#define TRACE_PEX_RECORD_ROLES_H

#include "trace/pex/metadata.h"
#include "trace/pex/record.h"

struct record_roles;

enum { ID_BUFFER_FLUSH = 0x0900 };

/* Make *out; `metadata` must outlive it. If `flushes` is true, records BUFFER_FLUSH end blocks. */
csy_status record_roles_new(const struct metadata *metadata, bool flushes,
                            struct record_roles **out, csy_error *error);
void record_roles_free(struct record_roles *roles);

void record_roles_rewind(struct record_roles *roles);

/* Read the roles (constraints on the order of events) of the next record, in the file number
 * `file`. Texts in *out are valid until the next record. In *stamp, only begin and time are set.
 * Returns CSY_INPUT if a record BUFFER_FLUSH gives a wrong number of records. */
csy_status record_roles_read(struct record_roles *roles, const struct record *record, bool global,
                             size_t file, const char *name, struct named_stamp *stamp,
                             const struct event_roles **out, csy_error *error);

/* Like record_roles_read, but leaves out the event's location, buffer, and block. The caller may
 * change *out. */
csy_status record_roles_of_run(struct record_roles *roles, const struct record *record,
                               const char *name, struct event_roles **out, csy_error *error);

/* Count a record. Returns CSY_INPUT if it is a BUFFER_FLUSH with a wrong number of records. */
csy_status record_roles_check_block(struct record_roles *roles, const struct record *record,
                                    const char *name, csy_error *error);

#endif
