/*
 * The whole pipeline over valid traces that bytes act out (world.h).
 *
 * What must agree: solving.h.  Nothing that a world writes is refused; and where it is lawful and
 * no number of wraps was assumed, nothing had to be relaxed and the truth lies within the bounds.
 */
#include "solving.h"
#include "world.h"

static struct world world;

/* The true offset of a thread: PPE stamps are the truth, live intervals count from their first
 * record. */
static int64_t truth(const csy_thread *thread)
{
    return thread->kind == CSY_KIND_PPE ? 0 : world.now[thread->first_record];
}

static void compare_with_truth(csy_sync *sync, void *user)
{
    const struct solving *solving = user;
    must(csy_sync_records(sync) == world.records, "records");
    if (!world.lawful || csy_sync_clock_report(sync)->assumed > 0 ||
        solving->options.method != CSY_METHOD_BHH)
        return;
    const csy_thread *tau = csy_sync_thread(sync, csy_sync_reference(sync));
    must(solving->options.relax == CSY_RELAX_GIVEN || csy_sync_imprecision(sync)->delta.num == 0,
         "exact clocks were relaxed");
    for (size_t t = 0; t < csy_sync_nthreads(sync); t++) {
        const csy_thread *thread = csy_sync_thread(sync, t);
        int64_t true_offset = truth(thread) - truth(tau) + tau->offset_ticks;
        must(thread->earliest_ticks <= true_offset && true_offset <= thread->latest_ticks,
             thread->name);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct drawing d = {data, size};
    struct solving solving = solving_draw(&d);
    world_act(&world, &d);
    memory_file(world.bytes, world.size);
    solve_all_ways(&solving, compare_with_truth, &solving);
    return 0;
}
