/*
 * The line of facts that a synchronized CSV begins with, "# cellsync KEY=VALUE ...": pex(5).
 * Blanks separate its words; bytes up to the blank, DEL and % are %XX in names.  Nothing in it is
 * trusted.
 */
#ifndef TRACE_CSV_CSV_FACTS_H
#define TRACE_CSV_CSV_FACTS_H

#include "trace/csv/csv.h"

/* The value of a key, ended by a NUL: in text, which has room for the line.  False where it has
 * none. */
bool csv_fact_find(const struct csv_reader *reader, const char *key, char *text);

/* Undo %20 and the like where it stands; false where that is broken, or would be a NUL. */
bool csv_fact_unescape(char *text);

/* How the CSV is to be read, in reader->asked: as the caller asks, and where asked (or NULL) says
 * nothing as the line of facts has it. */
csy_status csv_facts_ask(struct csv_reader *reader, const struct csv_asked *asked,
                         csy_error *error);

#endif
