/*
 * The other way to record: each thread gathers records of its own, and gives them to the buffer a
 * block at a time.
 *
 * A record is stamped as it comes.  When a block is full its thread takes the place of the block
 * among those of all threads, and reads the clock meanwhile: the order of blocks is that of these
 * stamps, and nothing more is known of the order of records.  What is saved is a CSV in partial
 * order, pex(5).
 */
#ifndef LIVE_BLOCKS_H
#define LIVE_BLOCKS_H

#include "counter.h"
#include "recorder.h"

struct blocks;

/* For contexts 1 to ncontexts and the PPE; a block has so many records.  NULL without memory. */
struct blocks *blocks_new(const struct counter *counter, unsigned ncontexts, unsigned records);
void blocks_free(struct blocks *blocks);

/* A record of the PPE, by any thread; one of a context in its stay, by the thread of that.  Both
 * return the stamp. */
uint64_t blocks_ppe(struct blocks *blocks, const struct event *event);
uint64_t blocks_spe(struct blocks *blocks, uint32_t context, unsigned stay,
                    const struct event *event);

/* All threads have ended: what they have gathered goes to the buffer, too. */
void blocks_finish(struct blocks *blocks);

/* How many records are in the buffer, and how many there was no memory for. */
uint64_t blocks_records(const struct blocks *blocks);
uint64_t blocks_lost(const struct blocks *blocks);

/* Write NAME.blocks.csv; false, with errno, if that fails. */
bool blocks_save(const struct blocks *blocks, const char *name, uint64_t hz);

#endif
