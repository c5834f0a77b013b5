/* A set of texts. Each text is stored once, and has a number. */
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include <cellsync/cellsync.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_TEXT UINT32_MAX

struct text_item {
    size_t at; /* offset of the text in `bytes` */
    uint32_t size, hash;
};

struct texts {
    struct text_item *items;
    size_t count, capacity; /* texts are numbered from 0 in the order of first use */
    char *bytes;
    size_t bytes_size, bytes_capacity;
    uint32_t *slots; /* hash table; nslots is a power of 2; NO_TEXT marks a free slot */
    size_t nslots;
};

void texts_fini(struct texts *texts);

/* Find the number of a text. A new text is added, and *added becomes true. Returns false if memory
 * runs out, for more than 2^32 - 2 texts, and for a text of 2^32 bytes or more. O(size). */
bool texts_find(struct texts *texts, const char *text, size_t size, uint32_t *out, bool *added);

/* Find the number of a text. Returns false if the text is not in the set. O(size). */
bool texts_look(const struct texts *texts, const char *text, size_t size, uint32_t *out);

/* Return a text by its number, which is valid until the next text is added. */
static inline csy_text texts_at(const struct texts *texts, uint32_t number)
{
    const struct text_item *item = &texts->items[number];
    return (csy_text){item->size > 0 ? texts->bytes + item->at : "", item->size};
}

#endif
