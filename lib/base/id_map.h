/* Maps 32-bit ids to pointers, by a tree with four bits of the id on each level.
 *
 * All ids are found in the same number of steps. Successive ids have neighbouring entries. */
#ifndef BASE_ID_MAP_H
#define BASE_ID_MAP_H

#include <stdint.h>

enum { ID_MAP_BITS = 4, ID_MAP_FAN = 1 << ID_MAP_BITS, ID_MAP_LEVELS = 32 / ID_MAP_BITS };

struct id_map {
    /* NULL: the map is empty. A node has ID_MAP_FAN pointers to nodes or, at last, to values. */
    void *root;
};

/* Free the nodes, but not the targets of the pointers. */
void id_map_fini(struct id_map *map);

/* Returns the pointer for an id, or NULL. O(1). */
void *id_map_find(const struct id_map *map, uint32_t id);

/* Returns the address of an id's pointer, or NULL if memory runs out. The pointer of a new id is
 * NULL. Addresses are valid as long as the map. O(1); an id far from all others takes up to 1
 * KiB. */
void **id_map_place(struct id_map *map, uint32_t id);

#endif
