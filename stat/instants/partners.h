/* Partners: the actors that fields of events refer to. */
#ifndef INSTANTS_PARTNERS_H
#define INSTANTS_PARTNERS_H

#include "instants/actors.h"
#include "sync/solution.h"

/* A named thread with a number in its name. */
struct numbered_track {
    uint64_t number;
    uint32_t track;
};

struct partners {
    const csy_sync *sync;
    struct texts names;             /* names of tracks, in their order */
    struct numbered_track *numbers; /* sorted, no number twice */
    size_t nnumbers;
};

/* Find the number in the name of a thread.  Returns false if it has none. */
bool partner_number(const char *name, uint64_t *out);

csy_status partners_init(struct partners *partners, const csy_sync *sync, csy_error *error);
void partners_fini(struct partners *partners);

/* Find the actor that a field of an event refers to, such as its partner: a number of a context, a
 * rank, or a thread of the PPE (cellsync-events(5)), or a name. If threads have names, a number
 * refers to the only thread with this number at the end of its name, or with a name "speN.K", which
 * is a stay of context N. *known is false if the event has no such field, or if it means any
 * actor. */
csy_status partners_find(const struct partners *partners, const struct senses *senses,
                         struct actors *actors, const csy_decoded *event, const struct sense *sense,
                         enum field_role role, uint32_t *actor, bool *known, csy_error *error);

/* Find the thread with this name among the tracks.  *known is false if there is none. */
csy_status partners_find_name(const struct partners *partners, struct actors *actors,
                              const char *name, size_t size, uint32_t *actor, bool *known,
                              csy_error *error);

#endif
