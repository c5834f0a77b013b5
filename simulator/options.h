/* The command line of pdtsim(1). */
#ifndef PDTSIM_OPTIONS_H
#define PDTSIM_OPTIONS_H

#include "simulator/clock.h"
#include "simulator/machine.h"
#include "simulator/tracer.h"
#include "simulator/workloads.h"
#include "tool/command.h"

enum { NODES_MAX = 64 };

struct options {
    const struct machine *machine;
    struct workload workload;
    size_t nnodes, nspes, ncontexts; /* number of nodes, of SPEs in each node, and of contexts */
    unsigned level;                  /* a value of enum level */
    bool level_given;
    int64_t events; /* number of records after which no round begins; 0 if there is no limit */
    uint64_t seed;
    int64_t jitter_ticks, late_percent;
    struct clock_range range; /* limits for random rates of clocks */
    bool drifts;
    struct tracing tracing;
    bool notifier, compress, verbose, csv;
    bool calls; /* true if events E and X of functions are recorded */
    /* paths of files, or NULL; `advice` is read, and the other files are written */
    const char *output, *truth, *truth_activity, *advice;
};

enum command_action options_read(int argc, char **argv, struct options *out);

extern const struct option_table options_table;

void options_print_help(void);

#endif
