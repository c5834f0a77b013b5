/* Min-plus arithmetic on rows of walks, compiled for each instruction set. */
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

#if MINPLUS_AVX

#define AVX2 __attribute__((target("avx2")))
#ifdef __clang__
#define AVX512 __attribute__((target("avx512f"))) /* it knows no preference by function */
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

#endif

bool minplus_row(int64_t *to, const int64_t *through, int64_t first, size_t n)
{
#if MINPLUS_AVX
    if (__builtin_cpu_supports("avx512f"))
        return row_avx512(to, through, first, n);
    if (__builtin_cpu_supports("avx2"))
        return row_avx2(to, through, first, n);
#endif
    return row(to, through, first, n);
}

bool minplus_lowers(const int64_t *to, const int64_t *through, int64_t first, size_t n)
{
#if MINPLUS_AVX
    if (__builtin_cpu_supports("avx512f"))
        return lowers_avx512(to, through, first, n);
    if (__builtin_cpu_supports("avx2"))
        return lowers_avx2(to, through, first, n);
#endif
    return lowers(to, through, first, n);
}
