/*
 * A map from 32-bit ids to pointers: a tree that takes four bits of the id a level.
 *
 * Whatever ids a file has, finding one takes the same few steps; those of neighbours, which follow
 * one another in most files, are beside each other.
 */
#ifndef BASE_ID_MAP_H
#define BASE_ID_MAP_H

#include <stdint.h>

enum { ID_MAP_BITS = 4, ID_MAP_FAN = 1 << ID_MAP_BITS, ID_MAP_LEVELS = 32 / ID_MAP_BITS };

struct id_map {
    void *root; /* NULL: empty.  A node is ID_MAP_FAN pointers, to nodes but on the last level */
};

/* Of the nodes, not of what the map's pointers lead to. */
void id_map_fini(struct id_map *map);

/* What the id leads to, or NULL.  O(1). */
void *id_map_find(const struct id_map *map, uint32_t id);

/* Where to put what the id leads to, NULL so far if it is new; holds for the life of the map.  NULL
 * on no memory.  O(1), and up to a KiB of memory for an id that is far from all others. */
void **id_map_place(struct id_map *map, uint32_t id);

#endif
