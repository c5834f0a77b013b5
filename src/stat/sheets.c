/* cellstat states, concurrency, timeline, summary: what is written is sheets. */
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

/* What an analysis that is meant is made of. */
typedef csy_status make_analysis(const struct solved *solved, const csy_meaning *meaning,
                                 csy_analysis **out, csy_error *error);

static csy_status make_states(const struct solved *solved, const csy_meaning *meaning,
                              csy_analysis **out, csy_error *error)
{
    return csy_sync_states(solved->sync, meaning, out, error);
}

static csy_status make_concurrency(const struct solved *solved, const csy_meaning *meaning,
                                   csy_analysis **out, csy_error *error)
{
    return csy_sync_concurrency(solved->sync, meaning, solved->options->units, out, error);
}

/* The rows that are wanted, the greatest first. */
static csy_status sort(const struct stat_options *options, const char *column, csy_analysis **out,
                       csy_error *error)
{
    const char *by = options->sort ? options->sort : column;
    csy_status status = csy_analysis_sort(*out, by, (size_t)options->top, error);
    if (status)
        csy_analysis_free(*out);
    return status;
}

static csy_status make_profile(const struct solved *solved, const csy_meaning *meaning,
                               csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    csy_status status =
        csy_sync_profile(solved->sync, meaning, options->per, options->actors, out, error);
    return status ? status : sort(options, "direct", out, error);
}

static csy_status analyse(const struct solved *solved, make_analysis *make, csy_error *error)
{
    const struct stat_options *options = solved->options;
    csy_meaning *meaning;
    csy_analysis *analysis;
    csy_status status = open_meaning(options, &meaning, error);
    if (status)
        return status;
    csy_sync_set_ranges(solved->sync, options->ranges);
    status = make(solved, meaning, &analysis, error);
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

/* A line of text has room for few parts. */
static size_t choose_bins(const struct stat_options *options)
{
    enum { TEXT_BINS = 64 };
    return options->bins                        ? (size_t)options->bins
           : options->format == CSY_REPORT_TEXT ? TEXT_BINS
                                                : CSY_TIMELINE_BINS;
}

static csy_status make_timeline(const struct solved *solved, const csy_meaning *meaning,
                                csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    return csy_sync_timeline(solved->sync, meaning, options->units, choose_bins(options), out,
                             error);
}

static csy_status make_summary(const struct solved *solved, const csy_meaning *meaning,
                               csy_analysis **out, csy_error *error)
{
    const struct stat_options *options = solved->options;
    return csy_sync_overview(solved->sync, meaning, options->units, choose_bins(options), out,
                             error);
}

csy_status verb_states(const struct solved *solved, csy_error *error)
{
    return analyse(solved, make_states, error);
}

csy_status verb_concurrency(const struct solved *solved, csy_error *error)
{
    return analyse(solved, make_concurrency, error);
}

csy_status verb_profile(const struct solved *solved, csy_error *error)
{
    return analyse(solved, make_profile, error);
}

csy_status verb_timeline(const struct solved *solved, csy_error *error)
{
    return analyse(solved, make_timeline, error);
}

csy_status verb_summary(const struct solved *solved, csy_error *error)
{
    return analyse(solved, make_summary, error);
}
