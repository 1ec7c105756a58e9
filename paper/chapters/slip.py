"""How an erratum reads: what is printed, what comes out, and why."""


def slip(i, word, printed, ours, why):
    i.text(f"*Printed:* {printed}")
    i.text(f"*Comes out:* {ours}")
    i.verdict(word, why)
