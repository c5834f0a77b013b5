/* Computes Lamport's clocks. */
#include "sync/lamport.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void lamport_init(struct lamport *l, bool counters, int64_t origin_ticks)
{
    *l = (struct lamport){.counters = counters, .global_ticks = origin_ticks};
}

void lamport_fini(struct lamport *l)
{
    free(l->threads);
    *l = (struct lamport){0};
}

csy_status lamport_next(struct lamport *l, uint32_t thread, int64_t local_ticks,
                        int64_t *global_ticks, csy_error *error)
{
    if (!ARRAY_EXTEND(l->threads, l->count, l->capacity, (size_t)thread + 1,
                      (struct lamport_thread){0}))
        return error_memory(error);
    struct lamport_thread *own = &l->threads[thread];
    int128 time = (int128)l->global_ticks + l->started;
    int128 advanced = (int128)own->global_ticks + local_ticks - own->local_ticks;
    if (own->started && !l->counters && advanced > time)
        time = advanced;
    if (!fits_int64(time))
        return error_set(error, CSY_INPUT, "global times do not fit 64 bits");
    l->started = true;
    l->global_ticks = *global_ticks = (int64_t)time;
    if (!own->started)
        own->offset = time - local_ticks;
    own->started = true;
    own->local_ticks = local_ticks;
    own->global_ticks = (int64_t)time;
    return CSY_OK;
}
