/* Laws as people write and read them. */
#include "words/law.h"

#include "kit/fail.h"
#include "kit/nearest.h"

#include <string.h>

/* If the law fails for its family's name, say which name is near. */
static dpn_status explain_family(const char *text, dpn_error *why) {
    const char *word = text + strspn(text, " \t");
    size_t length = strcspn(word, " \t()=,");
    if (length == 0) return why->status;
    struct nearest search = nearest_to(word, length);
    for (size_t i = 0; dpn_family_name(i); i++) {
        const char *name = dpn_family_name(i);
        if (strlen(name) == length && memcmp(name, word, length) == 0) return why->status;
        nearest_try(&search, name);
    }
    int shown = length > 40 ? 40 : (int)length;
    if (search.name)
        return refuse(why, DPN_EPARSE, "there is no family '%.*s'; did you mean %s?", shown, word, search.name);
    return refuse(why, DPN_EPARSE, "there is no family '%.*s'; dpnoise law --list shows all", shown, word);
}

dpn_status law_read(dpn_law *out, const char *text, dpn_error *why) {
    return dpn_law_parse(out, text, why) ? explain_family(text, why) : DPN_OK;
}

const char *law_parameter_name(const dpn_law *law, size_t index) {
    size_t family = 0;
    while (strcmp(dpn_family_name(family), dpn_law_family(law)) != 0) family++;
    return dpn_family_parameter(family, index);
}

void law_write_title(FILE *script, const dpn_law *law) {
    fprintf(script, "'%s(", dpn_law_family(law));
    for (size_t i = 0; i < DPN_LAW_PARAMETERS && law_parameter_name(law, i); i++) {
        const char *name = law_parameter_name(law, i);
        fprintf(script, "%s%s=%.6g", i ? ", " : "", name, dpn_law_parameter(law, name));
    }
    fputs(")'", script);
}

char *law_short(char *text, size_t size, const dpn_law *law) {
    int used = snprintf(text, size, "%s(", dpn_law_family(law));
    for (size_t i = 0; i < DPN_LAW_PARAMETERS && law_parameter_name(law, i) && (size_t)used < size; i++) {
        const char *name = law_parameter_name(law, i);
        used +=
            snprintf(text + used, size - (size_t)used, "%s%s=%.6g", i ? "," : "", name, dpn_law_parameter(law, name));
    }
    if ((size_t)used < size) snprintf(text + used, size - (size_t)used, ")");
    return text;
}
