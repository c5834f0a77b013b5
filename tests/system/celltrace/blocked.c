/* Basic blocks, for loops_test.py: which() has one more on one of its ways. */
#include <cellsync/celltrace.h>

#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static unsigned which(unsigned n)
{
    volatile unsigned result = n;
    if (n % 3 == 0)
        result += 7;
    return result;
}

int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 30; i++) {
        CT_BLOCK("turn");
        sum += which(i);
    }
    printf("which %lu\nsum %u\n", (unsigned long)(uintptr_t)which, sum);
    return 0;
}
