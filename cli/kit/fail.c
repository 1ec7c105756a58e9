/* How the tool fails. */
#include "kit/fail.h"

#include "kit/json.h"
#include "kit/plain.h"

#include <stdarg.h>
#include <stdio.h>

dpn_status refuse(dpn_error *why, dpn_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    why->status = status;
    vsnprintf(why->sentence, sizeof why->sentence, format, arguments);
    va_end(arguments);
    return status;
}

int fail(const char *command, bool json, const dpn_error *why) {
    fputs(command ? "dpnoise " : "dpnoise", stderr);
    print_plain(stderr, command ? command : "");
    fputs(": ", stderr);
    print_plain(stderr, why->sentence);
    putc('\n', stderr);
    if (json) {
        struct json object = json_begin(stdout);
        json_string(&object, "error", why->sentence);
        json_string(&object, "status", dpn_status_name(why->status));
        json_end(&object);
    }
    return dpn_status_exit_code(why->status);
}
