/* csy_sync_find_thread: the thread, or the thread of the clock, with this name. */
#include "base/error.h"
#include "base/near.h"
#include "sync/solution.h"

#include <inttypes.h>

static bool is_called(const char *called, const char *name, size_t size)
{
    return strncmp(called, name, size) == 0 && called[size] == 0;
}

static csy_status refuse_unknown(const struct csy_sync *sync, const char *name, size_t size,
                                 csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX], meant[ERROR_ESCAPED_MAX] = "";
    struct near near = near_begin(name, size);
    for (size_t t = 0; t < sync->survey.threads.count; t++)
        near_try(&near, sync->views[t].name);
    for (size_t i = 0; i < sync->survey.threads.ntracks; i++)
        near_try(&near, sync->tracks[i].name);
    if (near.nearest)
        error_escape(meant, near.nearest, strlen(near.nearest));
    /* Quote a name that begins or ends with a blank, which would be invisible. */
    const char *quote = size > 0 && (name[0] == ' ' || name[size - 1] == ' ') ? "'" : "";
    return error_set(error, CSY_USAGE, "%s: no %s is called %s%s%s%s%s%s", sync->trace->name,
                     sync->survey.threads.ntracks > sync->survey.threads.count ? "clock or thread"
                                                                               : "thread",
                     quote, error_escape(shown, name, size), quote,
                     near.nearest ? "; did you mean " : "", meant, near.nearest ? "?" : "");
}

csy_status csy_sync_find_thread(const csy_sync *sync, const char *name, size_t size, size_t *out,
                                csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    const csy_track *found = NULL;
    for (size_t t = 0; t < threads->count; t++)
        if (is_called(sync->views[t].name, name, size)) {
            *out = t;
            return CSY_OK;
        }
    for (size_t i = 0; i < threads->ntracks; i++) {
        const csy_track *track = &sync->tracks[i];
        if (!is_called(track->name, name, size))
            continue;
        if (found && found->thread != track->thread) {
            char shown[ERROR_ESCAPED_MAX], one[ERROR_ESCAPED_MAX], other[ERROR_ESCAPED_MAX];
            const char *first = sync->views[found->thread].name;
            const char *second = sync->views[track->thread].name;
            return error_set(error, CSY_USAGE,
                             "%s: threads called %s run on several clocks, %s and %s: name one",
                             sync->trace->name, error_escape(shown, name, size),
                             error_escape(one, first, strlen(first)),
                             error_escape(other, second, strlen(second)));
        }
        found = track;
    }
    if (!found)
        return refuse_unknown(sync, name, size, error);
    *out = found->thread;
    return CSY_OK;
}
