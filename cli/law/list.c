/* The list of families: dpnoise law --list. */
#include "kit/json.h"
#include "kit/wrap.h"
#include "law/law.h"

enum { INDENT = 6 };

static void print_family(size_t family) {
    printf("  %s(", dpn_family_name(family));
    for (size_t i = 0; dpn_family_parameter(family, i); i++)
        printf("%s%s=...", i ? "," : "", dpn_family_parameter(family, i));
    puts(")");
    printf("%*s", INDENT, "");
    wrap_words(stdout, dpn_family_formula(family), INDENT, INDENT + 2);
}

void law_list_text(void) {
    puts("The noise families. Every law is symmetric about zero; below each family stands\n"
         "what its density is proportional to, x = |t|. The discrete ones live on the\n"
         "integers.\n");
    for (size_t i = 0; dpn_family_name(i); i++) print_family(i);
    puts("\nTry: dpnoise law 'gaussian(sigma=1)' --at 2 --prob 0.975");
}

void law_list_json(void) {
    struct json object = json_begin(stdout);
    json_open_array(&object, "families");
    for (size_t family = 0; dpn_family_name(family); family++) {
        json_open_object(&object, NULL);
        json_string(&object, "family", dpn_family_name(family));
        json_open_array(&object, "parameters");
        for (size_t i = 0; dpn_family_parameter(family, i); i++)
            json_string(&object, NULL, dpn_family_parameter(family, i));
        json_close_array(&object);
        json_string(&object, "density", dpn_family_formula(family));
        json_close_object(&object);
    }
    json_close_array(&object);
    json_end(&object);
}
