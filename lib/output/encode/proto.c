/* Encoding of Protocol Buffers. Each byte of a number has seven bits of the number, the lowest bits
 * first. The eighth bit means that another byte follows. */
#include "output/encode/proto.h"

#include "base/array.h"
#include "output/encode/escape.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 10, WIRE_NUMBER = 0, WIRE_FIXED = 1, WIRE_BYTES = 2 };

void proto_fini(struct proto *proto)
{
    free(proto->bytes);
    *proto = (struct proto){0};
}

/* Make room for `size` more bytes. Returns the place of the room, or NULL if out of memory. */
static uint8_t *grow(struct proto *proto, size_t size)
{
    if (size > SIZE_MAX / 2 - proto->size ||
        !ARRAY_RESERVE(proto->bytes, proto->capacity, proto->size + size)) {
        proto->failed = true;
        return NULL;
    }
    return proto->bytes + proto->size;
}

/* Returns room for `size` more bytes. Inlined, because the room usually exists already. */
static inline uint8_t *room(struct proto *proto, size_t size)
{
    if (proto->failed)
        return NULL;
    return size <= proto->capacity - proto->size ? proto->bytes + proto->size : grow(proto, size);
}

static inline uint8_t *put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

void proto_number(struct proto *proto, unsigned field, uint64_t value)
{
    uint8_t *at = room(proto, 2 * (size_t)NUMBER_MAX);
    if (at)
        proto->size = (size_t)(put(put(at, field << 3 | WIRE_NUMBER), value) - proto->bytes);
}

void proto_fixed(struct proto *proto, unsigned field, uint64_t value)
{
    uint8_t *at = room(proto, NUMBER_MAX + sizeof value);
    if (!at)
        return;
    at = put(at, field << 3 | WIRE_FIXED);
    for (unsigned i = 0; i < sizeof value; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    proto->size = (size_t)(at - proto->bytes);
}

void proto_pair(struct proto *proto, unsigned field, const struct proto_value *first,
                const struct proto_value *second)
{
    uint8_t *at = room(proto, 5 * (size_t)NUMBER_MAX + 1);
    if (!at)
        return;
    uint8_t *body = put(at, field << 3 | WIRE_BYTES) + 1;
    uint8_t *end = put(put(body, first->field << 3 | WIRE_NUMBER), first->value);
    end = put(put(end, second->field << 3 | WIRE_NUMBER), second->value);
    body[-1] = (uint8_t)(end - body); /* size of the pair in one byte, because it is at most 40 */
    proto->size = (size_t)(end - proto->bytes);
}

void proto_bytes(struct proto *proto, unsigned field, const void *bytes, size_t size)
{
    uint8_t *at = size > SIZE_MAX / 2 ? NULL : room(proto, 2 * (size_t)NUMBER_MAX + size);
    if (!at)
        return;
    at = put(put(at, field << 3 | WIRE_BYTES), size);
    if (size > 0)
        memcpy(at, bytes, size);
    proto->size = (size_t)(at - proto->bytes) + size;
}

void proto_text(struct proto *proto, unsigned field, const char *text, size_t size)
{
    static const uint8_t replacement[] = {0xef, 0xbf, 0xbd};
    const unsigned char *p = (const unsigned char *)text, *end = p + size;
    size_t ascii = 0;
    while (ascii < size && p[ascii] < 0x80)
        ascii++;
    if (ascii == size) {
        proto_bytes(proto, field, text, size);
        return;
    }
    size_t mark = proto_begin(proto, field);
    while (p < end) {
        size_t n = *p < 0x80 ? 1 : utf8_length(p, (size_t)(end - p));
        const void *from = n ? (const void *)p : replacement;
        size_t length = n ? n : sizeof replacement;
        uint8_t *at = room(proto, length);
        if (!at)
            return;
        memcpy(at, from, length);
        proto->size += length;
        p += n ? n : 1;
    }
    proto_end(proto, mark);
}

size_t proto_begin(struct proto *proto, unsigned field)
{
    uint8_t *at = room(proto, NUMBER_MAX + 1);
    if (!at)
        return 0;
    proto->size = (size_t)(put(at, field << 3 | WIRE_BYTES) - proto->bytes) + 1;
    return proto->size;
}

/* proto_begin has reserved one byte for the length. If the length needs more, move the body. */
void proto_end(struct proto *proto, size_t mark)
{
    uint8_t length[NUMBER_MAX];
    if (proto->failed || !room(proto, NUMBER_MAX))
        return;
    size_t size = proto->size - mark, n = (size_t)(put(length, size) - length);
    if (n > 1)
        memmove(proto->bytes + mark + n - 1, proto->bytes + mark, size);
    memcpy(proto->bytes + mark - 1, length, n);
    proto->size += n - 1;
}
