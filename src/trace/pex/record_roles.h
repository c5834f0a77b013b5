/* What records of a .pex in partial order say of it. */
#ifndef TRACE_PEX_RECORD_ROLES_H
#define TRACE_PEX_RECORD_ROLES_H

#include "trace/pex/metadata.h"
#include "trace/pex/record.h"

struct record_roles;

/* metadata must outlive it. */
csy_status record_roles_new(const struct metadata *metadata, struct record_roles **out,
                            csy_error *error);
void record_roles_free(struct record_roles *roles);

/* What a record says, which is in that file: texts hold until the next one.  *stamp gets its begin
 * and its time, for what is between them only. */
const struct event_roles *record_roles_read(struct record_roles *roles, const struct record *record,
                                            bool global, size_t file, struct named_stamp *stamp);

#endif
