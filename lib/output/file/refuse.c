/* Checks of output paths. */
#include "output/file/refuse.h"

#include "base/error.h"
#include "io/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

csy_status refuse_input(const struct csy_trace *input, const char *path, csy_error *error)
{
    struct stat st;
    if (!input || stat(path, &st) < 0)
        return CSY_OK;
    for (size_t i = 0; i < input->nfiles; i++)
        if (S_ISREG(st.st_mode) && st.st_dev == input->files[i].device &&
            st.st_ino == input->files[i].inode)
            return error_set(error, CSY_INPUT,
                             "%s: the output file is also an input file; name another output",
                             path);
    return CSY_OK;
}

csy_status refuse_place(const char *path, csy_error *error)
{
    int failure = errno;
    struct stat st;
    char *folder = failure == ENOENT ? path_folder(path) : NULL;
    bool missing = folder && stat(folder, &st) < 0 && errno == ENOENT;
    errno = failure;
    csy_status status = error_io(error, path, NULL);
    if (missing) {
        size_t size = strlen(folder);
        folder[size > 1 ? size - 1 : size] = 0;
        status = error_set(error, CSY_IO, "%s: the folder %s does not exist", path, folder);
    }
    free(folder);
    return status;
}
