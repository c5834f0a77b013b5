/* See crc.h. */
#include "base/crc.h"

#include <zlib.h>

#ifdef CELLSYNC_IGZIP
#include <isa-l/crc.h>
#endif

uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t size)
{
#ifdef CELLSYNC_IGZIP
    return crc32_gzip_refl(crc, bytes, size);
#else
    /* crc32_z must not be called with NULL: it would return the initial value */
    return size > 0 ? (uint32_t)crc32_z(crc, bytes, size) : crc;
#endif
}

_Static_assert(sizeof(z_off_t) == sizeof(uint64_t), "sizes are cut off");

uint32_t crc_join(uint32_t crc, uint32_t next, uint64_t size)
{
    return (uint32_t)crc32_combine(crc, next, (z_off_t)size);
}
