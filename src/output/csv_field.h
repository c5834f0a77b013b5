/* Fields of a CSV. */
#ifndef OUTPUT_CSV_FIELD_H
#define OUTPUT_CSV_FIELD_H

#include "output/outfile.h"

/* A field, between quotes where RFC 4180 asks for them. */
void csv_field_write(struct outfile *out, const char *text);

#endif
