/* Changing the properties of an OTF2 archive's anchor file. */
#include "output/trace/otf2_anchor.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT_AT = 7, TEXTS_AT = 46, TEXTS = 3, COUNT_BYTES = 4, FORMAT_OF_PROPERTIES = 2 };

bool otf2_anchor_is(const uint8_t *bytes, size_t size)
{
    return size >= OTF2_ANCHOR_MAGIC && bytes[0] == 3 && memcmp(bytes + 2, "OTF2", 5) == 0;
}

/* Get the number of properties, in the byte order that the file's second byte states. */
static uint32_t get_count(const uint8_t *file, const uint8_t *at)
{
    bool little = file[1] == 'B';
    uint32_t count = 0;
    for (unsigned i = 0; i < COUNT_BYTES; i++)
        count |= (uint32_t)at[i] << 8 * (little ? i : COUNT_BYTES - 1 - i);
    return count;
}

static void put_count(const uint8_t *file, uint8_t *at, uint32_t count)
{
    bool little = file[1] == 'B';
    for (unsigned i = 0; i < COUNT_BYTES; i++)
        at[i] = (uint8_t)(count >> 8 * (little ? i : COUNT_BYTES - 1 - i));
}

/* Get the text at *at, which moves behind the text. NULL if the text does not end. */
static const char *next_text(const uint8_t *bytes, size_t size, size_t *at)
{
    const uint8_t *text = bytes + *at, *end = memchr(text, 0, size - *at);
    if (end)
        *at += (size_t)(end - text) + 1;
    return end ? (const char *)text : NULL;
}

static uint8_t *put_text(uint8_t *at, const char *text)
{
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    return at + size;
}

/* Copy and count the properties to be kept. Returns false if the file is truncated. */
static bool keep_others(const uint8_t *bytes, size_t size, size_t *at,
                        const struct otf2_property *properties, size_t n, uint8_t **to,
                        uint32_t *kept)
{
    if (size - *at < COUNT_BYTES)
        return false;
    uint32_t count = get_count(bytes, bytes + *at);
    *at += COUNT_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = next_text(bytes, size, at);
        const char *value = name ? next_text(bytes, size, at) : NULL;
        bool replaced = false;
        if (!value)
            return false;
        for (size_t k = 0; k < n; k++)
            replaced |= strcmp(name, properties[k].name) == 0;
        if (replaced)
            continue;
        *to = put_text(put_text(*to, name), value);
        ++*kept;
    }
    return true;
}

csy_status otf2_anchor_set(const char *name, const uint8_t *bytes, size_t size,
                           const struct otf2_property *properties, size_t n, uint8_t **out,
                           size_t *out_size, csy_error *error)
{
    size_t at = TEXTS_AT, room = size;
    uint32_t kept = 0;
    bool good =
        otf2_anchor_is(bytes, size) && size > TEXTS_AT && bytes[FORMAT_AT] >= FORMAT_OF_PROPERTIES;
    for (int i = 0; i < TEXTS && good; i++)
        good = next_text(bytes, size, &at) != NULL;
    for (size_t i = 0; i < n; i++)
        room += strlen(properties[i].name) + strlen(properties[i].value) + 2;
    uint8_t *made = good ? malloc(room) : NULL;
    if (good && !made)
        return error_memory(error);
    size_t count_at = at;
    uint8_t *to = good ? made + at + COUNT_BYTES : NULL;
    if (!good || !keep_others(bytes, size, &at, properties, n, &to, &kept)) {
        free(made);
        return error_set(
            error, CSY_INPUT,
            "%s: this version of OTF2 has no properties of archives, which cellsync needs", name);
    }
    memcpy(made, bytes, count_at);
    for (size_t i = 0; i < n; i++)
        to = put_text(put_text(to, properties[i].name), properties[i].value);
    put_count(bytes, made + count_at, kept + (uint32_t)n);
    memcpy(to, bytes + at, size - at);
    *out = made;
    *out_size = (size_t)(to - made) + (size - at);
    return CSY_OK;
}
