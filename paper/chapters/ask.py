"""Questions that several chapters ask the tool."""
import math


def points(answer, member):
    """The points of an answer: one epsilon or order is not in a list."""
    return answer.get(member, [answer])


def profile(i, law, *options, show=True):
    """[{epsilon, delta, ...}] of one law."""
    return points(i.json("profile", law, *options, show=show), "profile")


def delta(i, law, epsilon, *options, show=True):
    return profile(i, law, "--epsilon", epsilon, *options, show=show)[0]["delta"]


def least(i, family, epsilons, delta, *options, keep=False):
    """The least error of a family at each epsilon: [{epsilon, mse, law}]."""
    found = i.json("calibrate", family, "--epsilon", ",".join(epsilons), "--delta", delta, *options, keep=keep)
    if "grid" in found:
        return found["grid"]
    return [{"epsilon": found["epsilon"], "mse": found["mse"], "law": found.get("law")}]


def decibels(ratio):
    return 10 * math.log10(ratio)
