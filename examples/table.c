/* Private statistics of a table, paid for from a budget: usage: table DATA.csv LEDGER. The ledger is made if there is none.
 * The charge is on the disk before the first row is read. */
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

static dpn_status charge(dpn_ledger *ledger, const dpn_query *query, dpn_error *why) {
    dpn_account account;
    dpn_receipt receipt;
    dpn_status status = dpn_ledger_account(&account, ledger, "people", why);
    if (status) return status;
    dpn_ledger_charge cost = {.name = "people", .relation = DPN_ADD_REMOVE, .note = "an example"};
    status = dpn_query_charge(&cost.charge, query, account.filter, why);
    if (!status) status = dpn_ledger_spend(&receipt, ledger, &cost, why);
    dpn_account_free(&account);
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
    dpn_declaration declaration = {.statistics = 0};
    dpn_query *query = NULL;
    dpn_ledger *ledger = NULL;
    dpn_table *table = NULL;
    dpn_tally *tally = NULL;
    dpn_answer *answer = NULL;
    dpn_rng *rng = NULL;
    dpn_error why;
    if (count != 3) return fprintf(stderr, "usage: table DATA.csv LEDGER\n"), 2;
    dpn_status status = dpn_declaration_read(&declaration, question, strlen(question), &why);
    if (!status) status = dpn_query_new(&query, &declaration, NULL, &why);
    if (!status) status = dpn_table_open(&table, word[1], NULL, &why); /* the names of its columns, no row */
    if (!status) status = dpn_rng_new(&rng, &why);
    if (!status) status = dpn_tally_new(&tally, query, rng, &why);
    if (!status) status = open_budget(&ledger, word[2], &why);
    if (!status) status = charge(ledger, query, &why);
    if (!status) status = tally_rows(tally, query, table, &why);
    if (!status) status = dpn_query_answer(&answer, query, tally, rng, &why);
    if (!status) print(answer);
    if (status) fprintf(stderr, "%s\n", why.sentence);
    dpn_answer_free(answer);
    dpn_tally_free(tally);
    dpn_table_close(table);
    dpn_ledger_close(ledger);
    dpn_query_free(query);
    dpn_declaration_free(&declaration);
    dpn_rng_free(rng);
    return dpn_status_exit_code(status);
}
