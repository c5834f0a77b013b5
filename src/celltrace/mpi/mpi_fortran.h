/*
 * Calls of MPI in Fortran.  A tool takes the place of MPI_ functions, which are to do what the
 * PMPI_ ones of the same names do; but libraries of Fortran's bindings call those: MPICH's some,
 * for the module mpi_f08, Open MPI's all.
 */
#ifndef CELLTRACE_MPI_MPI_FORTRAN_H
#define CELLTRACE_MPI_MPI_FORTRAN_H

/* Have such libraries that are loaded now call MPI_ functions of ours in place of PMPI_ ones.
 * Where it is not known how, they stay as they are. */
void mpi_take_fortran(void);

#endif
