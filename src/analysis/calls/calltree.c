/* Call tree: which routines call which. */
#include "analysis/calls/calltree.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

static csy_status begin_forms(struct calltree *tree, csy_error *error)
{
    forms_fini(&tree->of_paths);
    forms_fini(&tree->of_pairs);
    csy_status status = forms_init(&tree->of_paths, error);
    if (!status)
        status = forms_init(&tree->of_pairs, error);
    tree->of_paths.whole = tree->of_pairs.whole = true;
    tree->of_paths.stamped = tree->of_pairs.stamped = tree->clip != NULL;
    return status;
}

csy_status calltree_init(struct calltree *tree, const struct clip *clip, csy_error *error)
{
    *tree = (struct calltree){.clip = clip};
    return begin_forms(tree, error);
}

void calltree_fini(struct calltree *tree)
{
    for (int as = 0; as < CLIPS; as++) {
        free(tree->passes[as].calls);
        free(tree->passes[as].sums);
        free(tree->passes[as].of_paths);
        free(tree->passes[as].of_pairs);
    }
    keys_fini(&tree->paths_by);
    texts_fini(&tree->pairs_by);
    keys_fini(&tree->active_by);
    forms_fini(&tree->of_paths);
    forms_fini(&tree->of_pairs);
    free(tree->paths);
    free(tree->pairs);
    free(tree->active);
    free(tree->branches);
}

csy_status calltree_next(struct calltree *tree, enum clip_as as, const struct moves *moves,
                         csy_error *error)
{
    struct call_pass *pass = &tree->passes[as];
    const size_t npaths = tree->npaths, npairs = tree->npairs;
    pass->calls = malloc((npaths + 1) * sizeof *pass->calls);
    pass->sums = malloc((npairs + 1) * sizeof *pass->sums);
    pass->of_paths = malloc((npaths * PATH_FORMS + 1) * sizeof *pass->of_paths);
    pass->of_pairs = malloc((npairs + 1) * sizeof *pass->of_pairs);
    if (!pass->calls || !pass->sums || !pass->of_paths || !pass->of_pairs)
        return error_memory(error);
    csy_status status =
        forms_ranges(&tree->of_paths, npaths * PATH_FORMS, moves, pass->of_paths, error);
    if (!status)
        status = forms_ranges(&tree->of_pairs, npairs, moves, pass->of_pairs, error);
    for (; pass->npaths < npaths; pass->npaths++) {
        pass->calls[pass->npaths] = tree->paths[pass->npaths].calls;
        tree->paths[pass->npaths].calls = 0;
    }
    for (; pass->npairs < npairs; pass->npairs++) {
        pass->sums[pass->npairs] = tree->pairs[pass->npairs].sums;
        tree->pairs[pass->npairs].sums = (struct call_sums){.calls = 0};
    }
    return status ? status : begin_forms(tree, error);
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
    if (!keys_find(&tree->paths_by, key, out, &added) ||
        !ARRAY_RESERVE(tree->paths, tree->paths_capacity, tree->paths_by.count))
        return false;
    if (added)
        tree->paths[tree->npaths++] =
            (struct call_path){.parent = from, .routine = routine, .depth = depth};
    return true;
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
    if (!texts_find(&tree->pairs_by, (const char *)key, sizeof key, out, &added) ||
        !ARRAY_RESERVE(tree->pairs, tree->pairs_capacity, tree->pairs_by.count))
        return false;
    if (added)
        tree->pairs[tree->npairs++] =
            (struct call_pair){.caller = caller, .callee = callee, .leaf = leaf};
    return true;
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
    tree->paths[out->path].calls++;
    if (out->pair == NO_TEXT)
        return true;
    if (!keys_find(&tree->active_by, keys_pair(out->pair, actor), &out->active, &added) ||
        !ARRAY_RESERVE(tree->active, tree->active_capacity, tree->active_by.count))
        return false;
    if (added)
        tree->active[out->active] = 0;
    out->outermost = tree->active[out->active]++ == 0;
    tree->pairs[out->pair].sums.calls++;
    return true;
}

bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end)
{
    if (place->path == NO_PATH)
        return true;
    bool good =
        place->merged ||
        forms_add(&tree->of_paths, (size_t)place->path * PATH_FORMS + PATH_TOTAL, begin, end, 1);
    if (place->pair == NO_TEXT)
        return good;
    tree->active[place->active]--;
    return good && (!place->outermost || forms_add(&tree->of_pairs, place->pair, begin, end, 1));
}

bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end)
{
    return path == NO_PATH ||
           forms_add(&tree->of_paths, (size_t)path * PATH_FORMS + PATH_DIRECT, begin, end, 1);
}

static void add_bytes(struct call_sums *sums, uint64_t bytes)
{
    if (bytes == SENSES_NO_BYTES)
        sums->unsized = true;
    if (bytes == SENSES_NO_BYTES || bytes == SENSES_BYTELESS)
        return;
    sums->sized = true;
    call_sums_add(sums, bytes);
}

bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end)
{
    uint32_t pair;
    if (!find_pair(tree, caller, leaf, true, &pair))
        return false;
    if (pair == NO_TEXT)
        return true;
    tree->pairs[pair].sums.calls++;
    add_bytes(&tree->pairs[pair].sums, bytes);
    return forms_add(&tree->of_pairs, pair, begin, end, 1);
}

bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path)
{
    if (!ARRAY_RESERVE(tree->branches, tree->branches_capacity, tree->nbranches + 1))
        return false;
    tree->branches[tree->nbranches++] = (struct call_branch){actor, path};
    for (; path != NO_PATH && !tree->paths[path].active; path = tree->paths[path].parent)
        tree->paths[path].active = true;
    return true;
}
