/* The inner loops of graph/exact.c, which includes this file once for each integer type KEY. A key
 * is the length of a path (called a walk) between two threads with rows in the matrix. KEYED(name)
 * is the name of a function for this type. KEY_FAR or more means no path. */

/* Add an event of the thread in row j. `carrier_keys` has paths that lack their last edge. Complete
 * each of them by an edge to the event, of length `by`, and keep the result if it is shorter than
 * the known path to row j. Begins at row *a. Returns true, with *a = j, if the path from row j to
 * itself becomes negative. */
static bool KEYED(close_walks)(struct exact_matrix *m, size_t j, int128 by, uint32_t point,
                               size_t *a)
{
    KEY *keys = m->keys;
    const KEY *carrier = m->carrier_keys;
    size_t n = m->slots.used, stride = m->stride;
    for (size_t b = *a; b < n; b++) {
        size_t at = b * stride + j;
        KEY key = carrier[b] + (KEY)by;
        if (carrier[b] >= KEY_FAR || keys[at] <= key)
            continue;
        keys[at] = key;
        m->counts[at] = m->carrier_counts[b] + 1;
        note_most(m, key);
        set_part(m, at, (struct part){m->opens[b], point});
        if (b == j) {
            *a = b;
            return true;
        }
    }
    *a = n;
    return false;
}

/* If the path from row `a` through row v is shorter, replace the path of row `a` that lacks its
 * last edge. */
static void KEYED(open_through)(struct exact_matrix *m, size_t v, uint32_t step, size_t a)
{
    KEY *carrier = m->carrier_keys, first = ((const KEY *)m->keys)[a * m->stride + v];
    KEY key = first + carrier[v];
    if (carrier[v] >= KEY_FAR || carrier[a] <= key)
        return;
    carrier[a] = key;
    m->carrier_counts[a] = add_counts(m, m->counts[a * m->stride + v], m->carrier_counts[v]);
    note_most(m, key);
    set_open(m, a, step);
}

/* Replace the path between each two rows by the path through row v if that is shorter. Begins with
 * the path from row *a to row *b. Returns true if the path from row *a to itself becomes negative;
 * *b is then *a. */
static bool KEYED(walks_through)(struct exact_matrix *m, size_t v, uint32_t step, size_t *a,
                                 size_t *b)
{
    KEY *keys = m->keys;
    const KEY *through = keys + v * m->stride;
    for (; *a < m->slots.used; ++*a, *b = 0) {
        KEY *row = keys + *a * m->stride, first = row[v];
        if (*a == v || first >= KEY_FAR)
            continue;
        for (; *b < m->slots.used; ++*b) {
            if (*b % ROW_PART == 0 &&
                !KEY_LOWERS(row + *b, through + *b, first, least(ROW_PART, m->slots.used - *b))) {
                *b += ROW_PART - 1;
                continue;
            }
            KEY key = first + through[*b];
            if (through[*b] >= KEY_FAR || row[*b] <= key)
                continue;
            size_t at = *a * m->stride + *b;
            row[*b] = key;
            m->counts[at] =
                add_counts(m, m->counts[*a * m->stride + v], m->counts[v * m->stride + *b]);
            note_most(m, key);
            set_part(m, at, (struct part){NONE, step});
            if (*a == *b)
                return true;
        }
        KEYED(open_through)(m, v, step, *a);
    }
    return false;
}

static void KEYED(forget)(struct exact_matrix *m, size_t v)
{
    KEY *keys = m->keys;
    for (size_t a = 0; a < m->slots.used; a++)
        keys[a * m->stride + v] = keys[v * m->stride + a] = KEY_INF;
    ((KEY *)m->carrier_keys)[v] = KEY_INF;
}

/* One round of the Bellman-Ford algorithm, with the paths between rows as its edges. Returns true
 * if a distance fell. parents[b] becomes the row before row b on the new path to b. */
static bool KEYED(lower_all)(const struct exact_matrix *m, KEY *distances, uint32_t *parents)
{
    bool fell = false;
    for (size_t a = 0; a < m->slots.used; a++) {
        const KEY *row = (const KEY *)m->keys + a * m->stride;
        for (size_t b = 0; b < m->slots.used; b++) {
            if (b % ROW_PART == 0 && !KEY_LOWERS(distances + b, row + b, distances[a],
                                                 least(ROW_PART, m->slots.used - b))) {
                b += ROW_PART - 1;
                continue;
            }
            if (row[b] >= KEY_FAR || distances[b] <= distances[a] + row[b])
                continue;
            distances[b] = distances[a] + row[b];
            parents[b] = (uint32_t)a;
            fell = true;
        }
    }
    return fell;
}

/* Convert n keys to another value of 2 delta (twice the timestamp error). Raise *most to their
 * greatest absolute value. If `only` is true, change no key, but return true if a new key would
 * exceed `limit`. */
static bool KEYED(rekey)(KEY *keys, const uint32_t *counts, size_t n, csy_fraction from,
                         csy_fraction to, int128 limit, int128 *most, bool only)
{
    for (size_t i = 0; i < n; i++) {
        if (keys[i] >= KEY_FAR)
            continue;
        int128 weight = keys[i] - (int128)from.num * counts[i];
        weight = from.den == 1        ? weight
                 : fits_int64(weight) ? (int64_t)weight / from.den
                                      : weight / from.den;
        int128 key = weight * to.den + (int128)to.num * counts[i];
        *most = key > *most ? key : -key > *most ? -key : *most;
        if (!only)
            keys[i] = (KEY)key;
        else if (key > limit || key < -limit)
            return true;
    }
    return false;
}

#undef KEY
#undef KEY_INF
#undef KEY_FAR
#undef KEYED
#undef KEY_LOWERS
