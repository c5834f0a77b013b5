/* Heat in a rod: each process has a piece of it, and tells its neighbours how warm its ends are. */
#include <mpi.h>

enum { POINTS = 1000, STEPS = 200, TAG = 7 };

int main(int argc, char **argv)
{
    double t[POINTS + 2] = {0}, last, next, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    t[POINTS] = rank == 0 ? 1000 : 0;
    for (int step = 0; step < STEPS; step++) {
        MPI_Sendrecv(&t[1], 1, MPI_DOUBLE, left, TAG, &t[POINTS + 1], 1, MPI_DOUBLE, right, TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&t[POINTS], 1, MPI_DOUBLE, right, TAG, &t[0], 1, MPI_DOUBLE, left, TAG,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        last = t[0];
        for (int i = 1; i <= POINTS; i++, last = next) {
            next = t[i];
            t[i] += (last - 2 * t[i] + t[i + 1]) / 4;
        }
    }
    for (int i = 1; i <= POINTS; i++)
        sum += t[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 999 || sum > 1001;
}
