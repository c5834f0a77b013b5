/* MPI functions for one-sided communication, and for input and output. Their records contain times
 * and bytes, but do not affect the order. */
#include "recorder/clock.h"
#include "recorder/mpi/mpi_events.h"

/* Defines a function. bytes: the requested amount. */
#define PLAIN(name, event, takes, gives, bytes)                                                    \
    RECORDED(MPI_##name, PMPI_##name, TAKES(takes), GIVES(gives),                                  \
             const uint64_t begin = clock_now();                                                   \
             const uint64_t moved = (bytes), mpi_record(MPI_E_##event, begin, &moved, 1))

/* --- One-sided communication ---------------------------------------------------------------- */

#define ORIGIN const void *from, int n, MPI_Datatype type
#define TARGET int rank, MPI_Aint at, int there, MPI_Datatype as

PLAIN(Put, PUT, TAKES(ORIGIN, TARGET, MPI_Win win), GIVES(from, n, type, rank, at, there, as, win),
      mpi_bytes(n, type))
PLAIN(Rput, RPUT, TAKES(ORIGIN, TARGET, MPI_Win win, MPI_Request *request),
      GIVES(from, n, type, rank, at, there, as, win, request), mpi_bytes(n, type))
PLAIN(Get, GET, TAKES(void *to, int n, MPI_Datatype type, TARGET, MPI_Win win),
      GIVES(to, n, type, rank, at, there, as, win), mpi_bytes(n, type))
PLAIN(Rget, RGET,
      TAKES(void *to, int n, MPI_Datatype type, TARGET, MPI_Win win, MPI_Request *request),
      GIVES(to, n, type, rank, at, there, as, win, request), mpi_bytes(n, type))
PLAIN(Accumulate, ACCUMULATE, TAKES(ORIGIN, TARGET, MPI_Op op, MPI_Win win),
      GIVES(from, n, type, rank, at, there, as, op, win), mpi_bytes(n, type))
PLAIN(Raccumulate, RACCUMULATE, TAKES(ORIGIN, TARGET, MPI_Op op, MPI_Win win, MPI_Request *request),
      GIVES(from, n, type, rank, at, there, as, op, win, request), mpi_bytes(n, type))
PLAIN(Get_accumulate, GET_ACCUMULATE,
      TAKES(ORIGIN, void *to, int m, MPI_Datatype into, TARGET, MPI_Op op, MPI_Win win),
      GIVES(from, n, type, to, m, into, rank, at, there, as, op, win), mpi_bytes(m, into))
PLAIN(Rget_accumulate, RGET_ACCUMULATE,
      TAKES(ORIGIN, void *to, int m, MPI_Datatype into, TARGET, MPI_Op op, MPI_Win win,
            MPI_Request *request),
      GIVES(from, n, type, to, m, into, rank, at, there, as, op, win, request), mpi_bytes(m, into))
PLAIN(Fetch_and_op, FETCH_AND_OP,
      TAKES(const void *from, void *to, MPI_Datatype type, int rank, MPI_Aint at, MPI_Op op,
            MPI_Win win),
      GIVES(from, to, type, rank, at, op, win), mpi_bytes(1, type))
PLAIN(Compare_and_swap, COMPARE_AND_SWAP,
      TAKES(const void *from, const void *with, void *to, MPI_Datatype type, int rank, MPI_Aint at,
            MPI_Win win),
      GIVES(from, with, to, type, rank, at, win), mpi_bytes(1, type))

PLAIN(Win_create, WIN_CREATE,
      TAKES(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
      GIVES(base, size, unit, info, comm, win), (uint64_t)size)
PLAIN(Win_allocate, WIN_ALLOCATE,
      TAKES(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
      GIVES(size, unit, info, comm, base, win), (uint64_t)size)
PLAIN(Win_allocate_shared, WIN_ALLOCATE_SHARED,
      TAKES(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
      GIVES(size, unit, info, comm, base, win), (uint64_t)size)
PLAIN(Win_create_dynamic, WIN_CREATE_DYNAMIC, TAKES(MPI_Info info, MPI_Comm comm, MPI_Win *win),
      GIVES(info, comm, win), 0)
PLAIN(Win_free, WIN_FREE, TAKES(MPI_Win *win), GIVES(win), 0)
PLAIN(Win_fence, WIN_FENCE, TAKES(int assertion, MPI_Win win), GIVES(assertion, win), 0)
PLAIN(Win_post, WIN_POST, TAKES(MPI_Group group, int assertion, MPI_Win win),
      GIVES(group, assertion, win), 0)
PLAIN(Win_start, WIN_START, TAKES(MPI_Group group, int assertion, MPI_Win win),
      GIVES(group, assertion, win), 0)
PLAIN(Win_complete, WIN_COMPLETE, TAKES(MPI_Win win), GIVES(win), 0)
PLAIN(Win_wait, WIN_WAIT, TAKES(MPI_Win win), GIVES(win), 0)
PLAIN(Win_lock, WIN_LOCK, TAKES(int type, int rank, int assertion, MPI_Win win),
      GIVES(type, rank, assertion, win), 0)
PLAIN(Win_lock_all, WIN_LOCK_ALL, TAKES(int assertion, MPI_Win win), GIVES(assertion, win), 0)
PLAIN(Win_unlock, WIN_UNLOCK, TAKES(int rank, MPI_Win win), GIVES(rank, win), 0)
PLAIN(Win_unlock_all, WIN_UNLOCK_ALL, TAKES(MPI_Win win), GIVES(win), 0)
PLAIN(Win_flush, WIN_FLUSH, TAKES(int rank, MPI_Win win), GIVES(rank, win), 0)
PLAIN(Win_flush_all, WIN_FLUSH_ALL, TAKES(MPI_Win win), GIVES(win), 0)
PLAIN(Win_flush_local, WIN_FLUSH_LOCAL, TAKES(int rank, MPI_Win win), GIVES(rank, win), 0)
PLAIN(Win_flush_local_all, WIN_FLUSH_LOCAL_ALL, TAKES(MPI_Win win), GIVES(win), 0)
PLAIN(Win_sync, WIN_SYNC, TAKES(MPI_Win win), GIVES(win), 0)

/* --- Input and output ----------------------------------------------------------------------- */

PLAIN(File_open, FILE_OPEN,
      TAKES(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
      GIVES(comm, name, mode, info, file), 0)
PLAIN(File_close, FILE_CLOSE, TAKES(MPI_File *file), GIVES(file), 0)
PLAIN(File_sync, FILE_SYNC, TAKES(MPI_File file), GIVES(file), 0)
PLAIN(File_set_size, FILE_SET_SIZE, TAKES(MPI_File file, MPI_Offset size), GIVES(file, size),
      (uint64_t)size)
PLAIN(File_set_view, FILE_SET_VIEW,
      TAKES(MPI_File file, MPI_Offset at, MPI_Datatype etype, MPI_Datatype filetype,
            const char *representation, MPI_Info info),
      GIVES(file, at, etype, filetype, representation, info), 0)

#define READS(name, event)                                                                         \
    PLAIN(name, event,                                                                             \
          TAKES(MPI_File file, void *to, int n, MPI_Datatype type, MPI_Status *status),            \
          GIVES(file, to, n, type, status), mpi_bytes(n, type))
READS(File_read, FILE_READ)
READS(File_read_all, FILE_READ_ALL)
READS(File_read_shared, FILE_READ_SHARED)
READS(File_read_ordered, FILE_READ_ORDERED)

#define READS_AT(name, event)                                                                      \
    PLAIN(name, event,                                                                             \
          TAKES(MPI_File file, MPI_Offset at, void *to, int n, MPI_Datatype type,                  \
                MPI_Status *status),                                                               \
          GIVES(file, at, to, n, type, status), mpi_bytes(n, type))
READS_AT(File_read_at, FILE_READ_AT)
READS_AT(File_read_at_all, FILE_READ_AT_ALL)

#define WRITES(name, event)                                                                        \
    PLAIN(name, event, TAKES(MPI_File file, ORIGIN, MPI_Status *status),                           \
          GIVES(file, from, n, type, status), mpi_bytes(n, type))
WRITES(File_write, FILE_WRITE)
WRITES(File_write_all, FILE_WRITE_ALL)
WRITES(File_write_shared, FILE_WRITE_SHARED)
WRITES(File_write_ordered, FILE_WRITE_ORDERED)

#define WRITES_AT(name, event)                                                                     \
    PLAIN(name, event, TAKES(MPI_File file, MPI_Offset at, ORIGIN, MPI_Status *status),            \
          GIVES(file, at, from, n, type, status), mpi_bytes(n, type))
WRITES_AT(File_write_at, FILE_WRITE_AT)
WRITES_AT(File_write_at_all, FILE_WRITE_AT_ALL)
