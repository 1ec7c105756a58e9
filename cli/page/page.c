/* What all pages have in common. */
#include "page/page.h"

#include "kit/plain.h"

#include <dpnoise/version.h>
#include <stdbool.h>
#include <string.h>

void html_text(FILE *out, const char *text) {
    while (*text) {
        unsigned char c = (unsigned char)*text;
        enum plain_kind kind;
        uint32_t code;
        size_t length = plain_take(&kind, &code, text);
        const char *entity = c == '&'    ? "&amp;"
                             : c == '<'  ? "&lt;"
                             : c == '>'  ? "&gt;"
                             : c == '"'  ? "&quot;"
                             : c == '\'' ? "&#39;"
                                         : NULL;
        if (entity)
            fputs(entity, out);
        else if (kind != PLAIN_LETTER)
            fputs("&#65533;", out);
        else
            fwrite(text, 1, length, out);
        text += length;
    }
}

void html_begin(FILE *out, const char *what, const char *name) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">\n<title>",
          out);
    fputs(what, out);
    html_text(out, name);
    fprintf(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>%s", page_style, what);
    html_text(out, name);
    fputs("</h1>\n", out);
}

void html_end(FILE *out) {
    fprintf(out,
            "<footer>dpnoise %s. This page is complete in itself: it loads nothing and runs no script.</footer>\n"
            "</main></body></html>\n",
            dpn_version());
}

void html_fact(FILE *out, const char *what, const char *value) {
    fputs("<div><b>", out);
    html_text(out, value);
    fprintf(out, "</b><span>%s</span></div>", what);
}

/* ---- Numbers ---- */

char *page_thousands(char text[PAGE_NUMBER_SIZE], const char *number) {
    size_t sign = number[0] == '-', digits = strspn(number + sign, "0123456789"), rest = sign + digits;
    size_t commas = digits ? (digits - 1) / 3 : 0, used = 0;
    const char *end = number + rest;
    if (*end == '.') end += 1 + strspn(end + 1, "0123456789");
    bool plain = digits > 0 && *end == '\0';
    if (!plain || strlen(number) + commas >= PAGE_NUMBER_SIZE) {
        snprintf(text, PAGE_NUMBER_SIZE, "%s", number);
        return text;
    }
    for (size_t i = 0; number[i]; i++) {
        if (i > sign && i < rest && (rest - i) % 3 == 0) text[used++] = ',';
        text[used++] = number[i];
    }
    text[used] = '\0';
    return text;
}

size_t page_decimals(const char *number) {
    const char *point = strchr(number, '.');
    return point ? strspn(point + 1, "0123456789") : 0;
}

void html_aligned(FILE *out, const char *number, size_t decimals) {
    char text[PAGE_NUMBER_SIZE];
    size_t have = page_decimals(number);
    fputs(page_thousands(text, number), out);
    if (have == 0 && decimals > 0) fputs("&#8200;", out);  /* as wide as a point */
    for (; have < decimals; have++) fputs("&#8199;", out); /* as wide as a digit */
}
