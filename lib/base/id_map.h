/* Maps 32-bit ids to pointers by a tree with ID_MAP_LEVELS levels, each for ID_MAP_BITS bits. So
 * all ids take equally many steps, and successive ids are close in memory. */
#ifndef BASE_ID_MAP_H
#define BASE_ID_MAP_H

#include <stdint.h>

enum { ID_MAP_BITS = 4, ID_MAP_FAN = 1 << ID_MAP_BITS, ID_MAP_LEVELS = 32 / ID_MAP_BITS };

struct id_map {
    /* root of the tree, or NULL. Nodes have ID_MAP_FAN pointers to nodes or to the stored items. */
    void *root;
};

/* Free the map, but not the objects that its pointers point to. */
void id_map_fini(struct id_map *map);

/* Returns the pointer that is stored for an id, or NULL. O(1). */
void *id_map_find(const struct id_map *map, uint32_t id);

/* Returns the address of an id's pointer (NULL for a new id), valid until id_map_fini. Returns NULL
 * if memory runs out. O(1); a new id takes up to 1 KiB. */
void **id_map_place(struct id_map *map, uint32_t id);

#endif
