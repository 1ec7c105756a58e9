/* dpnoise budget history --report: one page that needs nothing else. */
#include "budget/budget.h"

#include "input/training.h"
#include "kit/draft.h"
#include "kit/fail.h"
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- How the data sets stand ---- */

static double share_left(const dpn_account *account) {
    dpn_filter_plan plan = dpn_filter_plan_of(account->filter);
    double share = 1 - dpn_filter_spent(account->filter).epsilon / dpn_decimal_upper(&plan.epsilon);
    return fmin(1, fmax(0, share));
}

static void print_account(FILE *out, const dpn_account *account) {
    dpn_filter_plan plan = dpn_filter_plan_of(account->filter);
    char total[DPN_DECIMAL_TEXT_SIZE], left[PURE_LEFT_SIZE];
    double share = share_left(account);
    fputs("<h2>", out);
    html_text(out, account->name);
    fprintf(out,
            "</h2>\n<p>Still to spend: %s, of epsilon %s.</p>\n<svg class=\"gauge\" height=\"14\" role=\"img\" "
            "aria-label=\"%.0f%% "
            "of the "
            "budget is left\"><rect class=\"spent\" width=\"100%%\" height=\"14\" rx=\"7\"/><rect class=\"left\" "
            "width=\"%.1f%%\" height=\"14\" rx=\"7\"/></svg>\n",
            pure_left_print(left, account->filter, true), dpn_decimal_print(total, &plan.epsilon), 100 * share,
            100 * share);
}

/* ---- The entries ---- */

static void print_what(FILE *out, const dpn_entry *entry) {
    char text[DPN_DECIMAL_TEXT_SIZE], words[TRAINING_SIZE];
    dpn_training_plan plan;
    if (entry->kind == DPN_ENTRY_ALIAS || entry->kind == DPN_ENTRY_QUOTA) {
        fputs("of ", out);
        html_text(out, entry->of);
    }
    if (entry->kind == DPN_ENTRY_REGISTRATION) fprintf(out, "version %llu", (unsigned long long)entry->version);
    if (entry->kind != DPN_ENTRY_CHARGE) return;
    if (entry->charge.pure)
        fprintf(out, "epsilon %s", dpn_decimal_print(text, &entry->charge.epsilon));
    else
        fputs("divergences", out);
    if (!dpn_decimal_is_zero(&entry->charge.delta))
        fprintf(out, ", delta %s", dpn_decimal_print(text, &entry->charge.delta));
    if (entry->plan && !dpn_training_plan_read(&plan, entry->plan, entry->plan_length, NULL)) {
        fputs(", ", out);
        html_text(out, training_print(words, &plan));
        dpn_training_plan_free(&plan);
    }
    if (entry->converted) fputs(", asked for add-remove", out);
    if (entry->with) fprintf(out, ", with entry %llu", (unsigned long long)entry->with);
    if (entry->reuse) fprintf(out, ", the answer of entry %llu", (unsigned long long)entry->reuse);
}

static void print_entry(FILE *out, const dpn_entry *entry) {
    fprintf(out, "<tr><th scope=\"row\">%llu</th><td>%.10s %.5s</td><td>%s</td><td>",
            (unsigned long long)entry->head.number, entry->time, strlen(entry->time) > 16 ? entry->time + 11 : "",
            dpn_entry_kind_name(entry->kind));
    html_text(out, entry->name);
    fputs("</td><td>", out);
    print_what(out, entry);
    fputs("</td><td>", out);
    html_text(out, entry->user);
    fputs("</td><td>", out);
    html_text(out, entry->note);
    fputs("</td></tr>\n", out);
}

/* ---- The page ---- */

struct history {
    const struct budget *budget;
    const char *name; /* NULL: all */
    const dpn_account *account;
    size_t accounts;
    const dpn_entry *entry;
    size_t entries;
    dpn_head head;
};

static void print_page(FILE *out, const void *what) {
    const struct history *history = what;
    char head[DPN_HEAD_TEXT_SIZE];
    html_begin(out, "Budget of ", history->name ? history->name : history->budget->path);
    fputs("<p class=\"dim\">Every charge of privacy that was made, in order. The ledger is <code>", out);
    html_text(out, history->budget->path);
    fprintf(
        out,
        "</code>, its head <code>%s</code>: <code>dpnoise budget verify --head</code> shows that nothing before it was "
        "changed.</p>\n",
        dpn_head_print(head, &history->head));
    for (size_t i = 0; i < history->accounts; i++) print_account(out, &history->account[i]);
    fputs("<h2>History</h2>\n<div class=\"wide\"><table><caption>Entries of the ledger, times in "
          "UTC</caption><thead><tr><th scope=\"col\">entry</th>"
          "<th scope=\"col\">time</th><th scope=\"col\">kind</th><th scope=\"col\">data set</th><th "
          "scope=\"col\">what</th><th "
          "scope=\"col\">by</th><th scope=\"col\">note</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < history->entries; i++) print_entry(out, &history->entry[i]);
    fputs("</tbody></table></div>\n", out);
    html_end(out);
}

/* ---- Collecting ---- */

struct collected {
    dpn_account *account;
    size_t accounts;
    dpn_entry *entry;
    size_t entries;
};

static void collected_free(struct collected *collected) {
    for (size_t i = 0; i < collected->accounts; i++) dpn_account_free(&collected->account[i]);
    for (size_t i = 0; i < collected->entries; i++) dpn_entry_free(&collected->entry[i]);
    free(collected->account);
    free(collected->entry);
}

static dpn_status collect_accounts(struct collected *out, struct budget *budget, const char *name, dpn_error *why) {
    size_t count = 1;
    dpn_status status = name ? DPN_OK : dpn_ledger_count(&count, NULL, budget->ledger, why);
    if (status) return status;
    out->account = calloc(count ? count : 1, sizeof *out->account);
    if (!out->account) return refuse(why, DPN_ENOMEM, "out of memory");
    for (; out->accounts < count && !status; out->accounts += !status)
        status = name ? dpn_ledger_account(out->account, budget->ledger, name, why)
                      : dpn_ledger_account_at(&out->account[out->accounts], budget->ledger, out->accounts, why);
    return status;
}

static dpn_status collect_entries(struct collected *out, struct budget *budget, const char *name, uint64_t last,
                                  dpn_error *why) {
    out->entry = calloc(last ? (size_t)last : 1, sizeof *out->entry);
    if (!out->entry) return refuse(why, DPN_ENOMEM, "out of memory");
    for (uint64_t number = 1; number <= last; number++) {
        dpn_entry *entry = &out->entry[out->entries];
        dpn_status status = dpn_ledger_entry(entry, budget->ledger, number, why);
        if (status) return status;
        if (!name || strcmp(entry->name, name) == 0 || strcmp(entry->of, name) == 0)
            out->entries++;
        else
            dpn_entry_free(entry);
    }
    return DPN_OK;
}

dpn_status budget_write_report(struct budget *budget, const char *file, const char *name, const dpn_head *last,
                               dpn_error *why) {
    struct collected collected = {0};
    struct draft draft;
    dpn_status status = collect_accounts(&collected, budget, name, why);
    const char *of = name && !status ? collected.account[0].name : NULL; /* name may be an alias */
    if (!status) status = collect_entries(&collected, budget, of, last->number, why);
    if (!status) status = draft_begin(&draft, "--report", file, why);
    if (!status) {
        struct history history = {budget, of, collected.account, collected.accounts, collected.entry, collected.entries,
                                  *last};
        status = draft_print(&draft, print_page, &history, why);
    }
    collected_free(&collected);
    return status;
}
