/* The error message for a trace that is cut off. */
#include "trace/cut.h"

#include "base/error.h"

#include <inttypes.h>

csy_status cut_refuse(const csy_cut *cut, const char *unit, bool salvage_helps, csy_error *error)
{
    uint64_t n = cut->records;
    if (n == 0)
        return error_set(error, CSY_INPUT, "%s; no whole %s precedes it", cut->text, unit);
    return error_set(error, CSY_INPUT, "%s; %" PRIu64 " whole %s%s it%s", cut->text, n, unit,
                     n == 1 ? " precedes" : "s precede", salvage_helps ? " (see --salvage)" : "");
}
