/* Messages of Protocol Buffers under construction: fields are appended, and messages nest. Encoding
 * as in the Protocol Buffers documentation, "Encoding". */
#ifndef OUTPUT_ENCODE_PROTO_H
#define OUTPUT_ENCODE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is empty. If memory runs out, `failed` is set, and appended data is lost. */
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

/* A field with an integer, enumeration, or bool; negative numbers take ten bytes. */
void proto_number(struct proto *proto, unsigned field, uint64_t value);

/* The same in eight bytes. */
void proto_fixed(struct proto *proto, unsigned field, uint64_t value);

/* A message of two numbers. */
struct proto_value {
    unsigned field;
    uint64_t value;
};
void proto_pair(struct proto *proto, unsigned field, const struct proto_value *first,
                const struct proto_value *second);

void proto_bytes(struct proto *proto, unsigned field, const void *bytes, size_t size);

/* A text field; each byte that is not UTF-8 becomes U+FFFD. */
void proto_text(struct proto *proto, unsigned field, const char *text, size_t size);

/* Begin a message as a field of the present one; pass the mark to proto_end, innermost message
 * first. */
size_t proto_begin(struct proto *proto, unsigned field);
void proto_end(struct proto *proto, size_t mark);

#endif
