/* The programs of the ranks of a cluster. */
#include "simulator/cluster/script.h"

#include "base/array.h"
#include "simulator/network.h"

#include <stdlib.h>

enum {
    SWEEP_OCTANTS = 8,
    SWEEP_BLOCKS = 2, /* number of blocks of work in each octant */
    LIGHT_BYTES = 132,
    PING_PONGS = 8,
    INPUT_BYTES = 256,
    BLOCK_BYTES = 16384,
    WORD_BYTES = 8,
    DIMENSIONS = 3
};

/* Tags of messages, by direction or contents. */
enum { TAG_X, TAG_Y, TAG_LIGHT = 16, TAG_PING = 32, TAG_PONG };

/* Indices into function_names. The functions from FUNCTION_PART on exist only with --calls:
 * FUNCTION_PART is a part of the program, such as an octant, and FUNCTION_WORK does the work of a
 * block. */
enum { FUNCTION_PART = 4, FUNCTION_WORK, FUNCTIONS };
static const char *const function_names[][FUNCTIONS] = {
    [CLUSTER_SWEEP3D] = {"main", "sweep", "source", "flux_err", "octant", "solve_planes"},
    [CLUSTER_MD] = {"main", "atom_move", "atom_copy", "compute_accel", "exchange", "visit_cells"},
    [CLUSTER_LB] = {"main", "collision", "streaming", "communication", "exchange", "visit_grid"},
    [CLUSTER_PINGPONG] = {"main", "pingpong", "prepare", "finish", "play", "visit_buffer"},
};

const char *script_function(const struct workload *workload, bool calls, size_t function)
{
    size_t count = calls ? FUNCTIONS : FUNCTION_PART;
    return function < count ? function_names[workload->cluster.kind][function] : NULL;
}

/* The steps of a rank while they are being made. */
struct script_draft {
    struct script *script;
    const struct cluster_program *program;
    const struct places *places;
    size_t rank;
    bool calls, failed;
    int64_t active[CALL_DEPTH_MAX]; /* numbers of the active functions, main first */
    size_t depth;
};

static void add(struct script_draft *m, enum step_kind kind, int64_t peer, int32_t tag,
                int64_t amount)
{
    struct script *script = m->script;
    m->failed = m->failed || !ARRAY_RESERVE(script->steps, script->capacity, script->count + 1);
    if (!m->failed)
        script->steps[script->count++] = (struct step){kind, (int32_t)peer, tag, amount};
}

static void add_send(struct script_draft *m, size_t to, int32_t tag, int64_t bytes)
{
    add(m, STEP_MPI_SEND, (int64_t)to, tag, bytes);
}

static void add_receive(struct script_draft *m, size_t from, int32_t tag, int64_t bytes)
{
    add(m, STEP_MPI_RECV, (int64_t)from, tag, bytes);
}

static void add_all(struct script_draft *m, enum step_kind kind, int64_t bytes)
{
    bool rooted = kind == STEP_MPI_REDUCE || kind == STEP_MPI_BCAST;
    add(m, kind, rooted ? ROOT : -1, 0, bytes);
}

static int64_t caller(const struct script_draft *m)
{
    return m->depth > 0 ? m->active[m->depth - 1] : 0;
}

static void enter(struct script_draft *m, int64_t function)
{
    add(m, STEP_E, caller(m), 0, function);
    m->active[m->depth++] = function;
}

static void leave(struct script_draft *m, int64_t function)
{
    m->depth--;
    add(m, STEP_X, caller(m), 0, function);
}

static void enter_part(struct script_draft *m)
{
    if (m->calls)
        enter(m, FUNCTION_PART);
}

static void leave_part(struct script_draft *m)
{
    if (m->calls)
        leave(m, FUNCTION_PART);
}

static void enter_work(struct script_draft *m, int64_t cycles)
{
    enter(m, FUNCTION_WORK);
    add(m, STEP_COMPUTE, 0, 0, cycles);
}

static void add_work(struct script_draft *m)
{
    add(m, STEP_MFC_GET64, 0, 1, BLOCK_BYTES);
    if (m->calls) {
        int64_t third = m->program->compute / 3;
        enter_work(m, third);
        for (int half = 0; half < 2; half++) {
            enter_work(m, third / 2);
            for (int quarter = 0; quarter < 2; quarter++) {
                enter_work(m, third / 4);
                leave(m, FUNCTION_WORK);
            }
            leave(m, FUNCTION_WORK);
        }
        leave(m, FUNCTION_WORK);
    } else {
        add(m, STEP_COMPUTE, 0, 0, m->program->compute);
    }
    add(m, STEP_MFC_PUT64, 0, 2, BLOCK_BYTES);
}

/* --- Sweep3D -------------------------------------------------------------------------------- */

/* The grid of ranks. In the functions below, x is the direction along a row, and y the direction
 * along a column. */
struct grid {
    size_t width, height;
};

/* Returns a nearly square grid. Each group of `cell` successive ranks is in one row. */
static struct grid make_grid(size_t ranks, size_t cell)
{
    size_t narrow = network_width(ranks / cell);
    struct grid best = {ranks / narrow, narrow};
    for (size_t w = 1; cell > 1 && w <= ranks / cell; w++) {
        struct grid grid = {cell * w, ranks / cell / w};
        size_t wide = grid.width > grid.height ? grid.width : grid.height;
        size_t best_wide = best.width > best.height ? best.width : best.height;
        if (ranks / cell % w == 0 && wide < best_wide)
            best = grid;
    }
    return best;
}

/* Find the index before (by = -1) or after (by = 1) `at`. Returns false if it is out of range. */
static bool find_neighbour(size_t at, int by, size_t limit, size_t *out)
{
    bool there = by < 0 ? at > 0 : at + 1 < limit;
    *out = by < 0 ? at - 1 : at + 1;
    return there;
}

/* Add the steps of a rank for a wave of work that starts in a corner of the grid: receive from the
 * previous neighbours, work, and send to the next neighbours. The wave moves in the directions x
 * and y, which are 1 or -1. */
static void sweep_plain(struct script_draft *m, const struct grid *grid, int x, int y)
{
    size_t column = m->rank % grid->width, row = m->rank / grid->width, other;
    int64_t bytes = m->program->bytes;
    if (find_neighbour(column, -x, grid->width, &other))
        add_receive(m, row * grid->width + other, TAG_X, bytes);
    if (find_neighbour(row, -y, grid->height, &other))
        add_receive(m, other * grid->width + column, TAG_Y, bytes);
    add_work(m);
    if (find_neighbour(column, x, grid->width, &other))
        add_send(m, row * grid->width + other, TAG_X, bytes);
    if (find_neighbour(row, y, grid->height, &other))
        add_send(m, other * grid->width + column, TAG_Y, bytes);
}

/* A Cell that a wave of work passes. Its first SPE, the root, sends and receives for the Cell. */
struct sweep_cell {
    size_t root, spes;
    int64_t bytes;
    /* true if this Cell receives from or sends to a neighbouring Cell in direction x or y */
    bool from_x, from_y, to_x, to_y;
    size_t root_from_x, root_from_y, root_to_x, root_to_y;
    size_t first, last;
};

/* Add an SPE's steps in its Cell: receive from the previous SPE in direction x, work, and send. */
static void sweep_within(struct script_draft *m, const struct sweep_cell *cell, int x)
{
    if (m->rank != cell->first)
        add_receive(m, x > 0 ? m->rank - 1 : m->rank + 1, TAG_X, cell->bytes);
    add_work(m);
    if (m->rank != cell->last)
        add_send(m, x > 0 ? m->rank + 1 : m->rank - 1, TAG_X, cell->bytes);
}

/* Add the steps of the root. It receives the data of other Cells and distributes them to its SPEs.
 * After the wave has passed, the root gathers their data and sends them to other Cells. */
static void sweep_root(struct script_draft *m, const struct sweep_cell *cell, int x)
{
    int64_t all = cell->bytes * (int64_t)cell->spes;
    if (cell->from_y)
        add_receive(m, cell->root_from_y, TAG_Y, all);
    for (size_t i = 1; i < cell->spes && cell->from_y; i++)
        add_send(m, cell->root + i, TAG_Y, cell->bytes);
    if (cell->from_x)
        add_receive(m, cell->root_from_x, TAG_X, cell->bytes);
    if (cell->from_x && cell->first != cell->root)
        add_send(m, cell->first, TAG_X, cell->bytes);
    sweep_within(m, cell, x);
    for (size_t i = 1; i < cell->spes; i++) {
        size_t spe = cell->root + (x > 0 ? i : cell->spes - i);
        if (spe == cell->last && cell->to_x)
            add_receive(m, spe, TAG_X, cell->bytes);
        if (cell->to_y)
            add_receive(m, spe, TAG_Y, cell->bytes);
    }
    if (cell->to_y)
        add_send(m, cell->root_to_y, TAG_Y, all);
    if (cell->to_x)
        add_send(m, cell->root_to_x, TAG_X, cell->bytes);
}

static void sweep_by_root(struct script_draft *m, const struct grid *grid, int x, int y)
{
    size_t spes = m->places->per_cell, cells = grid->width / spes;
    size_t column = m->rank % grid->width / spes, row = m->rank / grid->width, other;
    struct sweep_cell cell = {
        .root = m->rank - m->rank % spes, .spes = spes, .bytes = m->program->bytes};
    cell.from_x = find_neighbour(column, -x, cells, &other);
    cell.root_from_x = row * grid->width + other * spes;
    cell.to_x = find_neighbour(column, x, cells, &other);
    cell.root_to_x = row * grid->width + other * spes;
    cell.from_y = find_neighbour(row, -y, grid->height, &other);
    cell.root_from_y = other * grid->width + column * spes;
    cell.to_y = find_neighbour(row, y, grid->height, &other);
    cell.root_to_y = other * grid->width + column * spes;
    cell.first = cell.root + (x > 0 ? 0 : spes - 1);
    cell.last = cell.root + (x > 0 ? spes - 1 : 0);
    if (m->rank == cell.root) {
        sweep_root(m, &cell, x);
        return;
    }
    if (cell.from_y)
        add_receive(m, cell.root, TAG_Y, cell.bytes);
    if (cell.from_x && m->rank == cell.first)
        add_receive(m, cell.root, TAG_X, cell.bytes);
    sweep_within(m, &cell, x);
    if (cell.to_x && m->rank == cell.last)
        add_send(m, cell.root, TAG_X, cell.bytes);
    if (cell.to_y)
        add_send(m, cell.root, TAG_Y, cell.bytes);
}

static void make_sweep(struct script_draft *m)
{
    bool by_root = m->program->root_cell;
    struct grid grid = make_grid(m->places->ranks, by_root ? m->places->per_cell : 1);
    enter(m, 2);
    add(m, STEP_COMPUTE, 0, 0, m->program->compute);
    leave(m, 2);
    enter(m, 1);
    for (int octant = 0; octant < SWEEP_OCTANTS; octant++) {
        int x = octant & 1 ? -1 : 1, y = octant & 2 ? -1 : 1;
        enter_part(m);
        for (int block = 0; block < SWEEP_BLOCKS; block++)
            (by_root ? sweep_by_root : sweep_plain)(m, &grid, x, y);
        leave_part(m);
    }
    leave(m, 1);
    enter(m, 3);
    add_all(m, STEP_MPI_ALLREDUCE, WORD_BYTES);
    leave(m, 3);
}

/* --- Molecular dynamics, lattice Boltzmann -------------------------------------------------- */

/* A three-dimensional box of ranks. In each dimension, the first rank is a neighbour of the last
 * one. The first dimension lies within a Cell; the third is not longer than the second. */
struct box {
    size_t size[DIMENSIONS], stride[DIMENSIONS];
};

static struct box make_box(const struct places *places)
{
    size_t x = places->per_cell;
    while (places->ranks % x != 0 || places->per_node % x != 0)
        x--;
    size_t z = network_width(places->ranks / x), y = places->ranks / x / z;
    return (struct box){{x, y, z}, {1, x, x * y}};
}

static size_t neighbour(const struct box *box, size_t rank, size_t d, bool up)
{
    size_t at = rank / box->stride[d] % box->size[d];
    size_t to = (at + (up ? 1 : box->size[d] - 1)) % box->size[d];
    return rank + to * box->stride[d] - at * box->stride[d];
}

static void add_messages(struct script_draft *m, bool send, size_t other, int32_t tag)
{
    void (*one)(struct script_draft *, size_t, int32_t, int64_t) = send ? add_send : add_receive;
    if (m->program->kind == CLUSTER_LB)
        one(m, other, tag + TAG_LIGHT, LIGHT_BYTES);
    one(m, other, tag, m->program->bytes);
}

/* Exchange messages with all neighbours. In each ring of ranks, those at even places send first,
 * and those at odd places receive first. In a ring of odd length, two neighbours are at even
 * places, so one of them waits longer. */
static void exchange(struct script_draft *m, const struct box *box)
{
    enter_part(m);
    for (size_t d = 0; d < DIMENSIONS; d++) {
        bool even = m->rank / box->stride[d] % box->size[d] % 2 == 0;
        for (int up = 0; up < 2 && box->size[d] > 1; up++) {
            size_t to = neighbour(box, m->rank, d, up), from = neighbour(box, m->rank, d, !up);
            int32_t tag = (int32_t)(2 * d) + up;
            add_messages(m, even, even ? to : from, tag);
            add_messages(m, !even, even ? from : to, tag);
        }
    }
    leave_part(m);
}

static void make_md(struct script_draft *m)
{
    struct box box = make_box(m->places);
    for (int64_t function = 1; function <= 2; function++) {
        enter(m, function);
        exchange(m, &box);
        leave(m, function);
    }
    enter(m, 3);
    add_work(m);
    leave(m, 3);
    add_all(m, STEP_MPI_ALLREDUCE, WORD_BYTES);
}

static void make_lb(struct script_draft *m)
{
    struct box box = make_box(m->places);
    for (int64_t function = 1; function <= 2; function++) {
        enter(m, function);
        add_work(m);
        leave(m, function);
    }
    enter(m, 3);
    exchange(m, &box);
    leave(m, 3);
    add_all(m, STEP_MPI_ALLREDUCE, WORD_BYTES);
}

/* --- Ping-pong ------------------------------------------------------------------------------ */

static void ping_pong(struct script_draft *m, size_t other)
{
    int64_t bytes = m->program->bytes;
    enter_part(m);
    for (int i = 0; i < PING_PONGS; i++) {
        if (m->rank < other)
            add_send(m, other, TAG_PING, bytes);
        add_receive(m, other, m->rank < other ? TAG_PONG : TAG_PING, bytes);
        if (m->rank > other)
            add_send(m, other, TAG_PONG, bytes);
    }
    leave_part(m);
}

/* Send messages back and forth within Cells, then between Cells of a node, then between the first
 * SPEs of nodes. Pairs of ranks that do this at the same time never share a link. */
static void make_pingpong(struct script_draft *m)
{
    const struct places *p = m->places;
    size_t on_node = m->rank % p->per_node, on_cell = on_node % p->per_cell;
    size_t first = m->rank - on_node, node = places_node(p, m->rank), cell = on_node / p->per_cell;
    size_t near = first + cell * p->per_cell + (on_cell ^ 1);
    size_t blade = first + (cell ^ 1) * p->per_cell + on_cell;
    size_t far = (node ^ 1) * p->per_node;
    enter(m, 1);
    add(m, STEP_COMPUTE, 0, 0, m->program->compute);
    add_work(m);
    add_all(m, STEP_MPI_BARRIER, 0);
    if (near < p->ranks && places_distance(p, m->rank, near) == SAME_CELL)
        ping_pong(m, near);
    add_all(m, STEP_MPI_BARRIER, 0);
    if (blade < p->ranks && places_distance(p, m->rank, blade) == SAME_NODE)
        ping_pong(m, blade);
    add_all(m, STEP_MPI_BARRIER, 0);
    if (on_node == 0 && far < p->ranks)
        ping_pong(m, far);
    leave(m, 1);
    add_all(m, STEP_MPI_ALLREDUCE, WORD_BYTES);
}

/* --- Scripts ---------------------------------------------------------------------------------- */

bool script_make(const struct workload *workload, bool calls, const struct places *places,
                 size_t rank, struct script *out)
{
    static void (*const rounds[])(struct script_draft *) = {[CLUSTER_SWEEP3D] = make_sweep,
                                                            [CLUSTER_MD] = make_md,
                                                            [CLUSTER_LB] = make_lb,
                                                            [CLUSTER_PINGPONG] = make_pingpong};
    struct script_draft m = {.script = out,
                             .program = &workload->cluster,
                             .places = places,
                             .rank = rank,
                             .calls = calls};
    *out = (struct script){0};
    add(&m, STEP_PROFILE_START, 0, 0, 0);
    enter(&m, 0);
    add_all(&m, STEP_MPI_BCAST, INPUT_BYTES);
    add(&m, STEP_MFC_GET32, 0, 0, INPUT_BYTES);
    add_all(&m, STEP_MPI_BARRIER, 0);
    out->round = out->count;
    add(&m, STEP_ROUND, 0, 0, 0);
    rounds[workload->cluster.kind](&m);
    add(&m, STEP_MFC_PUT, 0, 3, BLOCK_BYTES);
    add(&m, STEP_AGAIN, 0, 0, 0);
    add_all(&m, STEP_MPI_REDUCE, WORD_BYTES);
    add(&m, STEP_MFC_PUT32, 0, 0, WORD_BYTES);
    leave(&m, 0);
    add(&m, STEP_PROFILE_STOP, 0, 0, 0);
    add(&m, STEP_END, 0, 0, 0);
    return !m.failed;
}
