/* Computes an approximate offset of each thread, which is added to the thread's times
 * (order/rebase.h). */
#include "order/rebase.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void rebase_fini(struct rebase *rough)
{
    free(rough->offset);
    *rough = (struct rebase){0};
}

static csy_status place(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t begin_x,
                        int64_t *x, csy_error *error)
{
    if (thread == rough->count &&
        !ARRAY_PUSH(rough->offset, rough->count, rough->capacity, (int128)begin_x - local_ticks))
        return error_memory(error);
    int128 wide = local_ticks + rough->offset[thread];
    if (wide >= X_MAX || wide <= -X_MAX)
        return error_set(
            error, CSY_INPUT,
            "times of one clock, or clocks against each other, move by 2^58 ticks or more");
    *x = (int64_t)wide;
    return CSY_OK;
}

csy_status rebase_place(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error)
{
    csy_status status = place(rough, thread, local_ticks, rough->previous_x, x, error);
    if (!status)
        rough->previous_x = *x;
    return status;
}

csy_status rebase_alone(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error)
{
    return place(rough, thread, local_ticks, 0, x, error);
}
