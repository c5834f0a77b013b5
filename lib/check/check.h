/* The state of csy_check, and proofs that all formats share. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/proof.h"
#include "order/inversions.h"
#include "sync/absent.h"
#include "sync/pass.h"
#include "sync/reread/table.h"

struct check_partial;

struct check {
    struct csy_trace *trace;
    /* the trace from which a CSV was made, if its events are read; otherwise NULL */
    struct csy_trace *made_of;
    struct table table; /* for a CSV, this table comes from the line of facts and the rows */
    struct survey survey;
    /* by enum proof_end; the last one is used only if a thread is unbounded on one side */
    struct proof proofs[PROOF_PLACED + 1];
    struct restore restore; /* for a .pex */
    uint32_t crc32;         /* checksum of the original records */
    int64_t *last_ticks;    /* for each thread, local time of its last record */
    struct inversions inversions;
    /* the global time and the thread of the previous record; at first the thread is SIZE_MAX */
    int64_t previous;
    size_t previous_thread;
    size_t next_dropped; /* index in table.dropped */
    struct absent absent;
    struct check_partial *partial; /* for a partial order, or NULL */
    /* for a partial order: number of threads that are not bounded on both sides */
    size_t unbounded;
    size_t unplaced;    /* how many of the `unbounded` threads have places without a proof */
    bool strict;        /* offsets were placed with a delta of 0, and keep the order */
    csy_proof drifting; /* for a CSV: what is proved about drifting clocks */
    bool by_time;       /* for a CSV: local times do not decrease */
    int64_t local_ticks;
};

static inline struct csy_trace *check_source(const struct check *check)
{
    return check->made_of ? check->made_of : check->trace;
}

/* Check that the measured offsets of the source are the ones used for synchronization. said: their
 * count and checksum as the trace states them, or NULL. */
csy_status check_measured(const struct check *check, const char *said, csy_error *error);

/* Reject dropped records, relax=paper, and center=local, which only one buffer can have. `where`
 * names the part of the file that states them, and `what` what excludes them. */
csy_status check_choices(const struct check *check, const char *where, const char *what,
                         csy_error *error);

csy_status check_fail_at(const struct check *check, uint64_t position, const char *what,
                         csy_error *error);
csy_status check_fail_thread(const struct check *check, size_t t, const char *what,
                             csy_error *error);

/* Survey the source of events, and show each event to the taker. */
csy_status check_survey(struct check *check, const struct taker *taker,
                        const struct progress *progress, csy_error *error);

/* Find out whether a record is left out of the constraints. Call this for each record in order,
 * after the table is known and absent_init was called. */
csy_status check_dropped(struct check *check, uint64_t position, uint64_t first_record,
                         int64_t global_ticks, bool *dropped, csy_error *error);

/* Fail if the list of dropped records is too long or contains positions after the last record. Call
 * this after the last record. */
csy_status check_all_dropped(const struct check *check, csy_error *error);

/* Returns false if the record is earlier than delta allows, compared with the greatest global time
 * before it or with a neighbour of another thread. */
bool check_order(struct check *check, size_t thread, int64_t global_ticks);

/* Find the thread with the name of the reference. */
csy_status check_find_reference(const struct check *check, size_t *out, csy_error *error);

/* Begin the proofs after the table is known. Then call check_prove for each event of the buffer in
 * order. */
csy_status check_begin_proofs(struct check *check, csy_error *error);
csy_status check_prove(struct check *check, uint32_t thread, int64_t local_ticks, csy_error *error);

/* Store one end of a thread's bounds, its offset plus `by`, or no limit if `none`. */
csy_status check_set_end(struct check *check, size_t t, bool earliest, bool none, int128 by,
                         csy_error *error);

/* Prove three things after the last event: the bounds of the table follow from the records, offsets
 * are where alpha puts them, and global time has the right origin. */
csy_status check_bounds(struct check *check, csy_error *error);

/* Prove that offsets are where alpha puts them, and that global time has the right origin. Call
 * this after the bounds were proved. Threads that are unbounded on one side are not checked. */
csy_status check_places(const struct check *check, size_t tau, csy_error *error);

/* Read a line of facts into `table`, and reject facts that cannot be proved. text: scratch memory
 * as long as the line. */
csy_status check_facts(const struct check *check, const struct table_facts *said,
                       struct table *table, char *text, csy_error *error);

/* Check an archive that contains the facts of its synchronization. */
csy_status check_archive(struct check *check, const struct progress *progress, csy_error *error);

/* Open check->made_of, the trace from which a CSV was made. After a failure, check->made_of is
 * NULL. CSY_USAGE if the CSV does not need this trace, or cannot come from a trace of this
 * format. */
csy_status check_beside_open(struct check *check, const char *path, const char *offsets,
                             csy_error *error);

csy_status check_csv(struct check *check, const struct progress *progress, csy_error *error);

#endif
