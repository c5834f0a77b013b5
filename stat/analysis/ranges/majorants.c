/* Computes upper bounds of the time with at least i active actors, for all clock offsets. */
#include "analysis/ranges/majorants.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NO_ARC UINT32_MAX

csy_status majorants_init(struct majorants *m, size_t nlevels, size_t nclocks, int sign,
                          csy_error *error)
{
    *m = (struct majorants){.n = nlevels, .nclocks = nclocks, .sign = sign};
    m->levels = calloc(nlevels + 1, sizeof *m->levels);
    return m->levels ? CSY_OK : error_memory(error);
}

void majorants_fini(struct majorants *m)
{
    for (size_t i = 0; m->levels && i <= m->n; i++) {
        free(m->levels[i].c);
        free(m->levels[i].arcs);
        free(m->levels[i].next);
        free(m->levels[i].firsts);
        keys_fini(&m->levels[i].pairs);
    }
    free(m->levels);
    *m = (struct majorants){0};
}

/* Give a level coefficients if it has none. Returns false if out of memory. */
static bool has_clocks(const struct majorants *m, struct majorant *level)
{
    if (!level->c)
        level->c = calloc(m->nclocks, sizeof *level->c);
    return level->c != NULL;
}

static struct majorant *level_of(const struct majorants *m, int64_t level)
{
    return level < 1 || (uint64_t)level > m->n ? NULL : &m->levels[level - 1];
}

/* Add the time after a change to a bound, `more` times, which may be negative. Returns false if out
 * of memory. */
static bool cross(const struct majorants *m, struct majorant *to, const struct change *change,
                  int64_t more)
{
    if (!to || more == 0)
        return true;
    if (!has_clocks(m, to))
        return false;
    int64_t amount = -(int64_t)m->sign * more * PARTS; /* a later change shortens the time */
    to->c[change->clock] += amount;
    to->number += (int128)amount * change->global_ticks;
    to->turns += (uint64_t)(more < 0 ? -more : more);
    return true;
}

bool majorants_take(struct majorants *m, int64_t active, bool counts, const struct change *change)
{
    bool good = true;
    for (int64_t level = 1; good && change->edge && level <= active; level++)
        good = cross(m, level_of(m, level), change, change->edge);
    if (good && change->edge)
        good = cross(m, &m->levels[m->n], change, change->edge * active);
    if (good && change->sign && counts)
        good = cross(m, level_of(m, active + (change->sign > 0)), change, change->sign) &&
               cross(m, &m->levels[m->n], change, change->sign);
    return good;
}

/* Add a linear upper bound of max(0, y), where y, the time from change b to change a, is from -u to
 * v. Returns false if out of memory. */
static bool add_chord(const struct majorants *m, struct majorant *to, const struct change *a,
                      const struct change *b, int64_t added, int128 u, int128 v)
{
    if (!to)
        return true;
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

/* Subtract max(0, y) from a bound, where y is the time from change b to change a. Each term takes
 * an arc, or shares one that subtracts less if the pair of clocks has too many arcs. Returns false
 * if out of memory. */
static bool add_arc(struct majorant *to, const struct change *a, const struct change *b,
                    int64_t added)
{
    if (!to || a->clock == b->clock)
        return true;
    int128 cost = (int128)b->global_ticks - a->global_ticks + added;
    struct flow_arc *nearest = NULL;
    size_t same = 0;
    uint32_t pair;
    bool is_new;
    if (!fits_int64(cost))
        return true;
    if (!keys_find(&to->pairs, keys_pair(a->clock, b->clock), &pair, &is_new) ||
        !ARRAY_RESERVE(to->firsts, to->firsts_capacity, to->pairs.count))
        return false;
    uint32_t *first = &to->firsts[pair]; /* first arc between these two clocks */
    if (is_new)
        *first = NO_ARC;
    for (uint32_t i = *first; i != NO_ARC; i = to->next[i]) {
        struct flow_arc *arc = &to->arcs[i];
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
    if (to->narcs == NO_ARC || !ARRAY_RESERVE(to->arcs, to->arcs_capacity, to->narcs + 1) ||
        !ARRAY_RESERVE(to->next, to->next_capacity, to->narcs + 1))
        return false;
    to->arcs[to->narcs] = (struct flow_arc){a->clock, b->clock, (int64_t)cost, PARTS};
    to->next[to->narcs] = *first;
    *first = (uint32_t)to->narcs++;
    return true;
}

/*
 * Raise the bounds for an edge of the block and a change of the number of active actors.  If two
 * events happened in the other order, y ticks apart, then the time with at least i active actors
 * changes by kappa * y.  If N actors are active before both events, kappa is:
 *
 *   both actors become active                  1 for i = N + 1, -1 for i = N + 2
 *   both actors become inactive                1 for i = N - 1, -1 for i = N
 *   one becomes active, the other inactive     1 for i = N + 1, -1 for i = N
 *   the block begins, an actor becomes active    -1 for i = N + 1
 *   the block begins, an actor becomes inactive   1 for i = N
 *   the block ends                                the negative of these values
 *
 * For all other i, kappa is 0.
 */
static bool invert_edge(struct majorants *m, const struct reach *reach, const struct change *a,
                        const struct change *b, const struct before_both *before, int128 u,
                        int128 v)
{
    int sign = a->sign + b->sign, edge = a->edge + b->edge;
    bool good = true, more = -sign * edge * m->sign > 0;
    for (int64_t n = before->least; good && more && n <= before->greatest; n++)
        good = add_chord(m, level_of(m, n + (sign > 0)), a, b, reach->added_ticks, u, v);
    if (good && !more && before->least == before->greatest)
        good = add_arc(level_of(m, before->least + (sign > 0)), a, b, reach->added_ticks);
    if (good)
        good = more ? add_chord(m, &m->levels[m->n], a, b, reach->added_ticks, u, v)
                    : add_arc(&m->levels[m->n], a, b, reach->added_ticks);
    return good;
}

bool majorants_invert(struct majorants *m, const struct reach *reach, const struct change *a,
                      const struct change *b, const struct before_both *before)
{
    int64_t least = before->least, greatest = before->greatest;
    int64_t added = reach->added_ticks;
    int128 distance = (int128)b->global_ticks - a->global_ticks;
    int128 v = reach_of(reach, a->clock, b->clock) + (int128)added - distance;
    int128 u = reach_of(reach, b->clock, a->clock) + (int128)added + distance;
    if (a->edge || b->edge)
        return (a->edge && b->edge) || invert_edge(m, reach, a, b, before, u, v);
    if (!before->may_count)
        return true;
    int64_t more = a->sign < 0 && b->sign < 0 ? -1 : 1;
    int64_t less = a->sign > 0 && b->sign > 0 ? 2 : 0;
    bool good = true;
    for (int64_t n = least; good && n <= greatest; n++)
        good = add_chord(m, level_of(m, n + (m->sign > 0 ? more : less)), a, b, added, u, v);
    if (good && least == greatest && !before->may_not)
        good = add_arc(level_of(m, least + (m->sign > 0 ? less : more)), a, b, added);
    return good;
}

csy_status majorants_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                              int128 *out, bool *limited, csy_error *error)
{
    int64_t *c = calloc(moves->n + 1, sizeof *c);
    struct flow_arc *arcs = NULL;
    size_t narcs = 0, capacity = 0;
    bool any = false;
    int128 number = 0, flow = 0;
    csy_status status = c ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < n; i++) {
        const struct majorant *m = sum[i].majorant;
        int64_t weight = sum[i].weight;
        if (!m)
            continue;
        number += weight * (m->number +
                            (int128)m->turns * (PARTS / 2) * moves->sync->imprecision.added_ticks);
        any |= m->c != NULL;
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
    *limited = true;
    if (!status && (any || narcs > 0)) /* without coefficients, the sum does not depend on clock
                                        * offsets */
        status = moves_greatest(moves, c, arcs, narcs, NULL, &flow, limited, error);
    *out = number + flow;
    free(arcs);
    free(c);
    return status;
}
