/* Calls of MPI that complete requests, start persistent ones and free them. */
#include "celltrace/clock.h"
#include "celltrace/mpi/mpi_requests.h"

#include <stdlib.h>
#include <string.h>

/* Parameters of MPI's functions have names of our own, and some handles are pointers:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-sizeof-expression) */

enum { FEW = 32 };

/* What a call is about to complete: handles as they were before, and room for statuses that its
 * caller does not want. */
struct waiting {
    MPI_Request few[FEW], *handles; /* NULL: no memory, nothing of them is recorded */
    MPI_Status few_statuses[FEW], *many_statuses;
    uint64_t begin;
    int n;
};

static void waiting_init(struct waiting *w, int n, const MPI_Request *requests)
{
    w->n = n > 0 ? n : 0;
    w->handles = w->n <= FEW ? w->few : malloc((size_t)w->n * sizeof *w->handles);
    w->many_statuses = NULL;
    if (w->handles && w->n > 0)
        memcpy(w->handles, requests, (size_t)w->n * sizeof *requests);
    w->begin = clock_now();
}

/* Statuses of all, in place of none; GCC is not to see that none is no array of them. */
static MPI_Status *volatile none = MPI_STATUSES_IGNORE;

static MPI_Status *waiting_statuses(struct waiting *w, MPI_Status *statuses)
{
    if (statuses != MPI_STATUSES_IGNORE)
        return statuses;
    if (w->n <= FEW)
        return w->few_statuses;
    w->many_statuses = malloc((size_t)w->n * sizeof *w->many_statuses);
    return w->many_statuses ? w->many_statuses : none;
}

/* The status of one. */
static MPI_Status *waiting_status(struct waiting *w, MPI_Status *status)
{
    return status == MPI_STATUS_IGNORE ? w->few_statuses : status;
}

static void waiting_fini(struct waiting *w)
{
    if (w->handles != w->few)
        free(w->handles);
    /* Which is of malloc, or NULL: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    free(w->many_statuses);
}

/* That one is done; whether it had been in use. */
static bool waiting_done(const struct waiting *w, int index, const MPI_Status *status, int result)
{
    bool known = w->handles && index >= 0 && index < w->n && w->handles[index] != MPI_REQUEST_NULL;
    if (known)
        requests_done(MPI_NUMBER(w->handles[index]), status, result);
    return known;
}

/* The call has completed so many. */
static void waiting_end(struct waiting *w, enum mpi_event event, unsigned done)
{
    const uint64_t values[] = {(uint64_t)w->n, done};
    mpi_record(event, w->begin, values, 2);
    waiting_fini(w);
}

static int result_of(const MPI_Status *status, int result)
{
    return result == MPI_ERR_IN_STATUS ? status->MPI_ERROR : result;
}

/* Of all, those that are not still pending. */
static unsigned waiting_all(const struct waiting *w, const MPI_Status *statuses, int result)
{
    unsigned done = 0;
    for (int i = 0; i < w->n && statuses != MPI_STATUSES_IGNORE; i++) {
        int each = result_of(&statuses[i], result);
        done += each != MPI_ERR_PENDING && waiting_done(w, i, &statuses[i], each);
    }
    return done;
}

/* MPI says which; n is MPI_UNDEFINED, which is negative, where none was in use. */
static unsigned waiting_some(const struct waiting *w, int n, const int *indices,
                             const MPI_Status *statuses, int result)
{
    unsigned done = 0;
    for (int i = 0; i < n && statuses != MPI_STATUSES_IGNORE; i++)
        done += waiting_done(w, indices[i], &statuses[i], result_of(&statuses[i], result));
    return done;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Wait(request, status);
    waiting_init(&w, 1, request);
    status = waiting_status(&w, status);
    int result = PMPI_Wait(request, status);
    waiting_end(&w, MPI_E_WAIT, waiting_done(&w, 0, status, result));
    return result;
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Waitall(n, requests, statuses);
    waiting_init(&w, n, requests);
    statuses = waiting_statuses(&w, statuses);
    int result = PMPI_Waitall(n, requests, statuses);
    waiting_end(&w, MPI_E_WAITALL, waiting_all(&w, statuses, result));
    return result;
}

int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Waitany(n, requests, index, status);
    waiting_init(&w, n, requests);
    status = waiting_status(&w, status);
    int result = PMPI_Waitany(n, requests, index, status);
    waiting_end(&w, MPI_E_WAITANY, waiting_done(&w, *index, status, result));
    return result;
}

int MPI_Waitsome(int n, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Waitsome(n, requests, done, indices, statuses);
    waiting_init(&w, n, requests);
    statuses = waiting_statuses(&w, statuses);
    int result = PMPI_Waitsome(n, requests, done, indices, statuses);
    waiting_end(&w, MPI_E_WAITSOME, waiting_some(&w, *done, indices, statuses, result));
    return result;
}

/* Those that find that nothing is done are not recorded: programs ask again and again. */

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Test(request, flag, status);
    waiting_init(&w, 1, request);
    status = waiting_status(&w, status);
    int result = PMPI_Test(request, flag, status);
    if (result != MPI_SUCCESS || *flag)
        waiting_end(&w, MPI_E_TEST, waiting_done(&w, 0, status, result));
    return result;
}

int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Testall(n, requests, flag, statuses);
    waiting_init(&w, n, requests);
    statuses = waiting_statuses(&w, statuses);
    int result = PMPI_Testall(n, requests, flag, statuses);
    if (result != MPI_SUCCESS || *flag)
        waiting_end(&w, MPI_E_TESTALL, waiting_all(&w, statuses, result));
    else
        waiting_fini(&w);
    return result;
}

int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Testany(n, requests, index, flag, status);
    waiting_init(&w, n, requests);
    status = waiting_status(&w, status);
    int result = PMPI_Testany(n, requests, index, flag, status);
    if (result != MPI_SUCCESS || *flag)
        waiting_end(&w, MPI_E_TESTANY, waiting_done(&w, *index, status, result));
    else
        waiting_fini(&w);
    return result;
}

int MPI_Testsome(int n, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[])
{
    struct waiting w;
    if (!mpi_wanted())
        return PMPI_Testsome(n, requests, done, indices, statuses);
    waiting_init(&w, n, requests);
    statuses = waiting_statuses(&w, statuses);
    int result = PMPI_Testsome(n, requests, done, indices, statuses);
    if (result != MPI_SUCCESS || *done > 0)
        waiting_end(&w, MPI_E_TESTSOME, waiting_some(&w, *done, indices, statuses, result));
    else
        waiting_fini(&w);
    return result;
}

/* --- Persistent requests -------------------------------------------------------------------- */

/* A send begins, or a receive is posted; before the call, since another thread may complete it. */
static bool start(const MPI_Request *handle, struct mpi_request *request)
{
    return requests_start(MPI_NUMBER(*handle), clock_now(), request);
}

static void record_start(const struct mpi_request *request, int result)
{
    if (request->kind == REQUEST_SEND)
        mpi_record_send(MPI_E_START, &request->message, result);
    else
        mpi_record_message(MPI_E_POST, &request->message, result);
    comms_release(request->message.comm);
}

int MPI_Start(MPI_Request *handle)
{
    struct mpi_request request;
    bool known = mpi_wanted() && start(handle, &request);
    int result = PMPI_Start(handle);
    if (known)
        record_start(&request, result);
    return result;
}

int MPI_Startall(int n, MPI_Request handles[])
{
    struct mpi_request *started = mpi_wanted() && n > 0 ? calloc((size_t)n, sizeof *started) : NULL;
    for (int i = 0; i < n && started; i++)
        if (!start(&handles[i], &started[i]))
            started[i].handle = 0;
    int result = PMPI_Startall(n, handles);
    for (int i = 0; i < n && started; i++)
        if (started[i].handle)
            record_start(&started[i], result);
    free(started);
    return result;
}

int MPI_Request_free(MPI_Request *request)
{
    MPI_Request old = *request;
    int result = PMPI_Request_free(request);
    if (mpi_wanted() && result == MPI_SUCCESS)
        requests_remove(MPI_NUMBER(old));
    return result;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-sizeof-expression) */
