/* Pseudo-threads. Each has its own clock: all PPE threads together, each live interval of an SPE
 * context, and each clock of a CSV. Pseudo-threads are numbered in the order of their first
 * records.
 *
 * In a CSV, several threads of the program may run on one clock. Each of them has a track. */
#ifndef CLOCK_THREADS_H
#define CLOCK_THREADS_H

#include <cellsync/cellsync.h>

#define NO_THREAD UINT32_MAX

struct thread {
    csy_kind kind;
    char *name;       /* name of the clock in a CSV; otherwise NULL */
    int64_t context;  /* SPE context, or CSY_NO_CONTEXT */
    uint32_t ordinal; /* the number K in the name speC.K */
    uint32_t next;    /* next thread of the same SPE context, or NO_THREAD */
    uint32_t decr_first;
    /* NO_THREAD, unless this thread began because a program wrote the decrementer; then the thread
     * that ended at this moment */
    uint32_t split_from;
    bool set; /* true if the thread is a single record, during which its clock may have been set */
    /* if `set` is true: the threads with the earlier and with the later records of this clock, or
     * NO_THREAD */
    uint32_t set_before, set_after;
    uint64_t spe; /* number of the SPE, or CSY_NO_SPE */
    uint64_t first_record, last_record;
    uint64_t records;
    int64_t first_ticks, last_ticks; /* local times of the first and last record */
    /* least and greatest local time; after threads_take_run, possibly a wider range */
    int64_t min_ticks, max_ticks;
};

/* A track: a thread of the program. Tracks are numbered in the order of their first records. */
struct thread_track {
    char *name; /* name of the track, or NULL if `thread` has the same name */
    uint32_t thread;
};

struct threads {
    struct thread *items;
    size_t count, capacity;
    struct thread_track *tracks; /* NULL unless the trace is a CSV */
    size_t ntracks, tracks_capacity;
    uint32_t ppe; /* index of the thread for the PPE, or NO_THREAD */
    bool cores;   /* true if a row of the CSV states a core (PPE or SPE) */
};

enum { THREAD_NAME_MAX = 32 }; /* size of the longest text: "spe4294967295.4294967295" */

/* Returns the name of a thread: its own, "ppe", or "speC.K" in `text`. */
const char *thread_name(const struct thread *thread, char text[THREAD_NAME_MAX]);

void threads_init(struct threads *threads);
void threads_fini(struct threads *threads);

/* Append a copy of *thread, which owns the name from now on. *out is the index of the copy. */
csy_status threads_add(struct threads *threads, const struct thread *thread, uint32_t *out,
                       csy_error *error);

/* Add the PPE unless it is known already. Its first record is at this position. */
csy_status threads_add_ppe(struct threads *threads, uint64_t position, csy_error *error);

csy_status threads_add_track(struct threads *threads, uint32_t thread, const char *name,
                             size_t size, uint32_t *out, csy_error *error);

static inline void threads_note(struct threads *threads, uint32_t index, uint64_t position,
                                int64_t local_ticks)
{
    struct thread *thread = &threads->items[index];
    if (thread->records == 0)
        thread->first_ticks = local_ticks;
    thread->records++;
    thread->last_record = position;
    thread->last_ticks = local_ticks;
    if (local_ticks < thread->min_ticks)
        thread->min_ticks = local_ticks;
    if (local_ticks > thread->max_ticks)
        thread->max_ticks = local_ticks;
}

/* Successive records of one thread, to be added at once. The thread must already have a record. */
struct thread_run {
    uint64_t records, last_record;
    int64_t last_ticks;
    int64_t min_ticks, max_ticks; /* a range that contains all local times */
};

/* Returns true if the clocks show dates, so that clocks without common events can keep their own
 * times. Requires that the rows of the trace are in no order (`loose`). Times are no dates if the
 * first readings of two clocks are more than 2^59 ticks apart (18 years in ns). */
bool threads_keep_times(const struct threads *threads, bool loose);

void threads_take_run(struct threads *threads, uint32_t index, const struct thread_run *run);

#endif
