/* A set of texts. Each text is stored once, and has a number. */
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include <cellsync/cellsync.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NO_TEXT UINT32_MAX

struct text_item {
    size_t at; /* index of the first byte of the text in texts.bytes; a NUL follows the text */
    uint32_t size, hash;
};

struct texts {
    struct text_item *items;
    size_t count, capacity; /* number of texts, and of elements of `items` that have memory */
    char *bytes;
    size_t bytes_size, bytes_capacity;
    uint32_t *slots; /* hash table of the numbers of texts; NO_TEXT marks a free slot */
    size_t nslots;
};

void texts_fini(struct texts *texts);

/* Set *out to the number of a text, which is added if it is new. *added, if not NULL, becomes true
 * if the text was new. Returns false if memory runs out, for 2^32 - 1 texts, or for a text of 2^32
 * bytes. O(size). */
bool texts_find(struct texts *texts, const char *text, size_t size, uint32_t *out, bool *added);

/* Like texts_find, but *number is at first a guess, or NO_TEXT. A right guess is faster. */
static inline bool texts_find_guess(struct texts *texts, const char *text, size_t size,
                                    uint32_t *number)
{
    const struct text_item *item = *number < texts->count ? &texts->items[*number] : NULL;
    return (item && item->size == size && memcmp(texts->bytes + item->at, text, size) == 0) ||
           texts_find(texts, text, size, number, NULL);
}

/* Set *out to the number of a text. Returns false if the text is not in the set. O(size). */
bool texts_look(const struct texts *texts, const char *text, size_t size, uint32_t *out);

/* Returns an existing text, which ends with NUL and is valid until the next text is added. */
static inline csy_text texts_text(const struct texts *texts, size_t number)
{
    return (csy_text){texts->bytes + texts->items[number].at, texts->items[number].size};
}

#endif
