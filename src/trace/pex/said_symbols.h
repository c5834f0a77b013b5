/* What a document says of addresses: pex(5), Symbols. */
#ifndef TRACE_PEX_SAID_SYMBOLS_H
#define TRACE_PEX_SAID_SYMBOLS_H

#include "trace/pex/element.h"

/* Elements in the order of the document; none is refused when it is read. */
struct said_symbols {
    struct element *items; /* image, symbols and symbol */
    size_t count, capacity;
};

/* Keep an element, if it is one of these and says what it must; false without memory. */
bool said_symbols_add(struct said_symbols *said, const struct element *element);

void said_symbols_fini(struct said_symbols *said);

#endif
