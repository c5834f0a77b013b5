/* Sections: parts of a trace that events of a name are, or are between. */
#include "analysis/window/sections.h"

#include "base/array.h"
#include "base/error.h"
#include "base/near.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 };

/* A moment, and the record it is of. */
struct place {
    struct block_end end;
    uint64_t record;
    bool begins;
};

/* Where an actor's section has begun. */
struct begun {
    bool any, is_mark;
    size_t depth;
    struct place at, first, last; /* the latter: of its records, by the clock of the last */
};

struct finding {
    const char *name;
    size_t name_size;
    bool partial;
    struct texts actors;
    struct begun *begun; /* by actor */
    size_t capacity;
    struct sections *out;
};

void sections_fini(struct sections *sections)
{
    free(sections->items);
    *sections = (struct sections){0};
}

enum part { PART_NONE, PART_WHOLE, PART_BEGIN, PART_END };

static const struct suffix {
    const char *text;
    enum part part;
} suffixes[] = {{"_ENTRY", PART_BEGIN}, {"_ENTER", PART_BEGIN}, {"_BEGIN", PART_BEGIN},
                {"_EXIT", PART_END},    {"_LEAVE", PART_END},   {"_END", PART_END}};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

/* What an event of that name is to a section. */
static enum part part_of(const struct finding *f, const csy_decoded *event)
{
    if (!event->name || event->name_size < f->name_size ||
        memcmp(event->name, f->name, f->name_size) != 0)
        return PART_NONE;
    if (event->name_size == f->name_size)
        return PART_WHOLE;
    const char *rest = event->name + f->name_size;
    size_t size = event->name_size - f->name_size;
    for (size_t i = 0; i < SUFFIXES; i++)
        if (strlen(suffixes[i].text) == size && memcmp(suffixes[i].text, rest, size) == 0)
            return suffixes[i].part;
    return PART_NONE;
}

static csy_status add(struct sections *out, const struct place *first, const struct place *last,
                      csy_error *error)
{
    if (last->end.at.global_ticks < first->end.at.global_ticks)
        return CSY_OK;
    if (out->count == CSY_BLOCKS_MAX)
        return error_set(error, CSY_USAGE, "there are more than %d sections", CSY_BLOCKS_MAX);
    if (!ARRAY_RESERVE(out->items, out->capacity, out->count + 1))
        return error_memory(error);
    out->items[out->count++] =
        (struct section){{first->end, last->end}, first->record, last->record, first->begins};
    return CSY_OK;
}

/* An interval is from its begin, but not from before its actor's first record by that clock. */
static csy_status add_interval(struct finding *f, const struct begun *begun,
                               const csy_decoded *event, csy_error *error)
{
    struct moment begin = {event->local_begin_ticks, event->global_begin_ticks, event->thread};
    const struct place at = {{begin, CSY_NO_RECORD, false, false}, event->record, true};
    bool late = begin.local_ticks > begun->first.end.at.local_ticks;
    return add(f->out, late ? &at : &begun->first, &begun->last, error);
}

static csy_status take_event(void *user, const csy_decoded *event, csy_error *error)
{
    struct finding *f = user;
    const uint32_t key[] = {event->core, event->track != CSY_NO_TRACK ? event->track : event->tid};
    const struct place at = {{{event->local_ticks, event->global_ticks, event->thread},
                              f->partial ? CSY_NO_RECORD : event->record,
                              false,
                              false},
                             event->record,
                             false};
    enum part part = part_of(f, event);
    uint32_t actor;
    bool added;
    if (!texts_find(&f->actors, (const char *)key, sizeof key, &actor, &added) ||
        !ARRAY_RESERVE(f->begun, f->capacity, f->actors.count))
        return error_memory(error);
    struct begun *begun = &f->begun[actor];
    if (added)
        *begun = (struct begun){.first = at, .last = at};
    if (begun->last.end.at.clock != at.end.at.clock)
        begun->first = at;
    bool ends = part == PART_END && begun->any && begun->depth-- == 1;
    ends |= part == PART_WHOLE && !event->interval && begun->any && begun->is_mark;
    begun->last = at;
    if (part == PART_WHOLE && event->interval)
        return add_interval(f, begun, event, error);
    csy_status status = CSY_OK;
    if (ends) {
        status = add(f->out, &begun->at, &at, error);
        begun->any = false;
    }
    if (part == PART_BEGIN && begun->any && !begun->is_mark)
        begun->depth++;
    else if (part == PART_BEGIN || (part == PART_WHOLE && !event->interval)) {
        begun->any = true;
        begun->is_mark = part == PART_WHOLE;
        begun->depth = 1;
        begun->at = at;
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    const struct section *x = a, *y = b;
    int64_t s = x->block.first.at.global_ticks, t = y->block.first.at.global_ticks;
    int64_t u = x->block.last.at.global_ticks, v = y->block.last.at.global_ticks;
    if (s != t)
        return s > t ? 1 : -1;
    if (u != v)
        return u > v ? 1 : -1;
    return (x->last > y->last) - (x->last < y->last);
}

/* Of all sections, in order. */
static void keep_asked(struct sections *out, uint64_t first, uint64_t last)
{
    size_t kept = 0;
    if (first == 0)
        return;
    for (uint64_t i = first; i <= last && i <= out->count; i++)
        out->items[kept++] = out->items[i - 1];
    out->count = kept;
}

/* Every event of the trace. */
static csy_status each_event(const struct instants *in,
                             csy_status (*take)(void *user, const csy_decoded *event,
                                                csy_error *error),
                             void *user, csy_error *error)
{
    csy_decoded *batch = malloc(BATCH * sizeof *batch);
    csy_events *events = NULL;
    size_t got = 1;
    csy_status status = batch ? csy_events_open(in->sync, &events, error) : error_memory(error);
    while (!status && got > 0) {
        status = csy_events_read(events, batch, BATCH, &got, error);
        for (size_t i = 0; !status && i < got; i++)
            status = take(user, &batch[i], error);
    }
    csy_events_free(events);
    free(batch);
    return status;
}

/* --- Where there are none of that name --- */

/* How many names are looked at, and how many are told. */
enum { NAMES_MAX = 4096, NAMES_TOLD = 8, NEAR_SAID_MAX = ERROR_ESCAPED_MAX + 32 };

/* The name of the section that an event is of. */
static size_t section_size(const csy_decoded *event)
{
    for (size_t i = 0; i < SUFFIXES; i++) {
        size_t size = strlen(suffixes[i].text);
        if (event->name_size > size &&
            memcmp(event->name + event->name_size - size, suffixes[i].text, size) == 0)
            return event->name_size - size;
    }
    return event->name_size;
}

static csy_status list_name(void *user, const csy_decoded *event, csy_error *error)
{
    struct texts *names = user;
    uint32_t number;
    bool added;
    return event->name_size == 0 || names->count == NAMES_MAX ||
                   texts_find(names, event->name, section_size(event), &number, &added)
               ? CSY_OK
               : error_memory(error);
}

static const char *name_at(const struct texts *names, size_t i, char text[ERROR_ESCAPED_MAX])
{
    return error_escape(text, names->bytes + names->items[i].at, names->items[i].size);
}

/* The one that is nearest to what was asked for, "; did you mean MUTEX_LOCK?", or "". */
static const char *say_near(const struct finding *f, const struct texts *names,
                            char text[NEAR_SAID_MAX])
{
    struct near near = near_begin(f->name, f->name_size);
    char name[ERROR_ESCAPED_MAX];
    text[0] = '\0';
    for (size_t i = 0; i < names->count; i++) {
        near.nearest = NULL;
        near_try(&near, name_at(names, i, name));
        if (near.nearest)
            snprintf(text, NEAR_SAID_MAX, "; did you mean %s?", name);
    }
    return text;
}

/* Names that there are, those of the first events: it is not said what sections a trace has. */
static csy_status refuse_name(const struct finding *f, const struct instants *in, csy_error *error)
{
    char near[NEAR_SAID_MAX], name[ERROR_ESCAPED_MAX];
    char told[(NAMES_TOLD + 1) * (ERROR_ESCAPED_MAX + 2) + 64] = "";
    struct texts names = {0};
    size_t size = 0;
    csy_status status = each_event(in, list_name, &names, error);
    size_t n = names.count <= NAMES_TOLD + 1 ? names.count : NAMES_TOLD;
    for (size_t i = 0; i < n; i++)
        size += (size_t)snprintf(told + size, sizeof told - size, "%s%s",
                                 i == 0                           ? ""
                                 : i + 1 == n && n == names.count ? " and "
                                                                  : ", ",
                                 name_at(&names, i, name));
    if (n < names.count)
        snprintf(told + size, sizeof told - size, " and %zu others%s", names.count - n,
                 names.count == NAMES_MAX ? " or more" : "");
    if (!status)
        status =
            error_set(error, CSY_USAGE, "%s: it has 0 such sections; %s%s%s", in->sync->trace->name,
                      n > 0 ? "its events are " : "its events have no names", told,
                      say_near(f, &names, near));
    texts_fini(&names);
    return status;
}

csy_status sections_find(struct sections *out, const struct instants *in, const char *name,
                         uint64_t first, uint64_t last, csy_error *error)
{
    struct finding f = {
        .name = name, .name_size = strlen(name), .partial = in->partial, .out = out};
    *out = (struct sections){0};
    csy_status status = each_event(in, take_event, &f, error);
    for (size_t i = 0; !status && i < f.actors.count; i++) /* what is open lasts to the end */
        if (f.begun[i].any)
            status = add(out, &f.begun[i].at, &f.begun[i].last, error);
    free(f.begun);
    texts_fini(&f.actors);
    if (!status && out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, compare);
    size_t found = out->count;
    if (!status && found == 0)
        return refuse_name(&f, in, error);
    if (!status)
        keep_asked(out, first, last);
    return status || out->count > 0 ? status
                                    : error_set(error, CSY_USAGE, "%s: it has %zu such sections",
                                                in->sync->trace->name, found);
}
