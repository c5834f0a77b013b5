/*
 * A program of MPI that says what it does: usage mpi_traced SCENARIO...
 *
 * Each message holds a serial number of its sender's.  The program records a mark SENT {to, serial}
 * before each send, and GOT {from, serial} after each receive, in the order in which the recorder
 * records these: who reads the run can tell which message is which without matching any.
 */
#include <cellsync/celltrace.h>

#include <mpi.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 7, ROUNDS = 5, MANY = 8 };

static int rank, size;
static atomic_uint_fast64_t serial;
static ct_type sent_type, got_type;

/* The next message of the calling process. */
static uint64_t number(int to)
{
    uint64_t what = atomic_fetch_add(&serial, 1) + 1;
    ct_mark2(sent_type, (uint64_t)to, what);
    return what;
}

static void got(int from, uint64_t what)
{
    ct_mark2(got_type, (uint64_t)from, what);
}

static void send_to(int to, int tag, MPI_Comm comm)
{
    uint64_t what = number(to);
    MPI_Send(&what, 1, MPI_UINT64_T, to, tag, comm);
}

/* from, as the world knows it; source, as the communicator does */
static void receive(int from, int source, int tag, MPI_Comm comm)
{
    uint64_t what = 0;
    MPI_Recv(&what, 1, MPI_UINT64_T, source, tag, comm, MPI_STATUS_IGNORE);
    got(from, what);
}

static void ring(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0)
            send_to(next, TAG, MPI_COMM_WORLD);
        receive(before, before, TAG, MPI_COMM_WORLD);
        if (rank != 0)
            send_to(next, TAG, MPI_COMM_WORLD);
    }
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t what = number(next), came = 0;
        if (i % 2 == 0) {
            MPI_Sendrecv(&what, 1, MPI_UINT64_T, next, TAG, &came, 1, MPI_UINT64_T, before, TAG,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            came = what;
            MPI_Sendrecv_replace(&came, 1, MPI_UINT64_T, next, TAG, before, TAG, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
        }
        got(before, came);
    }
}

/* A grid with an edge, each with its neighbours, of which those beyond it are none. */
static void stencil(void)
{
    int dims[2] = {0, 0}, periods[2] = {0, 0}, near[4];
    MPI_Comm grid;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &near[0], &near[1]);
    MPI_Cart_shift(grid, 1, 1, &near[2], &near[3]);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t in[4], out[4];
        MPI_Request requests[8];
        for (int k = 0; k < 4; k++)
            MPI_Irecv(&in[k], 1, MPI_UINT64_T, near[k], TAG, grid, &requests[k]);
        for (int k = 0; k < 4; k++) {
            out[k] = near[k] == MPI_PROC_NULL ? 0 : number(near[k]);
            MPI_Isend(&out[k], 1, MPI_UINT64_T, near[k], TAG, grid, &requests[4 + k]);
        }
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 4; k++)
            if (near[k] != MPI_PROC_NULL)
                got(near[k], in[k]);
    }
    MPI_Comm_free(&grid);
}

/* Receives on one channel that are waited for in another order than they were posted, in all ways
 * in which that can be done. */
static void nonblocking(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, flag, index, done;
    for (int way = 0; way < 8; way++) {
        uint64_t in[MANY], out[MANY];
        int indices[MANY];
        MPI_Request receives[MANY], sends[MANY];
        for (int i = 0; i < MANY; i++)
            MPI_Irecv(&in[i], 1, MPI_UINT64_T, before, TAG, MPI_COMM_WORLD, &receives[i]);
        for (int i = 0; i < MANY; i++) {
            out[i] = number(next);
            (i % 2 ? MPI_Isend : MPI_Issend)(&out[i], 1, MPI_UINT64_T, next, TAG, MPI_COMM_WORLD,
                                             &sends[i]);
        }
        for (int left = MANY; left > 0;) {
            switch (way) {
            case 0:
                MPI_Wait(&receives[--left], MPI_STATUS_IGNORE);
                got(before, in[left]);
                break;
            case 1:
                MPI_Waitany(MANY, receives, &index, MPI_STATUS_IGNORE);
                got(before, in[index]);
                left--;
                break;
            case 2:
                MPI_Waitsome(MANY, receives, &done, indices, MPI_STATUSES_IGNORE);
                for (int i = 0; i < done; i++)
                    got(before, in[indices[i]]);
                left -= done;
                break;
            case 3:
                MPI_Test(&receives[left - 1], &flag, MPI_STATUS_IGNORE);
                if (flag)
                    got(before, in[--left]);
                break;
            case 4:
                MPI_Testall(MANY, receives, &flag, MPI_STATUSES_IGNORE);
                for (int i = 0; i < MANY && flag; i++)
                    got(before, in[i]);
                left -= flag ? MANY : 0;
                break;
            case 5:
                MPI_Testany(MANY, receives, &index, &flag, MPI_STATUS_IGNORE);
                if (flag)
                    got(before, in[index]);
                left -= flag;
                break;
            case 6:
                MPI_Testsome(MANY, receives, &done, indices, MPI_STATUSES_IGNORE);
                for (int i = 0; i < done; i++)
                    got(before, in[indices[i]]);
                left -= done;
                break;
            default:
                MPI_Waitall(MANY, receives, MPI_STATUSES_IGNORE);
                for (int i = 0; i < MANY; i++)
                    got(before, in[i]);
                left = 0;
            }
        }
        MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
    }
}

/* All kinds of sends, and a receive of each that has begun before. */
static void kinds(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    size_t room = 8 * (MPI_BSEND_OVERHEAD + sizeof(uint64_t));
    void *buffer = malloc(room);
    uint64_t in[4], out[4];
    MPI_Request requests[4];
    MPI_Buffer_attach(buffer, (int)room);
    for (int i = 0; i < 4; i++)
        MPI_Irecv(&in[i], 1, MPI_UINT64_T, before, TAG, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    out[0] = number(next);
    MPI_Rsend(&out[0], 1, MPI_UINT64_T, next, TAG, MPI_COMM_WORLD);
    out[1] = number(next);
    MPI_Ssend(&out[1], 1, MPI_UINT64_T, next, TAG, MPI_COMM_WORLD);
    out[2] = number(next);
    MPI_Bsend(&out[2], 1, MPI_UINT64_T, next, TAG, MPI_COMM_WORLD);
    send_to(next, TAG, MPI_COMM_WORLD);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++)
        got(before, in[i]);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&in[i], 1, MPI_UINT64_T, before, TAG, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    out[0] = number(next);
    MPI_Ibsend(&out[0], 1, MPI_UINT64_T, next, TAG, MPI_COMM_WORLD, &requests[2]);
    out[1] = number(next);
    MPI_Irsend(&out[1], 1, MPI_UINT64_T, next, TAG, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    got(before, in[0]);
    got(before, in[1]);
    MPI_Buffer_detach(&buffer, &(int){0});
    free(buffer);
}

static void persistent(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    uint64_t in[3], out[3];
    MPI_Request requests[6];
    for (int i = 0; i < 3; i++) {
        MPI_Recv_init(&in[i], 1, MPI_UINT64_T, before, TAG, MPI_COMM_WORLD, &requests[i]);
        (i == 1 ? MPI_Ssend_init : MPI_Send_init)(&out[i], 1, MPI_UINT64_T, next, TAG,
                                                  MPI_COMM_WORLD, &requests[3 + i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 3; i++)
            out[i] = number(next);
        if (round % 2)
            MPI_Startall(6, requests);
        else
            for (int i = 0; i < 6; i++)
                MPI_Start(&requests[i]);
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; i++)
            got(before, in[i]);
    }
    for (int i = 0; i < 6; i++)
        MPI_Request_free(&requests[i]);
}

/* Rank 0 takes what comes, from whomever, with probes and without; some receives are cancelled. */
static void wildcard(void)
{
    MPI_Status status;
    MPI_Message found;
    MPI_Request request;
    uint64_t what = 0;
    for (int i = 0; rank > 0 && i < ROUNDS * 5; i++)
        send_to(0, TAG + i % 3, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ROUNDS * 5 * (size - 1); i++) {
        switch (i % 5) {
        case 0:
            MPI_Recv(&what, 1, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            break;
        case 1:
            MPI_Irecv(&what, 1, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &request);
            MPI_Wait(&request, &status);
            break;
        case 2:
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Recv(&what, 1, MPI_UINT64_T, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                     &status);
            break;
        case 3:
            MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
            MPI_Mrecv(&what, 1, MPI_UINT64_T, &found, &status);
            break;
        default:
            for (int flag = 0; !flag;)
                MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &found,
                            MPI_STATUS_IGNORE);
            MPI_Imrecv(&what, 1, MPI_UINT64_T, &found, &request);
            MPI_Wait(&request, &status);
        }
        got(status.MPI_SOURCE, what);
    }
    MPI_Irecv(&what, 1, MPI_UINT64_T, MPI_ANY_SOURCE, TAG + 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Irecv(&what, 1, MPI_UINT64_T, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Each operation once, and once without waiting. */
static void all_operations(MPI_Comm comm, bool wait, int root)
{
    int n, me, in[64] = {0}, out[64] = {0}, counts[16], at[16];
    MPI_Datatype types[16];
    MPI_Request r;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    for (int i = 0; i < 16; i++) {
        counts[i] = 1;
        at[i] = i;
        types[i] = MPI_INT;
    }
#define BOTH(name, iname, ...)                                                                     \
    if (wait) {                                                                                    \
        MPI_##name(__VA_ARGS__, comm);                                                             \
    } else {                                                                                       \
        MPI_##iname(__VA_ARGS__, comm, &r);                                                        \
        MPI_Wait(&r, MPI_STATUS_IGNORE);                                                           \
    }
    BOTH(Bcast, Ibcast, in, 2, MPI_INT, root)
    BOTH(Gather, Igather, in, 2, MPI_INT, out, 2, MPI_INT, root)
    BOTH(Gatherv, Igatherv, in, 1, MPI_INT, out, counts, at, MPI_INT, root)
    BOTH(Scatter, Iscatter, in, 2, MPI_INT, out, 2, MPI_INT, root)
    BOTH(Scatterv, Iscatterv, in, counts, at, MPI_INT, out, 1, MPI_INT, root)
    BOTH(Allgather, Iallgather, in, 2, MPI_INT, out, 2, MPI_INT)
    BOTH(Allgatherv, Iallgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, at, MPI_INT)
    BOTH(Alltoall, Ialltoall, in, 2, MPI_INT, out, 2, MPI_INT)
    BOTH(Alltoallv, Ialltoallv, in, counts, at, MPI_INT, out, counts, at, MPI_INT)
    for (int i = 0; i < 16; i++)
        at[i] *= (int)sizeof *in;
    BOTH(Alltoallw, Ialltoallw, in, counts, at, types, out, counts, at, types)
    BOTH(Reduce, Ireduce, in, out, 2, MPI_INT, MPI_SUM, root)
    BOTH(Allreduce, Iallreduce, in, out, 2, MPI_INT, MPI_SUM)
    BOTH(Reduce_scatter, Ireduce_scatter, in, out, counts, MPI_INT, MPI_SUM)
    BOTH(Reduce_scatter_block, Ireduce_scatter_block, in, out, 2, MPI_INT, MPI_SUM)
    BOTH(Scan, Iscan, in, out, 2, MPI_INT, MPI_SUM)
    BOTH(Exscan, Iexscan, in, out, 2, MPI_INT, MPI_SUM)
#undef BOTH
    if (wait) {
        MPI_Barrier(comm);
    } else {
        MPI_Ibarrier(comm, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

static void collectives(void)
{
    for (int root = 0; root < size; root += size - 1) {
        all_operations(MPI_COMM_WORLD, true, root);
        all_operations(MPI_COMM_WORLD, false, root);
    }
}

/* Communicators of all kinds, each used: the first and the last of each talk, and all meet. */
static void use(MPI_Comm comm)
{
    int n, me, first = 0, last, world[2];
    MPI_Group group, all;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    last = n - 1;
    MPI_Group_translate_ranks(group, 2, (int[]){first, last}, all, world);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    if (n > 1 && me == first) {
        uint64_t what = number(world[1]);
        MPI_Send(&what, 1, MPI_UINT64_T, last, TAG, comm);
    }
    if (n > 1 && me == last)
        receive(world[0], first, TAG, comm);
    MPI_Barrier(comm);
}

static void communicators(void)
{
    MPI_Comm dup, half, inter, merged, created, later;
    MPI_Group all, some;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    use(dup);
    MPI_Comm_split(dup, rank % 2, -rank, &half); /* ranks go down */
    use(half);
    all_operations(half, true, 0);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? size - 2 : size - 1, 3, &inter);
    int me;
    MPI_Comm_rank(half, &me);
    if (me == 0) { /* the last two of the world */
        int other = rank % 2 ? size - 2 : size - 1;
        uint64_t what = number(other), came;
        MPI_Sendrecv(&what, 1, MPI_UINT64_T, 0, TAG, &came, 1, MPI_UINT64_T, 0, TAG, inter,
                     MPI_STATUS_IGNORE);
        got(other, came);
    }
    MPI_Barrier(inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    use(merged);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, (int[][3]){{0, size - 2, 1}}, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &created);
    if (created != MPI_COMM_NULL) {
        use(created);
        MPI_Comm_free(&created);
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &created);
        use(created);
        MPI_Comm_disconnect(&created);
    }
    MPI_Comm_idup(dup, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use(later);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Comm_free(&dup);
    MPI_Comm_dup(later, &dup);
    use(dup);
    MPI_Comm_free(&dup);
    MPI_Comm_free(&later);
    MPI_Comm_free(&merged);
    MPI_Barrier(MPI_COMM_SELF);
}

/* Some messages are sent while nothing is recorded: those that follow must not take their places.
 */
static void stop(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < 4; i++)
        if (rank % 2) {
            MPI_Pcontrol(i != 1);
            send_to(next, TAG + 20, MPI_COMM_WORLD);
            MPI_Pcontrol(1);
            receive(before, before, TAG + 20, MPI_COMM_WORLD);
        } else {
            receive(before, before, TAG + 20, MPI_COMM_WORLD);
            send_to(next, TAG + 20, MPI_COMM_WORLD);
        }
}

static void *thread_main(void *tag)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, own = *(const int *)tag;
    for (int i = 0; i < ROUNDS; i++) {
        send_to(next, own, MPI_COMM_WORLD);
        receive(before, before, own, MPI_COMM_WORLD);
    }
    return NULL;
}

/* Threads that send and receive at once, each with a tag of its own. */
static void threads(void)
{
    enum { THREADS = 3 };
    static const int tags[THREADS] = {TAG + 30, TAG + 31, TAG + 32};
    pthread_t started[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&started[i], NULL, thread_main, (void *)(uintptr_t)&tags[i]))
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(started[i], NULL);
}

/* What says nothing of order. */
static void plain(void)
{
    char name[] = "/tmp/mpi_tracedXXXXXX";
    uint64_t own = 0, one = 1, old = 0;
    int next = (rank + 1) % size, fd = mkstemp(name);
    MPI_Win win;
    MPI_File file;
    if (fd < 0)
        abort();
    close(fd);
    MPI_Win_create(&own, sizeof own, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&one, 1, MPI_UINT64_T, next, 0, 1, MPI_UINT64_T, win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    MPI_Fetch_and_op(&one, &old, MPI_UINT64_T, next, 0, MPI_SUM, win);
    MPI_Win_unlock(next, win);
    MPI_Win_free(&win);
    if (own != 2 || old != 1)
        abort();
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, 0, &own, 1, MPI_UINT64_T, MPI_STATUS_IGNORE);
    MPI_File_read(file, &old, 1, MPI_UINT64_T, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (old != 2)
        abort();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } scenarios[] = {{"ring", ring},
                     {"stencil", stencil},
                     {"nonblocking", nonblocking},
                     {"kinds", kinds},
                     {"persistent", persistent},
                     {"wildcard", wildcard},
                     {"collectives", collectives},
                     {"communicators", communicators},
                     {"stop", stop},
                     {"threads", threads},
                     {"plain", plain}};
    int provided = MPI_THREAD_SINGLE;
    sent_type = ct_define("USER", "SENT", CT_MARK, "to serial");
    got_type = ct_define("USER", "GOT", CT_MARK, "from serial");
    bool hidden = argc > 1 && strcmp(argv[1], "hidden") == 0; /* as by Fortran */
    if (argc > 1 && strcmp(argv[1], "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        (hidden ? PMPI_Init : MPI_Init)(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "threads") == 0 && provided != MPI_THREAD_MULTIPLE)
        fputs("no threads\n", stderr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++)
            if (strcmp(argv[i], scenarios[k].name) == 0) {
                MPI_Barrier(MPI_COMM_WORLD);
                scenarios[k].run();
            }
    MPI_Finalize();
    return 0;
}
