# %% [markdown]
# # Correct covariate shift
# A survey reached mostly young people. Reweight the respondents so that they resemble the whole population.

# %%
import numpy as np
import pandas
import protodash

adults = pandas.read_csv("testdata/nhanes_adults.csv")[["age", "height_cm", "weight_kg", "sleep_hours"]].dropna()
generator = np.random.default_rng(0)
answers = generator.random(len(adults)) < np.where(adults["age"] < 40, 0.8, 0.15)
asked, everybody = adults[answers].reset_index(drop=True), adults.reset_index(drop=True)
print(f"mean age: {asked['age'].mean():.1f} of those asked, {everybody['age'].mean():.1f} of everybody")

# %% [markdown]
# Adding rows until none improves the fit gives the best weights over all rows (kernel mean matching).
# `weights="convex"` makes them sum to 1, and `shift=True` measures their effect.

# %%
selection = protodash.select(
    asked, everybody, "all", min_gain=1e-7, weights="convex", bandwidth=1.0, shift=True
)
print(selection.stopped, len(selection), f"explained {selection.explained:.2%}")
print(selection.covariate_shift)

# %% [markdown]
# There is one weight per row, in the order of the table, for any estimate from the respondents.

# %%
weights = selection.covariate_shift.weights
for name in adults.columns:
    before, after, wanted = asked[name].mean(), float(weights @ asked[name]), everybody[name].mean()
    print(f"{name:12} {before:8.2f} -> {after:8.2f}   wanted {wanted:8.2f}")
    assert abs(after - wanted) < max(abs(before - wanted), 0.02 * wanted)
