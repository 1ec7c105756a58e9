/* Compositions in files: --import and --export. */
#define _POSIX_C_SOURCE 200809L
#include "input/composition.h"
#include "kit/draft.h"
#include "kit/fail.h"
#include "kit/lines.h"

#include <dpnoise/version.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "pure(epsilon=0.1)": *number becomes 0.1, cut out of the text. */
static bool read_epsilon_part(char *noise, const char *name, const char **number) {
    size_t length = strlen(name), end = strlen(noise);
    if (strncmp(noise, name, length) != 0 || strncmp(noise + length, "(epsilon=", 9) != 0 || noise[end - 1] != ')')
        return false;
    noise[end - 1] = '\0';
    *number = noise + length + 9;
    return true;
}

static dpn_status add_line(struct composition *out, char *line, dpn_error *why) {
    static const char blanks[] = " \t";
    struct part_text text = {.kind = PART_LAW, .times = line};
    char *rest = line + strcspn(line, blanks);
    if (*rest) *rest++ = '\0';
    rest += strspn(rest, blanks);
    const char *sensitivity = rest;
    rest += strcspn(rest, blanks);
    if (*rest) *rest++ = '\0';
    rest += strspn(rest, blanks);
    if (!*rest) return refuse(why, DPN_EPARSE, "a part is: times sensitivity law");
    text.law = rest;
    text.number = sensitivity;
    if (strcmp(sensitivity, "-") == 0) {
        if (read_epsilon_part(rest, "pure", &text.number))
            text.kind = PART_PURE;
        else if (read_epsilon_part(rest, "block", &text.number))
            text.kind = PART_BLOCK;
        else {
            dpn_law law;
            if (!dpn_law_parse(&law, rest, NULL))
                return refuse(why, DPN_EPARSE,
                              "a law needs a sensitivity; without one stands block(epsilon=E) or a guarantee, such as "
                              "pure(epsilon=E)");
            text.kind = PART_GUARANTEE;
            text.number = rest;
        }
    }
    return composition_add(out, &text, why);
}

dpn_status composition_import(struct composition *out, const char *file, dpn_error *why) {
    struct lines lines;
    dpn_status status = lines_open(&lines, "--import", file, why);
    if (status) return status;
    char *line = NULL;
    while (!(status = lines_next(&lines, &line, why)) && line) {
        dpn_error reason;
        if (add_line(out, line, &reason)) {
            status = lines_refuse(&lines, &reason, why);
            break;
        }
    }
    lines_close(&lines);
    return status;
}

dpn_status composition_export(const struct composition *composition, const char *file, dpn_error *why) {
    struct draft draft;
    dpn_status status = draft_begin(&draft, "--export", file, why);
    if (status) return status;
    bool written = dprintf(draft.descriptor,
                           "# A composition of dpnoise %s, one part a line:\n"
                           "# times sensitivity law\n",
                           dpn_version()) > 0;
    for (size_t i = 0; i < composition->parts && written; i++) {
        const struct part_words *words = &composition->words[i];
        char text[DPN_LAW_TEXT_SIZE];
        written = dprintf(draft.descriptor, "%" PRIu64 " ", words->times) > 0;
        if (written && words->kind == PART_LAW)
            written = dprintf(draft.descriptor, "%s %s\n", words->number, dpn_law_print(text, &words->law)) > 0;
        else if (written && words->kind == PART_GUARANTEE)
            written = dprintf(draft.descriptor, "- %s\n", words->number) > 0;
        else if (written)
            written = dprintf(draft.descriptor, "- %s(epsilon=%s)\n", part_kind_name(words->kind), words->number) > 0;
    }
    if (written) return draft_publish(&draft, why);
    status = refuse(why, DPN_EIO, "--export: '%.80s' cannot be written: %s", file, strerror(errno));
    draft_drop(&draft);
    return status;
}
