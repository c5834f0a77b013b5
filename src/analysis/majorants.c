/* Majorants of the time with at least i actors active. */
#include "analysis/majorants.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

csy_status majorants_init(struct majorants *m, size_t nlevels, size_t nclocks, int sign,
                          csy_error *error)
{
    *m = (struct majorants){.n = nlevels, .nclocks = nclocks, .sign = sign};
    m->levels = calloc(nlevels + 1, sizeof *m->levels);
    return m->levels ? CSY_OK : error_memory(error);
}

void majorants_fini(struct majorants *m)
{
    for (size_t i = 0; m->levels && i < m->n; i++) {
        free(m->levels[i].c);
        free(m->levels[i].arcs);
    }
    free(m->levels);
    *m = (struct majorants){0};
}

/* The clocks of a level; false on no memory. */
static bool has_clocks(const struct majorants *m, struct majorant *level)
{
    if (!level->c)
        level->c = calloc(m->nclocks, sizeof *level->c);
    return level->c != NULL;
}

bool majorants_cross(struct majorants *m, int64_t level, const struct change *change)
{
    if (level < 1 || (uint64_t)level > m->n)
        return true;
    struct majorant *to = &m->levels[level - 1];
    if (!has_clocks(m, to))
        return false;
    int64_t amount = -(int64_t)m->sign * change->sign * PARTS; /* one less: the time has ended */
    to->c[change->clock] += amount;
    to->number += (int128)amount * change->global_ticks;
    to->turns++;
    return true;
}

/* Add what is at least max(0, y), y being the time by which a is after b, for -u <= y <= v. */
static bool add_chord(struct majorants *m, int64_t level, const struct change *a,
                      const struct change *b, int64_t added, int128 u, int128 v)
{
    if (level < 1 || (uint64_t)level > m->n)
        return true;
    struct majorant *to = &m->levels[level - 1];
    int64_t slope = u <= 0 ? PARTS : (int64_t)((v * PARTS + (u + v) / 2) / (u + v));
    int128 distance = (int128)b->global_ticks - a->global_ticks;
    int128 low = slope * u, high = (PARTS - slope) * v;
    if (!has_clocks(m, to))
        return false;
    to->c[a->clock] += slope;
    to->c[b->clock] -= slope;
    to->number += (low > high ? low : high) + slope * (added - distance);
    return true;
}

/* Take away max(0, y) for certain.  Without room for another cost of these clocks a greater one
 * takes less away, which is right, too. */
static bool add_arc(struct majorants *m, int64_t level, const struct change *a,
                    const struct change *b, int64_t added)
{
    if (level < 1 || (uint64_t)level > m->n || a->clock == b->clock)
        return true;
    struct majorant *to = &m->levels[level - 1];
    int128 cost = (int128)b->global_ticks - a->global_ticks + added;
    struct flow_arc *nearest = NULL;
    size_t same = 0;
    if (!fits_int64(cost))
        return true;
    for (size_t i = 0; i < to->narcs; i++) {
        struct flow_arc *arc = &to->arcs[i];
        if (arc->from != a->clock || arc->to != b->clock)
            continue;
        same++;
        if (arc->cost >= cost && (!nearest || arc->cost < nearest->cost))
            nearest = arc;
    }
    if (nearest && (nearest->cost == cost || same >= ARCS_OF_PAIR)) {
        nearest->capacity += PARTS;
        return true;
    }
    if (same >= ARCS_OF_PAIR)
        return true;
    if (!ARRAY_RESERVE(to->arcs, to->arcs_capacity, to->narcs + 1))
        return false;
    to->arcs[to->narcs++] = (struct flow_arc){a->clock, b->clock, (int64_t)cost, PARTS};
    return true;
}

/*
 * Where a and b are inverted, y > 0 apart, the time with at least i active is kappa * y more than
 * the base order makes it.  With N active before both kappa is 1 on one level and -1 on the next or
 * the one before:
 *
 *   both begin to be active    1 on N + 1, -1 on N + 2
 *   both cease                 1 on N - 1, -1 on N
 *   one begins, one ceases     1 on N + 1, -1 on N
 */
bool majorants_invert(struct majorants *m, const struct reach *reach, const struct change *a,
                      const struct change *b, int64_t least, int64_t greatest)
{
    int64_t added = reach->added_ticks;
    int128 distance = (int128)b->global_ticks - a->global_ticks;
    int128 v = reach_of(reach, a->clock, b->clock) + (int128)added - distance;
    int128 u = reach_of(reach, b->clock, a->clock) + (int128)added + distance;
    int64_t more = a->sign < 0 && b->sign < 0 ? -1 : 1;
    int64_t less = a->sign > 0 && b->sign > 0 ? 2 : 0;
    bool good = true;
    for (int64_t n = least; good && n <= greatest; n++)
        good = add_chord(m, n + (m->sign > 0 ? more : less), a, b, added, u, v);
    if (good && least == greatest)
        good = add_arc(m, least + (m->sign > 0 ? less : more), a, b, added);
    return good;
}

csy_status majorants_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                              int128 *out, bool *limited, csy_error *error)
{
    int64_t *c = calloc(moves->n + 1, sizeof *c);
    struct flow_arc *arcs = NULL;
    size_t narcs = 0, capacity = 0;
    int128 number = 0, flow = 0;
    csy_status status = c ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < n; i++) {
        const struct majorant *m = sum[i].majorant;
        int64_t weight = sum[i].weight;
        if (!m)
            continue;
        number += weight * (m->number +
                            (int128)m->turns * (PARTS / 2) * moves->sync->imprecision.added_ticks);
        for (size_t t = 0; m->c && t < moves->n; t++)
            c[t] += weight * m->c[t];
        if (!ARRAY_RESERVE(arcs, capacity, narcs + m->narcs)) {
            status = error_memory(error);
            break;
        }
        for (size_t j = 0; j < m->narcs; j++) {
            arcs[narcs] = m->arcs[j];
            arcs[narcs++].capacity *= weight;
        }
    }
    if (!status)
        status = moves_greatest(moves, c, arcs, narcs, &flow, limited, error);
    *out = number + flow;
    free(arcs);
    free(c);
    return status;
}
