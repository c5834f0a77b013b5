/* Fields of a CSV. */
#include "output/csv_field.h"

#include <string.h>

void csv_field_write(struct outfile *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        outfile_write(out, text, strlen(text));
        return;
    }
    outfile_write(out, "\"", 1);
    for (; *text; text++)
        outfile_write(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    outfile_write(out, "\"", 1);
}
