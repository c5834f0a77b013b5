/* CRC-32 as in gzip, computed by zlib or, many times as fast, by ISA-L if that is installed. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of the bytes with checksum `crc` (0: no bytes), followed by these bytes. */
uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size);

/* Returns the checksum of bytes with checksum `crc` and then `size` bytes with checksum `next`. */
uint32_t crc_join(uint32_t crc, uint32_t next, uint64_t size);

#endif
