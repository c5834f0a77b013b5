/* What csy_check knows of a synchronized trace, and what it proves of either format. */
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
    struct csy_trace *made_of; /* what a CSV was made of, where its events are read; else NULL */
    struct table table;        /* of a CSV: of the line of facts and the rows */
    struct survey survey;
    struct proof earliest, latest;
    struct proof placed;    /* only where a thread is unbounded on one side */
    struct restore restore; /* of a .pex */
    uint32_t crc32;         /* of the original records */
    int64_t *last_ticks;    /* local time of the last record, by table thread */
    struct inversions inversions;
    int64_t previous; /* global time and thread of the record before; thread SIZE_MAX: none */
    size_t previous_thread;
    size_t next_dropped; /* of table.dropped */
    struct absent absent;
    struct check_partial *partial; /* of a trace in partial order, else NULL */
    size_t unbounded; /* of a trace in partial order: threads that are not bounded on both sides */
    size_t unplaced;  /* of these, those whose places are not proved */
    bool strict;      /* offsets keep the order without what delta adds, and are placed so */
    csy_proof drifting; /* of a CSV, what is to be told of clocks that drift */
    bool by_time;       /* a CSV: no local time so far is below the one before */
    int64_t local_ticks;
};

/* The trace whose events are read. */
static inline struct csy_trace *check_source(const struct check *check)
{
    return check->made_of ? check->made_of : check->trace;
}

csy_status check_fail_at(const struct check *check, uint64_t position, const char *what,
                         csy_error *error);
csy_status check_fail_thread(const struct check *check, size_t t, const char *what,
                             csy_error *error);

/* Whether the record is left out of the constraints.  Records are asked for in order, once the
 * table is known and absent_init has made room. */
csy_status check_dropped(struct check *check, uint64_t position, uint64_t first_record,
                         int64_t global_ticks, bool *dropped, csy_error *error);

/* The last one has been asked for: no other is said to be left out. */
csy_status check_all_dropped(const struct check *check, csy_error *error);

/* Whether the record is no further below the greatest global time before it, and below its
 * neighbour of another thread, than delta allows. */
bool check_order(struct check *check, size_t thread, int64_t global_ticks);

/* The thread that the table calls the reference. */
csy_status check_find_reference(const struct check *check, size_t *out, csy_error *error);

/* Begin the proofs, now that the table is known; pass them each event, in buffer order. */
csy_status check_begin_proofs(struct check *check, csy_error *error);
csy_status check_prove(struct check *check, uint32_t thread, int64_t local_ticks, csy_error *error);

/* All events have passed the proofs: the ends of the table's bounds are what the records imply,
 * offsets lie where alpha puts them, and the origin is right. */
csy_status check_bounds(struct check *check, csy_error *error);

/* Of these the latter two: the ends are known already.  Threads that are unbounded on one side may
 * be anywhere. */
csy_status check_places(const struct check *check, size_t tau, csy_error *error);

/* What a line of facts says of all that can be proved; text is as long as the line. */
csy_status check_facts(const struct check *check, const struct table_facts *said,
                       struct table *table, char *text, csy_error *error);

/* The whole check of an archive, whose source knows its facts. */
csy_status check_archive(struct check *check, const struct progress *progress, csy_error *error);

/* Open the trace that a CSV was made of, as its line of facts says (check_beside.c); check->made_of
 * is NULL where that fails.
 * CSY_USAGE where the CSV has no need of it, or is not made of such a trace. */
csy_status check_beside_open(struct check *check, const char *path, csy_error *error);

/* The whole check of a CSV. */
csy_status check_csv(struct check *check, const struct progress *progress, csy_error *error);

#endif
