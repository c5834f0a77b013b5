/* Texts, each kept once: equal ones have one number. */
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_TEXT UINT32_MAX

struct text_item {
    size_t at; /* in bytes */
    uint32_t size, hash;
};

struct texts {
    struct text_item *items;
    size_t count, capacity; /* they are numbered from 0 as they come */
    char *bytes;
    size_t bytes_size, bytes_capacity;
    uint32_t *slots; /* by hashes, a power of 2 of them; NO_TEXT: free */
    size_t nslots;
};

void texts_fini(struct texts *texts);

/* The number of a text, which is kept if it is new; *added says so.  False on no memory, and beyond
 * 2^32 - 2 texts, or bytes of one.  O(size). */
bool texts_find(struct texts *texts, const char *text, size_t size, uint32_t *out, bool *added);

/* The number of a text that is there; false where it is not.  O(size). */
bool texts_look(const struct texts *texts, const char *text, size_t size, uint32_t *out);

#endif
