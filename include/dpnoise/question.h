/* dpnoise/question.h - one question to a data set with a budget, from the words to the answer: what every front calls.
 *
 * The order is fixed, and the handle keeps to it: the question is put under the registration of its data set (registration.h),
 * compiled, and looked up; then charged; then the rows are given to its tally; then there is one answer, which is in the ledger
 * before anybody sees it. A question that was answered before is answered again from the ledger, without a row being read.
 * After the charge every failure is one sentence, always the same: why it failed is for the curator.
 *
 * Example
 *     const char asked[] = "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"income\"}], \"epsilon\": \"0.5\"}";
 *     const dpn_field row[] = {{"51300", 5}, {"48000", 5}}; // two rows of one column
 *     dpn_question_options options = dpn_question_options_init();
 *     dpn_question *question;
 *     dpn_ledger *ledger;
 *     const dpn_answer *answer;
 *     dpn_error why;
 *     options.analyst = "ada"; // as the front knows, never as the question says
 *     if (dpn_ledger_open(&ledger, "people.db", NULL, &why) ||
 *         dpn_question_read(&question, ledger, "people", asked, sizeof asked - 1, &options, &why) ||
 *         dpn_question_charge(question, rng, &why))
 *         return puts(why.sentence);
 *     dpn_tally *tally = dpn_question_tally(question); // NULL: the ledger has the answer
 *     if (tally && dpn_tally_rows(tally, row, 2, &why)) // as often as there are more
 *         return dpn_question_fail(question, &why, &why);
 *     if (dpn_question_answer(&answer, question, rng, &why)) return puts(why.sentence);
 *     printf("%s: %g\n", answer->output[0], answer->cell[0].value);
 *     dpn_question_free(question);
 *     dpn_ledger_close(ledger);
 *
 * docs/proofs/question/question.md says what is proved.
 */
#ifndef DPNOISE_QUESTION_H
#define DPNOISE_QUESTION_H

#include <dpnoise/ledger.h>
#include <dpnoise/registration.h>
#include <dpnoise/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dpn_question dpn_question;

/* Something else than statistics that is asked of the rows that a declaration describes: a fit (learn.h), for example. The
 * question keeps to its order with it too: registration, plan, look up, charge, rows, answer once. The rows are given to whoever
 * owns the context, between dpn_question_charge and dpn_question_answer, while dpn_question_look says CHARGED.
 *   text      what is asked besides the declaration, a JSON value, equal for equal questions: a part of what the answer is
 *             kept under
 *   plan      compile the declaration, with all that its registration filled in. All of it is public, and it can refuse
 *   charge    what it costs a filter; NULL, and on any error: the declared epsilon and delta
 *   answer    the answer as UTF-8 text, to be freed with free(): called once, after the charge
 * Guarantee  the owner promises that the answer is (epsilon, delta)-private as declared, and that the charge covers it. */
typedef struct dpn_inquiry {
    void *context;
    const char *text;
    dpn_status (*plan)(void *context, const dpn_declaration *declaration, dpn_error *why);
    dpn_status (*charge)(dpn_charge *out, void *context, const dpn_filter *filter, dpn_error *why);
    dpn_status (*answer)(char **text, size_t *length, void *context, dpn_rng *rng, dpn_error *why);
} dpn_inquiry;

typedef struct dpn_question_options {
    size_t size;
    const char *analyst; /* who asks, for the record: from the front, which knows; NULL: nobody is named */
    const char *note;    /* for the record; NULL: none */
    /* What the data are, as the front found them, in a form that is equal for the same data: dpn_place_write, for example.
     * It is a part of what the answer is kept under. Needed where the data set is not registered; where it is, NULL or the
     * place that is registered: anything else is refused. */
    const char *source;
    bool fresh; /* ask and pay again, even if the ledger has the answer */
    /* Of the planning, as in dpn_calibration_options. */
    void (*progress)(void *context, double done);
    void *context;
    bool (*cancelled)(void *context);
    /* Where the data are: of a data set that is not registered the ledger notes it with the first charge about them, and from
     * then on they have this budget and no other, and persons are told apart by the same column. NULL: what `source` says, as
     * declared. Given without `source` it is both. Of registered data it is not looked at, but for `states`. */
    const dpn_place *place;
    /* Whether other data, whose place the ledger has, are these by another name (a link, for example); NULL: places that are
     * written alike are the same, and no others. */
    bool (*same)(void *same_context, const dpn_place *other);
    void *same_context;
    /* Bytes for persons and keys that are not declared, while rows are read: at least DPN_TALLY_LEAST_MEMORY, and not more than is
     * registered. 0: what is registered; if nothing is, 1 GiB or a quarter of what this process can have, whichever is less: of the
     * machine, of its limits (RLIMIT_AS, RLIMIT_DATA) and of its control groups. What
     * is beyond goes to a file without a name beside the ledger (dpn_tally_limit). */
    uint64_t memory;
    /* What is asked instead of the declaration's statistics, which then say which columns are read and their bounds. It has to
     * live as long as the question. There is no tally then, and dpn_question_result gives the answer. */
    const dpn_inquiry *inquiry;
    /* Another quota of the same data set that pays too, all or none: of the role, say, in which the analyst asks, where the name
     * is the analyst's own quota. NULL, and the name itself: none. */
    const char *also;
    /* Of the lottery that chooses rows of persons, where the tally will be given states that were made with it (dpn_tally_add_state). NULL:
     * one is drawn, and no such state fits. */
    const dpn_tally_secret *secret;
    /* As in dpn_calibration_options: dpn_exact_hulls() of dpnoise/geometry.h. With it sums that one row moves together, as a
     * column's values and their squares, get noise of the hull of what a row can add to them, where that is less. */
    const dpn_hulls *hulls;
    /* The tally will be given states or sums that were made elsewhere, and `place` says which they are. Then they are also noted
     * beside a registration, so that no other data set is charged for them, and the answer is kept under them. That they are
     * of the registered data the front knows, as of rows that it is given. */
    bool states;
} dpn_question_options;

static inline dpn_question_options dpn_question_options_init(void) {
    dpn_question_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* ---- Asking ---- */

/* Put a question to the data set (or an alias, or a quota) of this name: the declaration, or its JSON text, is put under the
 * registration, if there is one, checked and compiled, and the ledger is asked for the answer. Nothing is spent.
 * The ledger has to stay open for as long as the question lives. With a ledger of NULL the question is compiled as it is; it
 * cannot be charged before dpn_question_join.
 * Errors   DPN_EDOMAIN for a name that the ledger does not know, another payer that is not a quota of the same data set, a source that is not the registered one, data that have
 *          another budget, or another column that tells their persons apart; those of dpn_declaration_read, dpn_registration_apply and dpn_query_new; DPN_EUNSUPPORTED for an answer that would be too
 *          long for a ledger; DPN_EIO, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_new(dpn_question **out, dpn_ledger *ledger, const char *name,
                                                   const dpn_declaration *declaration,
                                                   const dpn_question_options *options, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_question_read(dpn_question **out, dpn_ledger *ledger, const char *name,
                                                    const char *text, size_t length,
                                                    const dpn_question_options *options, dpn_error *why);

/* Take a question as a service receives it, a declaration with one member more, {"dataset": "people", "statistics": ...}, apart:
 * the name of the data set, and the text of the declaration, to be freed with free(). length may be NULL.
 * Errors   DPN_EPARSE for text that is not one JSON object, a data set that is missing or no name, and a member "analyst": who
 *          asks is known to the front, and never what the question says. DPN_ENOMEM. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_split(char name[DPN_LEDGER_NAME_SIZE], char **text, size_t *length,
                                                     const char *question, size_t question_length, dpn_error *why);

/* Give a ledger to a question that has none: one in which the data set has a budget and is not registered.
 * Errors   DPN_EDOMAIN for a question that has a ledger, a name that is unknown, a data set that is registered, and data
 *          as in dpn_question_new; DPN_EIO, DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_join(dpn_question *question, dpn_ledger *ledger, dpn_error *why);

/* Accepts NULL. */
DPN_API void dpn_question_free(dpn_question *question);

/* What is asked in the end, with all that the registration filled in; its text, equal for equal questions; the compiled
 * query; the registration with its limits settled, NULL if there is none. They live as long as the question. */
DPN_API const dpn_declaration *dpn_question_declaration(const dpn_question *question);
DPN_API const char *dpn_question_text(const dpn_question *question);
DPN_API const dpn_query *dpn_question_query(const dpn_question *question);
DPN_API const dpn_registration *dpn_question_registration(const dpn_question *question);

/* ---- Where it stands ---- */

typedef enum dpn_question_state {
    DPN_QUESTION_ASKED,    /* to be charged */
    DPN_QUESTION_STORED,   /* the ledger has the answer, and the asker has paid for it or has no quota: it is free */
    DPN_QUESTION_OTHERS,   /* the ledger has it, paid by others: it costs the asker's quota, and no row is read */
    DPN_QUESTION_CHARGED,  /* paid: the tally takes rows */
    DPN_QUESTION_ANSWERED, /* the answer was drawn and stored */
    DPN_QUESTION_FAILED,   /* paid, and there is no answer, nor will there be one */
} dpn_question_state;

/* All but the state is known from a charge or a stored answer on: the entry of the charge under which the answer is kept, when
 * it was made, and what it cost. */
typedef struct dpn_question_standing {
    dpn_question_state state;
    bool stored;              /* the answer came from the ledger */
    bool converted;           /* the charge, from add-remove to replace */
    dpn_head head;            /* of the charge */
    char time[32];            /* of the charge, UTC; "" before */
    const dpn_charge *charge; /* as recorded; NULL before */
    /* The data set's account and the asker's quota, as they stood when the question was put or charged last; NULL if there is none. */
    const dpn_account *account, *quota;
} dpn_question_standing;
DPN_API dpn_question_standing dpn_question_look(const dpn_question *question);

/* What the charge would cost the data set's budget, and the asker's quota if there is one (else *quota is not written; it may
 * be NULL; where two quotas pay, that of the first that does not fit, else of the first). `fits` tells. A stored answer that is free, and one that only the quota pays, cost the budget nothing: its `after`
 * is its `before`.
 * Errors   DPN_EDOMAIN for a question without a ledger, or past its charge. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_preview(dpn_cost *cost, dpn_cost *quota, const dpn_question *question,
                                                       dpn_error *why);

/* ---- Paying ---- */

/* Pay what the question costs, durably: budget and quota together, or neither. The empty tally, its memory and the file for what is
 * beyond that, and whatever else can be prepared is made before, so that they cannot fail afterwards. A stored answer that is free is not paid again, and one that
 * others paid costs the quota alone; then there is no tally, and dpn_question_answer gives the answer.
 * Guarantee  DPN_OK: the charge is on the disk, or there is nothing to pay. Otherwise no row may be read.
 * Which data an unregistered question is about is noted in the same commit, if it was not known.
 * Errors   DPN_EBUDGET, with a sentence that names the budget or quota; DPN_EDOMAIN for a question without a ledger or one
 *          that was charged, and for data that another process has charged to another budget meanwhile; those of dpn_tally_new,
 *          dpn_tally_limit and dpn_ledger_spend_all. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_charge(dpn_question *question, dpn_rng *rng, dpn_error *why);

/* The tally of a question that is charged and not answered, to be given rows, values, columns, sums or states of other processes
 * (statistics.h); NULL otherwise. It belongs to the question. Tallies split from it are to be merged before the answer. */
DPN_API dpn_tally *dpn_question_tally(dpn_question *question);

/* Whether a state fits the question as its registration left it, for those who will add it after the charge: what does not is
 * refused before it, and what does is not refused afterwards. The secret is that of the options.
 * Errors   those of dpn_tally_new_with and dpn_tally_check_state; DPN_EDOMAIN for an inquiry. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_check_state(const dpn_question *question, const unsigned char *state,
                                                           size_t length, dpn_rng *rng, dpn_error *why);

/* Something failed while rows were read: there is no answer, and the charge stands. The reason is kept for the curator, and *why
 * gets the sentence that all failures after the charge have. `why` may be `reason`.
 * Returns  DPN_EIO; DPN_EDOMAIN for a question that is not charged, which stays as it is. */
DPN_API dpn_status dpn_question_fail(dpn_question *question, const dpn_error *reason, dpn_error *why);

/* That sentence. */
DPN_API const char *dpn_question_failure(void);

/* Why a question failed after its charge: for the curator's log, and for nobody else, because it may tell what the data are.
 * "" if it did not fail. */
DPN_API const char *dpn_question_reason(const dpn_question *question);

/* ---- The answer ---- */

/* Draw the noise, keep the answer in the ledger, and give what is kept there. It belongs to the question. Asked again, it is the
 * same answer.
 * Guarantee  One result a charge: the ledger takes no second one, so that of several processes that hold a copy of the
 *          question (by a fork) or of its sums (by an exported state) one at most gives an answer under this charge. What is
 *          not kept does not leave.
 * Of keys that are not declared a ledger may not keep all (64 MiB as JSON): a group that does not fit beside those before it, in the order
 * of keys, is left out.
 * Errors   DPN_EDOMAIN for a question that was not charged, and for an inquiry. DPN_EIO and dpn_question_failure for everything that fails
 *          afterwards, whatever it is. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_answer(const dpn_answer **out, dpn_question *question, dpn_rng *rng,
                                                      dpn_error *why);

/* The same for an inquiry: the text that is kept. It belongs to the question.
 * Errors   those of dpn_question_answer; DPN_EDOMAIN for a question that asks for statistics, whose answer that gives. */
DPN_API DPN_MUST_CHECK dpn_status dpn_question_result(const char **text, dpn_question *question, dpn_rng *rng,
                                                      dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
