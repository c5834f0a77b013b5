/* Who sends whom how much. */
#include "analysis/messages/messages.h"
#include "analysis/ranges/fits.h"
#include "analysis/ranges/forms.h"
#include "analysis/run/sheets.h"
#include "analysis/window/window.h"
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Clip: the tables of one analysis of the three windows that a clip has, as one. */

/* What makes the analysis of one of the windows. */
typedef csy_status clip_make(const void *user, enum clip_as as, csy_analysis **out,
                             csy_error *error);

struct joining {
    const struct clip *clip;
    const csy_sheet *sheets[CLIPS];
    struct texts keys; /* of rows, in the order of those of the most */
    size_t *rows[CLIPS];
    bool certain; /* all numbers of the least are those of the most, so that shares are known */
};

#define NO_ROW SIZE_MAX

enum { PPM = 1000000 };

/* What tells a row apart: its texts, each with its end. */
static bool find_key(struct joining *j, const csy_sheet *sheet, size_t row, uint32_t *out)
{
    const csy_value *values = sheet->values + row * sheet->ncolumns;
    size_t size = 0;
    bool added;
    for (size_t c = 0; c < sheet->ncolumns; c++)
        if (sheet->columns[c].kind == CSY_COLUMN_TEXT)
            size += (values[c].none ? 0 : strlen(values[c].text)) + 1;
    char *key = calloc(size + 1, 1), *at = key;
    for (size_t c = 0; key && c < sheet->ncolumns; c++) {
        if (sheet->columns[c].kind != CSY_COLUMN_TEXT)
            continue;
        size_t length = values[c].none ? 0 : strlen(values[c].text);
        memcpy(at, values[c].none ? "" : values[c].text, length);
        at += length + 1;
    }
    bool good = key && texts_find(&j->keys, key, size, out, &added);
    free(key);
    return good;
}

/* Which row of each has a key; the most has all. */
static bool find_rows(struct joining *j)
{
    static const enum clip_as order[] = {CLIP_MOST, CLIP_ESTIMATE, CLIP_LEAST};
    size_t n = j->sheets[CLIP_MOST]->nrows + j->sheets[CLIP_ESTIMATE]->nrows +
               j->sheets[CLIP_LEAST]->nrows;
    for (int as = 0; as < CLIPS; as++) {
        j->rows[as] = malloc((n + 1) * sizeof *j->rows[as]);
        if (!j->rows[as])
            return false;
        for (size_t i = 0; i < n; i++)
            j->rows[as][i] = NO_ROW;
    }
    for (size_t i = 0; i < CLIPS; i++) {
        const csy_sheet *sheet = j->sheets[order[i]];
        for (size_t row = 0; row < sheet->nrows; row++) {
            uint32_t key;
            if (!find_key(j, sheet, row, &key))
                return false;
            j->rows[order[i]][key] = row;
        }
    }
    return true;
}

static const csy_value *value_of(const struct joining *j, int as, size_t key, size_t column)
{
    const csy_sheet *sheet = j->sheets[as];
    size_t row = j->rows[as][key];
    return row == NO_ROW ? NULL : &sheet->values[row * sheet->ncolumns + column];
}

/* What a part says of a number, 0 where it has no such row. */
static int64_t number_of(const struct joining *j, int as, size_t key, size_t column)
{
    const csy_value *value = value_of(j, as, key, column);
    return !value || value->none ? 0 : value->range.estimate;
}

/* Whether both rows are of one kind, by their first texts. */
static bool is_alike(const struct joining *j, size_t key, size_t other)
{
    const csy_value *a = value_of(j, CLIP_MOST, key, 0), *b = value_of(j, CLIP_MOST, other, 0);
    return a && b && strcmp(a->text, b->text) == 0;
}

/* The share of what the column before it says in that of all rows of its kind: the least if it is
 * least and the others are most, and the other way round. */
static csy_range join_share(const struct joining *j, size_t key, size_t column)
{
    int64_t share = number_of(j, CLIP_ESTIMATE, key, column);
    csy_range out = {share, share, share, CSY_RANGE_CLOCK};
    int128 least = number_of(j, CLIP_LEAST, key, column - 1), all_least = 0;
    int128 most = number_of(j, CLIP_MOST, key, column - 1), all_most = 0;
    if (j->certain)
        return out;
    out.kind = clip_kind(j->clip);
    for (size_t other = 0; other < j->keys.count; other++)
        if (is_alike(j, key, other)) {
            all_least += number_of(j, CLIP_LEAST, other, column - 1);
            all_most += number_of(j, CLIP_MOST, other, column - 1);
        }
    int128 beside_most = all_most - most + least, beside_least = all_least - least + most;
    out.lo = beside_most > 0 ? (int64_t)floor_div(least * PPM, beside_most) : 0;
    out.hi = beside_least > 0 ? (int64_t)ceil_div(most * PPM, beside_least) : PPM;
    out.lo = out.lo > share ? share : out.lo;
    out.hi = out.hi < share ? share : out.hi;
    return out;
}

/* A number; it is none where it is of any part. */
static csy_value join_value(const struct joining *j, size_t key, size_t column)
{
    csy_range parts[CLIPS];
    for (int as = 0; as < CLIPS; as++) {
        const csy_value *value = value_of(j, as, key, column);
        if (value && value->none)
            return (csy_value){.none = true};
        parts[as] = value ? value->range : (csy_range){.kind = CSY_RANGE_CLOCK};
    }
    bool share = j->sheets[CLIP_ESTIMATE]->columns[column].kind == CSY_COLUMN_PPM;
    return (csy_value){.range = share ? join_share(j, key, column) : clip_range(j->clip, parts)};
}

static bool is_certain(const struct joining *j)
{
    const csy_sheet *sheet = j->sheets[CLIP_ESTIMATE];
    bool same = j->clip->known;
    for (size_t key = 0; key < j->keys.count; key++)
        for (size_t c = 0; same && c < sheet->ncolumns; c++) {
            const csy_value *least = value_of(j, CLIP_LEAST, key, c);
            const csy_value *most = value_of(j, CLIP_MOST, key, c);
            same = least && most && least->none == most->none &&
                   (sheet->columns[c].kind == CSY_COLUMN_TEXT ||
                    least->range.estimate == most->range.estimate);
        }
    return same;
}

static bool join_rows(struct joining *j, bool all, csy_analysis *out)
{
    const csy_sheet *sheet = j->sheets[CLIP_ESTIMATE];
    bool good = sheets_add(out, sheet->name);
    j->certain = is_certain(j);
    for (size_t c = 0; good && c < sheet->ncolumns; c++) {
        const csy_column *column = &sheet->columns[c];
        good = sheets_add_column(out, column->name, column->kind, column->kind != CSY_COLUMN_TEXT);
    }
    for (size_t key = 0; good && key < j->keys.count; key++) {
        if (j->rows[CLIP_ESTIMATE][key] == NO_ROW && !all)
            continue;
        int from = j->rows[CLIP_MOST][key] != NO_ROW ? CLIP_MOST : CLIP_ESTIMATE;
        csy_value *values = value_of(j, from, key, 0) ? sheets_add_row(out) : NULL;
        good = values != NULL;
        for (size_t c = 0; good && c < sheet->ncolumns; c++) {
            const csy_value *value = value_of(j, from, key, c);
            if (sheet->columns[c].kind != CSY_COLUMN_TEXT)
                values[c] = join_value(j, key, c);
            else if (!value->none)
                good = sheets_set_text(out, &values[c], value->text);
        }
    }
    return good;
}

static bool join_sheet(const struct clip *clip, csy_analysis *const parts[CLIPS], size_t index,
                       bool all, csy_analysis *out)
{
    struct joining j = {.clip = clip};
    for (int as = 0; as < CLIPS; as++)
        j.sheets[as] = &parts[as]->sheets[index].view;
    bool good = find_rows(&j) && join_rows(&j, all, out);
    for (int as = 0; as < CLIPS; as++)
        free(j.rows[as]);
    texts_fini(&j.keys);
    return good;
}

/* Of the three, whose rows are told apart by their texts, and whose numbers grow with the window: a
 * table has the rows of the one by the estimate, or all of them, with its values and the ranges
 * from the least to the most.  A column of shares is of the one before it, and of rows whose first
 * text is the same. */
static csy_status clip_sheets_make(const struct clip *clip, clip_make *make, const void *user,
                                   bool all, csy_analysis **out, csy_error *error)
{
    csy_analysis *parts[CLIPS] = {NULL}, *analysis = NULL;
    csy_status status = CSY_OK;
    for (int as = 0; !status && as < CLIPS; as++)
        status = make(user, (enum clip_as)as, &parts[as], error);
    if (!status)
        analysis = calloc(1, sizeof *analysis);
    bool good = analysis != NULL;
    for (size_t i = 0; good && i < parts[CLIP_ESTIMATE]->nsheets; i++)
        good = join_sheet(clip, parts, i, all, analysis);
    if (!status && !good)
        status = error_memory(error);
    for (int as = 0; as < CLIPS; as++)
        csy_analysis_free(parts[as]);
    if (status)
        csy_analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

/*
 * Templates: well-known patterns of who sends whom, and how well a pattern fits each.
 *
 * Ranks are numbered from 0; those of grids go along the first dimension first.  A template is a
 * set of ordered pairs of ranks, of which only the number is needed, and whether a pair is in it.
 */

enum { TEMPLATE_NAME_MAX = 64, TEMPLATES_BEST = 5, TEMPLATE_DIMENSIONS = 3 };

/* A pair that there is; no pair is there twice. */
struct template_pair {
    uint32_t from, to;
    uint64_t weight; /* bytes, or messages */
};

struct template_fit {
    char name[TEMPLATE_NAME_MAX];
    uint64_t both, either; /* pairs: Jaccard's coefficient is the first over the second */
    uint64_t covered;      /* weight of both */
};

/* Of a grid: neighbours; of a torus also over its ends; of a wave only onward. */
enum shape { GRID, TORUS, WAVE, HYPERCUBE, TREE_DOWN, TREE_UP, STAR, TRANSPOSE, ALL };

struct template
{
    enum shape shape;
    uint32_t ranks;
    uint32_t sizes[TEMPLATE_DIMENSIONS]; /* of a grid; 1: it has no such dimension */
    uint32_t centre;                     /* of a star */
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

/* Pairs of neighbours: along each dimension one or two of each rank, but for those at an end. */
static uint64_t grid_pairs(const struct template *t)
{
    uint64_t n = 0;
    for (size_t i = 0; i < TEMPLATE_DIMENSIONS; i++) {
        uint64_t size = t->sizes[i], lines = t->ranks / size;
        if (size == 1)
            continue;
        uint64_t onward = t->shape == TORUS && size > 2 ? size : size - 1;
        n += lines * onward * (t->shape == WAVE ? 1 : 2);
    }
    return n;
}

static uint64_t count_pairs(const struct template *t)
{
    uint64_t n = t->ranks, bits = 0;
    switch (t->shape) {
    case GRID:
    case TORUS:
    case WAVE:
        return grid_pairs(t);
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

static void name_template(const struct template *t, char name[TEMPLATE_NAME_MAX])
{
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
    if (grid && sizes[1] == 1)
        snprintf(name, TEMPLATE_NAME_MAX, "%s", t->shape == TORUS ? "ring" : "line");
    else if (grid && sizes[2] == 1)
        snprintf(name, TEMPLATE_NAME_MAX, "%s %" PRIu32 "x%" PRIu32, names[t->shape], sizes[0],
                 sizes[1]);
    else if (grid)
        snprintf(name, TEMPLATE_NAME_MAX, "%s %" PRIu32 "x%" PRIu32 "x%" PRIu32, names[t->shape],
                 sizes[0], sizes[1], sizes[2]);
    else if (t->shape == STAR)
        snprintf(name, TEMPLATE_NAME_MAX, "%s %" PRIu32, names[t->shape], t->centre);
    else
        snprintf(name, TEMPLATE_NAME_MAX, "%s", names[t->shape]);
}

/* The pattern, and the best so far. */
struct search {
    const struct template_pair *pairs;
    size_t n;
    uint64_t there; /* pairs of two ranks */
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
    name_template(t, fit.name);
    s->best[at] = fit;
}

/* A torus that is no more than a grid is none: all its sizes are 2 or less. */
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

/* All ordered factorizations in two and three. */
static void try_factors(struct search *s, uint32_t ranks)
{
    try_grids(s, ranks, ranks, 1, 1);
    for (uint32_t x = 2; x <= ranks / 2; x++) {
        if (ranks % x != 0)
            continue;
        uint32_t rest = ranks / x;
        try_grids(s, ranks, x, rest, 1);
        for (uint32_t y = 2; y <= rest / 2; y++)
            if (rest % y == 0)
                try_grids(s, ranks, x, y, rest / y);
    }
}

/* The rank that has most pairs; false on no memory. */
static bool find_centre(const struct template_pair *pairs, size_t n, uint32_t ranks, uint32_t *out)
{
    uint64_t *counts = calloc(ranks, sizeof *counts);
    if (!counts)
        return false;
    for (size_t i = 0; i < n; i++) {
        counts[pairs[i].from]++;
        counts[pairs[i].to]++;
    }
    *out = 0;
    for (uint32_t i = 1; i < ranks; i++)
        if (counts[i] > counts[*out])
            *out = i;
    free(counts);
    return true;
}

/* The templates that fit n pairs of so many ranks best, by Jaccard's coefficient, then by covered
 * weight; *nbest of them.  false on no memory.  O(pairs) for each template, of which there are as
 * many as ranks have ordered factorizations in two and three, and some. */
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
    try_factors(&s, ranks);
    while ((uint64_t)side * side < ranks)
        side++;
    struct template t = {.ranks = ranks, .sizes = {side, side, 1}};
    if (!find_centre(pairs, n, ranks, &t.centre))
        return false;
    for (t.shape = HYPERCUBE; t.shape <= ALL; t.shape++) {
        bool no_cube = t.shape == HYPERCUBE && (ranks & (ranks - 1)) != 0;
        bool no_square = t.shape == TRANSPOSE && side * side != ranks;
        if (!no_cube && !no_square)
            try_one(&s, &t);
    }
    *nbest = s.nbest;
    return true;
}

/* --- Messages between clocks --------------------------------------------------------------- */

enum { BY_BYTES = 24, MILLION = 1000000, COSTS_MAX = 1 << 24 };

/* From one to another, of one kind, and by what else was asked for.  Texts are found by it. */
struct pair_key {
    uint64_t by;
    uint32_t sender, receiver; /* actors, then labels */
    uint32_t kind, unused;
};

struct pair {
    struct pair_key key;
    uint64_t count, bytes;
    uint64_t unsized; /* those of them whose bytes are not known */
    bool untimed;     /* of some it is not known how long they took; */
    bool loose;       /* of some, that they came after they were sent */
    csy_range time, cost;
    int128 stamps;         /* what imprecision adds to the times in `time` that are by one clock */
    bool no_cost, stamped; /* it is not known; some of it is by one clock, and as stamped */
};

struct comm_rows {
    struct pair *items;
    size_t count, capacity;
    struct texts keys;
};

struct total {
    uint64_t count, bytes, unsized;
};

struct comm {
    struct messages messages;
    const csy_comm_options *options;
    const struct clip *clip; /* of which window, or NULL */
    enum clip_as as;
    bool met;           /* there is a message, in it or not */
    struct forms forms; /* of pairs of actors */
    struct fits fits;   /* of kinds and classes */
    struct comm_rows actors, labels;
    struct texts names;   /* labels: an actor's, or its Cell's or node's */
    uint32_t *label_of;   /* by actor */
    struct site *site_of; /* the same */
    struct total totals[MESSAGE_KINDS][SITE_CLASSES];
};

static csy_status find_pair(struct comm_rows *pairs, const struct pair_key *key, uint32_t *out,
                            csy_error *error)
{
    bool added;
    if (!texts_find(&pairs->keys, (const char *)key, sizeof *key, out, &added) ||
        !ARRAY_RESERVE(pairs->items, pairs->capacity, pairs->keys.count))
        return error_memory(error);
    if (added)
        pairs->items[pairs->count++] = (struct pair){
            .key = *key, .time = {.kind = CSY_RANGE_CLOCK}, .cost = {.kind = CSY_RANGE_CLOCK}};
    return CSY_OK;
}

static void rows_fini(struct comm_rows *pairs)
{
    free(pairs->items);
    texts_fini(&pairs->keys);
    *pairs = (struct comm_rows){0};
}

/* --- As messages come --- */

static csy_status begin(void *user, csy_error *error)
{
    struct comm *c = user;
    rows_fini(&c->actors);
    forms_fini(&c->forms);
    fits_fini(&c->fits);
    csy_status status = forms_init(&c->forms, error);
    c->forms.whole = !c->clip;
    return status;
}

static bool fit(struct comm *c, const struct message *message)
{
    struct messages *m = &c->messages;
    enum site_class class;
    return sites_class(&m->sites, &m->actors, m->sync, message->sender, message->receiver,
                       &class) &&
           fits_add(&c->fits, message_group(message, class), message_bytes(message), &message->sent,
                    &message->received, !message->ordered);
}

/* How long it took, or what of that is in the window. */
static bool add_time(struct comm *c, uint32_t pair, const struct message *message)
{
    struct moment sent = message->sent, received = message->received;
    bool some =
        !c->clip || clip_time(c->clip, c->as, &message->sent, &message->received, &sent, &received);
    return !some || forms_add(&c->forms, pair, &sent, &received, 1);
}

static csy_status take(void *user, const struct message *message, csy_error *error)
{
    struct comm *c = user;
    uint32_t index;
    csy_comm_by by = c->options->by;
    c->met = true;
    if (c->clip && !message_meets(message, c->clip, c->as))
        return CSY_OK;
    struct pair_key key = {.by = by == CSY_COMM_FUNCTION   ? message->function
                                 : by == CSY_COMM_DATATYPE ? message->datatype
                                 : by == CSY_COMM_SIZE     ? message->bytes
                                                           : 0,
                           .sender = message->sender,
                           .receiver = message->receiver,
                           .kind = message->kind};
    csy_status status = find_pair(&c->actors, &key, &index, error);
    if (status)
        return status;
    struct pair *pair = &c->actors.items[index];
    pair->count++;
    pair->unsized += message->bytes == MESSAGE_NO_BYTES;
    pair->untimed |= message->untimed;
    pair->loose |= !message->ordered;
    if (__builtin_add_overflow(pair->bytes, message_bytes(message), &pair->bytes) ||
        pair->bytes > INT64_MAX)
        return error_set(error, CSY_INPUT, "the bytes of its messages leave 63 bits");
    return add_time(c, index, message) && fit(c, message) ? CSY_OK : error_memory(error);
}

/* --- Labels --- */

/* An actor in the order of their kinds: threads of the PPE, contexts, named threads, memory. */
struct ordered_actor {
    enum actor_kind kind;
    uint32_t id, index;
};

static int compare_actors(const void *a, const void *b)
{
    const struct ordered_actor *x = a, *y = b;
    return x->kind != y->kind ? (x->kind > y->kind ? 1 : -1) : (x->id > y->id) - (x->id < y->id);
}

static bool label_actor(struct comm *c, uint32_t index)
{
    struct messages *m = &c->messages;
    const struct actor *actor = &m->actors.items[index];
    struct site *site = &c->site_of[index];
    char own[ACTOR_NAME_MAX];
    const char *text;
    size_t size;
    bool added;
    if (!sites_find(&m->sites, index, actor, m->sync, site))
        return false;
    uint32_t name = c->options->group == CSY_GROUP_CELL   ? site->cell
                    : c->options->group == CSY_GROUP_NODE ? site->node
                                                          : NO_TEXT;
    if (name != NO_TEXT) {
        text = m->sites.names.bytes + m->sites.names.items[name].at;
        size = m->sites.names.items[name].size;
    } else {
        text = actor_name(actor, m->sync, own);
        size = strlen(text);
    }
    return texts_find(&c->names, text, size, &c->label_of[index], &added);
}

/* Labels are numbered in the order of their first actors. */
static csy_status label(struct comm *c, csy_error *error)
{
    const struct actors *actors = &c->messages.actors;
    struct ordered_actor *order = calloc(actors->count + 1, sizeof *order);
    c->label_of = calloc(actors->count + 1, sizeof *c->label_of);
    c->site_of = calloc(actors->count + 1, sizeof *c->site_of);
    bool good = order && c->label_of && c->site_of;
    for (uint32_t i = 0; good && i < actors->count; i++)
        order[i] = (struct ordered_actor){actors->items[i].kind, actors->items[i].id, i};
    if (good && actors->count > 1)
        qsort(order, actors->count, sizeof *order, compare_actors);
    for (size_t i = 0; good && i < actors->count; i++)
        good = label_actor(c, order[i].index);
    free(order);
    return good ? CSY_OK : error_memory(error);
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
    if (x->kind != y->kind)
        return x->kind > y->kind ? 1 : -1;
    if (x->sender != y->sender)
        return x->sender > y->sender ? 1 : -1;
    if (x->receiver != y->receiver)
        return x->receiver > y->receiver ? 1 : -1;
    return (x->by > y->by) - (x->by < y->by);
}

static csy_status group(struct comm *c, csy_error *error)
{
    struct comm_rows *labels = &c->labels;
    for (size_t i = 0; i < c->actors.count; i++) {
        const struct pair *pair = &c->actors.items[i];
        struct pair_key key = pair->key;
        uint32_t index;
        key.sender = c->label_of[key.sender];
        key.receiver = c->label_of[key.receiver];
        csy_status status = find_pair(labels, &key, &index, error);
        if (status)
            return status;
        struct pair *to = &labels->items[index];
        struct total *total = &c->totals[key.kind][class_of(c, pair)];
        to->count += pair->count;
        total->count += pair->count;
        to->unsized += pair->unsized;
        total->unsized += pair->unsized;
        if (__builtin_add_overflow(to->bytes, pair->bytes, &to->bytes) || to->bytes > INT64_MAX ||
            __builtin_add_overflow(total->bytes, pair->bytes, &total->bytes) ||
            total->bytes > INT64_MAX)
            return error_set(error, CSY_INPUT, "the bytes of its messages leave 63 bits");
        to->untimed |= pair->untimed;
        to->no_cost |= pair->no_cost;
        if (!forms_add_range(&to->time, &pair->time) ||
            (!to->no_cost && !forms_add_range(&to->cost, &pair->cost)))
            return error_set(error, CSY_INPUT, "a time leaves 64 bits");
        to->stamps += pair->time.kind == CSY_RANGE_CLOCK ? pair->stamps : 0;
        to->stamped |= pair->cost.kind == CSY_RANGE_CLOCK && pair->stamps > 0;
    }
    for (size_t i = 0; i < labels->count; i++) {
        forms_allow_stamps(&labels->items[i].time, labels->items[i].stamps);
        forms_allow_stamps(&labels->items[i].cost, labels->items[i].stamped ? -1 : 0);
    }
    if (labels->count > 1)
        qsort(labels->items, labels->count, sizeof *labels->items, compare_pairs);
    return CSY_OK;
}

/* --- Tables --- */

static const char *const by_names[] = {[CSY_COMM_PAIR] = NULL,
                                       [CSY_COMM_FUNCTION] = "function",
                                       [CSY_COMM_DATATYPE] = "datatype",
                                       [CSY_COMM_SIZE] = "size"};

static bool add_pair_columns(const struct comm *c, csy_analysis *out)
{
    const char *by = by_names[c->options->by];
    return sheets_add(out, "comm") && sheets_add_column(out, "sender", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "receiver", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "what", CSY_COLUMN_TEXT, false) &&
           (!by || sheets_add_column(out, by, CSY_COLUMN_TEXT, false)) &&
           sheets_add_column(out, "count", CSY_COLUMN_COUNT, false) &&
           sheets_add_column(out, "bytes", CSY_COLUMN_COUNT, false) &&
           sheets_add_column(out, "time", CSY_COLUMN_TICKS, true) &&
           (c->clip || sheets_add_column(out, "cost", CSY_COLUMN_TICKS, true));
}

static bool set_by(const struct comm *c, csy_analysis *out, csy_value *value, uint64_t by)
{
    char text[BY_BYTES];
    if (c->options->by == CSY_COMM_FUNCTION)
        return sheets_set_item(out, value, &c->messages.functions, (uint32_t)by);
    bool size = c->options->by == CSY_COMM_SIZE;
    if ((size && by == MESSAGE_NO_BYTES) || (!size && by == MESSAGE_NO_DATATYPE))
        return sheets_set_text(out, value, "-");
    snprintf(text, sizeof text, "%" PRIu64, by);
    return sheets_set_text(out, value, text);
}

/* A sum of bytes is known if each of them is. */
static void set_bytes(csy_value *value, uint64_t bytes, uint64_t unsized)
{
    if (unsized == 0)
        sheets_set_number(value, (int64_t)bytes);
}

/* Whether a pair has at least that part of the bytes of the heaviest one of its kind, or, where
 * there are none, of its messages; or may have, where its bytes are not known. */
static bool is_heavy(const struct comm *c, const struct pair *pair, const struct total *most)
{
    csy_fraction part = c->options->heavy;
    if (most->bytes > 0 && pair->unsized > 0)
        return true;
    return most->bytes > 0 ? (uint128)pair->bytes * (uint64_t)part.den >=
                                 (uint128)most->bytes * (uint64_t)part.num
                           : (uint128)pair->count * (uint64_t)part.den >=
                                 (uint128)most->count * (uint64_t)part.num;
}

static bool add_pairs(const struct comm *c, csy_analysis *out)
{
    struct total mosts[MESSAGE_KINDS] = {{0, 0, 0}};
    bool good = add_pair_columns(c, out);
    for (size_t i = 0; i < c->labels.count; i++) {
        const struct pair *pair = &c->labels.items[i];
        struct total *most = &mosts[pair->key.kind];
        most->bytes = pair->bytes > most->bytes ? pair->bytes : most->bytes;
        most->count = pair->count > most->count ? pair->count : most->count;
    }
    for (size_t i = 0; i < c->labels.count && good; i++) {
        const struct pair *pair = &c->labels.items[i];
        bool heavy = is_heavy(c, pair, &mosts[pair->key.kind]);
        csy_value *value = heavy ? sheets_add_row(out) : NULL;
        if (!value) {
            good = !heavy;
            continue;
        }
        good = sheets_set_item(out, value++, &c->names, pair->key.sender) &&
               sheets_set_item(out, value++, &c->names, pair->key.receiver) &&
               sheets_set_text(out, value++, message_kind_names[pair->key.kind]);
        if (good && by_names[c->options->by])
            good = set_by(c, out, value++, pair->key.by);
        sheets_set_number(value++, (int64_t)pair->count);
        set_bytes(value++, pair->bytes, pair->unsized);
        if (!pair->untimed)
            *value = (csy_value){.range = pair->time};
        value++;
        if (!pair->no_cost && !c->clip)
            *value = (csy_value){.range = pair->cost};
    }
    return good;
}

static void set_share(csy_value *value, uint64_t part, uint64_t all)
{
    if (all > 0)
        sheets_set_number(value, (int64_t)((uint128)part * MILLION / all));
}

static bool add_classes(const struct comm *c, csy_analysis *out)
{
    bool good = sheets_add(out, "classes") &&
                sheets_add_column(out, "what", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "class", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "count", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "count_share", CSY_COLUMN_PPM, false) &&
                sheets_add_column(out, "bytes", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "bytes_share", CSY_COLUMN_PPM, false);
    for (size_t kind = 0; kind < MESSAGE_KINDS; kind++) {
        const struct total *totals = c->totals[kind];
        struct total all = {0, 0, 0};
        for (size_t i = 0; i < SITE_CLASSES; i++)
            all = (struct total){all.count + totals[i].count, all.bytes + totals[i].bytes,
                                 all.unsized + totals[i].unsized};
        for (size_t i = 0; i < SITE_CLASSES && good; i++) {
            csy_value *value = totals[i].count > 0 ? sheets_add_row(out) : NULL;
            if (!value) {
                good = totals[i].count == 0;
                continue;
            }
            good = sheets_set_text(out, value++, message_kind_names[kind]) &&
                   sheets_set_text(out, value++, site_class_names[i]);
            sheets_set_number(value++, (int64_t)totals[i].count);
            set_share(value++, totals[i].count, all.count);
            set_bytes(value++, totals[i].bytes, totals[i].unsized);
            if (all.unsized == 0)
                set_share(value, totals[i].bytes, all.bytes);
        }
    }
    return good;
}

/* Whether there is anything of that kind; messages have a row anyway. */
static bool occurs(const struct comm *c, size_t kind)
{
    uint64_t count = c->messages.unmatched[kind][0] + c->messages.unmatched[kind][1];
    for (size_t i = 0; i < SITE_CLASSES; i++)
        count += c->totals[kind][i].count;
    return kind == MESSAGE_SENT || count > 0;
}

static bool add_unmatched(const struct comm *c, csy_analysis *out)
{
    bool good = sheets_add(out, "unmatched") &&
                sheets_add_column(out, "what", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "sends", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "receives", CSY_COLUMN_COUNT, false);
    for (size_t kind = 0; kind < MESSAGE_TRANSFER && good; kind++) {
        const uint64_t *unmatched = c->messages.unmatched[kind];
        if (!occurs(c, kind))
            continue;
        csy_value *value = sheets_add_row(out);
        good = value && sheets_set_text(out, value++, message_kind_names[kind]);
        if (!good)
            break;
        sheets_set_number(value++, (int64_t)unmatched[0]);
        sheets_set_number(value, (int64_t)unmatched[1]);
    }
    return good;
}

/* Who sends messages is numbered in the order of labels. */
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
                                     pair->bytes};
        if (n > 0 && pairs[n - 1].from == next.from && pairs[n - 1].to == next.to)
            pairs[n - 1].weight += next.weight;
        else
            pairs[n++] = next;
    }
    return n;
}

static bool add_template(csy_analysis *out, const struct template_fit *fit, uint64_t all)
{
    csy_value *value = sheets_add_row(out);
    if (!value || !sheets_set_text(out, value++, fit->name))
        return false;
    sheets_set_number(value++, (int64_t)fit->both);
    set_share(value++, fit->both, fit->either);
    set_share(value, fit->covered, all);
    return true;
}

static bool add_templates(const struct comm *c, csy_analysis *out)
{
    struct template_fit best[TEMPLATES_BEST];
    uint32_t ranks = 0, *rank_of = calloc(c->names.count + 1, sizeof *rank_of);
    struct template_pair *pairs = calloc(c->labels.count + 1, sizeof *pairs);
    size_t n = rank_of && pairs ? rank_pairs(c, rank_of, pairs, &ranks) : 0, nbest = 0;
    uint64_t all = 0;
    bool known = true;
    for (size_t i = 0; i < n; i++)
        all += pairs[i].weight;
    for (size_t i = 0; i < c->labels.count; i++)
        known &= c->labels.items[i].key.kind != MESSAGE_SENT || c->labels.items[i].unsized == 0;
    bool good = rank_of && pairs && templates_find(pairs, n, ranks, best, &nbest) &&
                sheets_add(out, "templates") &&
                sheets_add_column(out, "template", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "pairs", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "jaccard", CSY_COLUMN_PPM, false) &&
                sheets_add_column(out, "coverage", CSY_COLUMN_PPM, false);
    for (size_t i = 0; i < nbest && good; i++)
        good = add_template(out, &best[i], known ? all : 0);
    free(rank_of);
    free(pairs);
    return good;
}

static csy_status make(struct comm *c, csy_analysis **out, csy_error *error)
{
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    if (analysis && add_pairs(c, analysis) && add_classes(c, analysis) &&
        (c->clip || add_unmatched(c, analysis)) &&
        (!c->options->templates || add_templates(c, analysis))) {
        *out = analysis;
        return CSY_OK;
    }
    csy_analysis_free(analysis);
    return error_memory(error);
}

/* What the line of its kind and class comes to at the messages of a pair; not of too many. */
static csy_status find_costs(struct comm *c, csy_error *error)
{
    csy_status status = fits_finish(&c->fits, c->messages.sync, error);
    bool few = (uint128)c->actors.count * c->fits.count <= COSTS_MAX;
    for (size_t i = 0; i < c->actors.count && !few; i++)
        c->actors.items[i].no_cost = true;
    for (size_t i = 0; i < c->actors.count && few && !status; i++) {
        struct pair *pair = &c->actors.items[i];
        enum site_class class = class_of(c, pair);
        const struct message alike = {.kind = pair->key.kind,
                                      .bytes = pair->unsized > 0 ? MESSAGE_NO_BYTES : 0};
        uint32_t group = message_group(&alike, class);
        size_t first = 0, next;
        csy_value value = {.none = true};
        while (first < c->fits.count && c->fits.items[first].group < group)
            first++;
        for (next = first; next < c->fits.count && c->fits.items[next].group == group;)
            next++;
        fits_on_line(&c->fits, c->fits.items + first, next - first, pair->count, pair->bytes,
                     &value);
        pair->no_cost =
            pair->untimed || value.none || (pair->unsized > 0 && pair->unsized < pair->count);
        pair->cost = value.range;
    }
    return status;
}

static csy_status find_times(struct comm *c, csy_error *error)
{
    size_t n = c->actors.count;
    csy_range *ranges = malloc((n + 1) * sizeof *ranges);
    csy_status status = ranges ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_bounds(&c->forms, n, c->messages.sync, ranges, error);
    for (size_t i = 0; i < n && !status; i++) {
        csy_range *time = &c->actors.items[i].time;
        *time = ranges[i];
        c->actors.items[i].stamps = forms_stamps(&c->forms, i, c->messages.sync);
        if (time->kind != CSY_RANGE_CLOCK && time->kind != CSY_RANGE_UNKNOWN &&
            !c->actors.items[i].loose)
            time->lo = fits_not_below_0(time->lo, time->estimate);
    }
    free(ranges);
    return status;
}

void csy_comm_options_init(csy_comm_options *options)
{
    *options = (csy_comm_options){.heavy = {0, 1}};
}

/* What is asked. */
struct question {
    csy_sync *sync;
    const csy_meaning *meaning;
    const csy_comm_options *options;
    const struct clip *clip;
};

/* By one of the windows that it may be, if there is one; the estimate's says what is heavy. */
static csy_status find(const void *user, enum clip_as as, csy_analysis **out, csy_error *error)
{
    const struct question *q = user;
    csy_comm_options options = *q->options;
    struct comm c = {.options = &options, .clip = q->clip, .as = as};
    const struct messages_sink sink = {begin, take, &c};
    options.heavy = as == CLIP_ESTIMATE ? options.heavy : (csy_fraction){0, 1};
    csy_status status =
        messages_read(&c.messages, q->sync, q->meaning, options.actors, &sink, error);
    if (!status)
        status = messages_check(&c.messages, c.met, error);
    if (!status)
        status = label(&c, error);
    if (!status)
        status = find_times(&c, error);
    if (!status && !c.clip)
        status = find_costs(&c, error);
    if (!status)
        status = group(&c, error);
    if (!status)
        status = make(&c, out, error);
    rows_fini(&c.actors);
    rows_fini(&c.labels);
    forms_fini(&c.forms);
    fits_fini(&c.fits);
    texts_fini(&c.names);
    free(c.label_of);
    free(c.site_of);
    messages_fini(&c.messages);
    return status;
}

csy_status csy_sync_comm(csy_sync *sync, const csy_meaning *meaning,
                         const csy_comm_options *options, csy_analysis **out, csy_error *error)
{
    struct clip clip = {.asked = false};
    struct question q = {sync, meaning, options, NULL};
    csy_status status = error_check_choice("group", (int)options->group, CSY_GROUP_NODE, error);
    if (!status)
        status = error_check_choice("by", (int)options->by, CSY_COMM_SIZE, error);
    if (!status && !sync->read)
        status = solution_check_feasible(sync, error);
    if (!status && options->window && options->templates)
        status = error_set(error, CSY_USAGE, "patterns are of all messages, not of a window");
    if (!status && options->window)
        status = clip_open(&clip, sync, meaning, options->window, error);
    q.clip = clip.asked ? &clip : NULL;
    if (!status)
        status = q.clip ? clip_sheets_make(&clip, find, &q, options->heavy.num == 0, out, error)
                        : find(&q, CLIP_ESTIMATE, out, error);
    clip_fini(&clip);
    return sheets_name_window(status, out, options->window, error);
}
