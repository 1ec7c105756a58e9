"""Private coordinate descent: FH Table III, the talk's tables and its improved DP-CD, by dpnoise fit --experiment.

The experiments are NOT private: columns are standardised and settings tuned on the rows, as the papers do.
"""
import functools
import os

import cache
import tables

NOISES, ACCOUNTINGS = ("gaussian", "flipped-huber"), ("paper", "exact")

PRINTED = {  # name: (in print, Gaussian NMSE, test, flipped Huber NMSE, test)
    "houses": ("Houses", "0.6371e-3", "0.0391", "0.6165e-3", "0.0389"),
    "wine": ("Wine quality", "0.2250", "0.0614", "0.1421", "0.0513"),
    "pumpkin": ("Pumpkin seeds", "0.0255", "0.1224", "0.0189", "0.1152"),
    "heart": ("Heart", "0.2384", "0.1741", "0.1989", "0.1556"),
    "california": ("California", "0.0479", "0.4532", "0.0465", "0.4298"),
    "boston": ("Boston housing", "0.3579", "0.3743", "0.3406", "0.3253"),
    "airfoil": ("Airfoil", "0.0206", "0.5161", "0.0190", "0.4558"),
    "diabetes": ("Diabetes", "0.2515", "0.5741", "0.1489", "0.4384"),
}
# Improved DP-CD: epsilons, and the setting, the same for both sides.
IMPROVED = {"california": (["0.1", "0.3", "1", "3", "10"], ["--passes", "50", "--step", "1", "--clip", "3", "--trials", "40"]),
            "electricity": (["0.1", "0.3", "1", "3", "10"], ["--passes", "20", "--step", "1", "--clip", "1", "--trials", "10"])}


def command(name, *more, epsilon="1"):
    """The experiment on one table, and the table."""
    fact, (kind, *_, penalty) = tables.facts()[name], tables.SETS[name]
    train = round(0.8 * fact["rows"])
    return ["fit", kind, f"{name}.csv", "--target", fact["target"], "--features", fact["columns"], "--regularize", penalty, "--method", "cd",
            "--raw", "--relation", "replace", "--epsilon", epsilon, "--delta", f"{1 / train ** 2:.3e}", "--experiment", *more]


def run(i, name, *more, epsilon="1", show=True):
    return i.json(*command(name, *more, epsilon=epsilon), files={f"{name}.csv": functools.partial(tables.text, name)}, keep=True, show=show)


def kept(i, arguments, name):
    """Whether the answer is there, or can be had because the data are."""
    key = i.cache.key([*arguments, "--json"], {f"{name}.csv": tables.text})
    return (cache.KEPT / f"{key}.json").exists() or "DPN_PAPER_DATA" in os.environ


def sets(i):
    """The sets of Table III that were run: {name: what is printed}."""
    return {name: values for name, values in PRINTED.items()
            if all(kept(i, command(name, "--noise", noise, "--accounting", a, "--trials", "20"), name) for noise in NOISES for a in ACCOUNTINGS)}


def table_iii(i, name, noise, accounting, show=True):
    return run(i, name, "--noise", noise, "--accounting", accounting, "--trials", "20", show=show)


def improved(i, name, epsilon, identical, show=True):
    return run(i, name, "--as-declared", "--noise", "gaussian", *IMPROVED[name][1], *(["--identical"] if identical else []), epsilon=epsilon, show=show)


def spread(measured):
    return f"{measured['mean']:.3g} ± {measured['error']:.1g}"
