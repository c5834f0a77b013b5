/* Data for reading a trace of messages again. */
#include "sync/replay_kept.h"

#include <stdlib.h>

void replayed_free(struct replayed *replayed)
{
    if (!replayed)
        return;
    for (struct replayed_name *name = replayed->names, *next; name; name = next) {
        next = name->next;
        free(name);
    }
    free(replayed->starts);
    free(replayed->members);
    free(replayed->shared.items);
    free(replayed->open.items);
    points_fini(&replayed->points);
    free(replayed);
}
