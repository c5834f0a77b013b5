/* What records of event80 hold, as a reader sees it. */
#include "trace/event80/log_values.h"

#include "base/put.h"
#include "trace/event80/log_roles.h"

enum { FIELDS = 3 + LOG_DATA, NAME_BYTES_MAX = 64, NUMBER_MAX = 24 };
_Static_assert(FIELDS *(NAME_BYTES_MAX + NUMBER_MAX) <= LOG_VALUES_MAX, "all fit");

static const char *const mpi[LOG_DATA] = {"partner",  "bytes", "count",
                                          "datatype", "tag",   "communicator"};
static const char *const transfers[LOG_DATA] = {"local", NULL, "bytes", "tag", "high", "low"};

static char *put_value(char *at, const char *begin, const char *name, int64_t value)
{
    size_t size = strnlen(name, NAME_BYTES_MAX - 2);
    if (at > begin)
        *at++ = ' ';
    at = put_bytes(at, name, size);
    *at++ = '=';
    return number_put(at, value);
}

/* In hexadecimal, of a local store or of memory. */
static char *put_address(char *at, const char *begin, const char *name, uint64_t value)
{
    enum { DIGITS = 8 };
    if (at > begin)
        *at++ = ' ';
    at = put_text(put_text(at, name), "=0x");
    if (value >> 32)
        at = number_put_hex(at, (uint32_t)(value >> 32), DIGITS);
    return number_put_hex(at, (uint32_t)value, DIGITS);
}

/* By the names that the document has. */
static char *put_named(char *at, const struct metadata *metadata, const struct record_type *type,
                       const struct log_record *record)
{
    const char *begin = at;
    for (size_t i = 0; i < FIELDS && i < type->nfields; i++) {
        const char *name = metadata_field_name(metadata, type, i);
        int64_t value = i == 0   ? (int64_t)record->enx
                        : i == 1 ? (int64_t)record->exx
                        : i == 2 ? record->flag
                                 : record->data[i - 3];
        if (name)
            at = put_value(at, begin, name, value);
    }
    return at;
}

static char *put_data(char *at, const char *const names[LOG_DATA], const struct log_record *record)
{
    const char *begin = at;
    for (size_t i = 0; i < LOG_DATA; i++)
        if (names[i])
            at = put_value(at, begin, names[i], record->data[i]);
    return at;
}

size_t log_values_put(const struct metadata *metadata, const struct log_record *record,
                      char text[LOG_VALUES_MAX])
{
    const struct record_type *type = metadata_type(metadata, log_type_id(record->type));
    char *at = text;
    if (type && type->nfields > 0)
        at = put_named(at, metadata, type, record);
    else if (record->type == LOG_E || record->type == LOG_X)
        at = put_address(put_address(at, text, "enx", record->enx), text, "exx", record->exx);
    else if (record->type >= LOG_MFC_PUT)
        at = put_data(at, transfers, record);
    else if (record->type >= LOG_MPI_SEND)
        at = put_data(at, mpi, record);
    return (size_t)(at - text);
}
