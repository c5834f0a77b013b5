/*
 * Pseudo-threads: each has a clock of its own.  All PPE threads are one; each live interval of
 * an SPE context is one; in a CSV, whatever has a name, or a clock of that name.  They are numbered
 * in the order of their first records.
 *
 * In a CSV several threads of the program may run on one clock: each has a track.
 */
#ifndef CLOCK_THREADS_H
#define CLOCK_THREADS_H

#include <cellsync/cellsync.h>

#define NO_THREAD UINT32_MAX

struct thread {
    csy_kind kind;
    char *name;       /* CSV only; otherwise NULL */
    int64_t context;  /* or CSY_NO_CONTEXT */
    uint32_t ordinal; /* K of speC.K */
    uint32_t next;    /* the next live interval of the context, or NO_THREAD */
    uint32_t decr_first;
    uint32_t split_from; /* the thread that it would continue, or NO_THREAD */
    bool set;            /* it is one record, at which its clock may have been set: */
    uint32_t set_before, set_after; /* the segments of the clock around it, or NO_THREAD */
    uint64_t spe;        /* or CSY_NO_SPE */
    uint64_t first_record, last_record;
    uint64_t records;
    int64_t first_ticks, last_ticks; /* local times of its first record and its last */
    int64_t min_ticks, max_ticks;    /* none is outside; there may be no record at these */
};

/* Numbered in the order of their first records, too. */
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
    bool cores;   /* some record of a CSV has a core */
};

enum { THREAD_NAME_MAX = 32 }; /* "spe4294967295.4294967295" */

/* A thread's own name, or "ppe" or "speC.K".  Returns the name or text. */
const char *thread_name(const struct thread *thread, char text[THREAD_NAME_MAX]);

void threads_init(struct threads *threads);
void threads_fini(struct threads *threads);

/* Append a copy of *thread, which gives up its name, and return its index in *out. */
csy_status threads_add(struct threads *threads, const struct thread *thread, uint32_t *out,
                       csy_error *error);

/* Append a track on the thread; the name is copied, or NULL. */
csy_status threads_add_track(struct threads *threads, uint32_t thread, const char *name,
                             size_t size, uint32_t *out, csy_error *error);

/* Count one more record: its position and local time. */
void threads_note(struct threads *threads, uint32_t index, uint64_t position, int64_t local_ticks);

/* The same for a run of records, of a thread that has some. */
struct thread_run {
    uint64_t records, last_record;
    int64_t last_ticks;
    int64_t min_ticks, max_ticks; /* none is outside */
};

void threads_take_run(struct threads *threads, uint32_t index, const struct thread_run *run);

#endif
