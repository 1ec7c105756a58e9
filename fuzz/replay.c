/* Feeds the files of a directory to a fuzz target, for compilers without libFuzzer and as a test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *directory, const char *name) {
    char path[4096];
    static uint8_t data[1 << 16];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "rb") : NULL;
    if (!file) return -1;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    return LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv) {
    int count = 0;
    DIR *directory = argc == 2 ? opendir(argv[1]) : NULL;
    if (!directory) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(directory)); count++)
        if (entry->d_name[0] != '.' && replay(argv[1], entry->d_name)) return 1;
    closedir(directory);
    printf("replayed %d inputs\n", count - 2);
    return count > 2 ? 0 : 1;
}
