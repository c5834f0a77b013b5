/* Protocol Buffers: the documentation's own examples, lengths of any size, text of any bytes. */
#include "output/encode/proto.h"
#include "support.h"

#include <stdlib.h>

static void check(struct proto *proto, const char *bytes, size_t size)
{
    ck_assert(!proto->failed);
    ck_assert_mem_eq(proto->bytes, bytes, size);
    ck_assert_uint_eq(proto->size, size);
    proto_fini(proto);
}

START_TEST(numbers_take_seven_bits_a_byte)
{
    struct proto proto = {0};
    proto_number(&proto, 1, 150);
    proto_number(&proto, 16, 0);
    proto_number(&proto, 2, UINT64_MAX);
    check(&proto, "\x08\x96\x01\x80\x01\x00\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 17);
}
END_TEST

START_TEST(messages_nest)
{
    struct proto proto = {0};
    size_t outer = proto_begin(&proto, 3), inner = proto_begin(&proto, 1);
    proto_bytes(&proto, 2, "testing", 7);
    proto_end(&proto, inner);
    proto_number(&proto, 1, 150);
    proto_end(&proto, outer);
    proto_pair(&proto, 4, &(struct proto_value){1, 150}, &(struct proto_value){2, 3});
    check(&proto, "\x1a\x0e\x0a\x09\x12\x07testing\x08\x96\x01\x22\x05\x08\x96\x01\x10\x03", 23);
}
END_TEST

START_TEST(long_messages_have_room_for_their_length)
{
    struct proto proto = {0};
    static const size_t sizes[] = {0, 1, 127, 128, 129, 16383, 16384, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = malloc(sizes[i] + 1);
        memset(text, 'x', sizes[i]);
        size_t mark = proto_begin(&proto, 5);
        proto_number(&proto, 1, 7);
        proto_bytes(&proto, 2, text, sizes[i]);
        proto_end(&proto, mark);
        const uint8_t *p = proto.bytes;
        uint64_t length = 0;
        unsigned shift = 0;
        ck_assert_uint_eq(*p++, 5 << 3 | 2);
        do {
            length |= (uint64_t)(*p & 0x7f) << shift;
            shift += 7;
        } while (*p++ & 0x80);
        ck_assert_uint_eq(length, (size_t)(proto.bytes + proto.size - p));
        ck_assert_mem_eq(p, "\x08\x07\x12", 3);
        ck_assert_mem_eq(proto.bytes + proto.size - sizes[i], text, sizes[i]);
        free(text);
        proto_clear(&proto);
    }
    proto_fini(&proto);
}
END_TEST

START_TEST(text_is_utf8)
{
    struct proto proto = {0};
    proto_text(&proto, 1, "plain", 5);
    proto_text(&proto, 1, "h\xc3\xa9\0\xff!", 6);
    check(&proto, "\x0a\x05plain\x0a\x08h\xc3\xa9\0\xef\xbf\xbd!", 17);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("proto");
    tcase_add_test(tests, numbers_take_seven_bits_a_byte);
    tcase_add_test(tests, messages_nest);
    tcase_add_test(tests, long_messages_have_room_for_their_length);
    tcase_add_test(tests, text_is_utf8);
    return unit_run();
}
