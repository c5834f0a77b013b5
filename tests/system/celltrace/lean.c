/* A program for loops_test.py that asks OpenMP's runtime for nothing that the recorder, which it is
 * linked with, does not have. */
#include <cellsync/celltrace.h>
#include <stdio.h>

int main(void)
{
    long sum = 0;
#pragma omp parallel for schedule(dynamic, 10) reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 100; i++)
        sum += i;
    printf("sum %ld\nrecording %d\n", sum, ct_recording());
    return 0;
}
