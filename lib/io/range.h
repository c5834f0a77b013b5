/* A range of a file to its end, read forwards by pread: several readers may share a descriptor. */
#ifndef IO_RANGE_H
#define IO_RANGE_H

#include <cellsync/cellsync.h>

struct range {
    int fd;           /* descriptor; the caller closes it */
    const char *name; /* name of the file for messages, owned by the caller */
    uint64_t start;
    uint64_t next; /* file offset of the next byte */
    bool ended;    /* true if the end of the file was reached */
};

void range_rewind(struct range *range);

/* Skip a hole of a sparse file (zero bytes), to the next data or the end of the file. */
void range_skip_hole(struct range *range);

/* Read up to `size` bytes. *got is the number of bytes, which is 0 at the end of the file. */
csy_status range_read(struct range *range, uint8_t *to, size_t size, size_t *got, csy_error *error);

/* Read `size` bytes at an offset of a file. Returns false on an error or an early end. */
bool range_read_at(int fd, void *bytes, size_t size, uint64_t offset);

#endif
