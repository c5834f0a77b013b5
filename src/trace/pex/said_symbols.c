/* What a document says of addresses. */
#include "trace/pex/said_symbols.h"

#include "base/array.h"

#include <stdlib.h>

static bool is_said(const struct element *element)
{
    uint64_t from, to;
    if (element_is(element, "image"))
        return element_number(element, "from", &from) && element_number(element, "to", &to) &&
               from < to;
    if (element_is(element, "symbols"))
        return element_text(element, "href") != NULL;
    return element_is(element, "symbol") && element_number(element, "at", &from) &&
           element_text(element, "name");
}

bool said_symbols_add(struct said_symbols *said, const struct element *element)
{
    if (!is_said(element))
        return true;
    if (!ARRAY_RESERVE(said->items, said->capacity, said->count + 1))
        return false;
    said->items[said->count] = (struct element){0};
    return element_keep(&said->items[said->count++], element);
}

void said_symbols_fini(struct said_symbols *said)
{
    for (size_t i = 0; i < said->count; i++)
        element_fini(&said->items[i]);
    free(said->items);
    *said = (struct said_symbols){0};
}
