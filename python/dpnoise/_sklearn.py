"""What the estimators need of scikit-learn, with or without it."""
import inspect

import numpy as np

ALONE = object()  # in the place of y: rows to predict

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted

    def validated(estimator, X, y, names):
        """X and y, or X alone where y is ALONE, checked as scikit-learn does, with the names of the columns."""
        if names is not None:
            import pandas

            X = pandas.DataFrame(X, columns=names)
        try:
            from sklearn.utils.validation import validate_data  # since 1.6
        except ImportError:
            def validate_data(of, X, y="no_validation", **more):
                return of._validate_data(X, y, **more)
        if y is ALONE:
            return validate_data(estimator, X, reset=False, dtype=np.float64)
        X, y = validate_data(estimator, X, y, reset=True, dtype=np.float64, y_numeric=not estimator._is_classifier)
        if estimator._is_classifier:
            check_classification_targets(y)
        return X, y

except ImportError:  # the estimators work without scikit-learn, and lack its tools

    class BaseEstimator:
        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in inspect.signature(type(self).__init__).parameters if name != "self"}

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

    def check_is_fitted(estimator):
        if not hasattr(estimator, "coef_"):
            raise ValueError("fit first")

    def validated(estimator, X, y, names):
        names = list(X.columns) if names is None and hasattr(X, "columns") else names
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2 or not np.isfinite(X).all():
            raise ValueError("X must be a matrix of finite numbers")
        if y is ALONE:
            if X.shape[1] != estimator.n_features_in_:
                raise ValueError(f"X has {X.shape[1]} features, and the fit had {estimator.n_features_in_}")
            if names is not None and hasattr(estimator, "feature_names_in_") and names != list(estimator.feature_names_in_):
                raise ValueError("the columns are not those of the fit, in its order")
            return X
        y = np.asarray(y)
        if len(y) != len(X):
            raise ValueError("X and y differ in length")
        estimator.n_features_in_ = X.shape[1]
        if names is not None:
            estimator.feature_names_in_ = np.array(names, dtype=object)
        return X, y
