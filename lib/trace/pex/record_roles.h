/* Roles of records of a .pex in partial order. */
#ifndef TRACE_PEX_RECORD_ROLES_H
#define TRACE_PEX_RECORD_ROLES_H

#include "trace/pex/metadata.h"
#include "trace/pex/record.h"

struct record_roles;

enum { ID_BUFFER_FLUSH = 0x0900 };

/* metadata must outlive it; flushes: where records have their places by blocks, these end with
 * BUFFER_FLUSH. */
csy_status record_roles_new(const struct metadata *metadata, bool flushes,
                            struct record_roles **out, csy_error *error);
void record_roles_free(struct record_roles *roles);

/* A pass over the records begins. */
void record_roles_rewind(struct record_roles *roles);

/* Read the roles of the next record, which is in the file called name.  Texts of *out are valid
 * until the next record.  *stamp gets its begin and its time, only for items between them.
 * CSY_INPUT if a flush counts other records than there are. */
csy_status record_roles_read(struct record_roles *roles, const struct record *record, bool global,
                             size_t file, const char *name, struct named_stamp *stamp,
                             const struct event_roles **out, csy_error *error);

/* Read the next record of a run.  *out gets no location, buffer, or block; the number of records in
 * a flush is checked.  The caller may change *out. */
csy_status record_roles_of_run(struct record_roles *roles, const struct record *record,
                               const char *name, struct event_roles **out, csy_error *error);

#endif
