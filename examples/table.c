/* Private statistics of a table, paid for from a budget: usage: table DATA.csv LEDGER. The ledger is made if there is none.
 * The charge is on the disk before the first row is read, and the answer before it is printed. */
#include <dpnoise/dpnoise.h>
#include <dpnoise/table.h>
#include <stdio.h>
#include <string.h>

static const char question[] =
    "{\"statistics\": [{\"kind\": \"count\"},"
    " {\"kind\": \"mean\", \"column\": \"income\", \"lower\": \"0\", \"upper\": \"100000\"}],"
    " \"by\": [{\"column\": \"region\", \"levels\": [\"north\", \"south\"]}],"
    " \"epsilon\": \"0.5\", \"delta\": \"1e-6\"}";

/* A budget of epsilon 2 for "people", unless it is there. */
static dpn_status open_budget(dpn_ledger **out, const char *path, dpn_error *why) {
    dpn_ledger_budget budget = {.name = "people", .relation = DPN_ADD_REMOVE};
    dpn_account account;
    dpn_decimal epsilon, delta;
    dpn_filter *filter = NULL;
    dpn_status status = dpn_ledger_create(out, path, NULL, why);
    if (status || !dpn_ledger_account(&account, *out, "people", NULL)) {
        if (!status) dpn_account_free(&account);
        return status;
    }
    status = dpn_decimal_parse(&epsilon, "2", why);
    if (!status) status = dpn_decimal_parse(&delta, "1e-5", why);
    if (!status) status = dpn_filter_new_default(&filter, &epsilon, &delta, why);
    if (!status) {
        budget.plan = dpn_filter_plan_of(filter);
        status = dpn_ledger_add_budget(NULL, *out, &budget, why);
    }
    dpn_filter_free(filter);
    return status;
}

/* All rows of the table, the columns in the order that the query wants. */
static dpn_status tally_rows(dpn_tally *tally, const dpn_query *query, dpn_table *table, dpn_error *why) {
    size_t columns = 0, rows = 1, wanted[8];
    const dpn_field *field;
    dpn_status status = DPN_OK;
    for (; dpn_query_column(query, columns) && !status; columns++)
        status = dpn_table_find(&wanted[columns], table, dpn_query_column(query, columns), why);
    if (!status) status = dpn_table_want(table, wanted, columns, why);
    while (!status && rows > 0) {
        status = dpn_table_next(&field, &rows, table, why);
        if (!status) status = dpn_tally_rows(tally, field, rows, why);
    }
    return status ? status : dpn_tally_unusable(tally, dpn_table_unusable(table, NULL), why);
}

static void print(const dpn_answer *answer) {
    for (size_t g = 0; g < answer->groups; g++) {
        printf("%s", answer->key[g]);
        for (size_t o = 0; o < answer->outputs; o++) {
            const dpn_answer_cell *cell = &answer->cell[g * answer->outputs + o];
            printf("  %s %.0f [%.0f, %.0f]", answer->output[o], cell->value, cell->low, cell->high);
        }
        putchar('\n');
    }
}

int main(int count, char **word) {
    dpn_question_options options = dpn_question_options_init();
    dpn_question *asked = NULL;
    dpn_ledger *ledger = NULL;
    dpn_table *table = NULL;
    const dpn_answer *answer = NULL;
    dpn_rng *rng = NULL;
    dpn_error why;
    if (count != 3) return fprintf(stderr, "usage: table DATA.csv LEDGER\n"), 2;
    options.source = word[1]; /* which data these are: a stored answer is given for no others */
    options.note = "an example";
    options.fresh =
        true; /* new noise, and paid, each time; without it the second run would get the first answer for nothing */
    dpn_status status = dpn_rng_new(&rng, &why);
    if (!status) status = open_budget(&ledger, word[2], &why);
    if (!status) status = dpn_question_read(&asked, ledger, "people", question, strlen(question), &options, &why);
    if (!status) status = dpn_table_open(&table, word[1], NULL, &why); /* the names of its columns, no row */
    if (!status) status = dpn_question_charge(asked, rng, &why);
    if (!status && dpn_question_tally(asked)) { /* NULL: the ledger has the answer */
        status = tally_rows(dpn_question_tally(asked), dpn_question_query(asked), table, &why);
        if (status) status = dpn_question_fail(asked, &why, &why);
    }
    if (!status) status = dpn_question_answer(&answer, asked, rng, &why);
    if (!status) print(answer);
    if (status) fprintf(stderr, "%s\n", why.sentence);
    dpn_question_free(asked);
    dpn_table_close(table);
    dpn_ledger_close(ledger);
    dpn_rng_free(rng);
    return dpn_status_exit_code(status);
}
