/* The map from ids to pointers: against a list of what was put in. */
#include "base/id_map.h"
#include "support.h"

enum { IDS = 500 };

START_TEST(ids_lead_to_what_was_put_there)
{
    for (int trial = 0; trial < trials_of(100); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct id_map map = {0};
        static uint32_t ids[IDS];
        bool near = random_chance(&r, 50);
        ck_assert_ptr_null(id_map_find(&map, 0));
        for (size_t i = 0; i < IDS; i++) {
            ids[i] = near ? (uint32_t)random_between(&r, 0, 2 * IDS) : (uint32_t)random_bits(&r);
            void **place = id_map_place(&map, ids[i]);
            size_t first = 0;
            while (ids[first] != ids[i])
                first++;
            ck_assert_ptr_nonnull(place);
            ck_assert_ptr_eq(*place, first == i ? NULL : &ids[first]);
            *place = &ids[first];
        }
        for (size_t i = 0; i < IDS; i++) {
            const uint32_t *found = id_map_find(&map, ids[i]);
            ck_assert(found && *found == ids[i]);
            const uint32_t *other = id_map_find(&map, ~ids[i]);
            ck_assert(!other || *other == ~ids[i]);
        }
        id_map_fini(&map);
        ck_assert_ptr_null(id_map_find(&map, ids[0]));
    }
}
END_TEST

START_TEST(the_ends_of_the_range)
{
    struct id_map map = {0};
    int zero, last;
    *id_map_place(&map, 0) = &zero;
    *id_map_place(&map, UINT32_MAX) = &last;
    ck_assert_ptr_eq(id_map_find(&map, 0), &zero);
    ck_assert_ptr_eq(id_map_find(&map, UINT32_MAX), &last);
    ck_assert_ptr_null(id_map_find(&map, 1));
    id_map_fini(&map);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("id_map");
    tcase_add_test(tests, ids_lead_to_what_was_put_there);
    tcase_add_test(tests, the_ends_of_the_range);
    return unit_run();
}
