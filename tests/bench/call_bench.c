/* What a call of an empty function costs, compiled with -finstrument-functions. */
#include "record_bench.h"

#define PLAIN __attribute__((no_instrument_function))

__attribute__((noinline)) static void callee(void)
{
    __asm__ volatile("" : : : "memory");
}

PLAIN int main(void)
{
    MEASURE("call", callee());
    return 0;
}
