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
    size_t nnodes, nspes, ncontexts; /* SPEs of a node */
    unsigned level;                  /* enum level */
    bool level_given;
    int64_t events; /* 0: the length of the workload */
    uint64_t seed;
    int64_t jitter_ticks, late_percent;
    struct clock_range range; /* of the clocks' rates */
    bool drifts;
    struct tracing tracing;
    bool notifier, compress, verbose, csv;
    bool calls; /* E and X of functions */
    /* output may be NULL if nothing is traced, the others always */
    const char *output, *truth, *truth_activity, *advice;
};

/* Read the options; errors are printed. */
enum command_action options_read(int argc, char **argv, struct options *out);

/* For struct options. */
extern const struct option_table options_table;

void options_print_help(void);

#endif
