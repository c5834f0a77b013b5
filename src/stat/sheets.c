/* cellstat states, concurrency: what is written is sheets. */
#include "stat/table.h"
#include "stat/verbs.h"
#include "tool/progress.h"

/* What events mean, by the files that were named. */
static csy_status open_meaning(const struct stat_options *options, csy_meaning **out,
                               csy_error *error)
{
    csy_status status = csy_meaning_new(out, error);
    if (status)
        return status;
    if (options->events)
        status = csy_meaning_add_file(*out, options->events, error);
    if (status)
        csy_meaning_free(*out);
    return status;
}

static csy_status analyse(const struct solved *solved, bool states, csy_error *error)
{
    const struct stat_options *options = solved->options;
    csy_meaning *meaning;
    csy_analysis *analysis;
    csy_status status = open_meaning(options, &meaning, error);
    if (status)
        return status;
    csy_sync_set_ranges(solved->sync, options->ranges);
    status = states ? csy_sync_states(solved->sync, meaning, &analysis, error)
                    : csy_sync_concurrency(solved->sync, meaning, options->units, &analysis, error);
    progress_line_clear(solved->progress);
    if (!status) {
        progress_line_yield(solved->progress, options->output);
        status =
            csy_analysis_write(analysis, solved->sync, options->output, options->format, error);
        csy_analysis_free(analysis);
    }
    csy_meaning_free(meaning);
    return status;
}

csy_status verb_states(const struct solved *solved, csy_error *error)
{
    return analyse(solved, true, error);
}

csy_status verb_concurrency(const struct solved *solved, csy_error *error)
{
    return analyse(solved, false, error);
}
