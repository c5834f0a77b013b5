/* Routines that events name. */
#include "meaning/routines.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESSES_MAX = 1 << 20 };

static const char other[] = "other";

bool routines_name(struct routines *routines, const char *name, size_t size, uint32_t *out)
{
    bool added;
    if (routines->keys.count + 1 >= ROUTINES_MAX && !texts_look(&routines->keys, name, size, out)) {
        name = other;
        size = sizeof other - 1;
    }
    if (!texts_find(&routines->keys, name, size, out, &added) ||
        !ARRAY_RESERVE(routines->items, routines->capacity, routines->keys.count))
        return false;
    if (added)
        routines->items[routines->count++] = (struct routine){0};
    return true;
}

static bool name_symbol(struct routines *routines, const struct symbol *symbol, uint32_t *out)
{
    size_t name = strlen(symbol->name), file = symbol->file ? strlen(symbol->file) + 1 : 0;
    char *key = malloc(name + file + 1);
    if (!key)
        return false;
    memcpy(key, symbol->name, name + 1);
    if (file > 0)
        memcpy(key + name + 1, symbol->file, file - 1);
    bool good = routines_name(routines, key, name + file, out);
    free(key);
    if (good && routines->keys.items[*out].size == name + file && !routines->items[*out].name) {
        struct routine *routine = &routines->items[*out];
        routine->name = symbol->name;
        routine->file = symbol->file;
        routine->line = symbol->line;
    }
    return good;
}

bool routines_address(struct routines *routines, uint64_t address, const struct symbol *symbol,
                      csy_text text, uint32_t *out)
{
    uint32_t index;
    bool added, good = symbol ? name_symbol(routines, symbol, out)
                              : routines_name(routines, text.bytes, text.size, out);
    if (!good || routines->addresses.count >= ADDRESSES_MAX)
        return good;
    if (!keys_find(&routines->addresses, address, &index, &added) ||
        !ARRAY_RESERVE(routines->of_addresses, routines->addresses_capacity,
                       routines->addresses.count))
        return false;
    routines->of_addresses[index] = *out;
    return true;
}

const char *routines_text(const struct routines *routines, uint32_t routine, size_t *size)
{
    const struct text_item *key = &routines->keys.items[routine];
    const char *name = routines->items[routine].name;
    *size = name ? strlen(name) : key->size;
    return name ? name : routines->keys.bytes + key->at;
}

void routines_fini(struct routines *routines)
{
    texts_fini(&routines->keys);
    keys_fini(&routines->addresses);
    free(routines->items);
    free(routines->of_addresses);
    *routines = (struct routines){0};
}
