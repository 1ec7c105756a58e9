"""Private regression with scikit-learn's conventions."""
import json
import warnings

import numpy as np

from ._call import call, ffi, lib, number_text, random_source, text_of, written
from ._ledger import optional
from ._release import Asking, opened

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.validation import check_array, check_is_fitted, check_X_y
except ImportError:  # the estimators work without scikit-learn, and lack its tools

    class BaseEstimator:
        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in self.__init__.__kwdefaults__}

        def set_params(self, **parameters):
            for name, value in parameters.items():
                setattr(self, name, value)
            return self

    class RegressorMixin:
        def score(self, X, y):
            y = np.asarray(y, dtype=float)
            return 1 - np.sum((y - self.predict(X)) ** 2) / np.sum((y - y.mean()) ** 2)

    class ClassifierMixin:
        def score(self, X, y):
            return float(np.mean(self.predict(X) == np.asarray(y)))

    def check_array(X, **_):
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2 or not np.isfinite(X).all():
            raise ValueError("X must be a matrix of finite numbers")
        return X

    def check_X_y(X, y, **_):
        X, y = check_array(X), np.asarray(y)
        if len(y) != len(X):
            raise ValueError("X and y differ in length")
        return X, y

    def check_is_fitted(estimator):
        if not hasattr(estimator, "coef_"):
            raise ValueError("fit first")


_ACCOUNTING = {"exact": lib.DPN_FIT_EXACT, "zcdp": lib.DPN_FIT_ZCDP, "paper": lib.DPN_FIT_PAPER}


class Fit:
    """A dpn_fit and what its options refer to."""

    def __init__(self, kind, estimator):
        self._keep = [optional(estimator.method), optional(estimator.noise), optional(estimator.ball)]
        options = ffi.new("dpn_fit_options *", lib.dpn_fit_options_init())
        options.kind, options.method, options.noise, options.ball = kind, *self._keep
        options.no_intercept = not estimator.fit_intercept
        options.l1, options.l2 = estimator.l1, estimator.l2
        options.passes, options.rows = estimator.passes, estimator.rows
        options.accounting = _ACCOUNTING[estimator.accounting]
        made = ffi.new("dpn_fit **")
        call(lib.dpn_fit_new, made, options)
        self.c = ffi.gc(made[0], lib.dpn_fit_free)

    def numbers(self, matrix):
        """Rows of the target and the features."""
        call(lib.dpn_fit_numbers, self.c, ffi.from_buffer("double[]", matrix), len(matrix))


class _Regression(BaseEstimator):
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

    def _target(self, y):
        """What is fitted is a part of the question: the name of a pandas column."""
        name = getattr(y, "name", None)
        return name if isinstance(name, str) and name else "(target)"

    def _names(self, X, width):
        columns = getattr(X, "columns", None)
        if columns is not None and all(isinstance(column, str) for column in columns):
            self.feature_names_in_ = np.array(columns, dtype=object)
            return list(columns)
        return [f"x{i}" for i in range(width)]

    def _fit(self, kind, target, names, matrix, lower, upper):
        matrix = np.ascontiguousarray(matrix, dtype=np.float64)
        declaration, fit = self._declaration([target] + names, lower, upper), Fit(kind, self)
        made = ffi.new("dpn_model **")
        self.stored_ = False
        if self.ledger is None:
            call(lib.dpn_fit_plan, fit.c, declaration)
            fit.numbers(matrix)
            call(lib.dpn_fit_run, made, fit.c, random_source())
        else:
            ledger, close = opened(self.ledger)
            ledger._lock.acquire()
            try:
                asking = Asking({}, ledger, self.name, declaration, user=self.user, note=None, fresh=self.fresh,
                                progress=None, inquiry=lib.dpn_fit_inquiry(fit.c))
                asking.pay_and_read([], lambda _: fit.numbers(matrix))
                self.stored_ = bool(asking.standing.stored)
                if self.stored_:
                    warnings.warn("the ledger has this fit already: it is given again, and these rows were not read; "
                                  "fresh=True fits and pays again", stacklevel=3)
                text = ffi.new("char **")
                call(lib.dpn_question_result, text, asking.c, random_source())
                call(lib.dpn_model_read, made, text[0], len(ffi.string(text[0])))
            finally:
                ledger._lock.release()
                if close:
                    ledger.close()
        self._take(ffi.gc(made[0], lib.dpn_model_free), len(names))
        self._lower, self._upper = lower, upper

    def _take(self, model, width):
        first = 1 if model.intercept else 0
        all_of = [model.coefficient[i] for i in range(model.coefficients)]
        self.coef_ = np.array([one.value for one in all_of[first:]])
        self.coef_low_ = np.array([one.low for one in all_of[first:]])
        self.coef_high_ = np.array([one.high for one in all_of[first:]])
        self.intercept_ = all_of[0].value if first else 0.0
        self.interval_kind_ = text_of(model.interval)
        self.method_ = text_of(model.method)
        self.model_json_ = written(lib.dpn_model_write, model)
        self.n_features_in_ = width

    def _linear(self, X):
        check_is_fitted(self)
        columns = getattr(X, "columns", None)
        if columns is not None and hasattr(self, "feature_names_in_") and list(columns) != list(self.feature_names_in_):
            raise ValueError("the columns are not those of the fit, in its order")
        X = check_array(X)
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        return np.clip(X, self._lower[1:], self._upper[1:]) @ self.coef_ + self.intercept_


class LinearRegression(RegressorMixin, _Regression):
    """Private least squares. `bounds` of the features and `target_bounds` are public: (lower, upper), numbers or lists; what lies
    outside is clamped.

    Without a `ledger` nothing is charged and the caller keeps the budget. With one (a `Ledger` or its path) and the `name` of a
    budget the charge is on the disk before a row is read, and the same fit again is free and the same: fresh=True pays again.

    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(-1, 1, (20000, 2)); y = X @ [0.5, -0.25] + 0.1 * rng.standard_normal(20000)
    >>> model = LinearRegression(epsilon=1, bounds=(-1, 1), target_bounds=(-1, 1)).fit(X, y)
    >>> bool(np.all(abs(model.coef_ - [0.5, -0.25]) < 0.05))
    True
    """

    def __init__(self, *, epsilon=1.0, delta=0.0, bounds=None, target_bounds=None, method="auto", fit_intercept=True,
                 l1=0.0, l2=0.0, noise=None, ball=None, passes=0, rows=0, accounting="exact", relation="add-remove",
                 ledger=None, name=None, user=None, fresh=False):
        self.epsilon, self.delta, self.bounds, self.target_bounds = epsilon, delta, bounds, target_bounds
        self.method, self.fit_intercept, self.l1, self.l2 = method, fit_intercept, l1, l2
        self.noise, self.ball, self.passes, self.rows = noise, ball, passes, rows
        self.accounting, self.relation = accounting, relation
        self.ledger, self.name, self.user, self.fresh = ledger, name, user, fresh

    def fit(self, X, y):
        names = None if not hasattr(X, "columns") else X
        checked, target = check_X_y(X, y, y_numeric=True)
        lower, upper = self._bounds(self.bounds, checked.shape[1], "bounds of the features")
        low, high = self._bounds(self.target_bounds, 1, "target_bounds")
        self._fit(lib.DPN_FIT_LINEAR, self._target(y), self._names(names, checked.shape[1]), np.column_stack([target, checked]),
                  np.concatenate([low, lower]), np.concatenate([high, upper]))
        return self

    def predict(self, X):
        return np.clip(self._linear(X), self._lower[0], self._upper[0])


class LogisticRegression(ClassifierMixin, _Regression):
    """Private logistic regression of two classes, which are declared: which labels occur in the data is private.

    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(-1, 1, (20000, 2)); y = (X @ [3, -2] + rng.logistic(size=20000) > 0).astype(int)
    >>> model = LogisticRegression(epsilon=1, bounds=(-1, 1)).fit(X, y)
    >>> model.score(X, y) > 0.75
    True
    """

    def __init__(self, *, epsilon=1.0, delta=0.0, bounds=None, classes=(0, 1), method="auto", fit_intercept=True, l1=0.0,
                 l2=0.0, noise=None, ball=None, passes=0, rows=0, accounting="exact", relation="add-remove", ledger=None,
                 name=None, user=None, fresh=False):
        self.epsilon, self.delta, self.bounds, self.classes = epsilon, delta, bounds, classes
        self.method, self.fit_intercept, self.l1, self.l2 = method, fit_intercept, l1, l2
        self.noise, self.ball, self.passes, self.rows = noise, ball, passes, rows
        self.accounting, self.relation = accounting, relation
        self.ledger, self.name, self.user, self.fresh = ledger, name, user, fresh

    def fit(self, X, y):
        names = None if not hasattr(X, "columns") else X
        checked, target = check_X_y(X, y)
        classes = np.asarray(self.classes)
        if classes.shape != (2,):
            raise ValueError("two classes are declared, the second being the one whose probability is fitted")
        if not all(label in self.classes for label in np.unique(target)):
            raise ValueError("a label is not among the declared classes")
        lower, upper = self._bounds(self.bounds, checked.shape[1], "bounds of the features")
        self._fit(lib.DPN_FIT_LOGISTIC, f"{self._target(y)}={classes[1]}, not {classes[0]}", self._names(names, checked.shape[1]),
                  np.column_stack([(target == classes[1]).astype(float), checked]),
                  np.concatenate([[0.0], lower]), np.concatenate([[1.0], upper]))
        self.classes_ = classes
        return self

    def decision_function(self, X):
        return self._linear(X)

    def predict_proba(self, X):
        positive = 1 / (1 + np.exp(-self._linear(X)))
        return np.column_stack([1 - positive, positive])

    def predict(self, X):
        return self.classes_[(self._linear(X) > 0).astype(int)]
