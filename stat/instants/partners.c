/* Partners: finds the actor that a field of an event refers to. */
#include "instants/partners.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define ANY UINT64_MAX

bool partner_number(const char *name, uint64_t *out)
{
    static const char digits[] = "0123456789";
    size_t size = strlen(name), end = size;
    if (strncmp(name, "spe", 3) == 0 && strspn(name + 3, digits) > 0) {
        size_t first = 3 + strspn(name + 3, digits);
        if (name[first] == '.' && name[first + 1] &&
            !name[first + 1 + strspn(name + first + 1, digits)])
            end = first;
    }
    size_t begin = end;
    while (begin > 0 && strchr(digits, name[begin - 1]))
        begin--;
    *out = 0;
    for (size_t i = begin; i < end; i++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(name[i] - '0'), out))
            return false;
    return begin < end;
}

static int compare(const void *a, const void *b)
{
    const struct numbered_track *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number ? 1 : -1)
                                  : (x->track > y->track) - (x->track < y->track);
}

csy_status partners_init(struct partners *partners, const csy_sync *sync, csy_error *error)
{
    size_t n = csy_sync_ntracks(sync);
    *partners = (struct partners){.sync = sync};
    partners->numbers = malloc((n + 1) * sizeof *partners->numbers);
    if (!partners->numbers)
        return error_memory(error);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = csy_sync_track(sync, i)->name;
        struct numbered_track *item = &partners->numbers[partners->nnumbers];
        uint32_t index;
        bool added;
        if (!texts_find(&partners->names, name, strlen(name), &index, &added))
            return error_memory(error);
        item->track = i;
        partners->nnumbers += partner_number(name, &item->number);
    }
    if (partners->nnumbers > 1)
        qsort(partners->numbers, partners->nnumbers, sizeof *partners->numbers, compare);
    size_t kept = 0; /* drop numbers of several threads */
    for (size_t i = 0, next; i < partners->nnumbers; i = next) {
        const struct numbered_track *items = partners->numbers;
        for (next = i + 1; next < partners->nnumbers && items[next].number == items[i].number;)
            next++;
        if (next == i + 1)
            partners->numbers[kept++] = items[i];
    }
    partners->nnumbers = kept;
    return CSY_OK;
}

void partners_fini(struct partners *partners)
{
    texts_fini(&partners->names);
    free(partners->numbers);
    *partners = (struct partners){0};
}

csy_status partners_find_name(const struct partners *partners, struct actors *actors,
                              const char *name, size_t size, uint32_t *actor, bool *known,
                              csy_error *error)
{
    uint32_t track;
    *known = texts_look(&partners->names, name, size, &track);
    return *known ? actors_find(actors, ACTOR_NAMED, track, actor, error) : CSY_OK;
}

csy_status partners_find(const struct partners *partners, const struct senses *senses,
                         struct actors *actors, const csy_decoded *event, const struct sense *sense,
                         enum field_role role, uint32_t *actor, bool *known, csy_error *error)
{
    const struct field_at *field = senses_field(senses, sense, role);
    uint64_t number;
    uint32_t track;
    csy_text text;
    *known = fields_text(field, &senses->columns, event, &text) &&
             texts_look(&partners->names, text.bytes, text.size, &track);
    if (*known)
        return actors_find(actors, ACTOR_NAMED, track, actor, error);
    *known = fields_number(field, &senses->columns, event, &number) && number != ANY;
    if (!*known)
        return CSY_OK;
    if (event->track != CSY_NO_TRACK) {
        const struct numbered_track *tracks = partners->numbers;
        size_t low = 0, high = partners->nnumbers;
        BISECT(low, high, middle, tracks[middle].number < number);
        *known = low < partners->nnumbers && tracks[low].number == number;
        return *known ? actors_find(actors, ACTOR_NAMED, tracks[low].track, actor, error) : CSY_OK;
    }
    *known = number < UINT32_MAX;
    enum actor_kind kind = field->of == OF_TID || role == FIELD_THREAD ? ACTOR_PPE : ACTOR_SPE;
    return *known ? actors_find(actors, kind, (uint32_t)number, actor, error) : CSY_OK;
}
