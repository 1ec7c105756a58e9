/* Headings that stand out on a terminal. */
#define _DEFAULT_SOURCE /* fileno, and the size of a terminal */
#include "kit/look.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

size_t look_width(FILE *out) {
    struct winsize size = {0};
    return isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
