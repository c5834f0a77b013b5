/* Changing the properties in the anchor file of an OTF2 archive. All else stays as it is; libotf2
 * would write another trace id.
 *
 *   03 'B' (otherwise numbers are big-endian) | "OTF2" NUL | format of the anchor: 2 or more |
 *   format of the trace, version: 4 bytes | sizes of chunks: 16 | substrate, compression: 2 |
 *   locations, definitions: 16 | machine, creator, description: texts |
 *   number of properties: 4 | name and value of each: texts | the rest
 *
 * A text ends in a NUL. */
#ifndef OUTPUT_TRACE_OTF2_ANCHOR_H
#define OUTPUT_TRACE_OTF2_ANCHOR_H

#include <cellsync/cellsync.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OTF2_ANCHOR_MAGIC = 7 }; /* bytes that identify an anchor file */

struct otf2_property {
    const char *name; /* in capitals, because libotf2 finds no other names */
    const char *value;
};

bool otf2_anchor_is(const uint8_t *bytes, size_t size);

/* Make an anchor file from these bytes; n properties replace those with the same names. The caller
 * frees *out. CSY_INPUT, with name, if the bytes are not an anchor file that can have
 * properties. */
csy_status otf2_anchor_set(const char *name, const uint8_t *bytes, size_t size,
                           const struct otf2_property *properties, size_t n, uint8_t **out,
                           size_t *out_size, csy_error *error);

#endif
