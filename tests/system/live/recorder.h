/*
 * A tracer that writes the format of pex(5): all threads write into one buffer.
 *
 * The buffer, its pages, the writer that empties them and the clock are celltrace's own, as with
 * --order=buffer (recorder/shared.h): a record takes its place by advancing the end of what is
 * used, as PDT does with an atomic operation of the SPE, and the clock is read so that while this
 * succeeds no other record has taken a place: the order of the records is that of their stamps.
 * What is slow, filling the place, comes after that.  What is filled in are the records of a Cell:
 * of contexts, stamped by decrementers that count down, and of the PPE.
 *
 * The other mode reads the clock before all of this, as a careless tracer would, and now and then
 * gives up the core in between, as can happen at any time.  Other records come between then, and
 * the order contradicts the stamps, by at most the greatest lag from a stamp to its place.
 *
 * What the writer has written is saved without the records that are its own.
 */
#ifndef LIVE_RECORDER_H
#define LIVE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stamping { STAMP_IN_PLACE, STAMP_BEFORE };

/* Ids of events: (event << 8) | group.  Those of group 5, USER, are the demo's own. */
enum event_id {
    SPE_SWITCH_IN = 0x0100,
    SPE_SWITCH_OUT = 0x0200,
    TRACE_START = 0x0300,
    TRACE_STOP = 0x0400,
    SPE_THREAD_START = 0x0500,
    SPE_THREAD_STOP = 0x0600,
    MUTEX_LOCK = 0x0503,
    MUTEX_UNLOCK = 0x0703,
    QUEUE_PUT = 0x0105,
    QUEUE_GET = 0x0205,
    BARRIER_ENTER = 0x0305,
    BARRIER_LEAVE = 0x0405,
    CLOCK_PROBE = 0x0505 /* values: the context that it is for, and how many there were before */
};

enum { EVENT_VALUES_MAX = 2 };

/* What happened.  begin: the timebase where an interval event began, 0 for one without length. */
struct event {
    enum event_id id;
    uint64_t begin;
    unsigned nvalues;
    uint64_t values[EVENT_VALUES_MAX];
};

struct recorder;

/* A recorder with a timebase of hz ticks per second that starts with the machine; hardware: read
 * the CPU's counter if possible.  NULL without memory. */
struct recorder *recorder_new(uint64_t hz, enum stamping, bool hardware);
void recorder_free(struct recorder *r);

/* From now on all threads write into one buffer, which goes to NAME.raw; once in a process.  False,
 * with errno, if that cannot be made. */
bool recorder_share(struct recorder *r, const char *name);

/* From now on each thread gathers so many records before it gives them to the buffer (blocks.h).
 * False without memory. */
bool recorder_gather(struct recorder *r, unsigned ncontexts, unsigned records);

/* The timebase now. */
uint64_t recorder_now(const struct recorder *r);

/* Write a record of a PPE thread.  Any thread may call it at any time; without room it is lost. */
void recorder_ppe(struct recorder *r, uint32_t tid, const struct event *event);

/* The same of an SPE context in its stay, which is counted from 1 by stays with records, stamped by
 * a decrementer that passes zero at the timebase `zero`.  Returns the timebase when its stamp was
 * taken, which is not known on a Cell. */
uint64_t recorder_spe(struct recorder *r, uint32_t context, unsigned stay, uint64_t zero,
                      const struct event *event);

/* All threads have ended. */
void recorder_finish(struct recorder *r);

/* How the recording went; only once all threads have ended. */
struct recorder_summary {
    const char *clock;
    uint64_t records;
    uint64_t switches; /* in and out */
    uint64_t lost;
    uint64_t lag_ticks; /* the most from a stamp to its place */
};

struct recorder_summary recorder_summary(const struct recorder *r);

/* Write NAME.pex and NAME.trace, or NAME.blocks.csv, of what is there so far; false, with errno, if
 * that fails. */
bool recorder_save(struct recorder *r, const char *name, const char *application);

#endif
