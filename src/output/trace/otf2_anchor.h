/*
 * The anchor file of an OTF2 archive with other properties.  All else in it stays as it is: libotf2
 * would give it another trace id.
 *
 *   03 'B' (else numbers are big-endian) | "OTF2" NUL | format of the anchor: 2 or more |
 *   format of the trace, version: 4 bytes | sizes of chunks: 16 | substrate, compression: 2 |
 *   locations, definitions: 16 | machine, creator, description: texts |
 *   number of properties: 4 | name and value of each: texts | the rest
 *
 * A text ends in a NUL.
 */
#ifndef OUTPUT_TRACE_OTF2_ANCHOR_H
#define OUTPUT_TRACE_OTF2_ANCHOR_H

#include <cellsync/cellsync.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OTF2_ANCHOR_MAGIC = 7 }; /* bytes that tell whether a file is one */

struct otf2_property {
    const char *name; /* in capitals: libotf2 looks for no others */
    const char *value;
};

bool otf2_anchor_is(const uint8_t *bytes, size_t size);

/* The anchor file in these bytes, with n properties in place of those that have the same names; the
 * caller frees *out.  CSY_INPUT, with name, where it is none or none that can have properties. */
csy_status otf2_anchor_set(const char *name, const uint8_t *bytes, size_t size,
                           const struct otf2_property *properties, size_t n, uint8_t **out,
                           size_t *out_size, csy_error *error);

#endif
