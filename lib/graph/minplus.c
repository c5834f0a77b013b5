/* Computes with rows of walks (graph/minplus.h), in functions compiled for each instruction set. */
#include "graph/minplus.h"

#if defined __x86_64__ && defined __GNUC__
#define MINPLUS_AVX 1
#else
#define MINPLUS_AVX 0
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE bool row(int64_t *restrict to, const int64_t *restrict through, int64_t first, size_t n)
{
    int64_t least = WALK_INF, most = -WALK_INF;
    for (size_t i = 0; i < n; i++) {
        int64_t walk = first + through[i];
        walk = walk >= WALK_FAR ? WALK_INF : walk;
        walk = walk < to[i] ? walk : to[i];
        to[i] = walk;
        least = walk < least ? walk : least;
        walk = walk >= WALK_FAR ? 0 : walk;
        most = walk > most ? walk : most;
    }
    return least >= -WALK_MAX && most <= WALK_MAX;
}

INLINE bool lowers(const int64_t *to, const int64_t *through, int64_t first, size_t n)
{
    int64_t lower = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t walk = first + through[i], least = walk < WALK_FAR ? walk : WALK_INF;
        lower |= least < to[i] ? 1 : 0;
    }
    return lower != 0;
}

/* Prevents GCC from unrolling a loop over lanes, after which GCC would not vectorize it. */
#if defined __GNUC__
#define ROLLED _Pragma("GCC unroll 1")
#else
#define ROLLED
#endif

enum { LANES = MINPLUS_LANES };

/* Do the work of minplus_row for LANES entries. Lower least[i] to the new to[i], and raise most[i]
 * to twice this number if it is finite. (WALK_INF times 2 overflows to the least number.) */
INLINE void block(int64_t *restrict to, const int64_t *restrict through, int64_t first,
                  int64_t *restrict least, int64_t *restrict most)
{
    ROLLED
    for (size_t i = 0; i < LANES; i++) {
        int64_t walk = first + through[i];
        walk = walk >= WALK_FAR ? WALK_INF : walk;
        walk = walk < to[i] ? walk : to[i];
        to[i] = walk;
        least[i] = walk < least[i] ? walk : least[i];
        int64_t twice = (int64_t)((uint64_t)walk << 1);
        most[i] = twice > most[i] ? twice : most[i];
    }
}

_Static_assert((uint64_t)WALK_INF << 1 == (uint64_t)INT64_MIN && WALK_FAR <= INT64_MAX / 2,
               "twice a walk fits 64 bits");

INLINE bool all_rows(int64_t *d, size_t stride, size_t n, size_t v, bool *fits)
{
    const int64_t *through = d + v * stride;
    int64_t least[LANES], most[LANES], closed = 0, lowest = 0, greatest = 0;
    ROLLED
    for (size_t i = 0; i < LANES; i++)
        least[i] = most[i] = 0;
    for (size_t a = 0; a < n; a++) {
        int64_t *to = d + a * stride, first = to[v];
        if (a == v || first >= WALK_FAR)
            continue;
        for (size_t x = 0; x < n; x += LANES)
            block(to + x, through + x, first, least, most);
        closed = to[a] < closed ? to[a] : closed;
    }
    for (size_t i = 0; i < LANES; i++) {
        lowest = least[i] < lowest ? least[i] : lowest;
        greatest = most[i] > greatest ? most[i] : greatest;
    }
    *fits = lowest >= -WALK_MAX && greatest <= 2 * WALK_MAX;
    return closed == 0;
}

/* Writes all entries, even unchanged ones: after narrow stores to single entries, wide loads would
 * be slow. */
INLINE void carry(int64_t *restrict to, int64_t *restrict carrier, size_t n, size_t slot, int64_t x)
{
    for (size_t i = 0; i < n; i++) {
        int64_t there = carrier[i], walk = there + x, own = i == slot ? -x : WALK_INF;
        to[i] = walk < to[i] ? walk : to[i];
        carrier[i] = own < there ? own : there;
    }
}

#if MINPLUS_AVX

#define AVX2 __attribute__((target("avx2")))
#ifdef __clang__
/* clang cannot set the preferred vector width of a single function */
#define AVX512 __attribute__((target("avx512f")))
#else
#define AVX512 __attribute__((target("avx512f,prefer-vector-width=512")))
#endif

AVX2 static bool row_avx2(int64_t *to, const int64_t *through, int64_t first, size_t n)
{
    return row(to, through, first, n);
}

AVX2 static bool lowers_avx2(const int64_t *to, const int64_t *through, int64_t first, size_t n)
{
    return lowers(to, through, first, n);
}

AVX512 static bool row_avx512(int64_t *to, const int64_t *through, int64_t first, size_t n)
{
    return row(to, through, first, n);
}

AVX512 static bool lowers_avx512(const int64_t *to, const int64_t *through, int64_t first, size_t n)
{
    return lowers(to, through, first, n);
}

AVX2 static bool all_rows_avx2(int64_t *d, size_t stride, size_t n, size_t v, bool *fits)
{
    return all_rows(d, stride, n, v, fits);
}

AVX512 static bool all_rows_avx512(int64_t *d, size_t stride, size_t n, size_t v, bool *fits)
{
    return all_rows(d, stride, n, v, fits);
}

AVX2 static void carry_avx2(int64_t *to, int64_t *carrier, size_t n, size_t slot, int64_t x)
{
    carry(to, carrier, n, slot, x);
}

AVX512 static void carry_avx512(int64_t *to, int64_t *carrier, size_t n, size_t slot, int64_t x)
{
    carry(to, carrier, n, slot, x);
}

#endif

/* The functions for the instruction set of this processor. */
struct functions {
    bool (*row)(int64_t *to, const int64_t *through, int64_t first, size_t n);
    bool (*lowers)(const int64_t *to, const int64_t *through, int64_t first, size_t n);
    bool (*all_rows)(int64_t *d, size_t stride, size_t n, size_t v, bool *fits);
    minplus_carry *carry;
};

static const struct functions *fastest(void)
{
#if MINPLUS_AVX
    static const struct functions avx2 = {row_avx2, lowers_avx2, all_rows_avx2, carry_avx2};
    static const struct functions avx512 = {row_avx512, lowers_avx512, all_rows_avx512,
                                            carry_avx512};
    if (__builtin_cpu_supports("avx512f"))
        return &avx512;
    if (__builtin_cpu_supports("avx2"))
        return &avx2;
#endif
    static const struct functions portable = {row, lowers, all_rows, carry};
    return &portable;
}

bool minplus_through(int64_t *d, size_t stride, size_t n, size_t v, bool *fits)
{
    return fastest()->all_rows(d, stride, n, v, fits);
}

minplus_carry *minplus_carry_fastest(void)
{
    return fastest()->carry;
}

bool minplus_row(int64_t *to, const int64_t *through, int64_t first, size_t n)
{
    return fastest()->row(to, through, first, n);
}

bool minplus_lowers(const int64_t *to, const int64_t *through, int64_t first, size_t n)
{
    return fastest()->lowers(to, through, first, n);
}
