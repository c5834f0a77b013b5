/* Ends of messages that wait for the other one. */
#ifndef ANALYSIS_MESSAGES_HALVES_H
#define ANALYSIS_MESSAGES_HALVES_H

#include "instants/actors.h"

enum message_kind { MESSAGE_SENT, MESSAGE_WORD, MESSAGE_TRANSFER, MESSAGE_KINDS };

#define NO_HALF UINT32_MAX
#define MESSAGE_NO_BYTES SENSES_NO_BYTES

struct half {
    uint64_t key; /* of halves_join */
    struct moment begin, end;
    uint64_t bytes, datatype;
    uint32_t actor, function;
    enum message_kind kind;
    bool recv, waits;
    bool ordered; /* the order of the trace has it */
    bool apart;   /* receives of its channel are missing: the other end may be of another message */
    uint32_t next; /* that is free, if it does not wait */
};

struct halves {
    struct half *items;
    size_t count, capacity;
    uint32_t free;
    uint32_t *slots; /* of those that have a key, by its hash, a power of 2 of them */
    size_t nslots, nkeyed;
};

void halves_init(struct halves *halves);
void halves_fini(struct halves *halves);

/* One more; NO_HALF on no memory. */
uint32_t halves_add(struct halves *halves, const struct half *half);
void halves_drop(struct halves *halves, uint32_t index);

/* The one with that key, which is taken out of the table; else this one is put into it, and *other
 * is NO_HALF.  false on no memory. */
bool halves_join(struct halves *halves, uint64_t key, uint32_t index, uint32_t *other);

#endif
