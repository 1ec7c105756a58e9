/* Help, printed from the table of commands. */
#include "kit/help.h"

#include "kit/look.h"
#include "kit/wrap.h"

#include <string.h>

/* The screen of a person who typed the name alone: what to type first. */
void help_start(FILE *out) {
    fputs("dpnoise - numbers about people with the least noise that differential privacy\n"
          "allows\n"
          "\n"
          "Start with a table. Bounds and levels are what everybody may know: never take\n"
          "them from the data.\n"
          "\n"
          "  dpnoise example census\n"
          "      writes census.csv, a table of 50000 invented people\n"
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

static void print_heading(FILE *out, const char *words) {
    fprintf(out, "%s%s%s", look_bold(out), words, look_plain(out));
}

void help_tool(FILE *out, const struct command *const *commands) {
    fputs("dpnoise - noise for differential privacy\n"
          "\n"
          "usage: dpnoise COMMAND ...\n"
          "\n",
          out);
    print_heading(out, "commands:");
    putc('\n', out);
    for (; *commands; commands++) fprintf(out, "  %-10s %s\n", (*commands)->name, (*commands)->summary);
    fputs("\n"
          "dpnoise COMMAND --help, or dpnoise help COMMAND, explains a command.\n"
          "dpnoise --version prints the version.\n"
          "\n"
          "exit codes: 0 done, 1 refused by the privacy budget, 2 misuse,\n"
          "            3 bad data or file, 4 no answer\n"
          "\n"
          "examples:\n"
          "  dpnoise release people.csv --count --mean income:0:200000 --epsilon 1 \\\n"
          "      --dry-run\n"
          "  dpnoise law 'flipped-huber(alpha=3,gamma=1)' --at 0.5 --prob 0.975\n",
          out);
}

enum { HELP_COLUMN = 22, USAGE_COLUMN = 11 };

/* A name that leaves no room before the column of the help stands alone on its line. */
static void print_options(FILE *out, const struct option *option) {
    for (; option->name; option++) {
        int used = fprintf(out, "  %s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
        if (used > HELP_COLUMN - 1) {
            putc('\n', out);
            used = 0;
        }
        fprintf(out, "%*s", HELP_COLUMN - (used > 0 ? used : 0), "");
        wrap_words(out, option->help, HELP_COLUMN, HELP_COLUMN);
    }
}

/* The synopsis has a line for each way to call the command; those after the first begin with "       dpnoise". */
static void print_usage(FILE *out, const struct command *command) {
    print_heading(out, "usage:");
    int used = (int)strlen("usage:") + fprintf(out, " dpnoise %s ", command->name);
    for (const char *line = command->synopsis; line; used = 0) {
        size_t length = strcspn(line, "\n"), blanks = strspn(line, " ");
        fprintf(out, "%*s", (int)blanks, "");
        wrap_usage(out, line + blanks, length - blanks, (size_t)(used > 0 ? used : 0) + blanks, USAGE_COLUMN);
        line = line[length] ? line + length + 1 : NULL;
    }
}

void help_command(FILE *out, const struct command *command) {
    print_usage(out, command);
    putc('\n', out);
    wrap_words(out, command->description, 0, 0);
    putc('\n', out);
    print_heading(out, "options:");
    putc('\n', out);
    print_options(out, command->options);
    print_options(out, common_options);
    putc('\n', out);
    print_heading(out, "example:");
    putc('\n', out);
    wrap_commands(out, command->example);
}
