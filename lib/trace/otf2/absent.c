/* Replaces the OTF2 reader if libotf2 is missing: archives are recognized, but refused. */
#include "trace/source.h"

const struct source source_otf2 = {
    .format = CSY_FORMAT_OTF2,
    .written_as = CSY_FORMAT_OTF2,
    .title = "an OTF2 archive",
    .place = "event",
    .absent = "OTF2; to read archives, build cellsync with libotf2 3 or later (Debian: "
              "libopen-trace-format2-dev)",
    .probe = otf2_probe,
};
