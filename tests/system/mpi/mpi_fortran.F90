! A program of MPI in Fortran, for mpi_test.py: of the module mpi_f08 (-DF08), of the module mpi
! (-DMODULE), or of mpif.h.
program fortran
#if defined(F08)
  use mpi_f08
#elif defined(MODULE)
  use mpi
#endif
  implicit none
#if defined(F08)
  type(MPI_Comm) :: copy
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
#else
#if !defined(MODULE)
  include 'mpif.h'
#endif
  integer :: copy, requests(2), status(MPI_STATUS_SIZE)
#endif
  integer :: rank, ranks, error, i, found, to, from, sent, got(1), root(1)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  to = modulo(rank + 1, ranks)
  from = modulo(rank - 1, ranks)
  do i = 1, 10
    root(1) = i
    call MPI_Irecv(got, 1, MPI_INTEGER, from, i, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(root, 1, MPI_INTEGER, to, i, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitany(2, requests, found, status, error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    if (got(1) /= i) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end do
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
  do i = 1, 5
    call MPI_Sendrecv(root, 1, MPI_INTEGER, to, 0, got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, copy, status, error)
  end do
  call MPI_Barrier(copy, error)
  root(1) = 7 * rank
  call MPI_Bcast(root, 1, MPI_INTEGER, 0, copy, error)
  sent = 1
  call MPI_Allreduce(MPI_IN_PLACE, sent, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (root(1) /= 0 .or. sent /= ranks) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Comm_free(copy, error)
  call MPI_Finalize(error)
end program fortran
