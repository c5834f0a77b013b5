/* csy_sync_calls makes sheets that show which routines call which other routines. */
#include "analysis/calls/profile.h"
#include "base/error.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void calltree_init(struct calltree *tree, const struct clip *clip)
{
    *tree = (struct calltree){.clip = clip};
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
        tree->of_paths[as].whole = tree->of_pairs[as].whole = true;
        tree->of_paths[as].stamped = tree->of_pairs[as].stamped = clip != NULL;
    }
}

void calltree_fini(struct calltree *tree)
{
    for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
        forms_fini(&tree->of_paths[as]);
        forms_fini(&tree->of_pairs[as]);
    }
    keys_fini(&tree->paths_by);
    texts_fini(&tree->pairs_by);
    keys_fini(&tree->active_by);
    FREE_ALL(tree->paths, tree->pairs, tree->active, tree->branches);
}

static bool find_path(struct calltree *tree, uint32_t from, uint32_t routine, uint32_t *out)
{
    const struct call_path *parent = from == NO_PATH ? NULL : &tree->paths[from];
    const uint32_t depth = parent ? parent->depth + 1 : 1;
    bool added;
    if (parent && parent->routine == CALLTREE_DEEPER) {
        *out = from;
        return true;
    }
    routine = depth > CALLTREE_DEPTH_MAX ? CALLTREE_DEEPER : routine;
    const uint64_t key = keys_pair(from, routine);
    if (tree->npaths >= CALLTREE_PATHS_MAX && from != NO_PATH &&
        !keys_look(&tree->paths_by, key, out)) {
        *out = from;
        return true;
    }
    return keys_find(&tree->paths_by, key, out, &added) &&
           (!added || ARRAY_PUSH(tree->paths, tree->npaths, tree->paths_capacity,
                                 {.parent = from, .routine = routine, .depth = depth}));
}

static bool find_pair(struct calltree *tree, uint32_t caller, uint32_t callee, bool leaf,
                      uint32_t *out)
{
    const uint32_t key[3] = {caller, callee, leaf};
    bool added;
    if (tree->npairs >= CALLTREE_PAIRS_MAX &&
        !texts_look(&tree->pairs_by, (const char *)key, sizeof key, out)) {
        *out = NO_TEXT;
        return true;
    }
    return texts_find(&tree->pairs_by, (const char *)key, sizeof key, out, &added) &&
           (!added || ARRAY_PUSH(tree->pairs, tree->npairs, tree->pairs_capacity,
                                 {.caller = caller, .callee = callee, .leaf = leaf}));
}

bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t caller, uint32_t routine,
                    uint32_t actor, struct call_place *out)
{
    bool added;
    *out = (struct call_place){.path = NO_PATH, .pair = NO_TEXT, .active = NO_TEXT};
    if (!find_path(tree, from, routine, &out->path) ||
        !find_pair(tree, caller, routine, false, &out->pair))
        return false;
    out->merged = out->path == from;
    tree->paths[out->path].calls[tree->as]++;
    if (out->pair == NO_TEXT)
        return true;
    if (!keys_find(&tree->active_by, keys_pair(out->pair, actor), &out->active, &added) ||
        !ARRAY_RESERVE(tree->active, tree->active_capacity, tree->active_by.count))
        return false;
    if (added)
        tree->active[out->active] = 0;
    out->outermost = tree->active[out->active]++ == 0;
    tree->pairs[out->pair].sums[tree->as].calls++;
    return true;
}

bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end)
{
    if (place->path == NO_PATH)
        return true;
    bool good =
        place->merged || forms_add(&tree->of_paths[tree->as],
                                   (size_t)place->path * PATH_FORMS + PATH_TOTAL, begin, end, 1);
    if (place->pair == NO_TEXT)
        return good;
    tree->active[place->active]--;
    return good &&
           (!place->outermost || forms_add(&tree->of_pairs[tree->as], place->pair, begin, end, 1));
}

bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end)
{
    return path == NO_PATH || forms_add(&tree->of_paths[tree->as],
                                        (size_t)path * PATH_FORMS + PATH_DIRECT, begin, end, 1);
}

bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end)
{
    uint32_t pair;
    if (!find_pair(tree, caller, leaf, true, &pair))
        return false;
    if (pair == NO_TEXT)
        return true;
    struct call_sums *sums = &tree->pairs[pair].sums[tree->as];
    sums->calls++;
    sums->unsized |= bytes == EVENT_KINDS_NO_BYTES;
    if (bytes != EVENT_KINDS_NO_BYTES && bytes != EVENT_KINDS_BYTELESS) {
        sums->sized = true;
        call_sums_add(sums, bytes);
    }
    return forms_add(&tree->of_pairs[tree->as], pair, begin, end, 1);
}

bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path)
{
    if (!ARRAY_PUSH(tree->branches, tree->nbranches, tree->branches_capacity, {actor, path}))
        return false;
    for (; path != NO_PATH && !tree->paths[path].active; path = tree->paths[path].parent)
        tree->paths[path].active = true;
    return true;
}

enum { PPM = 1000000 };

/* A pair (caller and routine or event) for sorting: by caller, then routines before events
 * (leaves), then events by decreasing weight. */
struct ranked {
    const struct call_pair *pair;
    const csy_range *time;
    csy_weight weight;
};

static uint64_t weight_of(const struct ranked *r)
{
    return r->weight == CSY_WEIGHT_BYTES ? r->pair->sums[CLIP_ESTIMATE].bytes
           : r->weight == CSY_WEIGHT_TIME
               ? (uint64_t)(r->time->estimate > 0 ? r->time->estimate : 0)
               : r->pair->sums[CLIP_ESTIMATE].calls;
}

static int compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    uint64_t s = x->pair->leaf ? weight_of(x) : 0, t = y->pair->leaf ? weight_of(y) : 0;
    /* NO_TEXT + 1 is 0, so pairs without a caller come first. */
    return 8 * COMPARE(x->pair->caller + 1, y->pair->caller + 1) +
           4 * COMPARE(x->pair->leaf, y->pair->leaf) + 2 * COMPARE(t, s) +
           COMPARE(x->pair->callee, y->pair->callee);
}

/* Find the ranges of the sums in the first n items of forms[CLIP_ESTIMATE]. If the user requested a
 * part of the trace, the other elements of forms[] limit the ranges. */
static csy_status find_ranges(const struct profile *p, struct forms forms[CLIPS], size_t n,
                              csy_range *out, csy_error *error)
{
    const struct clip *clip = p->tree->clip;
    csy_status status =
        forms_ranges(&forms[CLIP_ESTIMATE], n, &p->moves, p->moves.sync, out, error);
    return status || !clip ? status
                           : clip_ranges(clip, forms, n, &p->moves, p->moves.sync, out, error);
}

/* --- Pairs ---------------------------------------------------------------------------------- */

/* The number of bytes stays empty if it is unknown for a call, or exceeds 63 bits. */
static void set_sums(const struct calltree *tree, csy_value *value,
                     const struct call_sums sums[CLIPS])
{
    const struct call_sums *least = &sums[CLIP_LEAST], *most = &sums[CLIP_MOST];
    value[5] = clip_number(tree->clip, sums->calls, least->calls, most->calls);
    if ((sums->sized || most->sized) && !sums->unsized && !most->unsized && !sums->beyond)
        value[7] = clip_number(tree->clip, sums->bytes, least->bytes, most->bytes);
}

static void add_pair(const struct profile *p, csy_analysis *out, const struct ranked *r)
{
    const struct call_pair *pair = r->pair;
    csy_value *value =
        SHEETS_ROW(out, profile_routine(p, out, pair->caller),
                   pair->leaf ? sheets_item(out, &p->instants->event_kinds.leaves, pair->callee)
                              : profile_routine(p, out, pair->callee),
                   sheets_constant(pair->leaf ? "leaf" : "routine"));
    if (!value)
        return;
    if (!pair->leaf)
        profile_set_place(p, out, pair->callee, &value[3]);
    set_sums(p->tree, value, pair->sums);
    value[6] = sheets_range(*r->time);
}

/* Add one row for n events that a caller caused (leaves) and that have no rows of their own. */
static void add_others(const struct profile *p, csy_analysis *out, const struct ranked *r, size_t n)
{
    char name[64];
    const struct calltree *tree = p->tree;
    struct call_sums sums[CLIPS] = {{.calls = 0}};
    csy_range time = {.kind = CSY_RANGE_CLOCK};
    int128 stamps = 0;
    bool fits = true;
    snprintf(name, sizeof name, "(%zu others)", n);
    csy_value *value = SHEETS_ROW(out, profile_routine(p, out, r->pair->caller),
                                  sheets_text(out, name), sheets_constant("leaf"));
    if (!value)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t pair = (size_t)(r[i].pair - tree->pairs);
        for (enum clip_as as = CLIP_ESTIMATE; as < CLIPS; as++) {
            const struct call_sums *own = &r[i].pair->sums[as];
            sums[as].calls += own->calls;
            sums[as].sized |= own->sized;
            sums[as].unsized |= own->unsized;
            sums[as].beyond |= own->beyond;
            call_sums_add(&sums[as], own->bytes);
        }
        fits = fits && forms_add_range(&time, r[i].time);
        if (r[i].time->kind == CSY_RANGE_CLOCK)
            stamps += forms_stamps(&tree->of_pairs[CLIP_ESTIMATE], pair, p->moves.sync);
    }
    forms_allow_stamps(&time, stamps);
    set_sums(tree, value, sums);
    if (fits)
        value[6] = sheets_range(time);
}

static void add_pairs(const struct profile *p, csy_analysis *out, const struct ranked *ranked,
                      size_t most)
{
    const struct calltree *tree = p->tree;
    bool cut = tree->clip != NULL;
    const csy_column columns[] = {TEXT_COLUMN("caller"),       TEXT_COLUMN("callee"),
                                  TEXT_COLUMN("kind"),         TEXT_COLUMN("file"),
                                  COUNT_COLUMN("line", false), COUNT_COLUMN("calls", cut),
                                  TICKS_COLUMN("time", true),  COUNT_COLUMN("bytes", cut)};
    SHEETS_ADD(out, "calls", columns);
    for (size_t i = 0, leaves = 0; i < tree->npairs; i++) {
        bool same = i > 0 && ranked[i].pair->caller == ranked[i - 1].pair->caller;
        leaves = same ? leaves : 0;
        leaves += ranked[i].pair->leaf;
        size_t n = 1;
        while (leaves > most && i + n < tree->npairs &&
               ranked[i + n].pair->caller == ranked[i].pair->caller)
            n++;
        if (most > 0 && n > 1)
            add_others(p, out, &ranked[i], n);
        else if (most > 0 || leaves == 0)
            add_pair(p, out, &ranked[i]);
        i += n - 1;
    }
}

/* --- Paths ---------------------------------------------------------------------------------- */

/* Returns the name of a routine. Routines below the greatest depth have a common name. */
static const char *routine_text(const struct profile *p, uint32_t routine, size_t *size)
{
    static const char deeper[] = "(deeper)";
    *size = sizeof deeper - 1;
    return routine == CALLTREE_DEEPER
               ? deeper
               : routines_text(&p->instants->event_kinds.routines, routine, size);
}

/* Returns the text of a path, such as "main;solve;step". Semicolons in names are replaced. */
static csy_value path_text(const struct profile *p, csy_analysis *out, uint32_t path)
{
    const struct calltree *tree = p->tree;
    size_t length = 0, size;
    for (uint32_t at = path; at != NO_PATH; at = tree->paths[at].parent) {
        routine_text(p, tree->paths[at].routine, &size);
        length += size + 1;
    }
    char *text = malloc(length + 1);
    out->failed |= !text;
    if (!text)
        return SHEETS_NONE;
    char *end = text + length;
    for (uint32_t at = path; at != NO_PATH; at = tree->paths[at].parent) {
        const char *name = routine_text(p, tree->paths[at].routine, &size);
        *--end = ';';
        end -= size;
        memcpy(end, name, size);
        for (size_t i = 0; i < size; i++)
            if (end[i] == ';' || end[i] == '\n')
                end[i] = ':';
    }
    csy_value value = sheets_bytes(out, text, length > 0 ? length - 1 : 0);
    free(text);
    return value;
}

#define DEEP_CONDITION                                                                             \
    "paths of calls end after 256 routines; all deeper calls form one path, (deeper)"
_Static_assert(CALLTREE_DEPTH_MAX == 256, "the condition has the number");

/* --- Results -------------------------------------------------------------------------------- */

csy_status profile_write_calls(struct profile *p, const csy_calls_options *options,
                               csy_analysis *out, csy_error *error)
{
    out->weight = options->weight;
    struct calltree *tree = p->tree;
    csy_range *times = malloc((tree->npairs + 1) * sizeof *times);
    struct ranked *ranked = malloc((tree->npairs + 1) * sizeof *ranked);
    csy_status status = times && ranked ? CSY_OK : error_memory(error);
    if (!status)
        status = find_ranges(p, tree->of_pairs, tree->npairs, times, error);
    if (!status) {
        for (size_t i = 0; i < tree->npairs; i++)
            ranked[i] = (struct ranked){&tree->pairs[i], &times[i], options->weight};
        SORT(ranked, tree->npairs, compare);
        add_pairs(p, out, ranked, options->leaves);
    }
    FREE_ALL(times, ranked);
    size_t n = tree->npaths * PATH_FORMS;
    const csy_column columns[] = {TEXT_COLUMN("path"), COUNT_COLUMN("calls", tree->clip != NULL),
                                  TICKS_COLUMN("direct", true), TICKS_COLUMN("cumulative", true)};
    bool deep = false;
    times = status ? NULL : malloc((n + 1) * sizeof *times);
    if (!status)
        status = times ? find_ranges(p, tree->of_paths, n, times, error) : error_memory(error);
    if (!status)
        SHEETS_ADD(out, "paths", columns);
    for (uint32_t i = 0; !status && i < tree->npaths; i++) {
        SHEETS_ROW(out, path_text(p, out, i), clip_count(tree->clip, tree->paths[i].calls),
                   sheets_range(times[(size_t)i * PATH_FORMS + PATH_DIRECT]),
                   sheets_range(times[(size_t)i * PATH_FORMS + PATH_TOTAL]));
        deep |= tree->paths[i].routine == CALLTREE_DEEPER;
    }
    free(times);
    if (deep)
        sheets_add_condition(out, DEEP_CONDITION);
    return status ? status : sheets_status(out, error);
}

/* --- Passes --------------------------------------------------------------------------------- */

/* A request for the call tree. If the user requested a part of the trace, its extent on each clock
 * is uncertain, so the trace is read for the greatest, least, and estimated extent. The greatest
 * comes first, because it contains all calls. */
struct calls_question {
    struct profile profile;
    const csy_calls_options *options;
    size_t most;
    bool many;
    struct calltree tree;
    struct clip clip;
    csy_analysis **out;
};

static csy_status begin_pass(void *user, struct instants *in, csy_error *error)
{
    struct calls_question *q = user;
    struct profile *p = &q->profile;
    const csy_calls_options *options = q->options;
    int128 span = (int128)in->last.global_ticks - in->first.global_ticks;
    int128 at = options->at == CSY_AT_PPM ? span * options->at_value / PPM : options->at_value;
    bool record = options->at == CSY_AT_RECORD;
    p->at_wanted = options->at != CSY_AT_NONE;
    p->at_record = record ? (uint64_t)options->at_value : UINT64_MAX;
    if (record && p->at_record >= in->records)
        return error_set(error, CSY_USAGE,
                         "%s: this record does not exist; the trace has %" PRIu64
                         " records, numbered from 0",
                         in->sync->trace->name, in->records);
    if (p->at_wanted && !record && (at < 0 || at > span))
        return error_set(error, CSY_USAGE, "%s: this moment is outside the trace",
                         in->sync->trace->name);
    if (!record)
        p->at_ticks = (int64_t)(in->first.global_ticks + at);
    return profile_begin(user, in, error);
}

bool calls_are_many(const struct profile *p, size_t most)
{
    most /= p->moves.n + 1;
    return p->tree->npaths > most || p->tree->npairs > most;
}

static csy_status end_pass(void *user, csy_error *error)
{
    struct calls_question *q = user;
    struct profile *p = &q->profile;
    csy_status status = profile_end(p, error);
    q->many = !status && calls_are_many(p, q->most);
    if (status || q->many)
        return status;
    if (p->as != CLIP_ESTIMATE)
        return CSY_OK;
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    status = analysis ? profile_write_calls(p, q->options, analysis, error) : error_memory(error);
    if (!status && p->at_wanted) {
        static const csy_column columns[] = {TEXT_COLUMN("actor"), TEXT_COLUMN("path")};
        const struct calltree *tree = p->tree;
        SHEETS_ADD(analysis, "active", columns);
        for (size_t i = 0; i < tree->nbranches; i++) {
            char name[ACTOR_NAME_MAX];
            const struct actor *actor = &p->instants->actors.items[tree->branches[i].actor];
            SHEETS_ROW(analysis, sheets_text(analysis, actor_name(actor, p->instants->sync, name)),
                       path_text(p, analysis, tree->branches[i].path));
        }
    }
    return sheets_finish(status, analysis, q->out, error);
}

static void free_pass(void *user)
{
    profile_fini(&((struct calls_question *)user)->profile);
}

csy_status calls_make(csy_sync *sync, const csy_meaning *meaning, const csy_calls_options *options,
                      size_t most, csy_analysis **out, csy_error *error)
{
    struct calls_question q = {.options = options, .most = most, .out = out};
    struct analysis analysis = {
        .begin = begin_pass, .take = profile_take, .end = end_pass, .free = free_pass, .user = &q};
    csy_status status = error_check_choice("weight", (int)options->weight, CSY_WEIGHT_BYTES, error);
    if (!status)
        status = error_check_choice("at", (int)options->at, CSY_AT_RECORD, error);
    if (!status && !sync->read)
        status = solution_check_feasible(sync, error);
    if (!status && options->window && options->at != CSY_AT_NONE)
        status = error_set(error, CSY_USAGE, "--at requires the whole trace, without a window");
    if (!status && options->window)
        status = clip_open(&q.clip, sync, meaning, options->window, error);
    const struct clip *clip = q.clip.asked ? &q.clip : NULL;
    calltree_init(&q.tree, clip);
    if (!clip && options->at == CSY_AT_NONE)
        analysis.calls = profile_take_calls;
    *out = NULL;
    for (int as = clip && clip->known ? CLIP_MOST : CLIP_ESTIMATE; !status && !q.many && as >= 0;
         as--) {
        q.profile = (struct profile){.patterns = options->actors,
                                     .clip = clip,
                                     .as = (enum clip_as)as,
                                     .tree = &q.tree,
                                     .calls_alone = true};
        q.tree.as = (enum clip_as)as;
        status =
            analysis_run(sync, meaning, options->leaves > 0 ? MORE_LEAVES : 0, &analysis, error);
    }
    calltree_fini(&q.tree);
    clip_fini(&q.clip);
    return sheets_name_window(status, out, options->window, error);
}

csy_status csy_sync_calls(csy_sync *sync, const csy_meaning *meaning,
                          const csy_calls_options *options, csy_analysis **out, csy_error *error)
{
    csy_analysis *made = NULL;
    csy_status status = calls_make(sync, meaning, options, SIZE_MAX, &made, error);
    if (!status)
        *out = made;
    return status;
}
