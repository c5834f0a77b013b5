/* Pseudo-threads: each has its own clock. All PPE threads together are one pseudo-thread, and each
 * live interval of an SPE context is one. In a CSV, each clock is one; a thread without a named
 * clock has its own clock. Pseudo-threads are numbered in the order of their first records.
 *
 * In a CSV, several threads of the program may run on one clock. Each of them has a track. */
#ifndef CLOCK_THREADS_H
#define CLOCK_THREADS_H

#include <cellsync/cellsync.h>

#define NO_THREAD UINT32_MAX

struct thread {
    csy_kind kind;
    char *name;       /* CSV only; otherwise NULL */
    int64_t context;  /* or CSY_NO_CONTEXT */
    uint32_t ordinal; /* the K in the name speC.K */
    uint32_t next;    /* the next live interval of the context, or NO_THREAD */
    uint32_t decr_first;
    /* the thread that this one would continue if its clock had not been written; or NO_THREAD */
    uint32_t split_from;
    bool set; /* the thread is a single record, at which the clock may have been set */
    /* the segments of the clock before and after this record, or NO_THREAD */
    uint32_t set_before, set_after;
    uint64_t spe; /* or CSY_NO_SPE */
    uint64_t first_record, last_record;
    uint64_t records;
    int64_t first_ticks, last_ticks; /* local times of the first and of the last record */
    /* no record is outside this range, but records need not attain its ends */
    int64_t min_ticks, max_ticks;
};

/* A thread of the program. Tracks are numbered in the order of their first records. */
struct thread_track {
    char *name; /* NULL: the name of its thread */
    uint32_t thread;
};

struct threads {
    struct thread *items;
    size_t count, capacity;
    struct thread_track *tracks; /* CSV only */
    size_t ntracks, tracks_capacity;
    uint32_t ppe; /* index, or NO_THREAD */
    bool cores;   /* the trace is a CSV, and at least one of its records has a core */
};

enum { THREAD_NAME_MAX = 32 }; /* "spe4294967295.4294967295" */

/* The name of a thread: its own name, or "ppe" or "speC.K". Returns the own name or `text`. */
const char *thread_name(const struct thread *thread, char text[THREAD_NAME_MAX]);

void threads_init(struct threads *threads);
void threads_fini(struct threads *threads);

/* Append a copy of *thread. The copy takes over the ownership of the name. *out is its index. */
csy_status threads_add(struct threads *threads, const struct thread *thread, uint32_t *out,
                       csy_error *error);

/* Append a track of the thread. name may be NULL; otherwise it is copied. */
csy_status threads_add_track(struct threads *threads, uint32_t thread, const char *name,
                             size_t size, uint32_t *out, csy_error *error);

/* Add a record of a thread: its position and local time. */
void threads_note(struct threads *threads, uint32_t index, uint64_t position, int64_t local_ticks);

/* A run of records of a thread, for threads_take_run, which adds all of them at once. The thread
 * must already have a record. */
struct thread_run {
    uint64_t records, last_record;
    int64_t last_ticks;
    int64_t min_ticks, max_ticks; /* no record of the run is outside this range */
};

void threads_take_run(struct threads *threads, uint32_t index, const struct thread_run *run);

#endif
