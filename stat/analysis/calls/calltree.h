/*
 * Call tree: which routines call which, along which paths.  Its leaves are events with their
 * arguments. profile.h follows the stacks of actors and fills the tree.
 */
#ifndef ANALYSIS_CALLS_CALLTREE_H
#define ANALYSIS_CALLS_CALLTREE_H

#include "analysis/window/window.h"

/* Limits.  Beyond the limit of paths, calls belong to the paths of their callers; beyond the limit
 * of pairs, to no pair.  A path has at most CALLTREE_DEPTH_MAX routines; all calls within the last
 * one are one more path, whose routine is CALLTREE_DEEPER. So memory and the texts of paths grow
 * with calls, not with the square of their depth. */
enum { CALLTREE_PATHS_MAX = 1 << 20, CALLTREE_PAIRS_MAX = 1 << 22, CALLTREE_DEPTH_MAX = 256 };

#define CALLTREE_DEEPER UINT32_MAX

#define NO_PATH UINT32_MAX

/* Forms of a path. */
enum { PATH_DIRECT, PATH_TOTAL, PATH_FORMS };

struct call_path {
    uint32_t parent, routine; /* parent: NO_PATH; routine: CALLTREE_DEEPER */
    uint32_t depth;           /* routines from the outermost one on, this one included */
    uint64_t calls;
    bool active; /* an actor is in it at the moment that is asked for */
};

/* How often something was done, and with how many bytes. */
struct call_sums {
    uint64_t calls, bytes;
    bool sized, unsized; /* of some the bytes are known, or are not */
    bool beyond;         /* they leave 63 bits */
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

/* One routine that calls another one, or does something. */
struct call_pair {
    uint32_t caller, callee; /* caller: NO_TEXT; callee of a leaf: a text of leaves */
    bool leaf;
    struct call_sums sums;
};

/* The path of an actor at the moment that is asked for. */
struct call_branch {
    uint32_t actor, path;
};

/* The results of the first passes of a window (analysis/calls/profile.h), for its paths and
 * pairs. */
struct call_pass {
    uint64_t *calls;        /* of paths */
    struct call_sums *sums; /* of pairs */
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
    uint32_t *active; /* how often an actor is in a pair */
    size_t active_capacity;
    struct forms of_paths, of_pairs;
    struct call_branch *branches;
    size_t nbranches, branches_capacity;
    const struct clip *clip; /* of a window; NULL: there is none */
    struct call_pass passes[CLIPS];
};

/* clip: a window, or NULL for all the time; it must outlive the tree. */
void calltree_init(struct calltree *tree, const struct clip *clip);
void calltree_fini(struct calltree *tree);

/* Keep the results of a pass by one of the windows, and begin the next pass, which continues with
 * the same paths and pairs.  The greatest window goes first, because it has all of them. */
csy_status calltree_next(struct calltree *tree, enum clip_as as, const struct moves *moves,
                         csy_error *error);

/* The place of a call in the tree. */
struct call_place {
    uint32_t path, pair, active; /* path: NO_PATH: it is not told; pair: NO_TEXT: too many are */
    bool outermost;              /* its actor is in no other call of the pair */
    bool merged;                 /* its path is the path of its caller, which gets its time */
};

/* A routine is entered by an actor in a call of a routine, the caller (NO_TEXT: in none), which has
 * the path from (NO_PATH: of none); and left.  False on no memory. */
bool calltree_enter(struct calltree *tree, uint32_t from, uint32_t caller, uint32_t routine,
                    uint32_t actor, struct call_place *out);
bool calltree_leave(struct calltree *tree, const struct call_place *place,
                    const struct moment *begin, const struct moment *end);

/* Time is a path's own, if it is any. */
bool calltree_direct(struct calltree *tree, uint32_t path, const struct moment *begin,
                     const struct moment *end);

/* Something with arguments was done in a routine, or in none (NO_TEXT); bytes: as senses_leaf has
 * them. */
bool calltree_leaf(struct calltree *tree, uint32_t caller, uint32_t leaf, uint64_t bytes,
                   const struct moment *begin, const struct moment *end);

/* An actor is there at the moment that is asked for. */
bool calltree_mark(struct calltree *tree, uint32_t actor, uint32_t path);

#endif
