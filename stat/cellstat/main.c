/* The main program of cellstat(1). */
#include "cellstat/table.h"
#include "tool/messages.h"
#include "tool/program.h"

/* Open the trace. Several files must be parts of one trace. */
static csy_status open_trace(struct solving *solving, csy_trace **out, csy_error *error)
{
    csy_status status = solving_may_join(solving) ? solving_join(solving, error) : CSY_OK;
    if (status || solving->joined || solving->ntraces == 1)
        return status ? status : solving_open(solving, out, error);
    /* find out which of the files cannot be opened */
    for (size_t i = 0; i < solving->ntraces && !status; i++) {
        solving->trace = solving->traces[i];
        status = solving_open(solving, out, error);
        if (!status) {
            csy_trace_free(*out);
            *out = NULL;
        }
    }
    if (status)
        return status;
    *error = (csy_error){.status = CSY_USAGE};
    snprintf(error->text, sizeof error->text,
             "these %zu files cannot be joined to one trace; only captures, spans, profiles, and "
             "CSV files with # order=partial or # order=messages can. To join CSV files without a "
             "line # order=, pass --join",
             solving->ntraces);
    return CSY_USAGE;
}

static csy_status solve(struct solved *solved, csy_error *error)
{
    struct solving *solving = &solved->options->solving;
    csy_options *options = NULL;
    size_t told = 0;
    messages_of_waiting(solving);
    csy_status status = open_trace(solving, &solved->trace, error);
    if (!status)
        status = solving_options(solving, csy_trace_timebase_hz(solved->trace), &options, error);
    if (status)
        return status;
    told = messages_of_file(solving, solved->trace, 0);
    csy_trace_set_workers(solved->trace, solving->workers);
    csy_trace_set_progress(solved->trace, progress_line_show, solved->progress);
    csy_trace_set_salvage(solved->trace, solving->salvage);
    bool again = csy_trace_is_synchronized(solved->trace);
    if (again)
        messages_warn(solving, "the trace is already synchronized; its offsets are computed again");
    if (csy_trace_has_solution(solved->trace) && !again) {
        /* A synchronized .pex has only bounds to the reference clock. Only exact ranges need bounds
         * between all clocks, which take as long as solving the trace. */
        status = csy_trace_read_solution(solved->trace, &solved->sync, error);
        status = status || solved->options->ranges != CSY_RANGES_EXACT
                     ? status
                     : csy_sync_renew_bounds(solved->sync, error);
    } else
        status = csy_trace_synchronize(solved->trace, options, &solved->sync, error);
    csy_options_free(options);
    progress_line_clear(solved->progress);
    if (solved->sync) {
        messages_of_file(solving, solved->trace, told);
        messages_of_clocks(solving, solved->sync);
    }
    if (!status) {
        messages_of_unit(solving, solved->trace);
        messages_of_premises(solving, solved->sync);
        messages_of_solution(solving, solved->sync, "the report of cellsync names the cause");
    }
    return status;
}

static csy_status work(void *user)
{
    struct stat_options *options = user;
    const struct solving *solving = &options->solving;
    struct progress_line progress;
    struct solved solved = {.options = options, .progress = &progress};
    csy_error error = {CSY_OK, ""};
    progress_line_init(&progress, solving->progress, solving->quiet);
    csy_status status = solve(&solved, &error);
    if (!status)
        status = options->verb->make ? verb_tables(&solved, &error) : verb_order(&solved, &error);
    progress_line_clear(&progress);
    if (status)
        messages_failure(solving, &error);
    if (status == CSY_INFEASIBLE)
        messages_witness(solving, solved.trace, solved.sync);
    if (!status)
        status = messages_of_limits(solving, solved.trace, solved.sync);
    csy_sync_free(solved.sync);
    csy_trace_free(solved.trace);
    return status;
}

int main(int argc, char **argv)
{
    static const char *outputs[1], *also[STAT_EVENTS_MAX + 2];
    struct stat_options options;
    struct program program = {.solving = &options.solving,
                              .sandbox = {.outputs = outputs, .noutputs = 1, .also = also},
                              .work = work,
                              .user = &options};
    csy_status status = CSY_OK;
    if (!program_begin())
        return EXIT_TROUBLE;
    enum command_action action = stat_options_read(argc, argv, &options);
    switch (action) {
    case COMMAND_USAGE:
        return EXIT_USAGE;
    case COMMAND_HELP:
    case COMMAND_HELP_ALL:
        stat_options_print_help(action == COMMAND_HELP_ALL);
        break;
    case COMMAND_VERSION:
        program_print_version(STAT_PROGRAM);
        break;
    case COMMAND_RUN:
        outputs[0] = options.output;
        for (size_t i = 0; i < options.nevents; i++)
            also[i] = options.events[i];
        also[options.nevents] = options.symbols;
        also[options.nevents + 1] = options.solving.input.offsets;
        program.sandbox.nalso = options.nevents + 2;
        status = program_run(&program);
    }
    return program_end(STAT_PROGRAM, status);
}
