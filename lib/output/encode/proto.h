/* Protocol Buffers messages under construction: fields are appended, and messages contain messages.
 * See the page "Encoding" of the Protocol Buffers documentation. */
#ifndef OUTPUT_ENCODE_PROTO_H
#define OUTPUT_ENCODE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message under construction; {0} is an empty one. `failed` is set if memory runs out. */
struct proto {
    uint8_t *bytes;
    size_t size, capacity;
    bool failed;
};

void proto_fini(struct proto *proto);

static inline void proto_clear(struct proto *proto)
{
    proto->size = 0;
}

/* Append a field with an integer, enumeration value, or bool. A negative number takes ten bytes. */
void proto_number(struct proto *proto, unsigned field, uint64_t value);

/* Append an integer as a field that always takes eight bytes. */
void proto_fixed(struct proto *proto, unsigned field, uint64_t value);

/* Append a message that consists of two numbers. */
struct proto_value {
    unsigned field;
    uint64_t value;
};
void proto_pair(struct proto *proto, unsigned field, const struct proto_value *first,
                const struct proto_value *second);

void proto_bytes(struct proto *proto, unsigned field, const void *bytes, size_t size);

/* Append a text field. Each byte that is not UTF-8 becomes U+FFFD. */
void proto_text(struct proto *proto, unsigned field, const char *text, size_t size);

/* proto_begin opens a message as a field of the innermost open message, and returns a mark.
 * proto_end closes that message, which must be the innermost one. */
size_t proto_begin(struct proto *proto, unsigned field);
void proto_end(struct proto *proto, size_t mark);

#endif
