/* See mpi_requests.h. */
#include "recorder/mpi/mpi_requests.h"

#include "recorder/system.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_FIRST = 1024 };

/* An open hash table. Requests with equal handles are found in the order in which they were
 * added. */
static struct {
    struct system_lock lock;
    bool shared; /* true if several threads use requests, so that the lock is needed */
    struct mpi_request **places;
    size_t nplaces; /* a power of 2 */
    size_t count;
} requests;

void requests_share(void)
{
    requests.shared = true;
}

static void lock(void)
{
    if (requests.shared)
        system_lock(&requests.lock);
}

static void unlock(void)
{
    if (requests.shared)
        system_unlock(&requests.lock);
}

static size_t home_of(uint64_t handle)
{
    return (size_t)((handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (requests.nplaces - 1);
}

static size_t after(size_t at)
{
    return (at + 1) & (requests.nplaces - 1);
}

static void put(struct mpi_request *request)
{
    size_t at = home_of(request->handle);
    while (requests.places[at])
        at = after(at);
    requests.places[at] = request;
}

/* Make room for one more request. Keeps the order of requests with equal handles. */
static bool grow(void)
{
    size_t old = requests.nplaces, n = old ? 2 * old : PLACES_FIRST, first = 0;
    struct mpi_request **from = requests.places;
    if (2 * (requests.count + 1) <= old)
        return true;
    /* an array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    struct mpi_request **places = calloc(n, sizeof *places);
    if (!places)
        return requests.count + 1 < old;
    requests.places = places;
    requests.nplaces = n;
    while (first < old && from[first])
        first++; /* begin after a free place, to keep the order of equal handles */
    for (size_t i = 0; i < old; i++) {
        struct mpi_request *request = from[(first + i) & (old - 1)];
        if (request)
            put(request);
    }
    free(from);
    return true;
}

void requests_add(const struct mpi_request *request)
{
    struct mpi_request *added = malloc(sizeof *added);
    if (!added)
        return;
    *added = *request;
    comms_use(added->message.comm);
    comms_use(added->member.comm);
    lock();
    bool room = grow();
    if (room) {
        put(added);
        requests.count++;
    }
    unlock();
    if (room)
        return;
    comms_release(added->message.comm);
    comms_release(added->member.comm);
    free(added);
}

/* Returns the index of a request, or nplaces if there is none. */
static size_t find_request(uint64_t handle)
{
    if (requests.count == 0)
        return requests.nplaces;
    for (size_t at = home_of(handle); requests.places[at]; at = after(at))
        if (requests.places[at]->handle == handle)
            return at;
    return requests.nplaces;
}

/* Take out a request, and move later requests closer to their home places. */
static struct mpi_request *take_out(size_t at)
{
    struct mpi_request *taken = requests.places[at];
    size_t mask = requests.nplaces - 1, hole = at;
    for (size_t next = after(at); requests.places[next]; next = after(next)) {
        size_t home = home_of(requests.places[next]->handle);
        if (((next - home) & mask) >= ((next - hole) & mask)) {
            requests.places[hole] = requests.places[next];
            hole = next;
        }
    }
    requests.places[hole] = NULL;
    requests.count--;
    return taken;
}

bool requests_take(uint64_t handle, struct mpi_request *out)
{
    struct mpi_request *taken = NULL;
    bool found = false;
    lock();
    size_t at = find_request(handle);
    if (at < requests.nplaces && !requests.places[at]->idle) {
        struct mpi_request *request = requests.places[at];
        found = true;
        *out = *request;
        if (request->persistent) {
            request->idle = true;
            comms_use(out->message.comm);
        } else {
            taken = take_out(at);
        }
    }
    unlock();
    free(taken);
    return found;
}

bool requests_start(uint64_t handle, uint64_t begin, struct mpi_request *out)
{
    lock();
    size_t at = find_request(handle);
    bool found = at < requests.nplaces && requests.places[at]->persistent;
    if (found) {
        struct mpi_request *request = requests.places[at];
        request->idle = false;
        request->message.begin = begin;
        *out = *request;
        comms_use(out->message.comm);
    }
    unlock();
    return found;
}

void requests_remove(uint64_t handle)
{
    lock();
    size_t at = find_request(handle);
    struct mpi_request *taken = at < requests.nplaces ? take_out(at) : NULL;
    unlock();
    if (!taken)
        return;
    comms_release(taken->message.comm);
    comms_release(taken->member.comm);
    free(taken);
}

void requests_done(uint64_t handle, const MPI_Status *status, int result)
{
    struct mpi_request request;
    if (!requests_take(handle, &request))
        return;
    if (request.kind == REQUEST_RECV) {
        int cancelled = 0;
        if (result == MPI_SUCCESS)
            PMPI_Test_cancelled(status, &cancelled);
        if (cancelled)
            mpi_record_message(MPI_E_CANCELLED, &request.message, result);
        else
            mpi_record_status(request.event, &request.message, status, result);
    } else if (request.kind == REQUEST_MEMBER)
        mpi_record_member(request.event, &request.member, result);
    else if (request.kind == REQUEST_COPY && result == MPI_SUCCESS)
        comms_add(*request.copy, request.id);
    comms_release(request.message.comm);
    comms_release(request.member.comm);
}
