/* Partners: the actors to which fields of events refer. */
#ifndef INSTANTS_PARTNERS_H
#define INSTANTS_PARTNERS_H

#include "instants/actors.h"
#include "sync/solution.h"

/* A named thread whose name has a number. */
struct numbered_track {
    uint64_t number;
    uint32_t track;
};

struct partners {
    const csy_sync *sync;
    struct texts names;             /* names of tracks, numbered like them */
    struct numbered_track *numbers; /* sorted; no number occurs twice */
    size_t nnumbers;
};

/* Find the number in a thread's name. Returns false if there is none. */
bool partner_number(const char *name, uint64_t *out);

csy_status partners_init(struct partners *partners, const csy_sync *sync, csy_error *error);
void partners_fini(struct partners *partners);

/* Find the actor to which a field of an event refers, for example its partner: by the number of a
 * context, a rank, or a thread of the PPE (cellsync-events(5)), or by name. If threads have names,
 * a number means the only thread whose name ends in it, or a thread called "speN.K", which is a
 * stay of context N. *known is false if the event has no such field, or if the field means any
 * actor. */
csy_status partners_find(const struct partners *partners, const struct senses *senses,
                         struct actors *actors, const csy_decoded *event, const struct sense *sense,
                         enum field_role role, uint32_t *actor, bool *known, csy_error *error);

/* Find the thread with this name among the tracks. *known is false if there is none. */
csy_status partners_find_name(const struct partners *partners, struct actors *actors,
                              const char *name, size_t size, uint32_t *actor, bool *known,
                              csy_error *error);

#endif
