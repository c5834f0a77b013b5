/* Partners: whom a field of an event means. */
#ifndef INSTANTS_PARTNERS_H
#define INSTANTS_PARTNERS_H

#include "instants/actors.h"
#include "sync/solution.h"

/* A named thread whose name contains a number. */
struct numbered_track {
    uint64_t number;
    uint32_t track;
};

struct partners {
    const csy_sync *sync;
    struct texts names;             /* of tracks, in their order */
    struct numbered_track *numbers; /* sorted, no number twice */
    size_t nnumbers;
};

/* The number in a name of a thread; false where it has none. */
bool partner_number(const char *name, uint64_t *out);

csy_status partners_init(struct partners *partners, const csy_sync *sync, csy_error *error);
void partners_fini(struct partners *partners);

/* Find the actor that a field of an event refers to, such as its partner: a number of a context, a
 * rank, or a thread of the PPE (pex(5), Meaning), or a name.  If threads have names, a number means
 * the only thread whose name ends in it, or whose name is "speN.K", a stay of context N. *known is
 * false if the event has no such field, or if it means any actor. */
csy_status partners_find(const struct partners *partners, const struct senses *senses,
                         struct actors *actors, const csy_decoded *event, const struct sense *sense,
                         enum field_role role, uint32_t *actor, bool *known, csy_error *error);

/* The same of the thread that is a track of that name; *known is false where there is none. */
csy_status partners_find_name(const struct partners *partners, struct actors *actors,
                              const char *name, size_t size, uint32_t *actor, bool *known,
                              csy_error *error);

#endif
