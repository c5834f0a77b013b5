/* Computes CRC-32 as in gzip, by zlib or, many times as fast, by ISA-L if that is installed. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Add bytes to data with checksum `crc` (0 for no data). Returns the checksum of both together. */
uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size);

/* Returns the checksum of bytes with checksum `crc`, then `size` bytes with checksum `next`. */
uint32_t crc_join(uint32_t crc, uint32_t next, uint64_t size);

#endif
