/* Min-plus arithmetic on rows of walks. */
#include "graph/minplus.h"

bool minplus_row(int64_t *restrict to, const int64_t *restrict through, int64_t first, size_t n)
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
