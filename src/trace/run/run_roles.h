/* What records of a run order. */
#ifndef TRACE_RUN_RUN_ROLES_H
#define TRACE_RUN_RUN_ROLES_H

#include "trace/event.h"
#include "trace/pex/record.h"

/* What is left in a run of what the record's type says; texts are those of `said`. */
struct event_roles run_roles(const struct record *record, const struct event_roles *said);

#endif
