#include "reference/vectors.h"

#include <stdlib.h>

FILE *vectors_open(void) {
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/tests/vectors/law.csv", root ? root : ".");
    return length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
}

bool vectors_next(FILE *table, vector *out) {
    char line[512];
    do {
        if (!fgets(line, sizeof line, table)) return false;
    } while (line[0] == '#' || line[0] == '\n');
    int fields = sscanf(line, "%31[^,],\"%127[^\"]\",%31[^,],%31[^,],%47[^,],%lf,%lf", out->function, out->law,
                        out->member, out->argument, out->value, &out->relative, &out->absolute);
    if (fields != 7) out->function[0] = '\0';
    return true;
}
