/* A map from 32-bit ids to pointers: a tree with four bits of the id on each level.
 *
 * Finding an id takes the same few steps for any ids in a file. Successive ids, as in most files,
 * have neighbouring entries. */
#ifndef BASE_ID_MAP_H
#define BASE_ID_MAP_H

#include <stdint.h>

enum { ID_MAP_BITS = 4, ID_MAP_FAN = 1 << ID_MAP_BITS, ID_MAP_LEVELS = 32 / ID_MAP_BITS };

struct id_map {
    void *root; /* NULL: empty. A node has ID_MAP_FAN pointers, to nodes except on the last
                   level. */
};

/* Free the nodes, but not the targets of the map's pointers. */
void id_map_fini(struct id_map *map);

/* The pointer of an id, or NULL. O(1). */
void *id_map_find(const struct id_map *map, uint32_t id);

/* The place for the pointer of an id. The place contains NULL if the id is new, and is valid as
 * long as the map. Returns NULL if out of memory. O(1); an id far from all others takes up to 1
 * KiB. */
void **id_map_place(struct id_map *map, uint32_t id);

#endif
