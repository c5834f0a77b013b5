/*
 * The closure by every kernel of this machine, in small blocks and in its own, by 1, 2 and 7
 * threads: equal to what the plain triple loop makes of the same random matrix.
 *
 * Edges are of weight p[t] - p[s] + slack, so that they may be negative and no cycle is.
 */
#include "graph/closure.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_THREAD__
enum { SIZES_FEW = 4, SIZES_MAX = 100, SIZE_LARGE = 261 }; /* it is slow */
#else
enum { SIZES_FEW = 64, SIZES_MAX = 200, SIZE_LARGE = 421 };
#endif

struct matrix {
    size_t n;
    int64_t *entries;
};

static struct matrix matrix_new(size_t n)
{
    struct matrix m = {n, malloc((n * n + 1) * sizeof *m.entries)};
    ck_assert_ptr_nonnull(m.entries);
    return m;
}

static struct matrix matrix_copy(const struct matrix *of)
{
    struct matrix m = matrix_new(of->n);
    memcpy(m.entries, of->entries, of->n * of->n * sizeof *m.entries);
    return m;
}

/* An entry for unreached: any from WALK_FAR. */
static int64_t draw_unreached(struct random *r)
{
    return random_chance(r, 50) ? WALK_INF : random_between(r, WALK_FAR, INT64_MAX);
}

/* Potentials to +-high, slacks to `slack`, and an edge from s to t in `percent` of the cases; where
 * one_way is set only for s < t. */
static struct matrix matrix_draw(struct random *r, size_t n, int64_t high, int64_t slack,
                                 int percent, bool one_way)
{
    struct matrix m = matrix_new(n);
    int64_t potential[SIZE_LARGE + 1];
    for (size_t s = 0; s < n; s++)
        potential[s] = random_chance(r, 20) ? high : random_between(r, -high, high);
    for (size_t s = 0; s < n; s++) {
        for (size_t t = 0; t < n; t++) {
            bool edge = random_chance(r, percent) && !(one_way && s > t);
            int64_t weight = potential[t] - potential[s] + random_between(r, 0, slack);
            m.entries[s * n + t] = s == t ? 0 : edge ? weight : draw_unreached(r);
        }
    }
    return m;
}

/* Floyd and Warshall as they are taught, unreached entries left out. */
static void close_as_taught(struct matrix *m)
{
    size_t n = m->n;
    for (size_t i = 0; i < n * n; i++)
        m->entries[i] = m->entries[i] >= WALK_FAR ? WALK_INF : m->entries[i];
    for (size_t k = 0; k < n; k++) {
        for (size_t s = 0; s < n; s++) {
            int64_t first = m->entries[s * n + k];
            for (size_t t = 0; first != WALK_INF && t < n; t++) {
                int64_t then = m->entries[k * n + t], *walk = &m->entries[s * n + t];
                if (then != WALK_INF && first + then < *walk)
                    *walk = first + then;
            }
        }
    }
}

static void compare(const struct kernel *kernel, size_t block, unsigned nthreads,
                    const struct matrix *m, const struct matrix *want)
{
    csy_error error;
    size_t n = m->n;
    struct matrix got = matrix_copy(m);
    ck_ok(closure_make_by(kernel, block, got.entries, n, nthreads, NULL, &error), error);
    for (size_t i = 0; i < n * n; i++)
        if (got.entries[i] != want->entries[i])
            ck_abort_msg("%s, blocks of %zu, %u threads: (%zu,%zu) of %zu is %lld, want %lld",
                         kernel->name, block, nthreads, i / n, i % n, n, (long long)got.entries[i],
                         (long long)want->entries[i]);
    free(got.entries);
}

static const unsigned nthreads[] = {1, 2, 7};

/* Frees m. */
static void compare_all(struct matrix *m)
{
    struct matrix want = matrix_copy(m);
    close_as_taught(&want);
    for (int kind = 0; kind < KERNEL_KINDS; kind++) {
        const struct kernel *kernel = kernel_of((enum kernel_kind)kind);
        for (size_t i = 0; kernel && i < 3; i++) {
            compare(kernel, kernel->leaf, nthreads[i], m, &want);
            compare(kernel, 4 * kernel->leaf, nthreads[i], m, &want);
            compare(kernel, kernel->block, nthreads[i], m, &want);
        }
    }
    free(want.entries);
    free(m->entries);
}

START_TEST(every_kernel_does_as_the_plain_loop)
{
    for (size_t n = 0; n <= SIZES_MAX; n += n < SIZES_FEW ? 1 : 17) {
        for (int percent = 1; percent <= 100; percent += 33) {
            if ((n + (size_t)percent / 33) % every_of_trials())
                continue;
            struct random r = random_trial(1000 * n + (uint64_t)percent);
            struct matrix m = matrix_draw(&r, n, 1000, 100, percent, false);
            compare_all(&m);
        }
    }
}
END_TEST

/* The least walks there may be, so that unreached entries are lowered as far as they can be. */
START_TEST(the_whole_range_is_used)
{
    for (size_t n = 1; n <= SIZES_MAX; n += 1 + n / 3) {
        int64_t high = (WALK_FAR - 1) / (int64_t)(n + 1) / 2;
        for (int percent = 2; percent <= 98; percent += 32) {
            if ((n + (size_t)percent / 32) % every_of_trials())
                continue;
            struct random r = random_trial(1000 * n + (uint64_t)percent);
            struct matrix m = matrix_draw(&r, n, high, 0, percent, false);
            compare_all(&m);
            m = matrix_draw(&r, n, high, 0, percent, true);
            compare_all(&m);
        }
    }
}
END_TEST

/* Every edge as low as it may be, one way: walks get to -WALK_FAR, unreached ones close to it. */
START_TEST(long_descents)
{
    for (size_t n = 2; n <= SIZES_MAX; n += 1 + n / 2) {
        struct matrix m = matrix_new(n);
        int64_t edge = (WALK_FAR - 1) / (int64_t)(n + 1);
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n; t++)
                m.entries[s * n + t] = s == t ? 0 : t == s + 1 && t != n / 2 ? -edge : WALK_INF;
        compare_all(&m);
    }
}
END_TEST

/* Of several blocks as each kernel has them; smaller blocks are several of what is smaller.
 * Frees m. */
static void compare_large(struct matrix *m)
{
    struct matrix want = matrix_copy(m);
    close_as_taught(&want);
    for (int kind = 0; kind < KERNEL_KINDS; kind++) {
        const struct kernel *kernel = kernel_of((enum kernel_kind)kind);
        for (size_t i = 0; kernel && i < 3; i++)
            compare(kernel, kernel->block, nthreads[i], m, &want);
    }
    free(want.entries);
    free(m->entries);
}

START_TEST(blocks_of_their_own_size)
{
    struct random r = random_trial(1);
    struct matrix m = matrix_draw(&r, SIZE_LARGE, 100000, 1000000, 80, false);
    compare_large(&m);
    m = matrix_draw(&r, SIZE_LARGE, 100000, 100, 1, true);
    compare_large(&m);
}
END_TEST

START_TEST(the_fastest_kernel_is_the_last)
{
    csy_error error;
    struct random r = random_trial(2);
    struct matrix m = matrix_draw(&r, 100, 1000, 1000, 50, false), want = matrix_copy(&m);
    const struct kernel *last = NULL;
    for (int kind = 0; kind < KERNEL_KINDS; kind++)
        if (kernel_of((enum kernel_kind)kind))
            last = kernel_of((enum kernel_kind)kind);
    ck_assert_ptr_eq(kernel_fastest(), last);
    close_as_taught(&want);
    ck_ok(closure_make(m.entries, m.n, 0, NULL, &error), error);
    ck_assert_mem_eq(m.entries, want.entries, m.n * m.n * sizeof *m.entries);
    free(m.entries);
    free(want.entries);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("closure");
    tcase_add_test(tests, every_kernel_does_as_the_plain_loop);
    tcase_add_test(tests, the_whole_range_is_used);
    tcase_add_test(tests, long_descents);
    tcase_add_test(tests, blocks_of_their_own_size);
    tcase_add_test(tests, the_fastest_kernel_is_the_last);
    return unit_run();
}
