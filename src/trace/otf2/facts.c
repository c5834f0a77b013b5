/* What a synchronized archive says in properties of its anchor file. */
#include "trace/otf2/facts.h"

#include "base/crc.h"
#include "base/error.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The value of a property, which the caller frees; NULL: it has none. */
static char *property(OTF2_Reader *reader, const char *name)
{
    char *value = NULL;
    if (OTF2_Reader_GetProperty(reader, name, &value) != OTF2_SUCCESS)
        value = NULL;
    otf2_forget_said();
    return value;
}

csy_status otf2_read_facts(OTF2_Reader *reader, char **out, csy_error *error)
{
    char *facts = property(reader, OTF2_PROPERTY_FACTS), *crc = property(reader, OTF2_PROPERTY_CRC);
    csy_status status = CSY_OK;
    *out = NULL;
    if (facts && crc && asprintf(out, "%s original_crc32=%s\n", facts, crc) < 0) {
        *out = NULL;
        status = error_memory(error);
    }
    free(facts);
    free(crc);
    return status;
}

csy_clock_per otf2_clock_per(const char *facts, csy_clock_per per)
{
    if (per != CSY_CLOCK_PER_AUTO || !facts)
        return per;
    return strstr(facts, " clock_per=node ")       ? CSY_CLOCK_PER_NODE
           : strstr(facts, " clock_per=location ") ? CSY_CLOCK_PER_LOCATION
                                                   : per;
}

static csy_status sum_file(const char *name, uint32_t *crc32, uint8_t *bytes, size_t room,
                           csy_error *error)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, room) : -1;
    while (n > 0) {
        *crc32 = crc_add(*crc32, bytes, (size_t)n);
        n = read(fd, bytes, room);
    }
    csy_status status = n < 0 ? error_io(error, name, NULL) : CSY_OK;
    if (fd >= 0)
        close(fd);
    return status;
}

csy_status otf2_sum(const struct otf2_archive *archive, uint32_t *crc32, csy_error *error)
{
    enum { ROOM = 256 * 1024 };
    uint8_t *bytes = malloc(ROOM);
    csy_status status = bytes ? CSY_OK : error_memory(error);
    *crc32 = 0;
    for (size_t i = 0; i < archive->nlocations && !status; i++) {
        char *name;
        if (asprintf(&name, "%s/%" PRIu64 ".evt", archive->folder, archive->locations[i].id) < 0)
            name = NULL;
        status = name ? sum_file(name, crc32, bytes, ROOM, error) : error_memory(error);
        free(name);
    }
    free(bytes);
    return status;
}
