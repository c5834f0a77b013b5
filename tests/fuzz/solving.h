/*
 * Solve a trace in several ways that must agree, and prove what is written.
 *
 *   one thread | three threads, tiny segments    the same outcome, solution and bytes of output
 *   sweep      | dense                           the same outcome, delta, offsets and bounds
 *   output, undone by its own table              csy_check proves it, and refuses it when a bit
 *                                                of a record is flipped
 */
#ifndef FUZZ_SOLVING_H
#define FUZZ_SOLVING_H

#include "output/trace/settings.h"
#include "support.h"
#include "sync/options.h"

/* What to do with the trace, drawn from six bytes. */
struct solving {
    csy_options options;
    csy_output output;
    csy_report_format report;
    bool salvage;
};

struct solving solving_draw(struct drawing *d);

/* How one way went; trace and sync are NULL where it did not come so far. */
struct solved {
    csy_trace *trace;
    csy_sync *sync;
    csy_status status;
    csy_error error;
};

/* Solve what memory_file holds; two workers and more take tiny segments. */
struct solved solve(const struct solving *solving, csy_engine engine, unsigned nthreads);
void solved_free(struct solved *s);

/* Solve what memory_file holds; false where it is refused or is infeasible.  seen (may be NULL) is
 * called with the solution. */
bool solve_all_ways(const struct solving *solving, void (*seen)(csy_sync *sync, void *user),
                    void *user);

#endif
