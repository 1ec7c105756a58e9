/* What a stranger writes first: a law from text, and its upper tail. */
#include <dpnoise/dpnoise.h>
#include <stdio.h>

int main(void) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, "laplace(scale=2)", &why) != DPN_OK) return puts(why.sentence), 1;
    printf("%.12g\n", dpn_law_sf(&law, 2));
    return 0;
}
