/* cellsync(1): options -> library -> messages and exit status. */
#include "cli/check.h"
#include "cli/explain.h"
#include "cli/memory.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/quit.h"
#include "cli/sandbox.h"
#include "cli/settings.h"
#include "cli/show.h"
#include "tool/descriptors.h"
#include "tool/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef HAVE_MALLOPT
#include <malloc.h>

/* As glibc begins; of itself it would keep ever more of what is freed. */
enum { TRIM_BYTES = 128 * 1024 };
#endif

enum { STACK_BYTES = 2 << 20 };

enum { EXIT_GOOD = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_INFEASIBLE = 3 };

static bool sandboxed;

static int exit_code(csy_status status)
{
    return status == CSY_OK           ? EXIT_GOOD
           : status == CSY_USAGE      ? EXIT_USAGE
           : status == CSY_INFEASIBLE ? EXIT_INFEASIBLE
                                      : EXIT_TROUBLE;
}

/* standard: what "-" stands for. */
static void say(const struct cli_options *options, const char *what, const char *name,
                const char *standard)
{
    char shown[MESSAGE_NAME_BYTES];
    csy_escape(shown, sizeof shown, strcmp(name, "-") == 0 ? standard : name);
    cli_show(shown, stderr);
    if (options->verbose)
        fprintf(stderr, "cellsync: %s %s\n", what, shown);
}

/* All but a table, which is of several traces. */
static csy_status write_outputs(const struct cli_options *options, struct cli_progress *progress,
                                csy_trace *trace, csy_sync *sync, const csy_output *output,
                                csy_error *error)
{
    csy_status status = CSY_OK;
    if (options->explain)
        status = cli_explain(trace, sync, options->explain, progress, error);
    if (!status && options->graph) {
        say(options, "writing", options->graph, "standard output");
        messages_of_loss(options, options->graph);
        cli_progress_yield(progress, options->graph);
        status = csy_sync_write_graph(sync, options->graph, options->graph_of, error);
        cli_progress_clear(progress);
    }
    if (!status && options->clocks) {
        say(options, "writing", options->clocks, "standard output");
        messages_of_loss(options, options->clocks);
        cli_progress_yield(progress, options->clocks);
        status = csy_sync_write_clocks(sync, options->clocks, error);
        cli_progress_clear(progress);
    }
    if (!status && options->figures) {
        say(options, "writing", options->figures, "standard output");
        cli_progress_yield(progress, options->figures);
        status = csy_sync_write_figures(sync, options->figures, error);
        cli_progress_clear(progress);
    }
    if (!status && options->output) {
        say(options, "writing", options->output, "standard output");
        messages_of_loss(options, options->output);
        cli_progress_yield(progress, options->output);
        status = csy_sync_write_trace(sync, options->output, output, error);
        cli_progress_clear(progress);
        if (!status && (options->written.window || options->written.only) &&
            csy_trace_written(trace) == 0)
            messages_warn(options, "--window and --only leave no record to be written");
    }
    if (!status && options->report && !options->table) {
        say(options, "writing", options->report, "standard output");
        messages_of_loss(options, options->report);
        cli_progress_yield(progress, options->report);
        status = csy_sync_write_report(sync, options->report, options->report_format,
                                       options->pairs, error);
        cli_progress_clear(progress);
    }
    return status;
}

/* None of the outputs is a file of the trace, or another output. */
static csy_status check_outputs(const struct cli_options *options, const csy_trace *trace,
                                const csy_options *solving, const csy_output *output,
                                csy_error *error)
{
    csy_output *one_file;
    csy_status status = csy_output_new(&one_file, error);
    if (status)
        return status;
    status = csy_output_set_format(one_file, CSY_FORMAT_CSV, error);
    if (!status)
        status = csy_trace_check_outputs(trace, solving, options->output, output, options->report,
                                         error);
    if (!status && options->graph)
        status =
            csy_trace_check_outputs(trace, NULL, options->output, output, options->graph, error);
    if (!status && options->graph)
        status =
            csy_trace_check_outputs(trace, NULL, options->graph, one_file, options->report, error);
    const char *before[] = {options->report, options->graph, options->output};
    for (size_t i = 0; options->clocks && i < sizeof before / sizeof *before && !status; i++)
        status = csy_trace_check_outputs(trace, NULL, before[i],
                                         before[i] == options->output ? output : one_file,
                                         options->clocks, error);
    const char *others[] = {options->output, options->report, options->graph, options->clocks};
    for (size_t i = 0; options->figures && i < sizeof others / sizeof *others && !status; i++)
        status = csy_trace_check_outputs(trace, NULL, others[i], i ? one_file : output,
                                         options->figures, error);
    if (!status && options->figures)
        status = csy_check_figures(options->figures, error);
    csy_output_free(one_file);
    return status;
}

static csy_status open_trace(const struct cli_options *options, csy_trace **out, csy_error *error)
{
    csy_input *input;
    csy_status status = settings_input(options, &input, error);
    if (status)
        return status;
    status = csy_trace_open(options->trace, input, out, error);
    csy_input_free(input);
    return status;
}

static csy_status synchronize(const struct cli_options *options, struct cli_progress *progress,
                              csy_table *table, csy_error *error)
{
    csy_trace *trace = NULL;
    csy_sync *sync = NULL;
    csy_options *solving = NULL;
    csy_output *output = NULL;
    size_t told = 0;
    say(options, "reading", options->trace, "standard input");
    messages_of_waiting(options);
    csy_status status = open_trace(options, &trace, error);
    bool denied = status == CSY_IO && sandboxed && strstr(error->text, strerror(EACCES));
    if (!status)
        status = settings_solving(options, csy_trace_timebase_hz(trace), &solving, error);
    if (!status)
        status = settings_output(options, &output, error);
    if (!status)
        status = check_outputs(options, trace, solving, output, error);
    if (!status) {
        told = messages_of_file(options, trace, 0);
        csy_trace_set_workers(trace, options->workers);
        csy_trace_set_progress(trace, cli_progress_show, progress);
        csy_trace_set_salvage(trace, options->salvage);
    }
    if (!status && csy_trace_is_synchronized(trace))
        messages_warn(options,
                      "it is synchronized already: global times are made anew from local ones, "
                      "and replaced");
    if (!status)
        status = csy_trace_synchronize(trace, solving, &sync, error);
    cli_progress_clear(progress);
    if (sync) {
        messages_of_file(options, trace, told);
        messages_of_clocks(options, sync);
    }
    if (!status) {
        messages_of_solution(options, sync);
        status = write_outputs(options, progress, trace, sync, output, error);
        if (!status && table)
            status = csy_table_add(table, sync, error);
    }
    if (status)
        messages_failure(error);
    if (denied)
        fputs("cellsync: only what lies below the folder of TRACE may be read; see --no-sandbox\n",
              stderr);
    if (status == CSY_INFEASIBLE)
        messages_witness(trace, sync);
    csy_output_free(output);
    csy_options_free(solving);
    csy_sync_free(sync);
    csy_trace_free(trace);
    return status;
}

/* Every trace is tried, so that all that is wrong is said at once; a table lacks none or is not
 * written. */
static csy_status tabulate(struct cli_options *options, struct cli_progress *progress,
                           csy_error *error)
{
    csy_table *table = NULL;
    csy_status status = csy_table_new(options->report, options->report_format, &table, error);
    if (status)
        messages_failure(error);
    if (table)
        csy_table_set_unit(table, options->unit);
    for (size_t i = 0; table && i < options->ntraces; i++) {
        options->trace = options->traces[i];
        csy_status one = synchronize(options, progress, table, error);
        status = status ? status : one;
    }
    if (!status) {
        say(options, "writing", options->report, "standard output");
        status = csy_table_write(table, error);
        if (status)
            messages_failure(error);
    }
    csy_table_free(table);
    return status;
}

static void enter_sandbox(const struct cli_options *options)
{
    if (options->no_sandbox)
        return;
    sandboxed = cli_sandbox_enter(options) > 0;
    if (options->verbose)
        fputs(sandboxed ? "cellsync: sandbox: Landlock\n"
                        : "cellsync: sandbox: none; this system or build has no Landlock\n",
              stderr);
}

struct job {
    struct cli_options *options;
    bool apart; /* in a thread of its own */
    csy_status status;
};

static void *work(void *user)
{
    struct job *job = user;
    struct cli_options *options = job->options;
    struct cli_progress progress;
    csy_error error = {CSY_OK, ""};
    if (job->apart)
        enter_sandbox(options);
    cli_progress_init(&progress, options->progress, options->quiet);
    job->status = options->check   ? cli_check(options, &progress, &error)
                  : options->table ? tabulate(options, &progress, &error)
                                   : synchronize(options, &progress, NULL, &error);
    return NULL;
}

/* Work in another thread, with room enough; false where there is none. */
static bool work_apart(struct job *job)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                   pthread_create(&thread, &attributes, work, job) == 0;
    if (started)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* Where this thread has little stack (ulimit -s), another one works. */
static csy_status run(struct cli_options *options)
{
    struct rlimit stack;
    struct job job = {options, true, CSY_OK};
    bool little = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < STACK_BYTES;
    if (!little)
        enter_sandbox(options);
    cli_quit_watch(options);
    if (little && work_apart(&job))
        return job.status;
    job.apart = little;
    work(&job);
    return job.status;
}

int main(int argc, char **argv)
{
    static struct cli_options options; /* a signal asks for them also when main has returned */
    char features[256];
    csy_status status = CSY_OK;
    if (!descriptors_occupy())
        return EXIT_TROUBLE;
    cli_quit_heed_pipe();
    signal(SIGXFSZ, SIG_IGN); /* a full quota is a write error like others */
#ifdef HAVE_MALLOPT
    mallopt(M_TRIM_THRESHOLD, TRIM_BYTES);
#endif
    usage_show = cli_show;
    switch (options_read(argc, argv, &options)) {
    case COMMAND_USAGE:
        return EXIT_USAGE;
    case COMMAND_HELP:
        options_print_help();
        break;
    case COMMAND_VERSION:
        csy_features(features, sizeof features);
        printf("cellsync %s\n%s, %s\n", csy_version(), features,
               cli_sandbox_is_built() ? "sandbox by Landlock" : "no sandbox");
        break;
    case COMMAND_RUN:
        cli_limit_memory(options.max_memory);
        csy_set_terminal(cli_show_is_utf8());
        status = run(&options);
    }
    bool unwritten = fflush(stdout) != 0 || ferror(stdout);
    if ((unwritten || status == CSY_IO) && cli_quit_pipe_broke())
        cli_quit_by_pipe();
    if (unwritten) {
        fprintf(stderr, "cellsync: standard output: %s\n", strerror(errno));
        return EXIT_TROUBLE;
    }
    return exit_code(status);
}
