/* Reads the line of facts of a synchronized CSV, "# cellsync KEY=VALUE ...". Blanks separate its
 * words. In names, bytes up to the blank, DEL, and % are written as %XX. Values may be wrong, so
 * all are checked. See cellsync-csv(5). */
#ifndef TRACE_CSV_CSV_FACTS_H
#define TRACE_CSV_CSV_FACTS_H

#include "trace/csv/csv_header.h"

struct csv_facts {
    const char *line;
    size_t size; /* size with line end, or 0 if there are no facts */
};

/* Copy the value of a key to `text`, and add a NUL. `text` must have room for the whole line.
 * Returns false if the line does not contain the key. */
bool csv_fact_find(struct csv_facts facts, const char *key, char *text);

/* Decode %20 and other codes in place. Returns false if the text is malformed or contains a NUL. */
bool csv_fact_unescape(char *text);

/* Set the members of *asked that are not set yet, by the line of facts. Their texts are in `said`,
 * which the caller frees. Messages contain `file`. */
csy_status csv_facts_ask(struct csv_facts facts, const char *file, struct csv_asked *asked,
                         struct csv_text *said, csy_error *error);

/* Decode the next value of the key `step`. *at is facts.line before the first call, and moves past
 * the value. `text` must have room for the line. *more is false after the last step. */
csy_status csv_facts_next_step(struct csv_facts facts, const char *file, const char **at,
                               char *text, bool *more, csy_error *error);

/* Get the ticks from 1970 to global time 0, if the line states them. `said` is memory for texts. */
csy_status csv_facts_epoch(struct csv_facts facts, const char *file, struct csv_text *said,
                           bool *has_epoch, int64_t *epoch_ticks, csy_error *error);

#endif
