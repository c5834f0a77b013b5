/* Growable arrays: contents survive growth, and what cannot be had changes nothing. */
#include "base/array.h"
#include "support.h"

#include <stdlib.h>

START_TEST(elements_survive_growth)
{
    uint32_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        if (!ARRAY_RESERVE(items, capacity, (size_t)i + 1) || capacity <= i)
            ck_abort_msg("no room for element %u", i);
        moves += capacity != before;
        items[i] = i * 7;
    }
    for (uint32_t i = 0; i < 100000; i++)
        if (items[i] != i * 7)
            ck_abort_msg("element %u has changed", i);
    ck_assert_uint_le(moves, 20);
    free(items);
}
END_TEST

START_TEST(enough_room_is_left_alone)
{
    char *items = NULL;
    size_t capacity = 0;
    ck_assert(ARRAY_RESERVE(items, capacity, 0));
    ck_assert_ptr_null(items);
    ck_assert(ARRAY_RESERVE(items, capacity, 5000));
    const char *before = items;
    size_t room = capacity;
    ck_assert_uint_ge(room, 5000);
    ck_assert(ARRAY_RESERVE(items, capacity, room));
    ck_assert_ptr_eq(items, before);
    ck_assert_uint_eq(capacity, room);
    free(items);
}
END_TEST

START_TEST(impossible_sizes_change_nothing)
{
    uint64_t *items = NULL;
    size_t capacity = 0;
    ck_assert(ARRAY_RESERVE(items, capacity, 3));
    items[2] = 42;
    const uint64_t *before = items;
    size_t room = capacity;
    ck_assert(!ARRAY_RESERVE(items, capacity, SIZE_MAX));
    ck_assert(!ARRAY_RESERVE(items, capacity, SIZE_MAX / 2 + 2));
    ck_assert(!ARRAY_RESERVE(items, capacity, SIZE_MAX / 8 + 1));
    ck_assert_ptr_eq(items, before);
    ck_assert_uint_eq(capacity, room);
    ck_assert_uint_eq(items[2], 42);
    free(items);
}
END_TEST

START_TEST(rings_keep_what_is_in_them)
{
    uint64_t *ring = NULL, first = 0, end = 0;
    size_t capacity = 0, grown = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        /* 3 come for 2 that go, so that growth finds the first one anywhere. */
        if (end - first == capacity) {
            ck_assert(RING_GROW(ring, capacity, 4, first, end));
            grown++;
        }
        ring[end & (capacity - 1)] = end * 7;
        end++;
        first += i % 3 > 0;
        for (uint64_t k = first; i % 97 == 0 && k < end; k++)
            if (ring[k & (capacity - 1)] != k * 7)
                ck_abort_msg("element %llu has changed", (unsigned long long)k);
    }
    ck_assert_uint_eq(capacity, (size_t)4 << (grown - 1));
    ck_assert(!array_grow_ring((void **)&ring, &capacity, SIZE_MAX / capacity, 4, first, end));
    ck_assert_uint_eq(ring[first & (capacity - 1)], first * 7);
    free(ring);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("array");
    tcase_add_test(tests, elements_survive_growth);
    tcase_add_test(tests, enough_room_is_left_alone);
    tcase_add_test(tests, impossible_sizes_change_nothing);
    tcase_add_test(tests, rings_keep_what_is_in_them);
    return unit_run();
}
