/* A question between its words and its answer. */
#ifndef DPN_QUESTION_QUESTION_H
#define DPN_QUESTION_QUESTION_H

#include <dpnoise/question.h>

struct dpn_question {
    /* what was given */
    dpn_ledger *ledger; /* NULL before a join; not owned */
    char name[DPN_LEDGER_NAME_SIZE], also[DPN_LEDGER_NAME_SIZE], analyst[DPN_LEDGER_NAME_SIZE]; /* also: "": none */
    char *note, *source;
    char *place; /* where the data are, as text; NULL: what the source says */
    bool (*same)(void *context, const dpn_place *other);
    void *same_context;
    bool fresh;
    bool states;     /* what was made elsewhere, beside a registration too */
    char *parts;     /* of states: their names as the front has them, which no ledger gets to see */
    uint64_t memory; /* for keys and persons; 0: nobody said */
    bool has_secret; /* of the lottery; else one is drawn */
    dpn_tally_secret secret;

    /* what is asked */
    dpn_declaration declaration;   /* with what the registration fills in; the query has it in its one form */
    const dpn_inquiry *inquiry;    /* instead of the statistics; NULL: none */
    dpn_query *query;              /* of an inquiry without noise: which columns are read */
    dpn_registration registration; /* if there is one */
    bool registered;
    dpn_registration
        written; /* otherwise, and of states: where the data are and their person, with the text for the ledger */
    char *data;
    bool noted;          /* the ledger has it */
    uint64_t version;    /* of the registration, 0 if there is none */
    char *specification; /* under which the ledger keeps the answer; NULL before there is an account */

    /* where it stands; an account that is not there has no filter */
    dpn_account account, quota[2]; /* the quota by whose name it is asked, and the one that pays too */
    bool owes[2];                  /* which quota has not paid for the stored answer */
    dpn_question_state state;
    bool stored, converted, paid; /* paid: head, time and charge are known */
    dpn_head head;
    char time[32];
    dpn_charge charge;
    dpn_tally *tally;
    dpn_answer *answer; /* of an inquiry NULL ... */
    char *result;       /* ... and this its text */
    dpn_error reason;
};

/* The text under which an answer is kept: the data set, which of its contents, what data they are, and the question. Equal
 * for equal questions about the same data alone. To be freed.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_question_specify(char **out, const dpn_question *question, dpn_error *why);

/* The account that the name means, the quota if it is one, and whether the ledger has the answer. */
dpn_status dpn_question_find_account(dpn_question *question, dpn_error *why);
dpn_status dpn_question_look_up(dpn_question *question, dpn_error *why);

/* Of states: keep their names, the words after the first of a place that is declared; and make of each, with the ledger, a name
 * that tells nothing of them without its key (`place`, `source`). States are sums without noise, and a digest of few numbers is
 * undone by trying.
 * Errors   DPN_EDOMAIN for another place; DPN_ENOMEM. */
dpn_status dpn_question_take_parts(dpn_question *question, const dpn_place *place, dpn_error *why);
dpn_status dpn_question_hide_parts(dpn_question *question, dpn_error *why);

/* Of a data set that is not registered, and of states: write down which data these are (`written`, `data`), and see that they have no
 * other budget and no other person, and whether the ledger knows them (`noted`). `admit` is the same for the moment of the
 * charge, a dpn_ledger_admit whose context is the question.
 * Errors   DPN_EDOMAIN, with the remedy; DPN_EPARSE for a place that no ledger can keep; DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_question_check_data(dpn_question *question, dpn_error *why);
dpn_status dpn_question_admit(void *question, const dpn_known_source *other, dpn_error *why);

/* What the question costs an account. */
dpn_charge dpn_question_cost(const dpn_question *question, const dpn_account *account);

/* The text of an answer, to be freed. If keys are unknown, groups that a ledger cannot keep beside those before them leave the answer.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_question_write_answer(char **text, size_t *length, dpn_answer *answer, const dpn_query *query,
                                     dpn_error *why);

/* Remember the charge with that number. That its entry cannot be read is no failure: the charge is known. */
void dpn_question_remember(dpn_question *question, uint64_t number);

#endif
