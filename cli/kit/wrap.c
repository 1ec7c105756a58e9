/* Lines of at most 80 columns. */
#include "kit/wrap.h"

#include "kit/plain.h"

#include <stdbool.h>
#include <string.h>

static void new_line(FILE *out, size_t indent) {
    fprintf(out, "\n%*s", (int)indent, "");
}

/* How many letters a word of this length in bytes has; they are printed with a question mark for each that is not plain. */
static size_t take_word(FILE *out, const char *text, size_t length) {
    enum plain_kind kind;
    uint32_t code;
    size_t letters = 0;
    for (size_t at = 0, next; at < length; at += next, letters++) {
        next = plain_take(&kind, &code, text + at);
        if (out && kind == PLAIN_LETTER) fwrite(text + at, 1, next, out);
        if (out && kind != PLAIN_LETTER) putc('?', out);
    }
    return letters;
}

void wrap_words(FILE *out, const char *text, size_t used, size_t indent) {
    bool first = true;
    for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
        size_t length = strcspn(text, " \n"), letters = take_word(NULL, text, length);
        if (!first && used + 1 + letters > WRAP_WIDTH) {
            new_line(out, indent);
            used = indent;
        } else if (!first) {
            putc(' ', out);
            used++;
        }
        used += take_word(out, text, length);
        text += length;
        first = false;
    }
    putc('\n', out);
}

/* Whether the word that ends here is an option: its value, if it has one, stays with it. */
static bool after_option(const char *line, size_t end) {
    size_t start = end;
    while (start > 0 && line[start - 1] != ' ') start--;
    return line[start] == '-' && line[start + 1] == '-';
}

/* Where the first line of a usage ends: the last blank in room outside of brackets, else the last within them, else the first. */
static size_t usage_break(const char *line, size_t length, size_t room) {
    size_t outside = 0, inside = 0;
    int open = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > room && (outside || inside)) break;
        open += (line[i] == '[' || line[i] == '(') - (line[i] == ']' || line[i] == ')');
        if (line[i] == ' ' && !after_option(line, i)) *(open > 0 ? &inside : &outside) = i;
    }
    return outside ? outside : inside ? inside : length;
}

void wrap_usage(FILE *out, const char *line, size_t length, size_t used, size_t indent) {
    while (used + length > WRAP_WIDTH) {
        size_t end = usage_break(line, length, WRAP_WIDTH > used ? WRAP_WIDTH - used : 0);
        if (end == length) break;
        fwrite(line, 1, end, out);
        new_line(out, indent);
        line += end + 1;
        length -= end + 1;
        used = indent;
    }
    fwrite(line, 1, length, out);
    putc('\n', out);
}

/* Where a command line ends that has to leave room for a backslash: the last blank in room, past its indentation, between no
 * quotes; 0 if there is none. quote is the one that is open where the line begins. */
static size_t command_break(const char *line, size_t length, size_t room, char quote) {
    size_t found = 0;
    for (size_t i = 0; i < length && i <= room; i++) {
        if (quote)
            quote = line[i] == quote ? '\0' : quote;
        else if (line[i] == '\'' || line[i] == '"')
            quote = line[i];
        else if (line[i] == ' ' && i > strspn(line, " ") && !after_option(line, i))
            found = i;
    }
    return found;
}

static char quote_after(const char *line, size_t length, char quote) {
    for (size_t i = 0; i < length; i++)
        if (quote ? line[i] == quote : line[i] == '\'' || line[i] == '"') quote = quote ? '\0' : line[i];
    return quote;
}

void wrap_commands(FILE *out, const char *lines) {
    char quote = '\0';
    while (*lines) {
        size_t length = strcspn(lines, "\n"), indent = 0, end = 0;
        while (indent + length > WRAP_WIDTH &&
               (end = command_break(lines, length, WRAP_WIDTH - 2 - indent, quote)) > 0) {
            quote = quote_after(lines, end, quote);
            fwrite(lines, 1, end, out);
            fputs(" \\", out);
            indent = 6;
            new_line(out, indent);
            lines += end + 1;
            length -= end + 1;
        }
        quote = quote_after(lines, length, quote);
        fwrite(lines, 1, length, out);
        putc('\n', out);
        lines += length + (lines[length] == '\n');
    }
}
