/* Writers of a trace of one buffer. */
#include "instants/writers.h"

#include "base/error.h"

#include <stdlib.h>

static int compare_writers(const void *a, const void *b)
{
    const struct writer *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Whether no context has a live interval after another. */
static bool stay_once(const struct threads *threads)
{
    bool once = true;
    for (size_t t = 0; once && t < threads->count; t++)
        once = threads->items[t].next == NO_THREAD;
    return once;
}

csy_status writers_of(const struct survey *survey, struct writer **out, size_t *n, csy_error *error)
{
    const struct ppe_threads *ppe = &survey->ppe_threads;
    *out = NULL;
    *n = 0;
    if (!ppe->known || !stay_once(&survey->threads))
        return CSY_OK;
    struct writer *writers = malloc((survey->threads.count + PPE_THREADS) * sizeof *writers);
    if (!writers)
        return error_memory(error);
    for (size_t t = 0; t < survey->threads.count; t++) {
        const struct thread *thread = &survey->threads.items[t];
        if (thread->kind == CSY_KIND_SPE)
            writers[(*n)++] = (struct writer){ACTOR_SPE, (uint32_t)thread->context,
                                              thread->first_record, thread->last_record};
    }
    for (uint32_t i = 0; i < PPE_THREADS; i++)
        if (ppe_threads_has(ppe, i))
            writers[(*n)++] =
                (struct writer){ACTOR_PPE, ppe->ids[i], ppe->firsts[i], ppe->lasts[i]};
    qsort(writers, *n, sizeof *writers, compare_writers);
    *out = writers;
    return CSY_OK;
}
