/* A noise law: how wide it is, how its tails fall, and which interval holds a draw with a given probability. */
#include <dpnoise/dpnoise.h>
#include <stdio.h>

int main(void) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, "flipped-huber(alpha=3,gamma=1)", &why)) {
        fprintf(stderr, "%s\n", why.sentence);
        return dpn_status_exit_code(why.status);
    }
    char text[DPN_LAW_TEXT_SIZE];
    printf("%s\n", dpn_law_print(text, &law));
    printf("variance %.6f\n", dpn_law_variance(&law));
    printf("P(X > 1) = %.6f\n", dpn_law_sf(&law, 1));
    printf("log P(X > 50) = %.3f\n", dpn_law_log_sf(&law, 50)); /* P itself is no double */
    static const double level[] = {0.9, 0.95, 0.99};
    for (int i = 0; i < 3; i++) /* symmetric: half of what is left in each tail */
        printf("%g%% of all draws lie within +-%.6f\n", 100 * level[i], dpn_law_isf(&law, (1 - level[i]) / 2));
    return 0;
}
