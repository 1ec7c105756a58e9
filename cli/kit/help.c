/* Help, printed from the table of commands. */
#include "kit/help.h"

#include <string.h>

/* The screen of a person who typed the name alone: what to type first. */
void help_start(FILE *out) {
    fputs(
        "dpnoise - numbers about people with the least noise that differential privacy\n"
        "allows\n"
        "\n"
        "Start with a table. Bounds and levels are what everybody may know: never take\n"
        "them from the data.\n"
        "\n"
        "  dpnoise example census\n"
        "      writes census.csv, 50000 people who do not exist\n"
        "  dpnoise release census.csv --count --mean income:0:150000 --by region \\\n"
        "      --levels region=north,south,east,west --epsilon 1 --dry-run\n"
        "      what would come out, how exact it would be and what it would cost;\n"
        "      nothing is spent\n"
        "\n"
        "The same without --dry-run prints the private table with its error bars, and\n"
        "charges a budget that it keeps beside the file; --report page.html writes a\n"
        "page to send around. Then:\n"
        "\n"
        "  dpnoise budget init people --epsilon 3\n"
        "      a budget for several releases, planned before the first\n"
        "  echo 120 45 8 | dpnoise add --epsilon 0.5 --histogram 3 --whole\n"
        "      noise on numbers that you have already\n"
        "  dpnoise compare --epsilon 0.5 --delta 1e-6 --dim 20 --linf 1\n"
        "      which noise is the least for your question\n"
        "\n"
        "dpnoise help lists all commands, dpnoise help release explains one.\n",
        out);
}

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
          "examples:\n"
          "  dpnoise release people.csv --count --mean income:0:200000 --epsilon 1 --dry-run\n"
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
