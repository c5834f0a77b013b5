/* See texts.h. */
#include "base/texts.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 64 };

void texts_fini(struct texts *texts)
{
    FREE_ALL(texts->items, texts->bytes, texts->slots);
    *texts = (struct texts){0};
}

static uint32_t hash_of(const char *text, size_t size)
{
    uint64_t value = size, word;
    for (; size >= sizeof word; size -= sizeof word, text += sizeof word) {
        memcpy(&word, text, sizeof word);
        value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        value ^= value >> 32;
    }
    for (word = 0; size > 0; size--)
        word = word << 8 | (unsigned char)*text++;
    value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(value ^ value >> 32);
}

/* Returns the slot of a text, or the free slot where a new text belongs. */
static uint32_t *find_slot(const struct texts *texts, const char *text, size_t size, uint32_t hash)
{
    for (size_t at = hash;; at++) {
        uint32_t *slot = &texts->slots[at & (texts->nslots - 1)];
        const struct text_item *item = *slot == NO_TEXT ? NULL : &texts->items[*slot];
        if (!item || (item->hash == hash && item->size == size &&
                      (size == 0 || memcmp(texts->bytes + item->at, text, size) == 0)))
            return slot;
    }
}

bool texts_find(struct texts *texts, const char *text, size_t size, uint32_t *out, bool *added)
{
    if (texts->count + 1 > texts->nslots / 2) { /* grow if half of the slots would be in use */
        size_t n = texts->nslots ? texts->nslots * 2 : SLOTS_MIN;
        uint32_t *slots = n <= SIZE_MAX / sizeof *slots && memory_allows((uint128)n * sizeof *slots)
                              ? malloc(n * sizeof *slots)
                              : NULL;
        if (!slots)
            return false;
        free(texts->slots);
        texts->slots = slots;
        texts->nslots = n;
        memset(slots, 0xff, n * sizeof *slots);
        for (uint32_t i = 0; i < texts->count; i++) {
            size_t at = texts->items[i].hash & (n - 1);
            while (slots[at] != NO_TEXT)
                at = (at + 1) & (n - 1);
            slots[at] = i;
        }
    }
    uint32_t hash = hash_of(text, size), *slot = find_slot(texts, text, size, hash);
    if (added)
        *added = *slot == NO_TEXT;
    if (*slot == NO_TEXT) {
        if (size > UINT32_MAX || texts->count >= NO_TEXT || size >= SIZE_MAX - texts->bytes_size ||
            !ARRAY_RESERVE(texts->bytes, texts->bytes_capacity, texts->bytes_size + size + 1) ||
            !ARRAY_RESERVE(texts->items, texts->capacity, texts->count + 1))
            return false;
        texts->items[texts->count] = (struct text_item){texts->bytes_size, (uint32_t)size, hash};
        if (size > 0) /* `text` may be NULL if it is empty */
            memcpy(texts->bytes + texts->bytes_size, text, size);
        texts->bytes_size += size;
        texts->bytes[texts->bytes_size++] = 0;
        *slot = (uint32_t)texts->count++;
    }
    *out = *slot;
    return true;
}

bool texts_look(const struct texts *texts, const char *text, size_t size, uint32_t *out)
{
    if (texts->nslots == 0)
        return false;
    *out = *find_slot(texts, text, size, hash_of(text, size));
    return *out != NO_TEXT;
}
