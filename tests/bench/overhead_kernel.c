/*
 * What a profiler of MPI costs: kernels that are run with it and without.
 *
 *   overhead_kernel sweep BYTES BATCHES EVENTS...   messages of Sweep3D and nothing else
 *   overhead_kernel md STEPS                        molecular dynamics, which computes, too
 *   overhead_kernel calls                           single calls, each the best of short batches
 *
 * It prints lines of a name and figures: of sweep EVENTS, calls of a process and seconds of a
 * batch; of md calls of a process and seconds; of calls the nanoseconds of one.
 */
#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* --- Sweep3D's messages ---------------------------------------------------------------------- */

enum { TAG = 1 };

struct grid {
    int near[2][2]; /* by axis: before, and after */
    int calls;      /* of the calling process, a sweep of each direction */
};

static void make_grid(struct grid *g)
{
    MPI_Comm comm;
    int dims[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    g->calls = 0;
    for (int axis = 0; axis < 2; axis++) {
        MPI_Cart_shift(comm, axis, 1, &g->near[axis][0], &g->near[axis][1]);
        for (int k = 0; k < 2; k++)
            g->calls += g->near[axis][k] != MPI_PROC_NULL ? 4 : 0;
    }
    MPI_Comm_free(&comm);
}

/* A wave through all processes, from one corner to the opposite one. */
static void sweep(const struct grid *g, int x, int y, char *buffer, int bytes)
{
    const int from[2] = {g->near[0][x], g->near[1][y]}, to[2] = {g->near[0][!x], g->near[1][!y]};
    for (int axis = 0; axis < 2; axis++)
        if (from[axis] != MPI_PROC_NULL)
            MPI_Recv(buffer, bytes, MPI_BYTE, from[axis], TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int axis = 0; axis < 2; axis++)
        if (to[axis] != MPI_PROC_NULL)
            MPI_Send(buffer, bytes, MPI_BYTE, to[axis], TAG, MPI_COMM_WORLD);
}

static void run_sweeps(int bytes, int batches, long events)
{
    struct grid g;
    char *buffer = calloc(1, (size_t)bytes + 1);
    int most;
    make_grid(&g);
    MPI_Allreduce(&g.calls, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    long rounds = (events + most - 1) / (most > 0 ? most : 1);
    for (int batch = 0; batch < batches; batch++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        for (long i = 0; i < rounds; i++)
            for (int way = 0; way < 4; way++)
                sweep(&g, way & 1, way >> 1, buffer, bytes);
        double took = MPI_Wtime() - begin, longest;
        MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("figures %ld %ld %.9f\n", events, rounds * most, longest);
    }
    free(buffer);
}

/* --- Molecular dynamics ---------------------------------------------------------------------- */

enum { ATOMS_SIDE = 14, GHOSTS_MAX = 8192, CELLS = 5 };

/* A slab of a box that is periodic; lengths in sigma, the box of a process being cubic. */
struct md {
    int n, nall; /* atoms of the process, and with those of its neighbours that are near */
    double side, cutoff;
    double (*x)[3], (*v)[3], (*f)[3];
    int *next, first[CELLS + 2][CELLS][CELLS];
    double energy;
    long calls;
};

static double random_value(void)
{
    return rand() / (double)RAND_MAX - 0.5;
}

static void md_init(struct md *m)
{
    const double density = 0.8;
    *m = (struct md){.n = ATOMS_SIDE * ATOMS_SIDE * ATOMS_SIDE, .cutoff = 2.5};
    m->side = ATOMS_SIDE / cbrt(density);
    m->x = calloc((size_t)m->n + GHOSTS_MAX, sizeof *m->x);
    m->v = calloc((size_t)m->n, sizeof *m->v);
    m->f = calloc((size_t)m->n + GHOSTS_MAX, sizeof *m->f);
    m->next = calloc((size_t)m->n + GHOSTS_MAX, sizeof *m->next);
    if (!m->x || !m->v || !m->f || !m->next)
        MPI_Abort(MPI_COMM_WORLD, 1);
    srand((unsigned)rank + 1);
    for (int i = 0; i < m->n; i++) {
        const int at[3] = {i % ATOMS_SIDE, i / ATOMS_SIDE % ATOMS_SIDE,
                           i / ATOMS_SIDE / ATOMS_SIDE};
        for (int k = 0; k < 3; k++) {
            m->x[i][k] = (at[k] + 0.5) * m->side / ATOMS_SIDE;
            m->v[i][k] = random_value();
        }
    }
}

/* Atoms near a face go to the neighbour there, whose axis begins at that face or ends there. */
static void exchange(struct md *m, int to_higher)
{
    static double out[GHOSTS_MAX][3];
    int to = (rank + (to_higher ? 1 : size - 1)) % size,
        from = (rank + (to_higher ? size - 1 : 1)) % size;
    int n = 0, doubles;
    MPI_Status status;
    for (int i = 0; i < m->n && n < GHOSTS_MAX / 2; i++) {
        double depth = to_higher ? m->side - m->x[i][0] : m->x[i][0];
        if (depth < m->cutoff) {
            memcpy(out[n], m->x[i], sizeof out[n]);
            out[n++][0] += to_higher ? -m->side : m->side;
        }
    }
    MPI_Sendrecv(out, 3 * n, MPI_DOUBLE, to, TAG, m->x[m->nall], 3 * (GHOSTS_MAX / 2), MPI_DOUBLE,
                 from, TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &doubles);
    m->nall += doubles / 3;
    m->calls++;
}

static int cell_of(const struct md *m, double x, int low, int high)
{
    double cell = floor(x / m->side * CELLS);
    return cell < low ? low : cell > high ? high : (int)cell;
}

static void fill_cells(struct md *m)
{
    memset(m->first, -1, sizeof m->first);
    for (int i = 0; i < m->nall; i++) {
        int *first =
            &m->first[cell_of(m, m->x[i][0], -1, CELLS) + 1][cell_of(m, m->x[i][1], 0, CELLS - 1)]
                     [cell_of(m, m->x[i][2], 0, CELLS - 1)];
        m->next[i] = *first;
        *first = i;
    }
}

/* Lennard-Jones, of one of the process's atoms and another one; axes 1 and 2 are periodic. */
static void add_force(struct md *m, int i, int j)
{
    double d[3], r2 = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = m->x[i][k] - m->x[j][k];
        if (k > 0)
            d[k] -= m->side * nearbyint(d[k] / m->side);
        r2 += d[k] * d[k];
    }
    if (r2 >= m->cutoff * m->cutoff || r2 == 0)
        return;
    double inverse = 1 / r2, r6 = inverse * inverse * inverse;
    double force = 24 * inverse * r6 * (2 * r6 - 1);
    m->energy += 2 * r6 * (r6 - 1);
    for (int k = 0; k < 3; k++)
        m->f[i][k] += force * d[k];
}

static void forces(struct md *m)
{
    memset(m->f, 0, (size_t)m->n * sizeof *m->f);
    m->energy = 0;
    for (int i = 0; i < m->n; i++) {
        int a = cell_of(m, m->x[i][0], -1, CELLS) + 1, b = cell_of(m, m->x[i][1], 0, CELLS - 1),
            c = cell_of(m, m->x[i][2], 0, CELLS - 1);
        for (int k = 0; k < 27; k++) {
            int x = a + k / 9 - 1;
            if (x >= 0 && x < CELLS + 2)
                for (int j = m->first[x][(b + k / 3 % 3 - 1 + CELLS) % CELLS]
                                     [(c + k % 3 - 1 + CELLS) % CELLS];
                     j >= 0; j = m->next[j])
                    if (j != i)
                        add_force(m, i, j);
        }
    }
}

static void md_step(struct md *m)
{
    const double step = 0.002;
    double energy;
    for (int i = 0; i < m->n; i++)
        for (int k = 0; k < 3; k++) {
            m->v[i][k] += 0.5 * step * m->f[i][k];
            m->x[i][k] += step * m->v[i][k];
        }
    m->nall = m->n;
    exchange(m, 0);
    exchange(m, 1);
    fill_cells(m);
    forces(m);
    for (int i = 0; i < m->n; i++)
        for (int k = 0; k < 3; k++)
            m->v[i][k] += 0.5 * step * m->f[i][k];
    MPI_Allreduce(&m->energy, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    m->calls++;
    if (!isfinite(energy))
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void run_md(int steps)
{
    struct md m;
    md_init(&m);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        md_step(&m);
    double took = MPI_Wtime() - begin, longest;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("figures md %ld %.9f\n", m.calls, longest);
    free(m.x);
    free(m.v);
    free(m.f);
    free(m.next);
}

/* --- Single calls ---------------------------------------------------------------------------- */

enum { CALLS = 400, BATCHES = 400 };

/* The best of many batches, so that what else the machine does is not in it. */
#define MEASURE(name, n, call)                                                                     \
    do {                                                                                           \
        double best = 1;                                                                           \
        for (int batch = 0; batch < BATCHES; batch++) {                                            \
            double begin = MPI_Wtime();                                                            \
            for (int i = 0; i < CALLS; i++)                                                        \
                call;                                                                              \
            double took = MPI_Wtime() - begin;                                                     \
            best = took < best ? took : best;                                                      \
        }                                                                                          \
        if (rank == 0)                                                                             \
            printf("figures %s %.1f\n", name, best / CALLS / (n)*1e9);                             \
    } while (0)

static void exchange_requests(double *in, double *out)
{
    MPI_Request requests[2];
    MPI_Irecv(in, 1, MPI_DOUBLE, rank, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, MPI_DOUBLE, rank, TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void run_calls(void)
{
    double in = 0, out = 0;
    MEASURE("send", 1, MPI_Send(&out, 1, MPI_DOUBLE, MPI_PROC_NULL, TAG, MPI_COMM_WORLD));
    MEASURE("recv", 1,
            MPI_Recv(&in, 1, MPI_DOUBLE, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MEASURE("sendrecv", 1,
            MPI_Sendrecv(&out, 1, MPI_DOUBLE, rank, TAG, &in, 1, MPI_DOUBLE, rank, TAG,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MEASURE("irecv_isend_waitall", 3, exchange_requests(&in, &out));
    MEASURE("allreduce", 1, MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 4 && strcmp(argv[1], "sweep") == 0)
        for (int i = 4; i < argc; i++)
            run_sweeps(atoi(argv[2]), atoi(argv[3]), atol(argv[i]));
    else if (argc > 2 && strcmp(argv[1], "md") == 0)
        run_md(atoi(argv[2]));
    else if (argc > 1 && strcmp(argv[1], "calls") == 0)
        run_calls();
    MPI_Finalize();
    return 0;
}
