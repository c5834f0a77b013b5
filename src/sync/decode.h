/*
 * Decoded events in batches (csy_events_read).
 *
 * Plain records of a .pex come out of the fast lane many at a time, as records with global stamps
 * in a buffer of ours; they are decoded from there, and their payload is turned to numbers beside
 * it.  Events that go the ordinary way are copied, since their bytes hold for one event only.
 */
#ifndef SYNC_DECODE_H
#define SYNC_DECODE_H

#include "sync/events.h"

struct decoder;

void decoder_free(struct decoder *decoder);

/* Let that record be the next one given out, if it is among those that were read and not given out
 * yet; else forget these.  decoder may be NULL. */
bool decoder_skip(struct decoder *decoder, uint64_t record);

#endif
