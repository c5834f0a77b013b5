/* A set of texts; each text is stored once and has a number. */
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_TEXT UINT32_MAX

struct text_item {
    size_t at; /* offset in `bytes` */
    uint32_t size, hash;
};

struct texts {
    struct text_item *items;
    size_t count, capacity; /* numbered from 0 in the order of their first use */
    char *bytes;
    size_t bytes_size, bytes_capacity;
    uint32_t *slots; /* hash table with a power of 2 of slots; NO_TEXT: free */
    size_t nslots;
};

void texts_fini(struct texts *texts);

/* Find the number of a text, which is added if it is new; then *added is true. False if out of
 * memory, for more than 2^32 - 2 texts, and for a text of 2^32 bytes or more. O(size). */
bool texts_find(struct texts *texts, const char *text, size_t size, uint32_t *out, bool *added);

/* Find the number of a text; false if it is not in the set. O(size). */
bool texts_look(const struct texts *texts, const char *text, size_t size, uint32_t *out);

#endif
