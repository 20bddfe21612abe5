# %% [markdown]
# # Correct covariate shift
# A survey reached mostly young people. Reweight the respondents so that they resemble the whole population.

# %%
import numpy as np
import pandas
import protodash
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

columns = ["age", "height_cm", "weight_kg", "sleep_hours"]
adults = pandas.read_csv("testdata/nhanes_adults.csv")[[*columns, "high_blood_pressure"]].dropna()
generator = np.random.default_rng(0)
answers = generator.random(len(adults)) < np.where(adults["age"] < 40, 0.8, 0.15)
everybody = adults.reset_index(drop=True)
asked = everybody[answers].reset_index(drop=True)
print(f"mean age: {asked['age'].mean():.1f} of those asked, {everybody['age'].mean():.1f} of everybody")

# %% [markdown]
# Adding rows until none improves the fit gives the best weights over all rows (kernel mean matching).
# `weights="convex"` makes them sum to 1, and `shift=True` measures their effect.

# %%
matching = {"n_prototypes": "all", "weights": "convex", "bandwidth": 1.0, "shift": True, "columns": columns}
selection = protodash.select(asked, everybody, min_gain=1e-7, **matching)
print(selection.stopped, len(selection), f"explained {selection.explained:.2%}")
print(selection.covariate_shift)

# %% [markdown]
# There is one weight per row, in the order of the table, for any estimate from the respondents.

# %%
weights = selection.covariate_shift.weights
for name in columns:
    before, after, wanted = asked[name].mean(), float(weights @ asked[name]), everybody[name].mean()
    print(f"{name:12} {before:8.2f} -> {after:8.2f}   wanted {wanted:8.2f}")
    assert abs(after - wanted) < max(abs(before - wanted), 0.02 * wanted)

# %% [markdown]
# Weights cost data: the effective sample size says how many equally weighted rows they are worth. `min_effective` sets a floor, and
# `max_weight` a cap on each share; the weights are the best within these limits. The usual alternative is a classifier that tells
# respondents from everybody: the odds of its probabilities are a density ratio.

# %%
limited = protodash.select(asked, everybody, min_effective=len(asked) / 2, **matching).covariate_shift.weights
both = pandas.concat([asked, everybody])[columns]
is_target = np.repeat([0, 1], [len(asked), len(everybody)])
classifier = make_pipeline(StandardScaler(), PolynomialFeatures(2), LogisticRegression(max_iter=1000)).fit(both, is_target)
probability = classifier.predict_proba(asked[columns])[:, 1]
candidates = {
    "unweighted": np.ones(len(asked)),
    "kernel mean matching": weights,
    "the same, min_effective": limited,
    "classifier": probability / (1 - probability),
}

# %% [markdown]
# Do they help a model? A boosted model predicts high blood pressure. It is trained on the respondents of nine folds and judged on
# everybody in the tenth, so that nobody is judged by a model that knew them. What counts are the differences from the unweighted
# model on the same fold.

# %%
N_FOLDS = 10
fold_of = generator.permutation(np.arange(len(everybody)) % N_FOLDS)
fold_of_asked = fold_of[answers]
has = everybody["high_blood_pressure"] == "yes"
losses = {}
for name, weight in candidates.items():
    losses[name] = []
    for fold in range(N_FOLDS):
        kept = (fold_of_asked != fold) & (weight > 0)
        model = HistGradientBoostingClassifier(max_iter=50, learning_rate=0.05, max_depth=3, random_state=0)
        model.fit(asked[columns][kept], has[answers].to_numpy()[kept], sample_weight=weight[kept] / weight[kept].mean())
        judged = fold_of == fold
        losses[name].append(log_loss(has[judged], model.predict_proba(everybody[columns][judged])[:, 1], labels=[False, True]))

difference, error = {}, {}
for name, weight in candidates.items():
    gap = np.array(losses[name]) - losses["unweighted"]
    difference[name], error[name] = gap.mean(), gap.std(ddof=1) / np.sqrt(N_FOLDS)
    size = weight.sum() ** 2 / (weight**2).sum()
    print(f"{name:24} effective {size:6.1f}  log loss {np.mean(losses[name]):.4f}  {difference[name]:+.4f} ± {error[name]:.4f}")

# %% [markdown]
# Free weights do harm here, since they leave the model a third of the data. With the floor the log loss is within a standard error
# of the unweighted one, or better. The price of weights depends on the model: one that overfits, say with trees of any depth and leaves
# of ten people, also loses with the floor. So compare before you weight, on people that the model does not know.

# %%
assert difference["the same, min_effective"] <= error["the same, min_effective"]
assert difference["kernel mean matching"] > error["kernel mean matching"]
