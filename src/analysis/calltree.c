/* Call tree: which routines call which. */
#include "analysis/calltree.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

csy_status calltree_init(struct calltree *tree, csy_error *error)
{
    *tree = (struct calltree){.npaths = 0};
    csy_status status = forms_init(&tree->of_paths, error);
    if (!status)
        status = forms_init(&tree->of_pairs, error);
    tree->of_paths.whole = tree->of_pairs.whole = true;
    return status;
}

void calltree_fini(struct calltree *tree)
{
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

static bool find_path(struct calltree *tree, uint32_t from, uint32_t routine, uint32_t *out)
{
    const uint64_t key = keys_pair(from, routine);
    bool added;
    if (tree->npaths >= CALLTREE_PATHS_MAX && from != NO_PATH &&
        !keys_look(&tree->paths_by, key, out)) {
        *out = from;
        return true;
    }
    if (!keys_find(&tree->paths_by, key, out, &added) ||
        !ARRAY_RESERVE(tree->paths, tree->paths_capacity, tree->paths_by.count))
        return false;
    if (added)
        tree->paths[tree->npaths++] = (struct call_path){.parent = from, .routine = routine};
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

static uint32_t routine_of(const struct calltree *tree, uint32_t path)
{
    return path == NO_PATH ? NO_TEXT : tree->paths[path].routine;
}

bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t routine, uint32_t actor,
                    struct call_place *out)
{
    bool added;
    *out = (struct call_place){NO_PATH, NO_TEXT, NO_TEXT, false};
    if (!find_path(tree, from, routine, &out->path) ||
        !find_pair(tree, routine_of(tree, from), routine, false, &out->pair))
        return false;
    tree->paths[out->path].calls++;
    if (out->pair == NO_TEXT)
        return true;
    if (!keys_find(&tree->active_by, keys_pair(out->pair, actor), &out->active, &added) ||
        !ARRAY_RESERVE(tree->active, tree->active_capacity, tree->active_by.count))
        return false;
    if (added)
        tree->active[out->active] = 0;
    out->outermost = tree->active[out->active]++ == 0;
    tree->pairs[out->pair].calls++;
    return true;
}

bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end)
{
    bool good =
        forms_add(&tree->of_paths, (size_t)place->path * PATH_FORMS + PATH_TOTAL, begin, end, 1);
    if (place->pair == NO_TEXT)
        return good;
    tree->active[place->active]--;
    return good && (!place->outermost || forms_add(&tree->of_pairs, place->pair, begin, end, 1));
}

bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end)
{
    return forms_add(&tree->of_paths, (size_t)path * PATH_FORMS + PATH_DIRECT, begin, end, 1);
}

static void add_bytes(struct call_pair *pair, uint64_t bytes)
{
    if (bytes == SENSES_NO_BYTES)
        pair->unsized = true;
    if (bytes == SENSES_NO_BYTES || bytes == SENSES_BYTELESS)
        return;
    pair->sized = true;
    if (__builtin_add_overflow(pair->bytes, bytes, &pair->bytes))
        pair->bytes = UINT64_MAX;
}

bool calltree_leaf(struct calltree *tree, uint32_t from, uint32_t called, uint32_t leaf,
                   uint64_t bytes, const struct moment *begin, const struct moment *end)
{
    uint32_t pair, caller = called != NO_TEXT ? called : routine_of(tree, from);
    if (!find_pair(tree, caller, leaf, true, &pair))
        return false;
    if (pair == NO_TEXT)
        return true;
    tree->pairs[pair].calls++;
    add_bytes(&tree->pairs[pair], bytes);
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
