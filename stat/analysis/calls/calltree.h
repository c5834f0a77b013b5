/* Call tree: which routines call which routines, and along which paths. The leaves of the tree are
 * events with their arguments. profile.h follows the call stacks of actors and fills the tree. */
#ifndef ANALYSIS_CALLS_CALLTREE_H
#define ANALYSIS_CALLS_CALLTREE_H

#include "analysis/window/window.h"

/* Limits of the tree. If there are more paths than the limit, further calls are counted in the
 * paths of their callers. If there are more pairs than the limit, further calls are counted in no
 * pair. A path has at most CALLTREE_DEPTH_MAX routines. All calls within its last routine are
 * counted in one more path, whose routine is CALLTREE_DEEPER. Therefore memory and the length of
 * all path names grow with the number of calls, not with the square of their depth. */
enum { CALLTREE_PATHS_MAX = 1 << 20, CALLTREE_PAIRS_MAX = 1 << 22, CALLTREE_DEPTH_MAX = 256 };

#define CALLTREE_DEEPER UINT32_MAX

#define NO_PATH UINT32_MAX

/* The forms (sums of times) of a path. */
enum { PATH_DIRECT, PATH_TOTAL, PATH_FORMS };

struct call_path {
    /* parent: NO_PATH for an outermost routine; routine: CALLTREE_DEEPER for calls below the
     * deepest level */
    uint32_t parent, routine;
    uint32_t depth; /* number of routines on the path, including this one */
    uint64_t calls;
    bool active; /* at the requested moment, an actor was in this path */
};

/* The number of calls or events, and the total of their bytes. */
struct call_sums {
    uint64_t calls, bytes;
    /* sized: the bytes of some events are known; unsized: the bytes of some are unknown */
    bool sized, unsized;
    bool beyond; /* the total of the bytes exceeds 63 bits */
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

/* A routine together with a routine that it calls, or with a leaf: an event that it caused. */
struct call_pair {
    /* caller: NO_TEXT if there is none; callee: for a leaf, its text in senses.leaves */
    uint32_t caller, callee;
    bool leaf;
    struct call_sums sums;
};

/* The path that an actor was in at the requested moment. */
struct call_branch {
    uint32_t actor, path;
};

/* The results of one of the first passes of a window (analysis/calls/profile.h): counts and ranges
 * for each path and pair. */
struct call_pass {
    uint64_t *calls;        /* by path */
    struct call_sums *sums; /* by pair */
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
    uint32_t *active; /* for each actor and pair: the number of its open calls of this pair */
    size_t active_capacity;
    struct forms of_paths, of_pairs;
    struct call_branch *branches;
    size_t nbranches, branches_capacity;
    const struct clip *clip; /* the window; NULL: the whole trace */
    struct call_pass passes[CLIPS];
};

/* Initialize a tree. clip is a window that must outlive the tree, or NULL for the whole trace. */
void calltree_init(struct calltree *tree, const struct clip *clip);
void calltree_fini(struct calltree *tree);

/* Store the results of a pass over one of the three windows (`as`), and prepare the next pass,
 * which reuses the same paths and pairs. The largest window must be first, because it contains all
 * paths and pairs. */
csy_status calltree_next(struct calltree *tree, enum clip_as as, const struct moves *moves,
                         csy_error *error);

/* The place of a call in the tree. */
struct call_place {
    /* path: NO_PATH if the call is outside the tree; pair: NO_TEXT if there are too many pairs */
    uint32_t path, pair, active;
    bool outermost; /* the actor has no other open call of this pair */
    /* the call has no path of its own, so its time counts for the path of its caller */
    bool merged;
};

/* An actor enters a routine, or leaves it. caller is the routine that contains the call, or
 * NO_TEXT. from is the path of the caller, or NO_PATH. Both functions return false if memory runs
 * out. */
bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t caller, uint32_t routine,
                    uint32_t actor, struct call_place *out);
bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end);

/* Add a time to the direct time of a path, which excludes the routines that it calls. Does nothing
 * if path is NO_PATH. */
bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end);

/* Count a leaf, an event with its arguments, in the routine `caller` (NO_TEXT: in no routine).
 * bytes is the number from senses_leaf. */
bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end);

/* Note that at the requested moment, an actor was in this path. */
bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path);

#endif
