/*
 * Decoded events in batches (csy_events_read).
 *
 * Plain records of a .pex come out of the fast lane many at a time, as records with global stamps
 * in a buffer of ours; they are decoded from there, and their payload is turned to numbers in
 * place.  Events that go the ordinary way are copied, since their bytes hold for one event only.
 */
#ifndef SYNC_DECODE_H
#define SYNC_DECODE_H

#include "sync/events.h"

struct decoder;

void decoder_free(struct decoder *decoder);

/* Forget what was read and not given out yet. */
void decoder_reset(struct decoder *decoder);

#endif
