/* Help, printed from the table of commands. */
#include "help.h"

#include <string.h>

void help_tool(FILE *out, const struct command *const *commands) {
    fputs("dpnoise - noise for differential privacy\n"
          "\n"
          "usage: dpnoise COMMAND ...\n"
          "\n"
          "commands:\n",
          out);
    for (; *commands; commands++) fprintf(out, "  %-10s %s\n", (*commands)->name, (*commands)->summary);
    fputs("\n"
          "dpnoise COMMAND --help, or dpnoise help COMMAND, explains a command.\n"
          "dpnoise --version prints the version.\n"
          "\n"
          "exit codes: 0 done, 1 refused by the privacy budget, 2 misuse, 3 bad data or file, 4 no answer\n"
          "\n"
          "example:\n"
          "  dpnoise law 'flipped-huber(alpha=3,gamma=1)' --at 0.5 --prob 0.975\n",
          out);
}

static void print_options(FILE *out, const struct option *option) {
    for (; option->name; option++) {
        int used = fprintf(out, "  %s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
        for (const char *line = option->help; line; used = 0) {
            const char *end = strchr(line, '\n');
            int length = end ? (int)(end - line) : (int)strlen(line);
            fprintf(out, "%*s%.*s\n", used < 22 ? 22 - used : 1, "", length, line);
            line = end ? end + 1 : NULL;
        }
    }
}

void help_command(FILE *out, const struct command *command) {
    fprintf(out, "usage: dpnoise %s %s\n\n%s\noptions:\n", command->name, command->synopsis, command->description);
    print_options(out, command->options);
    print_options(out, common_options);
    fprintf(out, "\nexample:\n%s", command->example);
}
