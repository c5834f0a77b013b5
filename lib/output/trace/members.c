/* Threads of a CSV that share a clock. */
#include "output/trace/members.h"

#include "base/error.h"
#include "base/sort.h"

#include <string.h>

bool members_share(const csy_thread *clock)
{
    return clock->nmembers > 1 ||
           (clock->nmembers == 1 && strcmp(clock->members[0], clock->name) != 0);
}

csy_status members_init(struct members *members, const struct csy_sync *sync, csy_error *error)
{
    *members = (struct members){0};
    for (size_t t = 0; t < sync->survey.threads.count; t++)
        members->nclocks += members_share(&sync->views[t]);
    if (sync->survey.threads.ntracks == 0 || members->nclocks == 0)
        return CSY_OK;
    members->n = sync->survey.threads.ntracks;
    members->items = calloc(members->n, sizeof *members->items);
    if (!members->items)
        return error_memory(error);
    for (size_t i = 0; i < members->n; i++)
        members->items[i] = (struct member){.clock = sync->tracks[i].thread, .track = i};
    return CSY_OK;
}

void members_fini(struct members *members)
{
    free(members->items);
    *members = (struct members){0};
}

static int by_clock(const void *a, const void *b)
{
    const struct member *p = a, *q = b;
    return 2 * COMPARE(p->clock, q->clock) + COMPARE(p->track, q->track);
}

void members_sort(struct members *members, const struct csy_sync *sync)
{
    size_t n = 0;
    for (size_t i = 0; i < members->n; i++)
        if (members_share(&sync->views[members->items[i].clock]))
            members->items[n++] = members->items[i];
    members->n = n;
    SORT(members->items, n, by_clock);
}
