/* Computes the CRC-32 of gzip with zlib or, if installed, with ISA-L, which is much faster. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Add `size` bytes to data with the checksum `crc` (0 if none). Returns the new checksum. */
uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size);

/* Returns the checksum of two joined blocks, from their checksums and the second block's size. */
uint32_t crc_join(uint32_t crc, uint32_t next, uint64_t size);

#endif
