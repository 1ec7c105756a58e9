/* The numbers that `dpnoise add` reads. */
#include "add/add.h"
#include "kit/fail.h"

#include <errno.h>
#include <string.h>

enum { LONGEST = 1000 }; /* characters of a number */

/* The next word, of at most LONGEST characters, or one more if it is longer. Returns its length, 0 at the end. */
static size_t read_word(char word[LONGEST + 2], FILE *in) {
    static const char between[] = " \t\r\n\v\f,";
    int c = getc(in);
    while (c != EOF && c != '\0' && strchr(between, c)) c = getc(in);
    size_t length = 0;
    for (; c != EOF && (c == '\0' || !strchr(between, c)); c = getc(in))
        if (length <= LONGEST) word[length++] = (char)c;
    word[length] = '\0';
    return length;
}

static dpn_status parse(struct addition *addition, size_t i, const char *word, size_t length, dpn_error *why) {
    dpn_error reason;
    if (length > LONGEST) return refuse(why, DPN_EIO, "standard input: value %zu is too long for a number", i + 1);
    if (strlen(word) != length) return refuse(why, DPN_EIO, "standard input is not text");
    if (dpn_release_parse(&addition->value[i], addition->release, i, word, &reason) == DPN_OK) return DPN_OK;
    return refuse(why, DPN_EIO, "standard input: %.160s", reason.sentence);
}

dpn_status add_read_values(struct addition *addition, FILE *in, dpn_error *why) {
    char word[LONGEST + 2];
    size_t count = 0, wanted = addition->asked.sensitivity.set.dimension, length;
    dpn_status status = DPN_OK;
    errno = 0;
    while (!status && (length = read_word(word, in)) > 0) {
        if (count < wanted) status = parse(addition, count, word, length, why);
        count++;
    }
    if (status) return status;
    if (ferror(in)) return refuse(why, DPN_EIO, "standard input cannot be read: %s", strerror(errno));
    if (count != wanted)
        return refuse(why, DPN_EIO, "standard input has %s values than the sensitivity set, which is about %zu (--dim)",
                      count < wanted ? "fewer" : "more", wanted);
    return DPN_OK;
}
