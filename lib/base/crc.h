/* CRC-32 as in gzip, computed by zlib, or by ISA-L if that is installed, which is many times as
 * fast. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of the bytes with checksum `crc` (0: none) followed by these bytes. */
uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size);

/* The checksum of the bytes with checksum `crc` followed by `size` bytes with checksum `next`.
 * O(log size). */
uint32_t crc_join(uint32_t crc, uint32_t next, uint64_t size);

#endif
