/* See mpi_events.h. */
#include "recorder/mpi/mpi_events.h"

#include "recorder/event.h"
#include "recorder/session.h"
#include "recorder/system.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- Communicators -------------------------------------------------------------------------- */

enum { COMMS_MOST = 1 << 16, NUMBER_SHIFT = 32 };

/* A place in the hash table. The place keeps the handle after the communicator is removed. */
struct comm_place {
    _Atomic(struct mpi_comm *) comm;
    atomic_uint_fast64_t handle;
    atomic_bool used;
};

static struct {
    struct comm_place places[COMMS_MOST];
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

static size_t home_of(uint64_t number)
{
    return (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 48) % COMMS_MOST;
}

struct mpi_comm *comms_find(MPI_Comm handle)
{
    uint64_t number = number_of(handle);
    for (size_t i = 0, at = home_of(number); i < COMMS_MOST; i++, at = (at + 1) % COMMS_MOST) {
        struct comm_place *place = &comms.places[at];
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
    struct comm_place *free_place = NULL;
    struct mpi_comm *old = NULL;
    system_lock(&comms.lock);
    for (size_t i = 0, at = home_of(number); i < COMMS_MOST; i++, at = (at + 1) % COMMS_MOST) {
        struct comm_place *place = &comms.places[at];
        bool used = atomic_load(&place->used);
        old = used ? atomic_load(&place->comm) : NULL;
        if (!free_place && !old)
            free_place = place;
        if (!used)
            break;
        if (old && atomic_load(&place->handle) == number) { /* no hook saw that `old` was freed */
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
    for (size_t i = 0, at = home_of(number); i < COMMS_MOST && !comm;
         i++, at = (at + 1) % COMMS_MOST) {
        struct comm_place *place = &comms.places[at];
        if (!atomic_load(&place->used))
            break;
        if (atomic_load(&place->handle) == number)
            comm = atomic_exchange(&place->comm, NULL);
    }
    system_unlock(&comms.lock);
    comms_release(comm);
}

/* Fill in the sizes and ranks of a communicator. Returns false on failure. */
static bool describe_comm(MPI_Comm handle, struct mpi_comm *comm)
{
    MPI_Group group;
    int inter = 0;
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
    /* Translate the ranks of the group to ranks in MPI_COMM_WORLD. */
    size_t bytes = (size_t)comm->partners * sizeof *comm->world + 1;
    int *world = comm->world = malloc(bytes), *ranks = malloc(bytes);
    for (int i = 0; world && ranks && i < comm->partners; i++)
        ranks[i] = i;
    bool identity =
        world && ranks &&
        PMPI_Group_translate_ranks(group, comm->partners, ranks, comms.world, world) == MPI_SUCCESS;
    free(ranks);
    PMPI_Group_free(&group);
    if (!identity)
        return false;
    comm->ascending = !inter && (comm->partners == 0 || world[0] != MPI_UNDEFINED);
    for (int i = 0; i < comm->partners; i++) {
        world[i] = world[i] == MPI_UNDEFINED ? -1 : world[i];
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
    if (describe_comm(handle, comm) && keep_comm(number_of(handle), comm))
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

/* --- Broken channels -------------------------------------------------------------------------- */

/* A channel (messages with the same ranks, communicator, and tag) is broken if it contains a
 * message whose send was not recorded. The k-th send then no longer belongs to the k-th receive.
 * Therefore, later sends get another channel, which has no receives. */

/* A bit that is set in the communicator's id of a broken channel. */
#define COMM_ID_BROKEN (UINT64_C(1) << 63)

struct mpi_channel {
    uint64_t comm, partner, tag;
};

enum { PLACES = 4096, MOST = 3072 };

static struct {
    struct system_lock lock;
    unsigned count;
    bool all; /* true if all channels count as broken, because `places` is full */
    struct mpi_channel places[PLACES]; /* communicator 0 marks a free place */
} broken;

static atomic_bool channels_any_broken;

static struct mpi_channel *find_channel(const struct mpi_channel *channel)
{
    uint64_t mixed = (channel->comm ^ channel->partner << 20 ^ channel->tag << 40) *
                     UINT64_C(0x9e3779b97f4a7c15);
    for (size_t at = mixed >> 40;; at++) {
        struct mpi_channel *place = &broken.places[at % PLACES];
        if (place->comm == 0 || (place->comm == channel->comm &&
                                 place->partner == channel->partner && place->tag == channel->tag))
            return place;
    }
}

/* --- Calls of MPI from Fortran ---------------------------------------------------------------- */

/* A tool replaces MPI_ functions, but some libraries of Fortran bindings call PMPI_ functions: the
 * library of MPICH for the module mpi_f08, and all libraries of Open MPI. */

/* Types of relocation that contain just the address of a function, on supported machines. */
#if defined(__x86_64__) && defined(__LP64__)
enum { TO_CALL = R_X86_64_JUMP_SLOT, TO_KNOW = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__) && defined(__LP64__)
enum { TO_CALL = R_AARCH64_JUMP_SLOT, TO_KNOW = R_AARCH64_GLOB_DAT };
#else
enum { TO_CALL = -1, TO_KNOW = -1 };
#endif

#if __ELF_NATIVE_CLASS == 64
#define RELOCATION_TYPE ELF64_R_TYPE
#define RELOCATION_SYMBOL ELF64_R_SYM
#else
#define RELOCATION_TYPE ELF32_R_TYPE
#define RELOCATION_SYMBOL ELF32_R_SYM
#endif

struct library {
    const struct dl_phdr_info *info;
    const ElfW(Sym) * symbols;
    const char *names;
    uint64_t constant_from, constant_to; /* range of addresses that the loader made read-only */
};

static bool is_of_fortran(const char *path)
{
    static const char *const names[] = {"libmpichfort.so", "libmpifort.so", "libmpi_mpifh"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Convert an address that the loader reports. */
static void *at_address(uint64_t address)
{
    return (void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
}

/* Returns the address in an entry of the dynamic section. Some loaders have added the load address
 * of the library, others have not. */
static void *pointer(const struct library *library, const ElfW(Dyn) * entry)
{
    uint64_t base = library->info->dlpi_addr, at = entry ? entry->d_un.d_ptr : 0;
    return at_address(at && at < base ? at + base : at);
}

static const ElfW(Dyn) * find_dynamic(const ElfW(Dyn) * dynamic, int64_t tag)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == tag)
            return dynamic;
    return NULL;
}

/* Replace the addresses of PMPI_ functions by those of our MPI_ functions. */
static void replace(const struct library *library, const ElfW(Rela) * relocations, size_t n)
{
    for (size_t i = 0; relocations && i < n; i++) {
        int type = (int)RELOCATION_TYPE(relocations[i].r_info);
        size_t symbol = RELOCATION_SYMBOL(relocations[i].r_info);
        if ((type != TO_CALL && type != TO_KNOW) || symbol == 0)
            continue;
        /* Functions that write results after they return are excluded, because the variables may
         * belong to the Fortran binding instead of the program. */
        const char *name = library->names + library->symbols[symbol].st_name;
        if (strncmp(name, "PMPI_", 5) != 0 || strncmp(name + 5, "Comm_idup", 9) == 0)
            continue;
        Dl_info self, other;
        void *ours = dlsym(RTLD_DEFAULT, name + 1);
        void **place = at_address(library->info->dlpi_addr + relocations[i].r_offset);
        if (ours && dladdr(ours, &other) && dladdr(at_address((uintptr_t)is_of_fortran), &self) &&
            other.dli_fbase == self.dli_fbase)
            __atomic_store_n(place, ours, __ATOMIC_RELEASE);
    }
}

/* Set the protection of the addresses that the loader made read-only. Returns false on failure. */
static bool open_constants(const struct library *library, int protection)
{
    uint64_t from = library->constant_from, to = library->constant_to;
    return from >= to || mprotect(at_address(from), (size_t)(to - from), protection) == 0;
}

/* Make a loaded library of Fortran bindings call our MPI_ functions instead of PMPI_ functions. A
 * library of unknown form stays unchanged. */
static int visit_library(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    struct library library = {.info = info};
    const ElfW(Dyn) *dynamic = NULL;
    uint64_t unit = (uint64_t)sysconf(_SC_PAGESIZE);
    if (TO_CALL < 0 || !is_of_fortran(info->dlpi_name))
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC)
            dynamic = at_address(from);
        if (segment->p_type == PT_GNU_RELRO) { /* rounded down to whole pages, as the loader does */
            library.constant_from = from / unit * unit;
            library.constant_to = (from + segment->p_memsz) / unit * unit;
        }
    }
    if (!dynamic)
        return 0;
    const ElfW(Dyn) *calls = find_dynamic(dynamic, DT_PLTRELSZ),
                    *kind = find_dynamic(dynamic, DT_PLTREL),
                    *others = find_dynamic(dynamic, DT_RELASZ);
    library.symbols = pointer(&library, find_dynamic(dynamic, DT_SYMTAB));
    library.names = pointer(&library, find_dynamic(dynamic, DT_STRTAB));
    if (!library.symbols || !library.names || !open_constants(&library, PROT_READ | PROT_WRITE))
        return 0;
    if (calls && kind && kind->d_un.d_val == DT_RELA)
        replace(&library, pointer(&library, find_dynamic(dynamic, DT_JMPREL)),
                calls->d_un.d_val / sizeof(ElfW(Rela)));
    if (others)
        replace(&library, pointer(&library, find_dynamic(dynamic, DT_RELA)),
                others->d_un.d_val / sizeof(ElfW(Rela)));
    open_constants(&library, PROT_READ);
    return 0;
}

/* --- Records ------------------------------------------------------------------------------- */

/* For each kind of record: number of fields, their names, and attributes of the event type in the
 * .pex, such as `order`, which states constraints on the order of events. */
#define MESSAGE "partner:partner tag bytes:bytes communicator request"
#define FIELDS_COMM 4, "communicator size rank world", "role=\"call\""
#define FIELDS_FREE 1, "communicator", "role=\"call\""
#define FIELDS_NOTHING 0, NULL, "role=\"call\""
#define FIELDS_BYTES 1, "bytes:bytes", "class=\"window\""
#define FIELDS_IO 1, "bytes:bytes", "class=\"io\""
#define FIELDS_REQUESTS 2, "requests done", "class=\"message\""
#define FIELDS_PLAIN 5, MESSAGE, "class=\"message\""
#define SENDS "class=\"message\" order=\"send\" match=\"communicator @self partner tag\""
#define FIELDS_SEND 5, MESSAGE, SENDS
/* A send that may wait until the message is sent or received. */
#define FIELDS_BLOCKING 5, MESSAGE, "role=\"send\" " SENDS
#define FIELDS_SYNC 5, MESSAGE, "role=\"send\" " SENDS " sync=\"yes\""
#define FIELDS_RECV                                                                                \
    5, MESSAGE, "class=\"message\" order=\"recv\" match=\"communicator partner @self tag\""
#define MEMBER_FIELDS "root instance sent:bytes communicator received:bytes"
#define FIELDS_MEMBER 5, MEMBER_FIELDS, "role=\"call\""
#define FIELDS_COLLECTIVE(kind, class) 5, MEMBER_FIELDS, "role=\"collective\" " MEETS(kind, class)
#define FIELDS_MET(kind, class) 5, MEMBER_FIELDS, MEETS(kind, class)
#define MEETS(kind, class)                                                                         \
    "class=\"" class "\" order=\"enter leave\" kind=\"" kind                                       \
                     "\" match=\"communicator\" instance=\"instance\" "                            \
                     "root=\"root\" size=\"sent received\""

/* A wait that the program calls has the attribute call="yes". */
#define CALLED_CT_INTERVAL
#define CALLED_KIND_DONE
#define CALLED_CT_WAIT "call=\"yes\" "
#define CALLED_CT_RECV CALLED_CT_WAIT

static struct ct_type types[] = {
#define MPI_EVENT(number, name, kind, shape)                                                       \
    TYPE(number, kind, CALLED_##kind, "MPI_" #name, FIELDS_##shape)
#define TYPE(...) TYPE_OF(__VA_ARGS__)
#define TYPE_OF(number, kind, called, name, nfields, fields, attributes)                           \
    {EVENT_ID(number, GROUP_MPI), kind, nfields, "MPI", name, fields, called attributes},
#include "recorder/mpi/mpi.def"
#undef MPI_EVENT
};

static struct type_table table = {types, MPI_EVENTS, NULL};
static bool registered;
static atomic_bool begun; /* true if MPI was initialized by a call that this library saw */
atomic_bool mpi_is_wanted;

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (!(session_events() & EVENTS_MPI))
        return;
    types_register(&table);
    dl_iterate_phdr(visit_library, NULL);
    registered = true;
}

/* Warn if MPI was initialized by a call that this library did not see. */
__attribute__((destructor(HOOK_PRIORITY))) static void destruct(void)
{
    int initialized = 0;
    if (registered && !atomic_load(&begun) && PMPI_Initialized(&initialized) == MPI_SUCCESS &&
        initialized)
        system_say("MPI was initialized by a call that celltrace cannot intercept; no calls of MPI "
                   "are recorded");
}

void mpi_begin(uint64_t begin)
{
    int rank = 0, size = 0;
    MPI_Comm parent = MPI_COMM_NULL;
    if (atomic_exchange(&begun, true) || !registered)
        return;
    int state = system_hold_cancel();
    /* Ranks of a spawned process are not unique, because the process has its own MPI_COMM_WORLD. */
    bool spawned = PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
    bool known = !spawned && PMPI_Comm_rank(MPI_COMM_WORLD, &comms.world_rank) == MPI_SUCCESS &&
                 PMPI_Comm_group(MPI_COMM_WORLD, &comms.world) == MPI_SUCCESS &&
                 comms_add(MPI_COMM_WORLD, COMM_ID_WORLD) && comms_add(MPI_COMM_SELF, COMM_ID_SELF);
    system_release_cancel(state);
    if (spawned)
        system_say("MPI_Comm_spawn has started this process; no calls of MPI are recorded");
    if (!known)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    session_set_rank((uint64_t)rank, (uint64_t)size);
    mpi_record(MPI_E_INIT, begin, NULL, 0);
    atomic_store(&mpi_is_wanted, true);
}

void mpi_record(enum mpi_event event, uint64_t begin, const uint64_t *values, unsigned n)
{
    event_record(&types[event], true, begin, 0, values, n);
}

uint64_t mpi_bytes(MPI_Count n, MPI_Datatype type)
{
    MPI_Count size = 0, bytes;
    if (n <= 0 || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
        return 0;
    return __builtin_mul_overflow(n, size, &bytes) ? INT64_MAX : (uint64_t)bytes;
}

/* --- Messages ------------------------------------------------------------------------------- */

/* Set the values of a record, and return their number. After a failure or without a partner, the
 * communicator is 0. */
static unsigned describe(const struct mpi_message *message, int result, uint64_t values[5])
{
    int partner = message->comm ? comms_world(message->comm, message->partner) : -1;
    bool said = result == MPI_SUCCESS && partner >= 0;
    values[0] = partner >= 0 ? (uint64_t)partner : UINT64_MAX;
    values[1] = (uint64_t)(int64_t)message->tag;
    values[2] = message->bytes;
    values[3] = said ? message->comm->id : 0;
    values[4] = message->request;
    return 5;
}

void mpi_record_message(enum mpi_event event, const struct mpi_message *message, int result)
{
    uint64_t values[5];
    unsigned n = describe(message, result, values);
    mpi_record(event, message->begin, values, n);
}

void mpi_record_send(enum mpi_event event, const struct mpi_message *message, int result)
{
    uint64_t values[5];
    unsigned n = describe(message, result, values);
    const struct mpi_channel channel = {values[3], values[0], values[1]};
    if (channel.comm && atomic_load_explicit(&channels_any_broken, memory_order_relaxed)) {
        system_lock(&broken.lock);
        if (broken.all || find_channel(&channel)->comm != 0)
            values[3] |= COMM_ID_BROKEN;
        system_unlock(&broken.lock);
    }
    if (event_record(&types[event], true, message->begin, 0, values, n) || !channel.comm)
        return;
    system_lock(&broken.lock);
    struct mpi_channel *place = find_channel(&channel);
    if (place->comm == 0 && broken.count == MOST) {
        broken.all = true;
    } else if (place->comm == 0) {
        *place = channel;
        broken.count++;
    }
    system_unlock(&broken.lock);
    atomic_store(&channels_any_broken, true);
}

void mpi_record_status(enum mpi_event event, const struct mpi_message *message,
                       const MPI_Status *status, int result)
{
    struct mpi_message received = *message;
    MPI_Count bytes = 0;
    if (result == MPI_SUCCESS) {
        PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
        received.bytes = bytes > 0 ? (uint64_t)bytes : 0;
        received.partner = status->MPI_SOURCE;
        received.tag = status->MPI_TAG;
    }
    mpi_record_message(event, &received, result);
}

/* --- Collective operations ------------------------------------------------------------------- */

void mpi_member_init(struct mpi_member *member, MPI_Comm comm)
{
    *member = (struct mpi_member){.comm = comms_find(comm), .root = -1};
    if (member->comm)
        member->instance = atomic_fetch_add(&member->comm->instances, 1);
}

void mpi_record_member(enum mpi_event event, const struct mpi_member *member, int result)
{
    const struct mpi_comm *comm = member->comm;
    int root = comm ? comms_world(comm, member->root) : -1;
    /* A rank in a scan waits for all lower ranks of the communicator. cellsync compares ranks of
     * MPI_COMM_WORLD instead, so both orders must be equal. A single member never waits. */
    bool scan = event == MPI_E_SCAN || event == MPI_E_EXSCAN || event == MPI_E_ISCAN_DONE ||
                event == MPI_E_IEXSCAN_DONE;
    bool orders = result == MPI_SUCCESS && comm && !comm->inter && comm->size > 1 &&
                  (comm->ascending || !scan);
    const uint64_t values[] = {root >= 0 ? (uint64_t)root : UINT64_MAX, member->instance,
                               member->sent, orders ? comm->id : 0, member->received};
    mpi_record(event, member->begin, values, 5);
}
