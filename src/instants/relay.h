/*
 * Relay: instants that are given by the caller, and taken by several, by more than one core.
 *
 * What is given is put in batches, of which there are a few.  Each taker takes all instants in
 * their order, by one worker at a time.  The caller gives, and takes where no batch is free; other
 * workers take.  So all takers get the same as if each instant were given to all of them at once.
 */
#ifndef INSTANTS_RELAY_H
#define INSTANTS_RELAY_H

#include "instants/instants.h"

/* One that fails takes no more. */
struct relay_taker {
    take_instant *take;
    void *user;
    csy_status status;
    csy_error error;
};

/* Give all instants; a failure of take ends it. */
typedef csy_status relay_give(struct instants *instants, take_instant *take, void *user,
                              csy_error *error);

/* By so many workers, the caller included; of one taker, of little work, or where the system gives
 * no more, by the caller alone.  A failure of giving is that of all takers that had not failed by
 * then. */
void relay_run(struct instants *instants, unsigned workers, relay_give *give,
               struct relay_taker *takers, size_t n);

#endif
