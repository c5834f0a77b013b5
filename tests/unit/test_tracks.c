/* Tracks: what is laid on one nests, and only what would cross is refused. */
#include "output/trace/tracks.h"
#include "support.h"

static struct track *find(struct tracks *tracks, unsigned group, uint64_t number, bool want_made)
{
    struct track *track;
    bool made;
    csy_error error;
    ck_ok(tracks_find(tracks, group, number, &track, &made, &error), error);
    ck_assert(made == want_made);
    ck_assert(track->group == group && track->number == number);
    return track;
}

static bool lay(struct track *track, int64_t begin, int64_t end)
{
    bool nests;
    csy_error error;
    ck_ok(track_lay(track, (struct slice){begin, end}, &nests, &error), error);
    return nests;
}

START_TEST(tracks_are_found_again)
{
    struct tracks tracks = {0};
    struct track *a = find(&tracks, 1, 5, true);
    struct track *b = find(&tracks, 2, 5, true);
    struct track *c = find(&tracks, 1, UINT64_MAX, true);
    ck_assert(a != b && b != c && a != c);
    ck_assert_ptr_eq(find(&tracks, 1, 5, false), a);
    ck_assert_ptr_eq(find(&tracks, 1, UINT64_MAX, false), c);
    ck_assert_ptr_eq(find(&tracks, 2, 5, false), b);
    tracks_fini(&tracks);
}
END_TEST

START_TEST(slices_by_hand)
{
    struct tracks tracks = {0};
    struct track *track = find(&tracks, 1, 1, true);
    ck_assert(lay(track, 10, 20));
    ck_assert(lay(track, 20, 30));  /* beside */
    ck_assert(!lay(track, 25, 35)); /* across */
    ck_assert(!lay(track, 15, 35));
    ck_assert(lay(track, 20, 35)); /* around the second */
    ck_assert(!lay(track, 34, 34));
    ck_assert(!lay(track, 5, 10)); /* late */
    ck_assert(lay(track, 35, 35));
    ck_assert(lay(track, INT64_MIN, INT64_MAX)); /* around all */
    tracks_fini(&tracks);
}
END_TEST

/* Slices by their ends, against all that were laid. */
START_TEST(slices_by_definition)
{
    enum { SLICES = 200 };
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(300); trial++) {
        struct random r = random_trial(trial);
        struct tracks tracks = {0};
        struct track *track = find(&tracks, 1, 1, true);
        struct slice laid[SLICES];
        size_t n = 0;
        int64_t end = 0;
        for (int i = 0; i < SLICES; i++) {
            end += random_between(&r, 0, 5);
            int64_t begin = end - random_between(&r, 0, random_chance(&r, 10) ? 300 : 8);
            bool crosses = false;
            for (size_t k = 0; k < n; k++)
                crosses = crosses || (laid[k].begin < begin && begin < laid[k].end);
            ck_assert(lay(track, begin, end) == !crosses);
            if (!crosses)
                laid[n++] = (struct slice){begin, end};
        }
        tracks_fini(&tracks);
    }
}
END_TEST

START_TEST(what_is_forgotten_is_not_crossed)
{
    struct tracks tracks = {0};
    struct track *track = find(&tracks, 1, 1, true);
    for (int64_t i = 0; i < 10 * TRACK_SLICES_MAX; i++)
        ck_assert(lay(track, 10 * i, 10 * i + 5));
    ck_assert_uint_le(track->nslices, TRACK_SLICES_MAX);
    int64_t end = 100 * TRACK_SLICES_MAX;
    ck_assert(!lay(track, -1, end)); /* around all, but who knows */
    ck_assert(!lay(track, 5, end));
    ck_assert(lay(track, end - 10 * (TRACK_SLICES_MAX / 2), end)); /* around those that it knows */
    tracks_fini(&tracks);
}
END_TEST

/* Of slices that begin together the first that is laid is taken for the one around the others. */
START_TEST(begins_alone_say_how_slices_nest)
{
    struct tracks tracks = {0};
    struct track *track = find(&tracks, 1, 1, true);
    ck_assert(lay(track, 5, 8));
    ck_assert(track_begins_inside(track, (struct slice){5, 10}));
    ck_assert(!track_begins_inside(track, (struct slice){4, 10}));
    ck_assert(!track_begins_inside(track, (struct slice){8, 10}));
    ck_assert(lay(track, 10, 10)); /* of no length: it is closed before the next one begins */
    ck_assert(!track_begins_inside(track, (struct slice){10, 12}));
    tracks_fini(&tracks);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("tracks");
    tcase_add_test(tests, begins_alone_say_how_slices_nest);
    tcase_add_test(tests, tracks_are_found_again);
    tcase_add_test(tests, slices_by_hand);
    tcase_add_test(tests, slices_by_definition);
    tcase_add_test(tests, what_is_forgotten_is_not_crossed);
    return unit_run();
}
