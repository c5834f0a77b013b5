/* What records of event80 hold, as a reader sees it: NAME=VALUE. */
#ifndef TRACE_EVENT80_LOG_VALUES_H
#define TRACE_EVENT80_LOG_VALUES_H

#include "trace/event80/log.h"
#include "trace/pex/metadata.h"

/* A name of a document is cut where there is no room for it. */
enum { LOG_VALUES_MAX = 1024 };

/* Put into text; by the names that the document gives the fields of the type, where it does.
 * Returns the size. */
size_t log_values_put(const struct metadata *metadata, const struct log_record *record,
                      char text[LOG_VALUES_MAX]);

#endif
