# %% [markdown]
# # dpnoise in a notebook
# Choose noise, publish a table, fit a model, read the budget. The people are made up. `python/notebook/make` runs this script cell by cell and
# writes `tutorial.ipynb`; every run draws new noise, so that your numbers differ.

# %%
import pathlib
import tempfile

import numpy as np

import dpnoise

rng = np.random.default_rng(7)
n = 20_000
people = {
    "region": rng.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2]),
    "age": rng.integers(18, 90, n),
    "hours": rng.uniform(0, 60, n).round(1),
}
people["income"] = (8_000 + 650 * people["hours"] + 120 * (people["age"] - 40) + rng.normal(0, 6_000, n)).clip(0, 100_000).round()

# %% [markdown]
# ## Choose noise
# One number that a person moves by at most 1, at epsilon 1 and no delta. The best noise comes first; `compare` certifies each of them.

# %%
ranked = dpnoise.compare(epsilon=1)
ranked

# %% [markdown]
# With a delta of one in a million, Gaussian noise: its guarantee is an interval that contains the true value, and `upper` may back a promise.

# %%
plan = dpnoise.calibrate("gaussian", epsilon=1, delta=1e-6)
dpnoise.profile(plan, epsilon=1)

# %%
plan.law

# %% [markdown]
# ## A budget, on disk
# The charge is written before the first row is read, and what exceeds the budget is refused.

# %%
directory = pathlib.Path(tempfile.mkdtemp())
ledger = dpnoise.Ledger(directory / "ledger.db", create=True)
head = ledger.init("people", epsilon=2)
ledger

# %% [markdown]
# ## Publish a table
# Bounds and levels are public: they are declared, never taken from the data.

# %%
answer = dpnoise.release(people, name="people", ledger=ledger, count=True, mean=("income", 0, 100_000), by="region",
                         levels={"region": ["north", "south", "west"]}, epsilon="0.5")
answer

# %% [markdown]
# The same question again is free and has the same answer.

# %%
again = dpnoise.release(people, name="people", ledger=ledger, count=True, mean=("income", 0, 100_000), by="region",
                        levels={"region": ["north", "south", "west"]}, epsilon="0.5")
print("stored:", again.stored, " same:", again["north", "count"] == answer["north", "count"], " left:", ledger["people"].left_pure)

# %% [markdown]
# ## Fit a model
# Income by hours and age. The intervals account for the noise.

# %%
model = dpnoise.fit("linear", people, target="income:0:100000", features=["hours:0:60", "age:18:90"], ledger=ledger, name="people", epsilon="1")
model

# %%
model.predict({"hours": [10, 40], "age": [30, 50]}).round()

# %% [markdown]
# The same with scikit-learn's conventions, without a ledger: the caller keeps the budget.

# %%
X = np.column_stack([people["hours"], people["age"]])
estimator = dpnoise.LinearRegression(epsilon=1, bounds=([0, 18], [60, 90]), target_bounds=(0, 100_000)).fit(X, people["income"])
print("coefficients", estimator.coef_.round(), " score", round(estimator.score(X, people["income"]), 3))

# %% [markdown]
# ## Account for private training
# A thousand steps of DP-SGD, exactly.

# %%
run = dpnoise.Accountant()
run.step(sigma=1.0, q=0.01, n=1000)
run.epsilon(delta=1e-6)

# %% [markdown]
# ## Read the budget

# %%
ledger

# %%
for entry in ledger.history():
    print(entry.kind, entry.name, entry.epsilon)

# %%
try:
    ledger.charge("people", epsilon="0.6")
except dpnoise.BudgetError as refused:
    print(refused)
ledger.close()
