/* Pseudo-threads, each with its own clock: all PPE threads together, each live interval of an SPE
 * context, and each clock of a CSV, where a thread without a named clock has its own. They are
 * numbered in the order of their first records.
 *
 * In a CSV, several threads of the program may run on one clock. Each of them has a track. */
#ifndef CLOCK_THREADS_H
#define CLOCK_THREADS_H

#include <cellsync/cellsync.h>

#define NO_THREAD UINT32_MAX

struct thread {
    csy_kind kind;
    char *name;       /* NULL unless the trace is a CSV */
    int64_t context;  /* SPE context, or CSY_NO_CONTEXT */
    uint32_t ordinal; /* the K in the name speC.K */
    uint32_t next;    /* the next live interval of the context, or NO_THREAD */
    uint32_t decr_first;
    /* thread that this one would continue if its clock had not been written, or NO_THREAD */
    uint32_t split_from;
    bool set; /* a single record, at which the clock may have been set */
    /* segments before and after a `set` record, or NO_THREAD */
    uint32_t set_before, set_after;
    uint64_t spe; /* SPE, or CSY_NO_SPE */
    uint64_t first_record, last_record;
    uint64_t records;
    int64_t first_ticks, last_ticks; /* local times of the first and last record */
    /* limits of all local times, which records need not attain */
    int64_t min_ticks, max_ticks;
};

/* A thread of the program. Tracks are numbered in the order of first records. */
struct thread_track {
    char *name; /* NULL: the name of `thread` */
    uint32_t thread;
};

struct threads {
    struct thread *items;
    size_t count, capacity;
    struct thread_track *tracks; /* CSV only */
    size_t ntracks, tracks_capacity;
    uint32_t ppe; /* index, or NO_THREAD */
    bool cores;   /* a CSV with a core in at least one record */
};

enum { THREAD_NAME_MAX = 32 }; /* "spe4294967295.4294967295" */

/* Returns the name of a thread: its own one, or `text` with "ppe" or "speC.K". */
const char *thread_name(const struct thread *thread, char text[THREAD_NAME_MAX]);

void threads_init(struct threads *threads);
void threads_fini(struct threads *threads);

/* Append a copy of *thread, which takes over its name. *out is its index. */
csy_status threads_add(struct threads *threads, const struct thread *thread, uint32_t *out,
                       csy_error *error);

/* Append a track of a thread. name is copied, unless it is NULL. */
csy_status threads_add_track(struct threads *threads, uint32_t thread, const char *name,
                             size_t size, uint32_t *out, csy_error *error);

void threads_note(struct threads *threads, uint32_t index, uint64_t position, int64_t local_ticks);

/* Records of a thread that threads_take_run adds at once. The thread must have a record already. */
struct thread_run {
    uint64_t records, last_record;
    int64_t last_ticks;
    int64_t min_ticks, max_ticks; /* limits of all local times in the run */
};

void threads_take_run(struct threads *threads, uint32_t index, const struct thread_run *run);

#endif
