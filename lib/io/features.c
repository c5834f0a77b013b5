/* Lists names and versions of the libraries in use. */
#include <cellsync/cellsync.h>
#include <libxml/globals.h>
#include <libxml/xmlversion.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#ifdef CELLSYNC_IGZIP
#include <isa-l.h>
#endif

#ifdef CELLSYNC_LIBYAJL
#include <yajl/yajl_version.h>
#endif

#ifdef CELLSYNC_LIBOTF2
#include <otf2/OTF2_GeneralDefinitions.h>
#endif

enum { TEXT_MAX = 256 };

void csy_features(char *buffer, size_t size)
{
    char igzip[TEXT_MAX] = "no igzip";
#ifdef CELLSYNC_IGZIP
    snprintf(igzip, sizeof igzip, "igzip %d.%d.%d", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION,
             ISAL_PATCH_VERSION);
#endif
    char otf2[TEXT_MAX] = "no libotf2";
#ifdef CELLSYNC_LIBOTF2
    snprintf(otf2, sizeof otf2, "libotf2 %d.%d.%d", OTF2_VERSION_MAJOR, OTF2_VERSION_MINOR,
             OTF2_VERSION_BUGFIX);
#endif
    char yajl[TEXT_MAX] = "no yajl";
#ifdef CELLSYNC_LIBYAJL
    snprintf(yajl, sizeof yajl, "yajl %d.%d.%d", YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO);
#endif
    long version = strtol(xmlParserVersion, NULL, 10); /* 20914 stands for 2.9.14 */
    snprintf(buffer, size, "libxml2 %ld.%ld.%ld, zlib %s, %s, %s, %s, %zu-bit", version / 10000,
             version / 100 % 100, version % 100, zlibVersion(), igzip, otf2, yajl,
             8 * sizeof(void *));
}
