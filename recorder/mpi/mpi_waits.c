/* MPI functions that complete, start, and free requests. */
#include "recorder/clock.h"
#include "recorder/mpi/mpi_requests.h"

#include <stdlib.h>
#include <string.h>

/* Parameters of MPI functions have our own names, and some handles are pointers:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-sizeof-expression) */

enum { FEW = 32 };

/* The requests of a call: copies of their handles, and statuses if the caller passes none. */
struct request_set {
    MPI_Request few[FEW], *handles; /* handles: copies of the handles, stored in `few` if there are
                                     * at most FEW; NULL if out of memory: the call is then not
                                     * recorded */
    MPI_Status few_statuses[FEW], *many_statuses;
    uint64_t begin;
    int n;
};

static void request_set_init(struct request_set *w, int n, const MPI_Request *requests)
{
    w->n = n > 0 ? n : 0;
    w->handles = w->n <= FEW ? w->few : malloc((size_t)w->n * sizeof *w->handles);
    w->many_statuses = NULL;
    if (w->handles && w->n > 0)
        memcpy(w->handles, requests, (size_t)w->n * sizeof *requests);
    w->begin = clock_now();
}

/* MPI_STATUSES_IGNORE as a volatile pointer; otherwise GCC warns that it is no array. */
static MPI_Status *volatile none = MPI_STATUSES_IGNORE;

static MPI_Status *request_set_statuses(struct request_set *w, MPI_Status *statuses)
{
    if (statuses != MPI_STATUSES_IGNORE)
        return statuses;
    if (w->n <= FEW)
        return w->few_statuses;
    w->many_statuses = malloc((size_t)w->n * sizeof *w->many_statuses);
    return w->many_statuses ? w->many_statuses : none;
}

static void request_set_fini(struct request_set *w)
{
    if (w->handles != w->few)
        free(w->handles);
    /* from malloc, or NULL: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    free(w->many_statuses);
}

/* Record that a request is done. Returns true if the request was in use before the call. */
static bool request_set_done(const struct request_set *w, int index, const MPI_Status *status,
                             int result)
{
    bool known = w->handles && index >= 0 && index < w->n && w->handles[index] != MPI_REQUEST_NULL;
    if (known)
        requests_done(MPI_NUMBER(w->handles[index]), status, result);
    return known;
}

static int result_of(const MPI_Status *status, int result)
{
    return result == MPI_ERR_IN_STATUS ? status->MPI_ERROR : result;
}

/* Record all requests that the call completed. Returns their number. */
static unsigned request_set_all(const struct request_set *w, const MPI_Status *statuses, int result)
{
    unsigned done = 0;
    for (int i = 0; i < w->n && statuses != MPI_STATUSES_IGNORE; i++) {
        int each = result_of(&statuses[i], result);
        done += each != MPI_ERR_PENDING && request_set_done(w, i, &statuses[i], each);
    }
    return done;
}

/* Record the requests whose indices MPI returned. n is MPI_UNDEFINED, which is negative, if no
 * request was in use. */
static unsigned request_set_some(const struct request_set *w, int n, const int *indices,
                                 const MPI_Status *statuses, int result)
{
    unsigned done = 0;
    for (int i = 0; i < n && statuses != MPI_STATUSES_IGNORE; i++)
        done += request_set_done(w, indices[i], &statuses[i], result_of(&statuses[i], result));
    return done;
}

/* Defines a hook that waits for requests or tests them. takes and gives: its parameters and
 * arguments; number and requests: the requests; statuses: replaces ignored statuses; is_done: false
 * if a test found nothing, which is not recorded, because programs repeat it; done: records
 * completed requests, and returns their number. */
#define COMPLETES(name, event, takes, gives, number, requests, statuses, is_done, done)            \
    RECORDED(MPI_##name, PMPI_##name, TAKES(takes), GIVES(gives), struct request_set w;            \
             request_set_init(&w, number, requests);                                               \
             statuses, if (result != MPI_SUCCESS || (is_done)) mpi_record(                         \
                           MPI_E_##event, w.begin, (const uint64_t[]){(uint64_t)w.n, done}, 2);    \
             request_set_fini(&w))
#define ONE_STATUS status = status == MPI_STATUS_IGNORE ? w.few_statuses : status
#define ALL_STATUSES statuses = request_set_statuses(&w, statuses)

COMPLETES(Wait, WAIT, TAKES(MPI_Request *request, MPI_Status *status), GIVES(request, status), 1,
          request, ONE_STATUS, true, request_set_done(&w, 0, status, result))
COMPLETES(Waitall, WAITALL, TAKES(int n, MPI_Request requests[], MPI_Status statuses[]),
          GIVES(n, requests, statuses), n, requests, ALL_STATUSES, true,
          request_set_all(&w, statuses, result))
COMPLETES(Waitany, WAITANY, TAKES(int n, MPI_Request requests[], int *index, MPI_Status *status),
          GIVES(n, requests, index, status), n, requests, ONE_STATUS, true,
          request_set_done(&w, *index, status, result))
COMPLETES(Waitsome, WAITSOME,
          TAKES(int n, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
          GIVES(n, requests, done, indices, statuses), n, requests, ALL_STATUSES, true,
          request_set_some(&w, *done, indices, statuses, result))
COMPLETES(Test, TEST, TAKES(MPI_Request *request, int *flag, MPI_Status *status),
          GIVES(request, flag, status), 1, request, ONE_STATUS, *flag,
          request_set_done(&w, 0, status, result))
COMPLETES(Testall, TESTALL, TAKES(int n, MPI_Request requests[], int *flag, MPI_Status statuses[]),
          GIVES(n, requests, flag, statuses), n, requests, ALL_STATUSES, *flag,
          request_set_all(&w, statuses, result))
COMPLETES(Testany, TESTANY,
          TAKES(int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
          GIVES(n, requests, index, flag, status), n, requests, ONE_STATUS, *flag,
          request_set_done(&w, *index, status, result))
COMPLETES(Testsome, TESTSOME,
          TAKES(int n, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
          GIVES(n, requests, done, indices, statuses), n, requests, ALL_STATUSES, *done > 0,
          request_set_some(&w, *done, indices, statuses, result))

/* --- Persistent requests -------------------------------------------------------------------- */

/* Note the start of a request: a send begins, or a receive is posted. Call this function before the
 * call of MPI, after which another thread may complete the request. */
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

RECORDED(MPI_Request_free, PMPI_Request_free, TAKES(MPI_Request *request), GIVES(request),
         MPI_Request old = *request, if (result == MPI_SUCCESS) requests_remove(MPI_NUMBER(old)))
/* NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-sizeof-expression) */
