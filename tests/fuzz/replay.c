/*
 * Run files, and the files in folders, through a fuzz target that is linked with this.
 *
 * Usage: fuzz_NAME FILE|FOLDER...  Fails where there is no file.
 */
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t files;

static void replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(size ? size : 1); /* of its very size, so that ASan sees its end */
    must(file && bytes && fread(bytes, 1, size, file) == size, path);
    fclose(file);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    files++;
}

static void replay(const char *path)
{
    struct stat st;
    must(stat(path, &st) == 0, path);
    if (!S_ISDIR(st.st_mode)) {
        replay_file(path, (size_t)st.st_size);
        return;
    }
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    must(n >= 0, path);
    for (int i = 0; i < n; i++) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            replay(inside);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    fprintf(stderr, "%zu files\n", files);
    return files == 0;
}
