"""Private regression with scikit-learn's conventions."""
import json
import warnings

import numpy as np

from ._arrow import numpy_columns, speaks_arrow
from ._call import call, ffi, lib, number_text, text_of
from ._fit import SETTINGS, Fit, Model, Options, tuned_options
from ._release import Asking, opened
from ._sklearn import ALONE, BaseEstimator, ClassifierMixin, RegressorMixin, check_is_fitted, validated


class PrivacyWarning(UserWarning):
    """Something that is told although it comes from the data."""


# Checks of scikit-learn that a private fit cannot pass, and why.
_TWO_FITS = "it compares two fits of the same rows, whose noise is never the same"
_SCORE = "it asks for a score on some dozens of rows, where a private fit is mostly noise"
_XFAIL_NUMBERS = {"check_fit_idempotent": _TWO_FITS, "check_supervised_y_2d": _TWO_FITS, "check_regressors_int": _TWO_FITS,
                  "check_regressor_data_not_an_array": _TWO_FITS, "check_regressors_train": _SCORE}
_XFAIL_CLASSES = {"check_fit_idempotent": _TWO_FITS, "check_supervised_y_2d": _TWO_FITS,
                  "check_classifier_data_not_an_array": _TWO_FITS, "check_classifiers_train": _SCORE,
                  "check_classifiers_classes": _SCORE}


def _without_values(make, *arguments, what="X and y"):
    """What `make` makes of data. NumPy's sentence about a text that is no number quotes it; ours does not."""
    quotes = False
    try:
        return make(*arguments)
    except ValueError as error:
        quotes = "could not convert" in str(error)
        if not quotes:
            raise
    raise ValueError(f"{what} must be numbers: words are features of dpnoise.fit, with their levels")


def _columns(X):
    """A data frame's own columns, those of an Arrow table, or an array."""
    if speaks_arrow(X) and not hasattr(X, "iloc"):
        X = numpy_columns(X)
    if type(X) is dict:  # sparse matrices of one kind are dicts too
        return list(X), np.column_stack([_without_values(np.asarray, column, np.float64, what=f"column '{name}'")
                                         for name, column in X.items()])
    return None, X


class _Regression(BaseEstimator):
    def _more_tags(self):
        return {"_xfail_checks": dict(self._xfail_checks), "binary_only": True, "non_deterministic": True}

    # ---- what is asked ----

    def _bounds(self, bounds, width, what):
        if bounds is None:
            raise ValueError(f"{what} must be declared: private data are not looked at to find them")
        lower, upper = (np.broadcast_to(np.asarray(end, dtype=float), (width,)) for end in bounds)
        return lower, upper

    def _declaration(self, names, lower, upper):
        document = {"statistics": [{"kind": "mean", "column": name, "lower": number_text(low), "upper": number_text(high)}
                                   for name, low, high in zip(names, lower.tolist(), upper.tolist())],
                    "epsilon": number_text(self.epsilon), "delta": number_text(self.delta), "relation": self.relation}
        text = json.dumps(document).encode()
        c = ffi.new("dpn_declaration *")
        call(lib.dpn_declaration_read, c, text, len(text))
        return ffi.gc(c, lib.dpn_declaration_free)

    def _options(self):
        return Options(self._kind, {name: getattr(self, name) for name in SETTINGS if hasattr(self, name)})

    def _target_name(self, y):
        """What is fitted is a part of the question: the name of a pandas column."""
        name = getattr(y, "name", None)
        return name if isinstance(name, str) and name else "(target)"

    def _prepared(self, X, y):
        """The declaration and the rows, the target first."""
        names, X = _columns(X)
        checked, target = _without_values(validated, self, X, y, names)
        if not self._is_classifier:
            target = _without_values(np.asarray, target, np.float64, what="the target")
        lower, upper = self._bounds(self.bounds, checked.shape[1], "bounds of the features")
        numbers, low, high, called = self._encoded(target, self._target_name(y))
        names = [str(name) for name in getattr(self, "feature_names_in_", ())] or [f"x{i}" for i in range(checked.shape[1])]
        matrix = np.ascontiguousarray(np.column_stack([numbers, checked]), dtype=np.float64)
        self._lower, self._upper = np.concatenate([low, lower]), np.concatenate([high, upper])
        return self._declaration([called] + names, self._lower, self._upper), matrix

    # ---- fitting ----

    def fit(self, X, y):
        declaration, matrix = self._prepared(X, y)
        fit = Fit(self._options())
        self.stored_ = False
        if self.ledger is None:
            fit.plan(declaration).numbers(matrix)
            self._take(fit.run())
        else:
            self._take(self._charged(declaration, fit, matrix))
        return self

    def _charged(self, declaration, fit, matrix):
        ledger, close = opened(self.ledger)
        asking = None
        ledger._lock.acquire()
        try:
            asking = Asking({}, ledger, self.name, declaration, user=self.user, note=None, fresh=self.fresh, progress=None,
                            inquiry=lib.dpn_fit_inquiry(fit.c))
            asking.pay_and_read([], lambda _: fit.numbers(matrix))
            self.stored_ = bool(asking.standing.stored)
            if self.stored_:
                warnings.warn("the ledger has this fit already: it is given again, and these rows were not read; "
                              "fresh=True fits and pays again", stacklevel=4)
            return fit.answer(asking)
        finally:
            if asking is not None:
                asking.close()
            ledger._lock.release()
            if close:
                ledger.close()

    def tune_on(self, X, y):
        """Choose method, passes, clip and penalties by rows that are public: sets them and returns the estimator, which is not fitted yet."""
        declaration, matrix = self._prepared(X, y)
        options = self._options()
        rows = Fit(options).plan(declaration)
        rows.numbers(matrix)
        chosen, self.tuning_cost_ = tuned_options(rows, options, declaration)
        self.set_params(method=text_of(chosen.c.method) or "auto", passes=chosen.c.passes, clip=chosen.c.clip, l2=chosen.c.l2,
                        share=chosen.c.share, within=chosen.c.within)
        return self

    def _take(self, model):
        first = 1 if model.intercept else 0
        all_of = model.coefficients
        self.model_, self.model_json_ = model, model.to_json()
        self.coef_ = np.array([one.value for one in all_of[first:]])
        self.coef_low_ = np.array([one.low for one in all_of[first:]])
        self.coef_high_ = np.array([one.high for one in all_of[first:]])
        self.intercept_ = all_of[0].value if first else 0.0
        self.interval_kind_, self.method_ = model.interval, model.method
        self.n_iter_ = max(1, self.passes or 1)

    def _linear(self, X):
        check_is_fitted(self)
        names, X = _columns(X)
        checked = _without_values(validated, self, X, ALONE, names, what="X")
        return np.clip(checked, self._lower[1:], self._upper[1:]) @ self.coef_ + self.intercept_


class _OfNumbers(RegressorMixin, _Regression):
    _is_classifier, _xfail_checks = False, _XFAIL_NUMBERS

    def _encoded(self, target, called):
        low, high = self._bounds(self.target_bounds, 1, "target_bounds")
        return target, low, high, called

    def predict(self, X):
        return np.clip(self._linear(X), self._lower[0], self._upper[0])


class LinearRegression(_OfNumbers):
    """Private least squares. `bounds` of the features and `target_bounds` are public: (lower, upper), numbers or lists; what lies
    outside is clamped. The other settings are those of `dpnoise fit`.

    Without a `ledger` nothing is charged and the caller keeps the budget. With one (a `Ledger` or its path) and the `name` of a
    budget the charge is on the disk before a row is read, and the same fit again is free and the same: fresh=True pays again.

    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(-1, 1, (20000, 2)); y = X @ [0.5, -0.25] + 0.1 * rng.standard_normal(20000)
    >>> model = LinearRegression(epsilon=1, bounds=(-1, 1), target_bounds=(-1, 1)).fit(X, y)
    >>> bool(np.all(abs(model.coef_ - [0.5, -0.25]) < 0.05))
    True
    """

    _kind = "linear"

    def __init__(self, *, epsilon=1.0, delta=0.0, bounds=None, target_bounds=None, method="auto", fit_intercept=True, l1=0.0, l2=0.0,
                 noise=None, ball=None, passes=0, rows=0, accounting="exact", clip=0.0, step=0.0, within=0.0, within_l2=False, share=0.0, raw=False,
                 identical=False, start=None, smoothness=None, sample_rate=0.0, points=0, blocks=0, tune=False,
                 relation="add-remove", ledger=None, name=None, user=None, fresh=False):
        _keep(self, locals())


class QuantileRegression(_OfNumbers):
    """A private quantile of the target, the median by default, given the features.

    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(-1, 1, (5000, 1)); y = 0.5 * X[:, 0] + 0.1 * rng.standard_normal(5000)
    >>> model = QuantileRegression(epsilon=4, quantile=0.5, bounds=(-1, 1), target_bounds=(-1, 1)).fit(X, y)
    >>> 0.2 < np.mean(y < model.predict(X)) < 0.8
    True
    """

    _kind = "quantile"

    def __init__(self, *, epsilon=1.0, delta=0.0, quantile=0.5, bounds=None, target_bounds=None, method="auto", fit_intercept=True,
                 l1=0.0, l2=0.0, passes=0, rows=0, clip=0.0, step=0.0, within=0.0, points=0, relation="add-remove", ledger=None,
                 name=None, user=None, fresh=False):
        _keep(self, locals())

    def tune_on(self, X, y):
        raise NotImplementedError("fits of quantiles are not tuned")


class LogisticRegression(ClassifierMixin, _Regression):
    """Private logistic regression of two classes, which are declared: which labels occur in the data is private. classes=None takes
    them from the data, and warns.

    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(-1, 1, (20000, 2)); y = (X @ [3, -2] + rng.logistic(size=20000) > 0).astype(int)
    >>> model = LogisticRegression(epsilon=1, bounds=(-1, 1)).fit(X, y)
    >>> model.score(X, y) > 0.75
    True
    """

    _kind, _is_classifier, _xfail_checks = "logistic", True, _XFAIL_CLASSES

    def __init__(self, *, epsilon=1.0, delta=0.0, bounds=None, classes=(0, 1), method="auto", fit_intercept=True, l1=0.0, l2=0.0,
                 noise=None, ball=None, passes=0, rows=0, accounting="exact", clip=0.0, step=0.0, within=0.0, within_l2=False, share=0.0, raw=False,
                 identical=False, start=None, smoothness=None, sample_rate=0.0, points=0, blocks=0, tune=False,
                 relation="add-remove", ledger=None, name=None, user=None, fresh=False):
        _keep(self, locals())

    def _encoded(self, target, called):
        if self.classes is None:
            classes = np.unique(target)
            if len(classes) != 2:
                raise ValueError("Only binary classification is supported. The type of the target is not of two classes: "
                                 f"there are {len(classes)}; one class, or more than two, are not fitted")
            warnings.warn("the labels are taken from the data, which tells that they occur: declare classes", PrivacyWarning, stacklevel=4)
        else:
            classes = np.asarray(self.classes)
        if classes.shape != (2,):
            raise ValueError("two classes are declared, the second being the one whose probability is fitted")
        if not set(np.unique(target).tolist()) <= set(classes.tolist()):
            raise ValueError("a label is not among the declared classes")
        self.classes_ = classes
        zero, one = np.zeros(1), np.ones(1)
        return (target == classes[1]).astype(float), zero, one, f"{called}={classes[1]}, not {classes[0]}"

    def decision_function(self, X):
        return self._linear(X)

    def predict_proba(self, X):
        line = self._linear(X)
        positive = np.exp(-np.logaddexp(0, -line))
        return np.column_stack([np.exp(-np.logaddexp(0, line)), positive])

    def predict(self, X):
        above = self._linear(X) > 0
        return self.classes_[above.astype(int)]


def _keep(estimator, said):
    for name, value in said.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)
