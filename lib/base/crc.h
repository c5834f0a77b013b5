/* Computes the CRC-32 of gzip with zlib or, if installed, with ISA-L, which is much faster. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Add `size` bytes to data with the checksum `crc` (0 if none). Returns the new checksum. */
uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size);

/* Join two blocks with the checksums crc and next. The second block has `size` bytes. */
uint32_t crc_join(uint32_t crc, uint32_t next, uint64_t size);

#endif
