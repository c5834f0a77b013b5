/* What a document says of what its events mean. */
#include "trace/pex/said_meaning.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static bool says_one_of(const struct element *element, const char *const *attributes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (element_text(element, attributes[i]))
            return true;
    return false;
}

static bool is_meant(const struct element *element, uint32_t field)
{
    static const char *const of_types[] = {"role",  "class", "state", "routine",
                                           "block", "stall", "call"};
    static const char *const of_fields[] = {"role", "unit", "of"};
    static const char *const of_places[] = {"node", "cell", "spe"};
    return field == SAID_STATE || field == SAID_TOPOLOGY ? true
           : field == SAID_PLACE
               ? says_one_of(element, of_places, sizeof of_places / sizeof *of_places)
           : field == SAID_TYPE
               ? says_one_of(element, of_types, sizeof of_types / sizeof *of_types)
               : says_one_of(element, of_fields, sizeof of_fields / sizeof *of_fields);
}

bool said_meanings_add(struct said_meanings *said, const struct element *element, uint16_t id,
                       uint32_t field)
{
    if (!is_meant(element, field))
        return true;
    if (!ARRAY_RESERVE(said->items, said->capacity, said->count + 1))
        return false;
    struct said_meaning *item = &said->items[said->count];
    *item = (struct said_meaning){.id = id, .field = field};
    if (!element_keep(&item->element, element))
        return false;
    said->count++;
    return true;
}

bool said_meanings_copy(struct said_meanings *said, const struct said_meaning *of, const char *type,
                        uint32_t field)
{
    if (!ARRAY_RESERVE(said->items, said->capacity, said->count + 1))
        return false;
    struct said_meaning *item = &said->items[said->count];
    *item = (struct said_meaning){.id = of->id, .field = field};
    if (!element_keep(&item->element, &of->element))
        return false;
    said->count++;
    item->type = type ? strdup(type) : NULL;
    return !type || item->type;
}

void said_meanings_fini(struct said_meanings *said)
{
    for (size_t i = 0; i < said->count; i++) {
        element_fini(&said->items[i].element);
        free(said->items[i].type);
    }
    free(said->items);
    *said = (struct said_meanings){0};
}
