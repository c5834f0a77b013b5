/*
 * The line of facts that a synchronized CSV begins with, "# cellsync KEY=VALUE ...": pex(5).
 * Blanks separate its words; bytes up to the blank, DEL and % are %XX in names.  Nothing in it is
 * trusted.
 */
#ifndef TRACE_CSV_CSV_FACTS_H
#define TRACE_CSV_CSV_FACTS_H

#include "trace/csv/csv_header.h"

struct csv_facts {
    const char *line;
    size_t size; /* with its line end; 0: there is none */
};

/* The value of a key, ended by a NUL: in text, which has room for the line.  False where it has
 * none. */
bool csv_fact_find(struct csv_facts facts, const char *key, char *text);

/* Undo %20 and the like where it stands; false where that is broken, or would be a NUL. */
bool csv_fact_unescape(char *text);

/* How the CSV is to be read: where *asked says nothing, as the line of facts has it, in said's
 * bytes, which the caller frees.  file is for messages. */
csy_status csv_facts_ask(struct csv_facts facts, const char *file, struct csv_asked *asked,
                         struct csv_text *said, csy_error *error);

/* The value of each key `step`, from *at on, which is facts.line at first: in text, decoded, which
 * has room for the line. *more is false after the last. */
csy_status csv_facts_next_step(struct csv_facts facts, const char *file, const char **at,
                               char *text, bool *more, csy_error *error);

/* The ticks since 1970 at global time 0, if the line of facts states them; said is scratch. */
csy_status csv_facts_epoch(struct csv_facts facts, const char *file, struct csv_text *said,
                           bool *has_epoch, int64_t *epoch_ticks, csy_error *error);

#endif
