/* See threads.h. */
#include "clock/threads.h"

#include "base/array.h"
#include "base/error.h"
#include "base/put.h"

#include <stdlib.h>
#include <string.h>

const char *thread_name(const struct thread *thread, char text[THREAD_NAME_MAX])
{
    if (thread->name)
        return thread->name;
    if (thread->kind == CSY_KIND_PPE)
        return "ppe";
    char *at = number_put(put_text(text, "spe"), thread->context);
    *number_put_unsigned(put_text(at, "."), thread->ordinal) = '\0';
    return text;
}

void threads_init(struct threads *threads)
{
    *threads = (struct threads){.ppe = NO_THREAD};
}

void threads_fini(struct threads *threads)
{
    for (size_t i = 0; i < threads->count; i++)
        free(threads->items[i].name);
    for (size_t i = 0; i < threads->ntracks; i++)
        free(threads->tracks[i].name);
    FREE_ALL(threads->tracks, threads->items);
    threads_init(threads);
}

csy_status threads_add(struct threads *threads, const struct thread *thread, uint32_t *out,
                       csy_error *error)
{
    if (threads->count >= NO_THREAD)
        return error_set(error, CSY_INPUT, "more than 2^32 - 2 threads");
    if (!ARRAY_RESERVE(threads->items, threads->capacity, threads->count + 1))
        return error_memory(error);
    *out = (uint32_t)threads->count;
    struct thread *added = &threads->items[threads->count++];
    *added = *thread;
    added->min_ticks = INT64_MAX;
    added->max_ticks = INT64_MIN;
    added->next = NO_THREAD;
    if (added->kind == CSY_KIND_PPE)
        threads->ppe = *out;
    return CSY_OK;
}

csy_status threads_add_ppe(struct threads *threads, uint64_t position, csy_error *error)
{
    const struct thread ppe = {.kind = CSY_KIND_PPE,
                               .context = CSY_NO_CONTEXT,
                               .spe = CSY_NO_SPE,
                               .split_from = NO_THREAD,
                               .first_record = position};
    uint32_t added;
    return threads->ppe == NO_THREAD ? threads_add(threads, &ppe, &added, error) : CSY_OK;
}

csy_status threads_add_track(struct threads *threads, uint32_t thread, const char *name,
                             size_t size, uint32_t *out, csy_error *error)
{
    if (threads->ntracks >= NO_THREAD)
        return error_set(error, CSY_INPUT, "more than 2^32 - 2 threads");
    char *copy = name ? strndup(name, size) : NULL;
    *out = (uint32_t)threads->ntracks;
    if ((name && !copy) || !ARRAY_PUSH(threads->tracks, threads->ntracks, threads->tracks_capacity,
                                       (struct thread_track){copy, thread})) {
        free(copy);
        return error_memory(error);
    }
    return CSY_OK;
}

void threads_take_run(struct threads *threads, uint32_t index, const struct thread_run *run)
{
    struct thread *thread = &threads->items[index];
    thread->records += run->records;
    if (run->last_record >= thread->last_record) {
        thread->last_record = run->last_record;
        thread->last_ticks = run->last_ticks;
    }
    if (run->min_ticks < thread->min_ticks)
        thread->min_ticks = run->min_ticks;
    if (run->max_ticks > thread->max_ticks)
        thread->max_ticks = run->max_ticks;
}

bool threads_keep_times(const struct threads *threads, bool loose)
{
    const int128 apart_max = (int128)1 << 59;
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t t = 0; t < threads->count; t++) {
        int64_t first = threads->items[t].first_ticks;
        least = first < least ? first : least;
        most = first > most ? first : most;
    }
    return loose && (int128)most - least <= apart_max;
}
