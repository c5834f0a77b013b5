/* All that is known of a program, in one. */
#include "analysis/sheets.h"

#include "base/error.h"

#include <stdlib.h>

struct wanted {
    csy_sync *sync;
    const csy_meaning *meaning;
    csy_units units;
    size_t bins;
};

typedef csy_status make_part(const struct wanted *wanted, csy_analysis **out, csy_error *error);

static csy_status make_concurrency(const struct wanted *wanted, csy_analysis **out,
                                   csy_error *error)
{
    const csy_concurrency asked = {.units = wanted->units};
    return csy_sync_concurrency(wanted->sync, wanted->meaning, &asked, out, error);
}

static csy_status make_timeline(const struct wanted *wanted, csy_analysis **out, csy_error *error)
{
    return csy_sync_timeline(wanted->sync, wanted->meaning, wanted->units, wanted->bins, out,
                             error);
}

static csy_status make_states(const struct wanted *wanted, csy_analysis **out, csy_error *error)
{
    return csy_sync_states(wanted->sync, wanted->meaning, NULL, out, error);
}

/* Few traces have routines. */
static csy_status make_profile(const struct wanted *wanted, csy_analysis **out, csy_error *error)
{
    enum { TOP = 40 };
    csy_status status = csy_sync_profile(wanted->sync, wanted->meaning, NULL, out, error);
    if (status == CSY_INPUT) {
        *out = NULL;
        return CSY_OK;
    }
    if (!status)
        status = csy_analysis_sort(*out, "direct", TOP, error);
    else
        *out = NULL;
    if (status)
        csy_analysis_free(*out);
    return status;
}

static make_part *const parts[] = {make_concurrency, make_timeline, make_states, make_profile};
enum { PARTS = sizeof parts / sizeof *parts };

csy_status csy_sync_overview(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                             size_t bins, csy_analysis **out, csy_error *error)
{
    const struct wanted wanted = {sync, meaning, units, bins};
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    csy_status status = analysis ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < PARTS && !status; i++) {
        csy_analysis *more;
        status = parts[i](&wanted, &more, error);
        if (!status && more)
            status = sheets_move(analysis, more, error);
    }
    if (status) {
        csy_analysis_free(analysis);
        return status;
    }
    analysis->brief = true;
    *out = analysis;
    return CSY_OK;
}
