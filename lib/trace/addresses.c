/* See addresses.h. A search first finds the image, and then its symbol. */
#include "trace/addresses.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void image_fini(struct image *image)
{
    free(image->path);
    free(unconst(image->tables));
}

void addresses_fini(struct addresses *addresses)
{
    for (size_t i = 0; i < addresses->count; i++)
        image_fini(&addresses->images[i]);
    image_fini(&addresses->everything);
    free(addresses->images);
    *addresses = (struct addresses){0};
}

bool addresses_add_image(struct addresses *addresses, const char *path, uint64_t from, uint64_t to,
                         uint64_t base)
{
    if (!ARRAY_RESERVE(addresses->images, addresses->capacity, addresses->count + 1))
        return false;
    char *copy = strdup(path);
    if (!copy)
        return false;
    symbols_clean(copy);
    addresses->images[addresses->count] =
        (struct image){.path = copy, .from = from, .to = to, .base = base};
    addresses->images[addresses->count].first = addresses->count == 0;
    addresses->count++;
    return true;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static struct image *find_image(struct addresses *a, const char *name)
{
    if (!name && a->count == 0)
        return &a->everything;
    for (size_t i = 0; i < a->count; i++)
        if (name ? strcmp(a->images[i].path, name) == 0 : a->images[i].first)
            return &a->images[i];
    for (size_t i = 0; name && i < a->count; i++)
        if (strcmp(last_part(a->images[i].path), last_part(name)) == 0)
            return &a->images[i];
    return NULL;
}

bool addresses_add_symbols(struct addresses *addresses, const char *image,
                           const struct symbols *symbols, bool *found)
{
    struct image *to = find_image(addresses, image);
    *found = to != NULL;
    if (!to)
        return true;
    size_t capacity = to->ntables;
    /* An array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    if (!ARRAY_RESERVE(to->tables, capacity, to->ntables + 1))
        return false;
    to->tables[to->ntables++] = symbols;
    return true;
}

static int compare_images(const void *a, const void *b)
{
    const struct image *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : strcmp(x->path, y->path);
}

void addresses_seal(struct addresses *addresses)
{
    if (addresses->count > 1)
        qsort(addresses->images, addresses->count, sizeof *addresses->images, compare_images);
}

/* Returns the image that contains the address: the last one that begins before it, or
 * `everything`. */
static const struct image *image_around(const struct addresses *a, uint64_t address)
{
    size_t low = 0, high = a->count;
    BISECT(low, high, middle, a->images[middle].from <= address);
    return low > 0 && address < a->images[low - 1].to ? &a->images[low - 1] : &a->everything;
}

static const struct symbol *look_up(const struct addresses *addresses, uint64_t address)
{
    const struct image *image = image_around(addresses, address);
    const struct symbol *found = NULL;
    for (size_t i = 0; i < image->ntables && !found; i++)
        found = symbols_find(image->tables[i], address - image->base);
    return found;
}

const struct symbol *addresses_find(const struct addresses *addresses, struct address_cache *cache,
                                    uint64_t address)
{
    const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 divided by the golden ratio */
    const unsigned shift = 32;
    if (!cache)
        return look_up(addresses, address);
    struct address_known *known =
        &cache->items[(address * spread >> shift) & (ADDRESSES_KNOWN - 1)];
    if (!known->is || known->address != address)
        *known = (struct address_known){true, address, look_up(addresses, address)};
    return known->symbol;
}

csy_text addresses_name(const struct addresses *addresses, struct address_cache *cache,
                        uint64_t address, char *room, const struct symbol **symbol)
{
    const struct symbol *found = addresses_find(addresses, cache, address);
    if (symbol)
        *symbol = found;
    if (found)
        return (csy_text){found->name, strlen(found->name)};
    const struct image *image = image_around(addresses, address);
    const char *name = image->path && !image->first ? last_part(image->path) : "";
    int n = snprintf(room, ADDRESS_ROOM, "%.200s%s0x%08" PRIx64, name, *name ? "+" : "",
                     address - image->base);
    return (csy_text){room, n > 0 ? (size_t)n : 0};
}

uint64_t addresses_distance(const struct addresses *addresses, const struct symbol *symbol,
                            uint64_t address)
{
    return address - image_around(addresses, address)->base - symbol->at;
}
