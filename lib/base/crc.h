/* CRC-32 as in gzip (zlib's, or ISA-L's where it is installed, which is many times as fast). */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The sum of what `crc` is the sum of (0: nothing) and of these bytes. */
uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size);

/* The sum of what `crc` is the sum of and of `size` bytes whose own sum is `next`.  O(log size). */
uint32_t crc_join(uint32_t crc, uint32_t next, uint64_t size);

#endif
