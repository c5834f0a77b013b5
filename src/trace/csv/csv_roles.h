/* What a row of a CSV in partial order says of that. */
#ifndef TRACE_CSV_CSV_ROLES_H
#define TRACE_CSV_CSV_ROLES_H

#include "trace/csv/csv.h"

/* Texts hold until the next row. */
csy_status csv_read_roles(struct csv_reader *reader, const struct csv_row *row,
                          struct event_roles *out, csy_error *error);

#endif
