/* Instants: the second pass. */
#ifndef INSTANTS_MERGE_H
#define INSTANTS_MERGE_H

#include "instants/instants.h"

/* Give all instants in their order, as instants_merge does, by the caller alone. */
csy_status merge_give(struct instants *instants, take_instant *take, void *user, csy_error *error);

/* The same as instants_merge_calls. */
csy_status merge_give_calls(struct instants *instants, take_instant *take, take_actor_calls *calls,
                            void *user, csy_error *error);

#endif
