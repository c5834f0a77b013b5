/* csy_sync_comm makes sheets of how much each actor sends to each other actor. */
#include "analysis/messages/messages.h"
#include "analysis/ranges/forms.h"
#include "analysis/run/sheets.h"
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Messages are compared with well-known patterns of communication, called templates: sets of
 * ordered pairs of ranks, which number the actors from 0. In a grid, ranks are numbered along the
 * first dimension first. */

enum { TEMPLATE_NAME_MAX = 64, TEMPLATES_BEST = 5, TEMPLATE_DIMENSIONS = 3 };

struct template_pair {
    uint32_t from, to;
    uint64_t weight; /* number of bytes or messages from `from` to `to` */
};

struct template_fit {
    char name[TEMPLATE_NAME_MAX];
    uint64_t both, either; /* both: number of pairs of ranks that communicate in the trace and in
                            * the template, such as a torus; either: number of pairs that
                            * communicate in at least one of them */
    uint64_t covered;
};

/* How ranks are connected. GRID: neighbours in each dimension; TORUS: also the two ends of each
 * line of a grid; WAVE: like GRID, but in one direction only. */
enum shape { GRID, TORUS, WAVE, HYPERCUBE, TREE_DOWN, TREE_UP, STAR, TRANSPOSE, ALL };

struct template
{
    enum shape shape;
    uint32_t ranks;
    uint32_t sizes[TEMPLATE_DIMENSIONS]; /* sizes along the dimensions; 1 if unused */
    uint32_t centre;
};

static bool is_neighbour(const struct template *t, uint32_t from, uint32_t to)
{
    unsigned apart = 0;
    for (size_t i = 0; i < TEMPLATE_DIMENSIONS; i++) {
        uint32_t size = t->sizes[i], a = from % size, b = to % size;
        from /= size;
        to /= size;
        if (a == b)
            continue;
        bool next = b == a + 1, last = a == b + 1;
        bool over = (a == 0 && b == size - 1) || (b == 0 && a == size - 1);
        if (!next && !(t->shape != WAVE && last) && !(t->shape == TORUS && over))
            return false;
        apart++;
    }
    return apart == 1;
}

static bool has_pair(const struct template *t, uint32_t from, uint32_t to)
{
    uint32_t side = t->sizes[0], differ = from ^ to;
    switch (t->shape) {
    case GRID:
    case TORUS:
    case WAVE:
        return is_neighbour(t, from, to);
    case HYPERCUBE:
        return (differ & (differ - 1)) == 0;
    case TREE_DOWN:
        return to > 0 && from == (to & (to - 1));
    case TREE_UP:
        return from > 0 && to == (from & (from - 1));
    case STAR:
        return from == t->centre || to == t->centre;
    case TRANSPOSE:
        return from % side == to / side && from / side == to % side;
    case ALL:
        break;
    }
    return true;
}

static uint64_t count_pairs(const struct template *t)
{
    uint64_t n = t->ranks, bits = 0, pairs = 0;
    switch (t->shape) {
    case GRID:
    case TORUS:
    case WAVE: /* pairs along each line of ranks; in a WAVE, each line is used in one direction
                * only */
        for (size_t i = 0; i < TEMPLATE_DIMENSIONS; i++) {
            uint64_t size = t->sizes[i];
            uint64_t onward = t->shape == TORUS && size > 2 ? size : size - 1;
            pairs += n / size * onward * (t->shape == WAVE ? 1 : 2);
        }
        return pairs;
    case HYPERCUBE:
        while (n >> (bits + 1) > 0)
            bits++;
        return n * bits;
    case TREE_DOWN:
    case TREE_UP:
        return n - 1;
    case STAR:
        return 2 * (n - 1);
    case TRANSPOSE:
        return n - t->sizes[0];
    case ALL:
        break;
    }
    return n * (n - 1);
}

struct search {
    const struct template_pair *pairs;
    size_t n;
    uint64_t there; /* number of pairs of two different ranks in the trace */
    struct template_fit *best;
    size_t nbest;
};

static bool is_better(const struct template_fit *a, const struct template_fit *b)
{
    uint128 x = (uint128)a->both * b->either, y = (uint128)b->both * a->either;
    return x != y ? x > y : a->covered > b->covered;
}

static void try_one(struct search *s, const struct template *t)
{
    struct template_fit fit = {.both = 0};
    for (size_t i = 0; i < s->n; i++)
        if (s->pairs[i].from != s->pairs[i].to && has_pair(t, s->pairs[i].from, s->pairs[i].to)) {
            fit.both++;
            fit.covered += s->pairs[i].weight;
        }
    fit.either = s->there + count_pairs(t) - fit.both;
    if (fit.both == 0)
        return;
    size_t at = s->nbest;
    while (at > 0 && is_better(&fit, &s->best[at - 1]))
        at--;
    if (at == TEMPLATES_BEST)
        return;
    s->nbest += s->nbest < TEMPLATES_BEST;
    for (size_t i = s->nbest - 1; i > at; i--)
        s->best[i] = s->best[i - 1];
    static const char *const names[] = {"grid",
                                        "torus",
                                        "wavefront",
                                        "hypercube",
                                        "binomial tree down",
                                        "binomial tree up",
                                        "star around",
                                        "transpose",
                                        "all to all"};
    const uint32_t *sizes = t->sizes;
    bool grid = t->shape <= WAVE;
    bool line = grid && sizes[1] == 1;
    const char *name = !line ? names[t->shape] : t->shape == TORUS ? "ring" : "line";
    size_t n = (size_t)snprintf(fit.name, TEMPLATE_NAME_MAX, "%s", name);
    if (t->shape == STAR)
        snprintf(fit.name + n, TEMPLATE_NAME_MAX - n, " %" PRIu32, t->centre);
    for (size_t i = 0; grid && !line && i < TEMPLATE_DIMENSIONS && sizes[i] > 1; i++)
        n += (size_t)snprintf(fit.name + n, TEMPLATE_NAME_MAX - n, "%c%" PRIu32, i ? 'x' : ' ',
                              sizes[i]);
    s->best[at] = fit;
}

/* Try the grids of the size x * y * z. A torus without a size above 2 is the same as a grid. */
static void try_grids(struct search *s, uint32_t ranks, uint32_t x, uint32_t y, uint32_t z)
{
    struct template t = {.ranks = ranks, .sizes = {x, y, z}};
    for (t.shape = GRID; t.shape <= WAVE; t.shape++) {
        bool wave = t.shape == WAVE && (y == 1 || z > 1);
        bool flat = t.shape == TORUS && x <= 2 && y <= 2 && z <= 2;
        if (!wave && !flat)
            try_one(s, &t);
    }
}

/* Find the templates that fit n pairs of ranks best. The share of common pairs (Jaccard's
 * coefficient, both / either) decides, and then the weight of common pairs. Returns false if out of
 * memory. Cost: O(n) for each way to write `ranks` as a product of two or three factors. */
static bool templates_find(const struct template_pair *pairs, size_t n, uint32_t ranks,
                           struct template_fit best[TEMPLATES_BEST], size_t *nbest)
{
    struct search s = {.pairs = pairs, .n = n, .best = best};
    uint32_t side = 1;
    *nbest = 0;
    if (ranks < 2)
        return true;
    for (size_t i = 0; i < n; i++)
        s.there += pairs[i].from != pairs[i].to;
    /* Try all grid sizes: all products of two or three factors that are equal to `ranks`. */
    try_grids(&s, ranks, ranks, 1, 1);
    for (uint32_t x = 2; x <= ranks / 2; x++) {
        if (ranks % x != 0)
            continue;
        uint32_t rest = ranks / x;
        try_grids(&s, ranks, x, rest, 1);
        for (uint32_t y = 2; y <= rest / 2; y++)
            if (rest % y == 0)
                try_grids(&s, ranks, x, y, rest / y);
    }
    while ((uint64_t)side * side < ranks)
        side++;
    struct template t = {.ranks = ranks, .sizes = {side, side, 1}};
    uint64_t *counts = calloc(ranks, sizeof *counts);
    if (!counts)
        return false;
    for (size_t i = 0; i < n; i++) {
        counts[pairs[i].from]++;
        counts[pairs[i].to]++;
    }
    for (uint32_t i = 1; i < ranks; i++)
        if (counts[i] > counts[t.centre])
            t.centre = i;
    free(counts);
    for (t.shape = HYPERCUBE; t.shape <= ALL; t.shape++) {
        bool no_cube = t.shape == HYPERCUBE && (ranks & (ranks - 1)) != 0;
        bool no_square = t.shape == TRANSPOSE && side * side != ranks;
        if (!no_cube && !no_square)
            try_one(&s, &t);
    }
    *nbest = s.nbest;
    return true;
}

/* --- Pairs of senders and receivers ---------------------------------------------------------- */

enum { BY_BYTES = 24, PPM = 1000000, COSTS_MAX = 1 << 24 };

/* Identifies a row: sender, receiver, kind of message, and value of the option --by. */
struct pair_key {
    uint64_t by;
    uint32_t sender, receiver; /* indices in `names`, or of actors in comm.actors */
    uint32_t kind, unused;
};

struct total {
    uint64_t count, bytes;
    uint64_t unsized; /* number of messages of unknown size */
};

struct figures {
    struct total sum;
    bool untimed; /* true if some message has an unknown duration */
    bool loose;
    csy_range time;
    int128 stamps;
};

struct pair {
    struct pair_key key;
    struct figures in[CLIPS]; /* if no part of the trace was requested, only CLIP_ESTIMATE is
                               * used */
    csy_range cost;
    bool no_cost; /* true if the cost is unknown */
    bool stamped; /* true if the cost includes times that were measured on one clock with timestamp
                   * errors */
};

struct comm_rows {
    struct pair *items;
    size_t count, capacity;
    struct texts keys;
};

struct comm {
    struct messages messages;
    const csy_comm_options *options;
    struct clip clip;
    enum clip_as windows;
    struct forms forms[CLIPS];
    struct fits fits;
    struct comm_rows actors, labels;
    struct texts names; /* label texts: names of actors, Cells, or nodes */
    uint32_t *label_of;
    struct site *site_of; /* for each actor: the Cell and node on which it runs */
    struct total totals[CLIPS][MESSAGE_KINDS][SITE_CLASSES];
    bool certain; /* true if it is certain for each message if it is in the requested part of the
                   * trace */
};

/* Find or add a pair. Returns NULL if out of memory. */
static struct pair *find_pair(struct comm_rows *pairs, const struct pair_key *key)
{
    bool added;
    uint32_t index;
    if (!texts_find(&pairs->keys, (const char *)key, sizeof *key, &index, &added) ||
        !ARRAY_RESERVE(pairs->items, pairs->capacity, pairs->keys.count))
        return NULL;
    if (added) {
        struct pair *pair = &pairs->items[pairs->count++];
        *pair = (struct pair){.key = *key, .cost.kind = CSY_RANGE_CLOCK};
        for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++)
            pair->in[as].time.kind = CSY_RANGE_CLOCK;
    }
    return &pairs->items[index];
}

static void rows_fini(struct comm_rows *pairs)
{
    free(pairs->items);
    texts_fini(&pairs->keys);
    *pairs = (struct comm_rows){0};
}

static csy_status begin(void *user, csy_error *error)
{
    struct comm *c = user;
    (void)error;
    rows_fini(&c->actors);
    fits_fini(&c->fits);
    c->fits.tubes.places = c->clip.places;
    for (enum clip_as as = CLIP_ESTIMATE; as < c->windows; as++) {
        forms_fini(&c->forms[as]);
        c->forms[as].whole = !c->clip.asked;
        c->forms[as].tubes.places = c->clip.places;
    }
    return CSY_OK;
}

static csy_status take(void *user, const struct message *message, csy_error *error)
{
    struct comm *c = user;
    struct messages *m = &c->messages;
    csy_comm_by by = c->options->by;
    const struct pair_key key = {.by = by == CSY_COMM_FUNCTION   ? message->function
                                       : by == CSY_COMM_DATATYPE ? message->datatype
                                       : by == CSY_COMM_SIZE     ? message->bytes
                                                                 : 0,
                                 .sender = message->sender,
                                 .receiver = message->receiver,
                                 .kind = message->kind};
    enum site_class class;
    for (enum clip_as as = CLIP_ESTIMATE; as < c->windows; as++) {
        struct moment sent, received;
        if (!message_meets(message, &c->clip, as))
            continue;
        struct pair *pair = find_pair(&c->actors, &key);
        if (!pair)
            return error_memory(error);
        struct figures *in = &pair->in[as];
        in->sum.count++;
        in->sum.unsized += message->bytes == MESSAGE_NO_BYTES;
        in->untimed |= message->untimed;
        in->loose |= !message->ordered;
        if (__builtin_add_overflow(in->sum.bytes, message_bytes(message), &in->sum.bytes) ||
            in->sum.bytes > INT64_MAX)
            return error_set(error, CSY_INPUT,
                             "the sum of the bytes of messages does not fit 63 bits");
        if (clip_time(&c->clip, as, &message->sent, &message->received, &sent, &received) &&
            !forms_add(&c->forms[as], (size_t)(pair - c->actors.items), &sent, &received, 1))
            return error_memory(error);
    }
    if (c->clip.asked)
        return CSY_OK;
    return sites_class(&m->sites, &m->actors, m->sync, key.sender, key.receiver, &class) &&
                   fits_add(&c->fits, message_group(message, class), message_bytes(message),
                            &message->sent, &message->received, !message->ordered)
               ? CSY_OK
               : error_memory(error);
}

/* --- Labels --- */

/* Actors are sorted by their kind: threads of the PPE, SPE contexts, named threads, memory. */
struct ordered_actor {
    uint64_t order; /* kind of the actor times 2^32, plus its id */
    uint32_t index;
};

/* Number the labels in the order of their first actors. Returns false if out of memory. */
static bool label(struct comm *c)
{
    const struct actors *actors = &c->messages.actors;
    struct ordered_actor *order = calloc(actors->count + 1, sizeof *order);
    c->label_of = calloc(actors->count + 1, sizeof *c->label_of);
    c->site_of = calloc(actors->count + 1, sizeof *c->site_of);
    bool good = order && c->label_of && c->site_of;
    for (uint32_t i = 0; good && i < actors->count; i++)
        order[i] = (struct ordered_actor){keys_pair(actors->items[i].kind, actors->items[i].id), i};
    if (good)
        SORT(order, actors->count, compare_numbers);
    for (size_t i = 0; good && i < actors->count; i++) {
        uint32_t index = order[i].index;
        struct messages *m = &c->messages;
        const struct actor *actor = &m->actors.items[index];
        struct site *site = &c->site_of[index];
        char own[ACTOR_NAME_MAX];
        bool added;
        good = sites_find(&m->sites, index, actor, actor->unit, m->sync, site);
        if (!good)
            break;
        uint32_t name = c->options->group == CSY_GROUP_CELL   ? site->cell
                        : c->options->group == CSY_GROUP_NODE ? site->node
                                                              : NO_TEXT;
        const char *text = actor_name(actor, m->sync, own);
        csy_text label = {text, strlen(text)};
        if (name != NO_TEXT)
            label = texts_text(&m->sites.names, name);
        good = texts_find(&c->names, label.bytes, label.size, &c->label_of[index], &added);
    }
    free(order);
    return good;
}

static enum site_class class_of(const struct comm *c, const struct pair *pair)
{
    const struct actor *actors = c->messages.actors.items;
    bool memory = actors[pair->key.sender].kind == ACTOR_MEMORY ||
                  actors[pair->key.receiver].kind == ACTOR_MEMORY;
    return memory ? SITE_MEMORY
                  : sites_compare(&c->site_of[pair->key.sender], &c->site_of[pair->key.receiver]);
}

static int compare_pairs(const void *a, const void *b)
{
    const struct pair_key *x = &((const struct pair *)a)->key, *y = &((const struct pair *)b)->key;
    return 8 * COMPARE(x->kind, y->kind) + 4 * COMPARE(x->sender, y->sender) +
           2 * COMPARE(x->receiver, y->receiver) + COMPARE(x->by, y->by);
}

/* Returns false if the number of bytes exceeds 63 bits. */
static bool add_total(struct total *to, const struct total *total)
{
    to->count += total->count;
    to->unsized += total->unsized;
    return !__builtin_add_overflow(to->bytes, total->bytes, &to->bytes) && to->bytes <= INT64_MAX;
}

static csy_status group(struct comm *c, csy_error *error)
{
    struct comm_rows *labels = &c->labels;
    for (size_t i = 0; i < c->actors.count; i++) {
        const struct pair *pair = &c->actors.items[i];
        struct pair_key key = pair->key;
        enum site_class class = class_of(c, pair);
        key.sender = c->label_of[key.sender];
        key.receiver = c->label_of[key.receiver];
        struct pair *to = find_pair(labels, &key);
        if (!to)
            return error_memory(error);
        for (enum clip_as as = CLIP_ESTIMATE; as < c->windows; as++) {
            const struct figures *in = &pair->in[as];
            struct figures *sum = &to->in[as];
            if (!add_total(&sum->sum, &in->sum) ||
                !add_total(&c->totals[as][key.kind][class], &in->sum))
                return error_set(error, CSY_INPUT,
                                 "the sum of the bytes of messages does not fit 63 bits");
            sum->untimed |= in->untimed;
            sum->stamps += in->time.kind == CSY_RANGE_CLOCK ? in->stamps : 0;
            if (!forms_add_range(&sum->time, &in->time))
                return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        }
        to->no_cost |= pair->no_cost;
        if (!to->no_cost && !forms_add_range(&to->cost, &pair->cost))
            return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        to->stamped |= pair->cost.kind == CSY_RANGE_CLOCK && pair->in[CLIP_ESTIMATE].stamps > 0;
    }
    c->certain = c->clip.known;
    for (size_t i = 0; i < labels->count; i++) {
        struct pair *pair = &labels->items[i];
        for (enum clip_as as = CLIP_ESTIMATE; as < c->windows; as++)
            forms_allow_stamps(&pair->in[as].time, pair->in[as].stamps);
        forms_allow_stamps(&pair->cost, pair->stamped ? -1 : 0);
        c->certain &= pair->in[CLIP_LEAST].sum.count == pair->in[CLIP_MOST].sum.count;
    }
    SORT(labels->items, labels->count, compare_pairs);
    return CSY_OK;
}

/* --- Tables --- */

static const char *const by_names[] = {[CSY_COMM_PAIR] = NULL,
                                       [CSY_COMM_FUNCTION] = "function",
                                       [CSY_COMM_DATATYPE] = "datatype",
                                       [CSY_COMM_SIZE] = "size"};

/* Returns true if a pair has at least the share options->heavy of the bytes of the heaviest pair,
 * or has messages of unknown size. If no pair has bytes, numbers of messages are compared. */
static bool is_heavy(const struct comm *c, const struct pair *pair, const struct total *most)
{
    csy_fraction part = c->options->heavy;
    const struct figures *in = &pair->in[CLIP_ESTIMATE];
    uint64_t own = most->bytes > 0 ? in->sum.bytes : in->sum.count;
    uint64_t all = most->bytes > 0 ? most->bytes : most->count;
    return (most->bytes > 0 && in->sum.unsized > 0) ||
           (uint128)own * (uint64_t)part.den >= (uint128)all * (uint64_t)part.num;
}

/* Make the table of pairs. With a window, it includes messages that are only possibly inside. */
static void add_pairs(const struct comm *c, csy_analysis *out)
{
    const char *by = by_names[c->options->by];
    bool cut = c->clip.asked, all = c->options->heavy.num == 0;
    const csy_column texts[] = {TEXT_COLUMN("sender"), TEXT_COLUMN("receiver"), TEXT_COLUMN("what"),
                                TEXT_COLUMN(by)};
    const csy_column figures[] = {COUNT_COLUMN("count", cut), COUNT_COLUMN("bytes", cut),
                                  TICKS_COLUMN("time", true), TICKS_COLUMN("cost", true)};
    struct total mosts[MESSAGE_KINDS] = {{0, 0, 0}};
    sheets_add(out, "comm", texts, by ? 4 : 3);
    for (size_t i = 0; i < (cut ? 3 : 4); i++)
        sheets_add_column(out, figures[i]);
    for (size_t i = 0; i < c->labels.count; i++) {
        const struct total *own = &c->labels.items[i].in[CLIP_ESTIMATE].sum;
        struct total *most = &mosts[c->labels.items[i].key.kind];
        most->bytes = own->bytes > most->bytes ? own->bytes : most->bytes;
        most->count = own->count > most->count ? own->count : most->count;
    }
    for (size_t i = 0; i < c->labels.count; i++) {
        const struct pair *pair = &c->labels.items[i];
        const struct figures *in = pair->in, *least = &in[CLIP_LEAST], *most = &in[CLIP_MOST];
        csy_range times[CLIPS];
        bool unsized = false, untimed = false;
        bool heavy =
            pair->in[CLIP_ESTIMATE].sum.count > 0 && is_heavy(c, pair, &mosts[pair->key.kind]);
        csy_value *value = all || heavy ? sheets_add_row(out) : NULL;
        if (!value)
            continue;
        *value++ = sheets_item(out, &c->names, pair->key.sender);
        *value++ = sheets_item(out, &c->names, pair->key.receiver);
        *value++ = sheets_constant(message_kind_names[pair->key.kind]);
        if (c->options->by == CSY_COMM_FUNCTION) {
            *value++ = sheets_item(out, &c->messages.functions, (uint32_t)pair->key.by);
        } else if (by) {
            char text[BY_BYTES] = "-";
            if (pair->key.by != MESSAGE_NO_BYTES) /* or MESSAGE_NO_DATATYPE, which is the same
                                                   * number */
                snprintf(text, sizeof text, "%" PRIu64, pair->key.by);
            *value++ = sheets_text(out, text);
        }
        for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
            times[as] = in[as].time;
            unsized |= in[as].sum.unsized > 0;
            untimed |= in[as].untimed;
        }
        value[0] = clip_number(&c->clip, in->sum.count, least->sum.count, most->sum.count);
        if (!unsized) /* with a message of unknown size, the sum of bytes is unknown */
            value[1] = clip_number(&c->clip, in->sum.bytes, least->sum.bytes, most->sum.bytes);
        if (!untimed)
            value[2] = sheets_range(cut ? clip_range(&c->clip, times) : in->time);
        if (!pair->no_cost && !cut)
            value[3] = sheets_range(pair->cost);
    }
}

static csy_value share_of(uint64_t part, uint64_t all)
{
    return all > 0 ? sheets_number((int64_t)((uint128)part * PPM / all)) : SHEETS_NONE;
}

/* Returns part / all. The range allows for messages that may be inside or outside the requested
 * part of the trace. */
static csy_value class_share(const struct comm *c, const uint64_t part[CLIPS],
                             const uint64_t all[CLIPS])
{
    csy_value value = sheets_number(0);
    if (all[CLIP_ESTIMATE] > 0)
        value = share_of(part[CLIP_ESTIMATE], all[CLIP_ESTIMATE]);
    if (!c->clip.asked || c->certain)
        return value;
    int128 least = part[CLIP_LEAST], most = part[CLIP_MOST];
    int128 beside_most = all[CLIP_MOST] - most + least;
    int128 beside_least = all[CLIP_LEAST] - least + most;
    csy_range *range = &value.range;
    range->kind = clip_kind(&c->clip);
    range->lo = beside_most > 0 ? (int64_t)floor_div(least * PPM, beside_most) : 0;
    range->hi = beside_least > 0 ? (int64_t)ceil_div(most * PPM, beside_least) : PPM;
    range->lo = range->lo > range->estimate ? range->estimate : range->lo;
    range->hi = range->hi < range->estimate ? range->estimate : range->hi;
    return value;
}

static void add_classes(const struct comm *c, csy_analysis *out)
{
    bool cut = c->clip.asked, all = cut && c->options->heavy.num == 0;
    const csy_column columns[] = {TEXT_COLUMN("what"),        TEXT_COLUMN("class"),
                                  COUNT_COLUMN("count", cut), PPM_COLUMN("count_share", cut),
                                  COUNT_COLUMN("bytes", cut), PPM_COLUMN("bytes_share", cut)};
    SHEETS_ADD(out, "classes", columns);
    for (size_t kind = 0; kind < MESSAGE_KINDS; kind++)
        for (size_t class = 0; class < SITE_CLASSES; class ++) {
            if (c->totals[CLIP_ESTIMATE][kind][class].count == 0 &&
                (!all || c->totals[CLIP_MOST][kind][class].count == 0))
                continue;
            uint64_t counts[CLIPS] = {0}, bytes[CLIPS] = {0};
            uint64_t all_counts[CLIPS] = {0}, all_bytes[CLIPS] = {0};
            bool unsized = false, no_share = false;
            for (enum clip_as as = CLIP_ESTIMATE; as < c->windows; as++) {
                const struct total *totals = c->totals[as][kind], *own = &totals[class];
                uint64_t all_unsized = 0;
                for (size_t i = 0; i < SITE_CLASSES; i++) {
                    all_counts[as] += totals[i].count;
                    all_bytes[as] += totals[i].bytes;
                    all_unsized += totals[i].unsized;
                }
                counts[as] = own->count;
                bytes[as] = own->bytes;
                unsized |= own->unsized > 0;
                no_share |= own->count > 0 && (all_unsized > 0 || all_bytes[as] == 0);
            }
            SHEETS_ROW(out, sheets_constant(message_kind_names[kind]),
                       sheets_constant(site_class_names[class]), clip_count(&c->clip, counts),
                       class_share(c, counts, all_counts),
                       unsized ? SHEETS_NONE : clip_count(&c->clip, bytes),
                       no_share ? SHEETS_NONE : class_share(c, bytes, all_bytes));
        }
}

static void add_unmatched(const struct comm *c, csy_analysis *out)
{
    static const csy_column columns[] = {TEXT_COLUMN("what"), COUNT_COLUMN("sends", false),
                                         COUNT_COLUMN("receives", false)};
    SHEETS_ADD(out, "unmatched", columns);
    for (size_t kind = 0; kind < MESSAGE_TRANSFER; kind++) {
        const uint64_t *unmatched = c->messages.unmatched[kind];
        uint64_t count = unmatched[0] + unmatched[1];
        for (size_t i = 0; i < SITE_CLASSES; i++)
            count += c->totals[CLIP_ESTIMATE][kind][i].count;
        if (kind == MESSAGE_SENT || count > 0)
            SHEETS_ROW(out, sheets_constant(message_kind_names[kind]),
                       sheets_number((int64_t)unmatched[0]), sheets_number((int64_t)unmatched[1]));
    }
}

/* Number the senders and receivers of messages as ranks, in the order of their labels. */
static size_t rank_pairs(const struct comm *c, uint32_t *rank_of, struct template_pair *pairs,
                         uint32_t *ranks)
{
    size_t n = 0;
    *ranks = 0;
    for (size_t i = 0; i < c->labels.count; i++)
        if (c->labels.items[i].key.kind == MESSAGE_SENT)
            rank_of[c->labels.items[i].key.sender] = rank_of[c->labels.items[i].key.receiver] = 1;
    for (size_t i = 0; i < c->names.count; i++)
        rank_of[i] = rank_of[i] ? (*ranks)++ : 0;
    for (size_t i = 0; i < c->labels.count; i++) {
        const struct pair *pair = &c->labels.items[i];
        if (pair->key.kind != MESSAGE_SENT)
            continue;
        struct template_pair next = {rank_of[pair->key.sender], rank_of[pair->key.receiver],
                                     pair->in[CLIP_ESTIMATE].sum.bytes};
        if (n > 0 && pairs[n - 1].from == next.from && pairs[n - 1].to == next.to)
            pairs[n - 1].weight += next.weight;
        else
            pairs[n++] = next;
    }
    return n;
}

static void add_templates(const struct comm *c, csy_analysis *out)
{
    static const csy_column columns[] = {TEXT_COLUMN("template"), COUNT_COLUMN("pairs", false),
                                         PPM_COLUMN("jaccard", false),
                                         PPM_COLUMN("coverage", false)};
    struct template_fit best[TEMPLATES_BEST];
    uint32_t ranks = 0, *rank_of = calloc(c->names.count + 1, sizeof *rank_of);
    struct template_pair *pairs = calloc(c->labels.count + 1, sizeof *pairs);
    size_t n = rank_of && pairs ? rank_pairs(c, rank_of, pairs, &ranks) : 0, nbest = 0;
    uint64_t all = 0;
    bool known = true;
    for (size_t i = 0; i < n; i++)
        all += pairs[i].weight;
    for (size_t i = 0; i < c->labels.count; i++)
        known &= c->labels.items[i].key.kind != MESSAGE_SENT ||
                 c->labels.items[i].in[CLIP_ESTIMATE].sum.unsized == 0;
    out->failed |= !rank_of || !pairs || !templates_find(pairs, n, ranks, best, &nbest);
    SHEETS_ADD(out, "templates", columns);
    for (size_t i = 0; i < nbest; i++)
        SHEETS_ROW(out, sheets_text(out, best[i].name), sheets_number((int64_t)best[i].both),
                   share_of(best[i].both, best[i].either),
                   share_of(best[i].covered, known ? all : 0));
    FREE_ALL(rank_of, pairs);
}

/* Compute the cost of each pair's messages: the time that they would take on the least-squares line
 * of time by size. There is a line for each kind of message and each class of its sender's and
 * receiver's sites (enum site_class). With too many pairs, costs stay unknown. */
static csy_status find_costs(struct comm *c, csy_error *error)
{
    csy_status status = fits_finish(&c->fits, c->messages.sync, error);
    bool few = (uint128)c->actors.count * c->fits.count <= COSTS_MAX;
    for (size_t i = 0; i < c->actors.count && !status; i++) {
        struct pair *pair = &c->actors.items[i];
        const struct figures *in = &pair->in[CLIP_ESTIMATE];
        const struct message alike = {.kind = pair->key.kind,
                                      .bytes = in->sum.unsized > 0 ? MESSAGE_NO_BYTES : 0};
        uint32_t group = message_group(&alike, class_of(c, pair));
        size_t n;
        const struct fit_item *items = fits_find(&c->fits, group, NULL, &n);
        csy_value value = {.none = true};
        if (few)
            fits_on_line(&c->fits, items, n, in->sum.count, in->sum.bytes, &value);
        pair->no_cost =
            in->untimed || value.none || (in->sum.unsized > 0 && in->sum.unsized < in->sum.count);
        pair->cost = value.range;
    }
    return status;
}

static csy_status find_times(struct comm *c, enum clip_as as, csy_error *error)
{
    size_t n = c->actors.count;
    csy_range *ranges = malloc((n + 1) * sizeof *ranges);
    csy_status status = ranges ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_ranges(&c->forms[as], n, NULL, c->messages.sync, ranges, error);
    for (size_t i = 0; i < n && !status; i++) {
        struct figures *in = &c->actors.items[i].in[as];
        in->time = ranges[i];
        in->stamps = forms_stamps(&c->forms[as], i, c->messages.sync);
        if (in->time.kind != CSY_RANGE_CLOCK && in->time.kind != CSY_RANGE_UNKNOWN && !in->loose)
            in->time.lo = fits_not_below_0(in->time.lo, in->time.estimate);
    }
    free(ranges);
    return status;
}

void csy_comm_options_init(csy_comm_options *options)
{
    *options = (csy_comm_options){.heavy = {0, 1}};
}

csy_status csy_sync_comm(csy_sync *sync, const csy_meaning *meaning,
                         const csy_comm_options *options, csy_analysis **out, csy_error *error)
{
    struct comm c = {.options = options};
    const struct messages_sink sink = {begin, take, &c};
    csy_status status = error_check_choice("group", (int)options->group, CSY_GROUP_NODE, error);
    if (!status)
        status = error_check_choice("by", (int)options->by, CSY_COMM_SIZE, error);
    if (!status && !sync->read)
        status = solution_check_feasible(sync, error);
    if (!status && options->window && options->templates)
        status = error_set(error, CSY_USAGE, "--templates requires all messages, without a window");
    if (!status)
        status = clip_open(&c.clip, sync, meaning, options->window, error);
    if (status)
        return status;
    c.windows = c.clip.asked ? CLIPS : CLIP_LEAST;
    status = messages_read(&c.messages, sync, meaning, options->actors, &sink, error);
    if (!status && !label(&c))
        status = error_memory(error);
    for (enum clip_as as = CLIP_ESTIMATE; !status && as < c.windows; as++)
        status = find_times(&c, as, error);
    if (!status && !c.clip.asked)
        status = find_costs(&c, error);
    if (!status)
        status = group(&c, error);
    csy_analysis *made = status ? NULL : calloc(1, sizeof *made);
    if (made) {
        add_pairs(&c, made);
        add_classes(&c, made);
    }
    if (made && !c.clip.asked)
        add_unmatched(&c, made);
    if (made && options->templates)
        add_templates(&c, made);
    status = sheets_finish(status, made, out, error);
    rows_fini(&c.actors);
    rows_fini(&c.labels);
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++)
        forms_fini(&c.forms[as]);
    fits_fini(&c.fits);
    texts_fini(&c.names);
    messages_fini(&c.messages);
    clip_fini(&c.clip);
    FREE_ALL(c.label_of, c.site_of);
    return sheets_name_window(status, out, options->window, error);
}
