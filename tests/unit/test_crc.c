/* CRC-32 against its definition, bit by bit. */
#include "base/crc.h"
#include "support.h"

static uint32_t crc_by_bits(const uint8_t *bytes, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < 8 * size; i++) {
        uint32_t bit = (crc ^ ((uint32_t)bytes[i / 8] >> (i % 8))) & 1;
        crc = (crc >> 1) ^ (bit ? 0xedb88320 : 0);
    }
    return ~crc;
}

START_TEST(known_answer)
{
    ck_assert_uint_eq(crc_add(0, (const uint8_t *)"123456789", 9), 0xcbf43926);
    ck_assert_uint_eq(crc_add(7, NULL, 0), 7);
}
END_TEST

START_TEST(parts_make_the_whole)
{
    for (uint64_t trial = 0; trial < 300; trial++) {
        uint8_t bytes[700];
        struct random r = random_trial(trial);
        size_t size = (size_t)random_between(&r, 0, sizeof bytes);
        size_t first = (size_t)random_between(&r, 0, (int64_t)size);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)random_bits(&r);
        uint32_t want = crc_by_bits(bytes, size), sum = crc_add(0, bytes, first);
        ck_assert_uint_eq(crc_add(sum, bytes + first, size - first), want);
        ck_assert_uint_eq(crc_join(sum, crc_by_bits(bytes + first, size - first), size - first),
                          want);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("crc");
    tcase_add_test(tests, known_answer);
    tcase_add_test(tests, parts_make_the_whole);
    return unit_run();
}
