/* Finds the block of a record and checks the names of blocks. */
#include "order/block_names.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

void block_names_fini(struct block_names *names)
{
    for (size_t i = 0; i < names->locations.count; i++)
        free(names->writers[i].name);
    free(names->writers);
    texts_fini(&names->locations);
    texts_fini(&names->names);
    *names = (struct block_names){0};
}

/* Read a number below 10^18 that has no leading zeros. */
static bool read_count(csy_text name, uint64_t *out)
{
    *out = 0;
    if (name.size == 0 || name.size > 18 || (name.size > 1 && *name.bytes == '0'))
        return false;
    for (size_t i = 0; i < name.size; i++) {
        if (name.bytes[i] < '0' || name.bytes[i] > '9')
            return false;
        *out = *out * 10 + (uint64_t)(name.bytes[i] - '0');
    }
    return true;
}

static csy_status refuse(csy_text name, const char *what, csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    return error_set(error, CSY_INPUT, "the block '%s' %s",
                     error_escape(escaped, name.bytes, name.size), what);
}

/* Note the name of a writer's new block. Returns CSY_INPUT if an older block has this name. */
static csy_status use_name(struct block_names *names, struct block_writer *writer, csy_text name,
                           csy_error *error)
{
    char stack[256], *bytes = stack;
    uint32_t number = (uint32_t)(writer - names->writers), used;
    uint64_t count;
    bool is_count = read_count(name, &count), added = true;
    if (!writer->any && is_count) {
        writer->counts = true;
        writer->least = writer->greatest = count;
        return CSY_OK;
    }
    if (is_count && writer->counts && !writer->jumped && count == writer->greatest + 1) {
        writer->greatest++;
        return CSY_OK;
    }
    if (is_count && writer->counts && count >= writer->least && count <= writer->greatest)
        return refuse(name, "continues after its location began another block", error);
    writer->jumped |= is_count;
    size_t size = sizeof number + name.size;
    if (size > sizeof stack && !(bytes = malloc(size)))
        return error_memory(error);
    memcpy(bytes, &number, sizeof number);
    memcpy(bytes + sizeof number, name.bytes, name.size);
    bool good = texts_find(&names->names, bytes, size, &used, &added);
    if (bytes != stack)
        free(bytes);
    if (!good)
        return error_memory(error);
    return added ? CSY_OK : refuse(name, "continues after its location began another block", error);
}

csy_status block_names_take(struct block_names *names, const struct event_roles *roles,
                            uint32_t location, uint32_t buffer, uint32_t *number, bool *begins,
                            csy_error *error)
{
    const csy_text name = roles->block;
    if (buffer == NONE)
        return name.size > 0 ? refuse(name, "belongs to no buffer", error)
                             : error_set(error, CSY_INPUT, "the row has a flush, but no buffer");
    if (name.size == 0 && roles->flush == FLUSH_STAMPED)
        return error_set(error, CSY_INPUT, "the row has a flush, but no block");
    const uint32_t both[2] = {location, buffer};
    char bytes[sizeof both];
    bool added;
    memcpy(bytes, both, sizeof both);
    size_t n = names->locations.count + 1;
    if (!ARRAY_RESERVE(names->writers, names->capacity, n) ||
        !texts_find(&names->locations, bytes, sizeof bytes, number, &added))
        return error_memory(error);
    if (added)
        names->writers[*number] = (struct block_writer){0};
    struct block_writer *writer = &names->writers[*number];
    bool unnamed = name.size == 0;
    bool equal =
        writer->size == name.size && (unnamed || memcmp(writer->name, name.bytes, name.size) == 0);
    bool same = writer->any && (equal || (unnamed && !writer->over));
    if (same && writer->over && !unnamed)
        return refuse(name, "has rows after its flush", error);
    *begins = !same || writer->over;
    if (*begins) {
        csy_status status = unnamed ? CSY_OK : use_name(names, writer, name, error);
        if (!status && !ARRAY_RESERVE(writer->name, writer->capacity, name.size + 1))
            status = error_memory(error);
        if (status)
            return status;
        if (!unnamed)
            memcpy(writer->name, name.bytes, name.size);
        writer->size = name.size;
        writer->any = true;
    }
    writer->over = roles->flush != FLUSH_NONE;
    return CSY_OK;
}
