"""Every family side by side."""
import html
import math

from ._calibrate import Plan, _epsilon_or_error, calibration_options
from ._call import Watch, ffi, lib, text_of
from ._privacy import set_of

_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")


class Comparison(list):
    """Plans, the least error first (or the least epsilon, for an error); `left_out` says why other families have none."""

    left_out: dict
    by_epsilon: bool

    def _rows(self):
        for plan in self:
            yield plan.family, plan.error, plan.mse, plan.epsilon, plan.delta.upper

    def __str__(self):
        lines = [f"{'family':<24} {'error':>14} {'mse':>14} {'epsilon':>10} {'delta <=':>12}"]
        lines += [f"{family:<24} {error:>14.8g} {mse:>14.8g} {epsilon:>10.5g} {delta:>12.4g}" for family, error, mse, epsilon, delta in self._rows()]
        return "\n".join(lines)

    def __repr__(self):
        return str(self)

    # ---- in notebooks ----

    def _densities(self, width=420, height=160):
        """The densities of the best laws of one answer, as a picture."""
        laws = [(plan.family, plan.law) for plan in self if plan.law is not None][: len(_COLOURS)]
        if not laws:
            return ""
        end = 3.5 * max(law.std() for _, law in laws)
        points = [end * (i / 100 - 1) for i in range(201)]
        if all(law.is_integer for _, law in laws):
            points = list(range(-math.ceil(end), math.ceil(end) + 1))
        drawn = [(family, law.pdf([round(t) for t in points] if law.is_integer else points)) for family, law in laws]
        top = max(max(values) for _, values in drawn)
        lines = []
        for (family, values), colour in zip(drawn, _COLOURS):
            path = " ".join(f"{width * i / (len(points) - 1):.1f},{height - 4 - (height - 10) * value / top:.1f}" for i, value in enumerate(values))
            lines.append(f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='1.5'><title>{html.escape(family)}</title></polyline>")
        words = "".join(f"<text x='6' y='{16 + 14 * i}' fill='{colour}' font-size='11'>{html.escape(family)}</text>"
                        for i, ((family, _), colour) in enumerate(zip(drawn, _COLOURS)))
        return (f"<svg width='{width}' height='{height}' role='img' aria-label='densities from {-end:.3g} to {end:.3g}'>"
                f"{''.join(lines)}{words}</svg>")

    def _repr_html_(self):
        key = (lambda plan: plan.epsilon) if self.by_epsilon else (lambda plan: plan.error)
        worst = max((key(plan) for plan in self), default=1)
        row = ("<tr><td>{}</td><td>{:.8g}</td><td>{:.8g}</td><td>{:.5g}</td><td>{:.4g}</td><td><svg width='160' height='12' role='img' aria-label='{:.3g}'>"
               "<rect width='{:.1f}' height='12' fill='#4477aa'/></svg></td></tr>")
        rows = "".join(row.format(html.escape(plan.family), plan.error, plan.mse, plan.epsilon, plan.delta.upper, key(plan), 160 * key(plan) / worst)
                       for plan in self)
        why = "".join(f"<li>{html.escape(family)}: {html.escape(reason)}</li>" for family, reason in self.left_out.items())
        why = f"<details><summary>{len(self.left_out)} families have no such noise</summary><ul>{why}</ul></details>" if why else ""
        return (f"<table><tr><th>family</th><th>error</th><th>mse</th><th>epsilon</th><th>delta at most</th><th></th></tr>{rows}</table>"
                f"{self._densities()}{why}")

    def to_pandas(self):
        import pandas

        return pandas.DataFrame([{"family": plan.family, "error": plan.error, "mse": plan.mse,
                                  "epsilon": plan.epsilon, "delta_upper": plan.delta.upper,
                                  "noise": plan.noise[0] if len(set(plan.noise)) == 1 else "; ".join(plan.noise)}
                                 for plan in self])


def compare(epsilon=None, delta=0.0, sensitivity=1.0, *, error=None, objective="mse", condition="exact", weight=None, identical=False,
            times=1, progress=None):
    """Every family, calibrated and ranked: by the error at an epsilon, or by the least epsilon for an error.

    >>> [plan.family for plan in compare(1)][:2]
    ['discrete-laplace', 'staircase']
    """
    _epsilon_or_error(epsilon, error)
    of, watch, keep = set_of(sensitivity), Watch(progress), []
    options = calibration_options(objective=objective, condition=condition, weight=weight, identical=identical, times=times, watch=watch, keep=keep)
    out = ffi.new("dpn_comparison *")
    watch.call(lib.dpn_compare if error is None else lib.dpn_compare_epsilon, out, epsilon if error is None else error, delta, of._c, options)
    ranked = Comparison()
    ranked.left_out, ranked.by_epsilon = {}, error is not None
    for i in range(out.rows):
        row = out.row[i]
        if row.status:
            ranked.left_out[text_of(row.family)] = text_of(row.why.sentence)
        else:
            # The plan moves into an object of its own, and the comparison forgets it.
            mine = ffi.new("dpn_plan *", row.plan)
            ffi.memmove(ffi.addressof(out.row[i], "plan"), ffi.new("dpn_plan *"), ffi.sizeof("dpn_plan"))
            ranked.append(Plan._made(mine))
    lib.dpn_comparison_free(out)
    return ranked
