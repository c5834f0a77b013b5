/* The roles of records of a .pex in partial order: their constraints on the order. */
#ifndef TRACE_PEX_RECORD_ROLES_H
#define TRACE_PEX_RECORD_ROLES_H

#include "trace/pex/metadata.h"
#include "trace/pex/record.h"

struct record_roles;

enum { ID_BUFFER_FLUSH = 0x0900 };

/* metadata must outlive the result. flushes: if records are ordered by blocks, each block ends with
 * a record BUFFER_FLUSH. */
csy_status record_roles_new(const struct metadata *metadata, bool flushes,
                            struct record_roles **out, csy_error *error);
void record_roles_free(struct record_roles *roles);

/* Prepare for a pass over all records. */
void record_roles_rewind(struct record_roles *roles);

/* Read the roles of the next record. name is the file that contains the record. Texts in *out are
 * valid until the next record. *stamp gets the begin and the time of the record; they are used only
 * by items between these times. CSY_INPUT if the number of records that a flush states is wrong. */
csy_status record_roles_read(struct record_roles *roles, const struct record *record, bool global,
                             size_t file, const char *name, struct named_stamp *stamp,
                             const struct event_roles **out, csy_error *error);

/* Read the roles of the next record of a run. *out contains no location, buffer, or block. The
 * number of records that a flush states is checked. The caller may change *out. */
csy_status record_roles_of_run(struct record_roles *roles, const struct record *record,
                               const char *name, struct event_roles **out, csy_error *error);

/* Check only the number of records that a flush states. */
csy_status record_roles_check_block(struct record_roles *roles, const struct record *record,
                                    const char *name, csy_error *error);

#endif
