/* Headings that stand out on a terminal. */
#define _POSIX_C_SOURCE 200809L /* fileno */
#include "kit/look.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_rich(FILE *out) {
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(refused && refused[0]) && terminal && strcmp(terminal, "dumb") != 0 && isatty(fileno(out));
}

const char *look_bold(FILE *out) {
    return is_rich(out) ? "\033[1m" : "";
}

const char *look_plain(FILE *out) {
    return is_rich(out) ? "\033[0m" : "";
}
