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
    uint32_t next;    /* next live interval of the context, or NO_THREAD */
    uint32_t decr_first;
    /* thread whose clock would continue here if the clock had not been written, or NO_THREAD */
    uint32_t split_from;
    bool set; /* true if the thread has a single record, during which its clock may have been set */
    /* for a thread with `set`: threads of the clock before and after the record, or NO_THREAD */
    uint32_t set_before, set_after;
    uint64_t spe; /* number of the SPE, or CSY_NO_SPE */
    uint64_t first_record, last_record;
    uint64_t records;
    int64_t first_ticks, last_ticks; /* local times of the first and last record */
    /* lower and upper limit of all local times; a limit may lie beyond all records */
    int64_t min_ticks, max_ticks;
};

/* A thread of the program. Tracks are numbered in the order of their first records. */
struct thread_track {
    char *name; /* name of the track, or NULL if the track has the name of `thread` */
    uint32_t thread;
};

struct threads {
    struct thread *items;
    size_t count, capacity;
    struct thread_track *tracks; /* used only for a CSV */
    size_t ntracks, tracks_capacity;
    uint32_t ppe; /* index of the PPE, or NO_THREAD */
    bool cores;   /* true if a record of the CSV has a core */
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

void threads_note(struct threads *threads, uint32_t index, uint64_t position, int64_t local_ticks);

/* Several records that threads_take_run adds at once. The thread must already have a record. */
struct thread_run {
    uint64_t records, last_record;
    int64_t last_ticks;
    int64_t min_ticks, max_ticks; /* limits of all local times in the run */
};

/* Returns true if the clocks of a loose trace, which show dates, keep their own times unless events
 * connect them. If their first readings are more than 18 years apart in ns, a clock was not set,
 * and the result is false: global times would be too large. */
bool threads_keep_times(const struct threads *threads, bool loose);

void threads_take_run(struct threads *threads, uint32_t index, const struct thread_run *run);

#endif
