/* See names.h. */
#include "clock/names.h"

#include "base/error.h"
#include "base/portable.h"
#include "trace/steps.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_SLOTS = 256, NUMBER_SLOTS = 64 };

/* The name of a clock. The bytes of a stored name follow the struct. */
struct name {
    const char *bytes;
    size_t size;
    uint64_t segment; /* segment of the clock between its steps */
    /* for a record inside a step, the segment before it; otherwise `segment` */
    uint64_t before;
    uint32_t thread; /* thread of the clock */
    /* track with the same name as the clock, or NO_THREAD */
    uint32_t track;
};

/* A thread with another name than its clock. Its bytes are stored as in struct name. */
struct guest {
    const char *bytes;
    size_t size;
    uint32_t thread;
    uint32_t track;
};

struct names {
    struct threads *threads;
    const struct clock_steps *steps; /* NULL: no clock was set */
    void *tree;                      /* search tree of struct name */
    struct name *cache[CACHE_SLOTS];
    void *guests;
    struct guest *last_guests[CACHE_SLOTS];
    /* thread and track of the previous event, or NO_THREAD */
    uint32_t last_thread, last_track;
    struct {
        uint32_t number, thread, track;
    } numbered[NUMBER_SLOTS]; /* by numbers of named timestamps; number 0 marks a free slot */
};

void names_set_steps(struct names *names, const struct clock_steps *steps)
{
    names->steps = steps && steps->count > 0 ? steps : NULL;
}

csy_status names_new(struct threads *threads, struct names **out, csy_error *error)
{
    struct names *names = calloc(1, sizeof *names);
    if (!names)
        return error_memory(error);
    names->threads = threads;
    names->last_thread = NO_THREAD;
    *out = names;
    return CSY_OK;
}

void names_free(struct names *names)
{
    if (!names)
        return;
    portable_tdestroy(names->tree, free);
    portable_tdestroy(names->guests, free);
    free(names);
}

static int compare_names(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->segment != y->segment)
        return x->segment < y->segment ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->size);
}

/* Returns the name of a segment, which the caller frees. */
static char *name_text(const struct name *key)
{
    enum { SEGMENT_MAX = 24 };
    size_t size = key->size + SEGMENT_MAX;
    char *text = malloc(size);
    if (!text)
        return NULL;
    memcpy(text, key->bytes, key->size);
    text[key->size] = 0;
    if (key->segment % 2)
        snprintf(text + key->size, SEGMENT_MAX, "@%" PRIu64, key->segment / 2);
    else if (key->segment > 0)
        snprintf(text + key->size, SEGMENT_MAX, "/%" PRIu64, key->segment / 2 + 1);
    return text;
}

static uint32_t find_segment(const struct names *names, const struct name *key, uint64_t segment)
{
    struct name look = *key;
    look.segment = segment;
    struct name **found = tfind(&look, &names->tree, compare_names);
    return found ? (*found)->thread : NO_THREAD;
}

/* Link the records inside a step to the segment after it, which is new. */
static void end_step(struct names *names, const struct name *key, uint32_t thread)
{
    uint32_t before = find_segment(names, key, key->segment - 2);
    for (size_t i = 0; i < names->threads->count; i++) {
        struct thread *one = &names->threads->items[i];
        if (one->set && before != NO_THREAD && one->set_before == before)
            one->set_after = thread;
    }
}

static csy_status name_add(struct names *names, const struct name *key, uint64_t position,
                           struct name **out, csy_error *error)
{
    struct thread thread = {.kind = CSY_KIND_SPE,
                            .context = CSY_NO_CONTEXT,
                            .spe = CSY_NO_SPE,
                            .split_from = NO_THREAD,
                            .set = key->segment % 2,
                            .set_before = find_segment(names, key, key->before),
                            .set_after = NO_THREAD,
                            .first_record = position,
                            .name = name_text(key)};
    struct name *name = malloc(sizeof *name + key->size);
    if (!name || !thread.name) {
        free(name);
        free(thread.name);
        return error_memory(error);
    }
    char *bytes = (char *)(name + 1);
    memcpy(bytes, key->bytes, key->size);
    *name = (struct name){bytes, key->size, key->segment, key->before, NO_THREAD, NO_THREAD};
    csy_status status = threads_add(names->threads, &thread, &name->thread, error);
    if (status)
        free(thread.name);
    else if (key->segment > 0 && key->segment % 2 == 0)
        end_step(names, key, name->thread);
    if (!status && !tsearch(name, &names->tree, compare_names))
        status = error_memory(error);
    if (status)
        free(name);
    else
        *out = name;
    return status;
}

/* Returns the place of a name in the cache. A collision costs a search of the tree. */
static size_t hash(const char *bytes, size_t size, uint32_t thread)
{
    uint64_t value = size + thread * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < size; i++)
        value = (value ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return (size_t)(value ^ value >> 32) % CACHE_SLOTS;
}

static int compare_guests(const void *a, const void *b)
{
    const struct guest *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->size);
}

static csy_status guest_add(struct names *names, const struct guest *key, struct guest **out,
                            csy_error *error)
{
    struct guest *guest = malloc(sizeof *guest + key->size);
    if (!guest)
        return error_memory(error);
    char *bytes = (char *)(guest + 1);
    memcpy(bytes, key->bytes, key->size);
    *guest = (struct guest){bytes, key->size, key->thread, NO_THREAD};
    csy_status status =
        threads_add_track(names->threads, key->thread, key->bytes, key->size, &guest->track, error);
    if (!status && !tsearch(guest, &names->guests, compare_guests))
        status = error_memory(error);
    if (status)
        free(guest);
    else
        *out = guest;
    return status;
}

/* Find the track of a thread on a clock with another name. */
static csy_status find_guest(struct names *names, const struct named_stamp *stamp, uint32_t thread,
                             uint32_t *track, csy_error *error)
{
    struct guest key = {stamp->thread, stamp->thread_size, thread, NO_THREAD};
    struct guest **slot = &names->last_guests[hash(key.bytes, key.size, thread)];
    if (!*slot || compare_guests(*slot, &key) != 0) {
        struct guest **found = tfind(&key, &names->guests, compare_guests);
        csy_status status = CSY_OK;
        if (found)
            *slot = *found;
        else
            status = guest_add(names, &key, slot, error);
        if (status)
            return status;
    }
    *track = (*slot)->track;
    return CSY_OK;
}

/* Find the clock of the event, and the track of its thread. */
static csy_status find_clock(struct names *names, struct event *event, csy_error *error)
{
    const struct named_stamp *stamp = &event->stamp;
    bool own =
        stamp->clock_size == 0 || (stamp->clock_size == stamp->thread_size &&
                                   memcmp(stamp->clock, stamp->thread, stamp->thread_size) == 0);
    struct name key = {own ? stamp->thread : stamp->clock,
                       own ? stamp->thread_size : stamp->clock_size,
                       0,
                       0,
                       NO_THREAD,
                       NO_THREAD};
    if (names->steps)
        key.segment =
            clock_steps_segment(names->steps, key.bytes, key.size, event->position, &key.before);
    struct name **slot = &names->cache[hash(key.bytes, key.size, (uint32_t)key.segment)];
    csy_status status = CSY_OK;
    if (!*slot || compare_names(*slot, &key) != 0) {
        struct name **found = tfind(&key, &names->tree, compare_names);
        if (found)
            *slot = *found;
        else
            status = name_add(names, &key, event->position, slot, error);
        if (status)
            return status;
    }
    struct name *name = *slot;
    event->thread = name->thread;
    if (!own)
        return find_guest(names, stamp, name->thread, &event->track, error);
    if (name->track == NO_THREAD)
        status = threads_add_track(names->threads, name->thread, NULL, 0, &name->track, error);
    event->track = name->track;
    return status;
}

/* Find the clock and the track of an event with other names than the previous event. */
static csy_status find_track(struct names *names, struct event *event,
                             const struct csy_trace *trace, csy_error *error)
{
    const struct named_stamp *stamp = &event->stamp;
    size_t size = stamp->clock_size ? stamp->clock_size : stamp->thread_size;
    const char *clock = stamp->clock_size ? stamp->clock : stamp->thread;
    bool called_ppe = size == 3 && memcmp(clock, "ppe", 3) == 0;
    if (called_ppe && stamp->core == STAMP_CORE_SPE) {
        csy_status status =
            error_set(error, CSY_INPUT, "%s ppe with core spe: the name is the PPE's",
                      stamp->clock_size ? "clock" : "thread");
        return trace_at_place(trace, event->place, status, error);
    }
    names->threads->cores |= stamp->core != STAMP_CORE_NONE;
    bool ppe = stamp->core == STAMP_CORE_PPE || (called_ppe && stamp->core == STAMP_CORE_NONE);
    csy_status status = CSY_OK;
    if (ppe && names->threads->ppe == NO_THREAD) {
        struct thread added = {.kind = CSY_KIND_PPE,
                               .context = CSY_NO_CONTEXT,
                               .spe = CSY_NO_SPE,
                               .split_from = NO_THREAD,
                               .first_record = event->position};
        status = threads_add(names->threads, &added, &event->thread, error);
    }
    event->thread = names->threads->ppe;
    if (!status)
        status = ppe ? find_guest(names, stamp, event->thread, &event->track, error)
                     : find_clock(names, event, error);
    names->last_thread = status ? NO_THREAD : event->thread;
    names->last_track = event->track;
    return status;
}

csy_status names_push(struct names *names, struct event *event, const struct csy_trace *trace,
                      csy_error *error)
{
    csy_status status = CSY_OK;
    uint32_t number = names->steps ? 0 : event->stamp.number, slot = number % NUMBER_SLOTS;
    event->local_ticks = event->stamp.time_ticks;
    if (event->stamp.same && names->last_thread != NO_THREAD && !names->steps) {
        event->thread = names->last_thread;
        event->track = names->last_track;
    } else if (number > 0 && names->numbered[slot].number == number) {
        event->thread = names->last_thread = names->numbered[slot].thread;
        event->track = names->last_track = names->numbered[slot].track;
    } else {
        status = find_track(names, event, trace, error);
        if (!status && number > 0) {
            names->numbered[slot].number = number;
            names->numbered[slot].thread = event->thread;
            names->numbered[slot].track = event->track;
        }
    }
    if (!status)
        threads_note(names->threads, event->thread, event->position, event->local_ticks);
    return status;
}
