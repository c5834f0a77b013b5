/* See id_map.h. */
#include "base/id_map.h"

#include <stdlib.h>

enum { MASK = ID_MAP_FAN - 1 };

/* The recursion is at most ID_MAP_LEVELS deep. NOLINTNEXTLINE(misc-no-recursion) */
static void free_node(void *node, int level)
{
    void **children = node;
    for (size_t i = 0; children && level > 1 && i < ID_MAP_FAN; i++)
        free_node(children[i], level - 1);
    free(node);
}

void id_map_fini(struct id_map *map)
{
    free_node(map->root, ID_MAP_LEVELS);
    map->root = NULL;
}

void *id_map_find(const struct id_map *map, uint32_t id)
{
    void *node = map->root;
    for (int shift = 32 - ID_MAP_BITS; node && shift >= 0; shift -= ID_MAP_BITS)
        node = ((void **)node)[id >> shift & MASK];
    return node;
}

void **id_map_place(struct id_map *map, uint32_t id)
{
    void **place = &map->root;
    for (int shift = 32 - ID_MAP_BITS; shift >= 0; shift -= ID_MAP_BITS) {
        if (!*place && !(*place = calloc(ID_MAP_FAN, sizeof(void *))))
            return NULL;
        place = (void **)*place + (id >> shift & MASK);
    }
    return place;
}
