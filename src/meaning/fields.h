/* Where events have what their fields hold. */
#ifndef MEANING_FIELDS_H
#define MEANING_FIELDS_H

#include "meaning/rules.h"
#include "trace/source.h"

#define NO_COLUMN UINT32_MAX

/* A field of events of a kind. */
struct field_at {
    enum field_where { AT_NOWHERE, AT_VALUE, AT_COLUMN, AT_WORD } where;
    uint32_t place;       /* of the value or column; of a word where words have no names */
    const char *names[2]; /* of a word, from a rule; NULL: not said */
    enum field_of of;
    uint64_t unit; /* bytes of one that is counted; 0: not said */
};

struct fields {
    struct field_at at[FIELD_ROLES];
};

/* What events carry, and columns of a CSV that speak for themselves, or NO_COLUMN. */
struct columns {
    enum carried carried;
    uint32_t state, values, node, cell;
    uint32_t of_roles[FIELD_ROLES];
};

void columns_init(struct columns *columns, csy_events *events, enum carried carried);

/* Add what a rule says of the fields of an event's kind; what is known already stays. */
void fields_add(struct fields *fields, const struct columns *columns, const struct rule *rule,
                csy_events *events, const csy_decoded *event);

/* After all rules: columns that speak for themselves. */
void fields_finish(struct fields *fields, const struct columns *columns);

/* What an event's field holds, as it is written, and as a number (below 0 as 2^64 less); false
 * where it has no such field, or holds something else.  Values of a .pex are numbers only.  A text
 * holds as long as the event does. */
bool fields_text(const struct field_at *at, const struct columns *columns, const csy_decoded *event,
                 csy_text *out);
bool fields_number(const struct field_at *at, const struct columns *columns,
                   const csy_decoded *event, uint64_t *out);

#endif
