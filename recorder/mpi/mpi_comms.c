/* See mpi_comms.h. */
#include "recorder/mpi/mpi_comms.h"

#include "recorder/system.h"

#include <stdlib.h>

enum { PLACES = 1 << 16, NUMBER_SHIFT = 32 };

/* A place in the hash table. The place keeps the handle after the communicator is removed. */
struct place {
    _Atomic(struct mpi_comm *) comm;
    atomic_uint_fast64_t handle;
    atomic_bool used;
};

static struct {
    struct place places[PLACES];
    struct system_lock lock; /* protects changes of the table */
    unsigned count;
    uint64_t made; /* number of ids that this process has made */
    int world_rank;
    MPI_Group world;
} comms;

static uint64_t number_of(MPI_Comm handle)
{
    return (uint64_t)(uintptr_t)handle;
}

static size_t place_of(uint64_t number)
{
    return (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 48) % PLACES;
}

struct mpi_comm *comms_find(MPI_Comm handle)
{
    uint64_t number = number_of(handle);
    for (size_t i = 0, at = place_of(number); i < PLACES; i++, at = (at + 1) % PLACES) {
        struct place *place = &comms.places[at];
        if (!atomic_load_explicit(&place->used, memory_order_acquire))
            return NULL;
        if (atomic_load_explicit(&place->handle, memory_order_relaxed) == number) {
            struct mpi_comm *comm = atomic_load_explicit(&place->comm, memory_order_acquire);
            if (comm)
                return comm;
        }
    }
    return NULL;
}

int comms_world(const struct mpi_comm *comm, int partner)
{
    if (partner < 0 || partner >= comm->partners)
        return -1;
    return comm->world ? comm->world[partner] : partner;
}

void comms_use(struct mpi_comm *comm)
{
    if (comm)
        atomic_fetch_add(&comm->users, 1);
}

void comms_release(struct mpi_comm *comm)
{
    if (!comm || atomic_fetch_sub(&comm->users, 1) > 1)
        return;
    free(comm->world);
    free(comm);
}

/* Store a communicator, in place of one with the same handle. Returns false if there is no room. */
static bool keep_comm(uint64_t number, struct mpi_comm *comm)
{
    struct place *free_place = NULL;
    struct mpi_comm *old = NULL;
    system_lock(&comms.lock);
    for (size_t i = 0, at = place_of(number); i < PLACES; i++, at = (at + 1) % PLACES) {
        struct place *place = &comms.places[at];
        bool used = atomic_load(&place->used);
        old = used ? atomic_load(&place->comm) : NULL;
        if (!free_place && !old)
            free_place = place;
        if (!used)
            break;
        if (old && atomic_load(&place->handle) == number) { /* we did not see the old one freed */
            free_place = place;
            break;
        }
        old = NULL;
    }
    if (free_place) {
        atomic_store(&free_place->handle, number);
        atomic_store(&free_place->comm, comm);
        atomic_store(&free_place->used, true);
    }
    system_unlock(&comms.lock);
    comms_release(old);
    return free_place != NULL;
}

void comms_remove(MPI_Comm handle)
{
    struct mpi_comm *comm = NULL;
    uint64_t number = number_of(handle);
    system_lock(&comms.lock);
    for (size_t i = 0, at = place_of(number); i < PLACES && !comm; i++, at = (at + 1) % PLACES) {
        struct place *place = &comms.places[at];
        if (!atomic_load(&place->used))
            break;
        if (atomic_load(&place->handle) == number)
            comm = atomic_exchange(&place->comm, NULL);
    }
    system_unlock(&comms.lock);
    comms_release(comm);
}

/* Returns the ranks of a group in MPI_COMM_WORLD, which the caller frees, or NULL on failure. */
static int *translate(MPI_Group group, int n)
{
    int *world = malloc((size_t)n * sizeof *world + 1),
        *ranks = malloc((size_t)n * sizeof *ranks + 1);
    for (int i = 0; world && ranks && i < n; i++)
        ranks[i] = i;
    bool good = world && ranks &&
                PMPI_Group_translate_ranks(group, n, ranks, comms.world, world) == MPI_SUCCESS;
    for (int i = 0; good && i < n; i++)
        if (world[i] == MPI_UNDEFINED)
            world[i] = -1;
    free(ranks);
    if (good)
        return world;
    free(world);
    return NULL;
}

/* Fill in the sizes and ranks of a communicator. Returns false on failure. */
static bool describe(MPI_Comm handle, struct mpi_comm *comm)
{
    MPI_Group group;
    int inter = 0, *world;
    if (PMPI_Comm_test_inter(handle, &inter) != MPI_SUCCESS ||
        PMPI_Comm_rank(handle, &comm->rank) != MPI_SUCCESS ||
        PMPI_Comm_size(handle, &comm->size) != MPI_SUCCESS)
        return false;
    comm->inter = inter;
    comm->partners = comm->size;
    if (inter && PMPI_Comm_remote_size(handle, &comm->partners) != MPI_SUCCESS)
        return false;
    if ((inter ? PMPI_Comm_remote_group(handle, &group) : PMPI_Comm_group(handle, &group)) !=
        MPI_SUCCESS)
        return false;
    comm->world = world = translate(group, comm->partners);
    PMPI_Group_free(&group);
    if (!world)
        return false;
    bool identity = true;
    comm->ascending = !inter && (comm->partners == 0 || world[0] >= 0);
    for (int i = 0; i < comm->partners; i++) {
        identity &= world[i] == i;
        comm->ascending &= i == 0 || world[i] > world[i - 1];
    }
    if (identity) {
        free(world);
        comm->world = NULL;
    }
    return true;
}

struct mpi_comm *comms_add(MPI_Comm handle, uint64_t id)
{
    struct mpi_comm *comm = calloc(1, sizeof *comm);
    if (!comm)
        return NULL;
    comm->id = id;
    atomic_init(&comm->users, 1);
    if (describe(handle, comm) && keep_comm(number_of(handle), comm))
        return comm;
    comms_release(comm);
    return NULL;
}

/* All processes of the communicator, or of both groups of an intercommunicator, agree on the id.
 * The program did not make these calls of MPI, so they must not become cancellation points. */
struct mpi_comm *comms_make(MPI_Comm handle)
{
    MPI_Comm all = handle;
    int inter = 0, rank = 0, state = system_hold_cancel();
    uint64_t id = 0;
    PMPI_Comm_test_inter(handle, &inter);
    if (!inter || PMPI_Intercomm_merge(handle, 0, &all) == MPI_SUCCESS) {
        PMPI_Comm_rank(all, &rank);
        if (rank == 0) {
            system_lock(&comms.lock);
            id = ((uint64_t)comms.world_rank + 1) << NUMBER_SHIFT | ++comms.made;
            system_unlock(&comms.lock);
        }
        PMPI_Bcast(&id, sizeof id, MPI_BYTE, 0, all);
        if (inter)
            PMPI_Comm_free(&all);
    }
    struct mpi_comm *comm = comms_add(handle, id);
    system_release_cancel(state);
    return comm;
}

/* All processes copy a communicator in the same order, so they compute equal ids without a
 * message. */
uint64_t comms_next_idup(struct mpi_comm *comm)
{
    uint64_t n = atomic_fetch_add(&comm->idups, 1) + 1;
    uint64_t mixed = (comm->id ^ n * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (mixed ^ mixed >> 31) >> 2 | UINT64_C(1) << 62;
}

bool comms_begin(void)
{
    return PMPI_Comm_rank(MPI_COMM_WORLD, &comms.world_rank) == MPI_SUCCESS &&
           PMPI_Comm_group(MPI_COMM_WORLD, &comms.world) == MPI_SUCCESS &&
           comms_add(MPI_COMM_WORLD, COMM_ID_WORLD) && comms_add(MPI_COMM_SELF, COMM_ID_SELF);
}
