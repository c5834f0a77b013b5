/* Finds the roles of records, for a .pex in partial order. */
#ifndef TRACE_PEX_RECORD_ROLES_H
#define TRACE_PEX_RECORD_ROLES_H

#include "trace/pex/metadata.h"
#include "trace/pex/record.h"

struct record_roles;

enum { ID_BUFFER_FLUSH = 0x0900 };

/* Make *out, which `metadata` must outlive. `flushes` is true if blocks of records end with
 * BUFFER_FLUSH. */
csy_status record_roles_new(const struct metadata *metadata, bool flushes,
                            struct record_roles **out, csy_error *error);
void record_roles_free(struct record_roles *roles);

/* Prepare for a new pass over the records. */
void record_roles_rewind(struct record_roles *roles);

/* Read the roles of the next record, which is in the file `name`. Texts in *out are valid until the
 * next record. *stamp gets only the begin and the time of the record. Returns CSY_INPUT if a flush
 * states a wrong number of records. */
csy_status record_roles_read(struct record_roles *roles, const struct record *record, bool global,
                             size_t file, const char *name, struct named_stamp *stamp,
                             const struct event_roles **out, csy_error *error);

/* Read the roles of the next record of a run, except location, buffer, and block. If the record is
 * a flush, its number of records is checked. The caller may change *out. */
csy_status record_roles_of_run(struct record_roles *roles, const struct record *record,
                               const char *name, struct event_roles **out, csy_error *error);

/* Check the number of records that a flush states. Other records are only counted. */
csy_status record_roles_check_block(struct record_roles *roles, const struct record *record,
                                    const char *name, csy_error *error);

#endif
