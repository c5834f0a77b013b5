/* csy_check: its state, and the proofs for every format. */
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
    struct csy_trace *made_of; /* trace that a CSV was made from, if its events are read; or NULL */
    struct table table;        /* for a CSV: from the line of facts and the rows */
    struct survey survey;
    struct proof earliest, latest;
    struct proof placed;    /* used only if a thread is unbounded on one side */
    struct restore restore; /* for a .pex */
    uint32_t crc32;         /* of the original records */
    int64_t *last_ticks;    /* for each thread, local time of its last record */
    struct inversions inversions;
    /* global time of the previous record, whose thread is SIZE_MAX if there is none */
    int64_t previous;
    size_t previous_thread;
    size_t next_dropped; /* index in table.dropped */
    struct absent absent;
    struct check_partial *partial; /* for a partial order, or NULL */
    size_t unbounded;              /* in a partial order: threads not bounded on both sides */
    size_t unplaced;               /* those of `unbounded` without a proved place */
    bool strict;                   /* offsets keep the order, and are placed, without delta */
    csy_proof drifting;            /* for a CSV: results about drifting clocks */
    bool by_time;                  /* for a CSV: local times do not decrease */
    int64_t local_ticks;
};

static inline struct csy_trace *check_source(const struct check *check)
{
    return check->made_of ? check->made_of : check->trace;
}

/* Compare the source's measured offsets with those used for synchronization. `said` is the
 * statement of the trace: a count and a checksum; or NULL. */
csy_status check_measured(const struct check *check, const char *said, csy_error *error);

csy_status check_fail_at(const struct check *check, uint64_t position, const char *what,
                         csy_error *error);
csy_status check_fail_thread(const struct check *check, size_t t, const char *what,
                             csy_error *error);

/* Find out whether a record is left out of the constraints. Call this for records in order, after
 * the table is known and absent_init has allocated room. */
csy_status check_dropped(struct check *check, uint64_t position, uint64_t first_record,
                         int64_t global_ticks, bool *dropped, csy_error *error);

/* Fail, after the last record, if the list of records left out is too long or goes beyond the
 * trace. */
csy_status check_all_dropped(const struct check *check, csy_error *error);

/* True if the record is not below the greatest earlier global time, or below its neighbour of
 * another thread, by more than delta allows. */
bool check_order(struct check *check, size_t thread, int64_t global_ticks);

/* Find the thread that is the table's reference. */
csy_status check_find_reference(const struct check *check, size_t *out, csy_error *error);

/* Begin the proofs when the table is known. Then pass each event of the buffer in order. */
csy_status check_begin_proofs(struct check *check, csy_error *error);
csy_status check_prove(struct check *check, uint32_t thread, int64_t local_ticks, csy_error *error);

/* Prove, after the last event, that the ends of the table's bounds follow from the records, that
 * offsets are where alpha puts them, and that the origin is right. */
csy_status check_bounds(struct check *check, csy_error *error);

/* Prove that offsets are where alpha puts them and that the origin is right, after the ends were
 * proved. Places of threads that are unbounded on one side are not checked. */
csy_status check_places(const struct check *check, size_t tau, csy_error *error);

/* Read a line of facts into table if its claims are provable. text has room for the line. */
csy_status check_facts(const struct check *check, const struct table_facts *said,
                       struct table *table, char *text, csy_error *error);

/* Check an archive that contains its facts. */
csy_status check_archive(struct check *check, const struct progress *progress, csy_error *error);

/* Open check->made_of, the trace that a CSV was made from; it is NULL after a failure. CSY_USAGE if
 * the CSV does not need it, or cannot come from such a trace. */
csy_status check_beside_open(struct check *check, const char *path, const char *offsets,
                             csy_error *error);

csy_status check_csv(struct check *check, const struct progress *progress, csy_error *error);

#endif
