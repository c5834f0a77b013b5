/* Call tree: which routines call which routines, and along which paths. Its leaves are events with
 * their arguments. profile.h follows the call stacks of actors and fills the tree. */
#ifndef ANALYSIS_CALLS_CALLTREE_H
#define ANALYSIS_CALLS_CALLTREE_H

#include "analysis/window/window.h"

/* Limits of the tree. Beyond the paths, calls are counted in the paths of their callers; beyond the
 * pairs, in no pair. A path has at most CALLTREE_DEPTH_MAX routines. All calls within the last one
 * are counted in one more path, with the routine CALLTREE_DEEPER. So memory and the lengths of path
 * names grow with the number of calls, not with the square of their depth. */
enum { CALLTREE_PATHS_MAX = 1 << 20, CALLTREE_PAIRS_MAX = 1 << 22, CALLTREE_DEPTH_MAX = 256 };

#define CALLTREE_DEEPER UINT32_MAX

#define NO_PATH UINT32_MAX

/* Forms (sums of times) of a path. */
enum { PATH_DIRECT, PATH_TOTAL, PATH_FORMS };

struct call_path {
    /* NO_PATH for an outermost routine; CALLTREE_DEEPER for calls below the deepest level */
    uint32_t parent, routine;
    uint32_t depth; /* routines on the path, with this one */
    uint64_t calls;
    bool active; /* some actor was here at the requested moment */
};

/* Number of calls or events, and their bytes. */
struct call_sums {
    uint64_t calls, bytes;
    /* some events have known bytes; some have not */
    bool sized, unsized;
    bool beyond; /* the bytes exceed 63 bits */
};

static inline void call_sums_add(struct call_sums *to, uint64_t bytes)
{
    if (bytes < INT64_MAX - to->bytes)
        to->bytes += bytes;
    else {
        to->bytes = INT64_MAX;
        to->beyond = true;
    }
}

/* A routine, with a routine that it calls or a leaf, which is an event it caused. */
struct call_pair {
    /* NO_TEXT: none; for a leaf, callee is its text in senses.leaves */
    uint32_t caller, callee;
    bool leaf;
    struct call_sums sums;
};

/* The path of an actor at the requested moment. */
struct call_branch {
    uint32_t actor, path;
};

/* Results of a first pass over a window (analysis/calls/profile.h): counts and ranges of each path
 * and pair. */
struct call_pass {
    uint64_t *calls;        /* for each path */
    struct call_sums *sums; /* for each pair */
    csy_range *of_paths, *of_pairs;
    size_t npaths, npairs;
};

struct calltree {
    struct keys paths_by, active_by;
    struct texts pairs_by;
    struct call_path *paths;
    size_t npaths, paths_capacity;
    struct call_pair *pairs;
    size_t npairs, pairs_capacity;
    uint32_t *active; /* for each actor and pair, number of its open calls */
    size_t active_capacity;
    struct forms of_paths, of_pairs;
    struct call_branch *branches;
    size_t nbranches, branches_capacity;
    const struct clip *clip; /* window; NULL: the whole trace */
    struct call_pass passes[CLIPS];
};

/* Initialize a tree. clip is a window, which must outlive the tree, or NULL for the whole trace. */
void calltree_init(struct calltree *tree, const struct clip *clip);
void calltree_fini(struct calltree *tree);

/* Store the results of a pass over one of the three windows (`as`), and prepare the next pass, with
 * the same paths and pairs. The greatest window must be first, because it has all of them. */
csy_status calltree_next(struct calltree *tree, enum clip_as as, const struct moves *moves,
                         csy_error *error);

/* Where a call is in the tree. */
struct call_place {
    /* NO_PATH: outside of the tree; NO_TEXT: too many pairs */
    uint32_t path, pair, active;
    bool outermost; /* the actor's only open call of this pair */
    /* it has no own path, so its time is its caller's */
    bool merged;
};

/* An actor enters a routine, or leaves it. caller is the routine that contains the call, or
 * NO_TEXT; from is its path, or NO_PATH. Returns false if out of memory. */
bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t caller, uint32_t routine,
                    uint32_t actor, struct call_place *out);
bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end);

/* Add to the direct time of a path, which excludes the routines that it calls. Does nothing for
 * NO_PATH. */
bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end);

/* Count a leaf, which is an event with its arguments, in the routine `caller` (NO_TEXT: none).
 * bytes is from senses_leaf. */
bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end);

/* Note that an actor was in this path at the requested moment. */
bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path);

#endif
