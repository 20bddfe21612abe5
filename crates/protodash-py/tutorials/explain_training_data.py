# %% [markdown]
# # Explain a model's training data by class
# What did a classifier of handwritten digits see? A few pictures for each class, with how much each of them stands for.

# %%
import numpy as np
import protodash
from sklearn.linear_model import LogisticRegression

table = np.loadtxt("testdata/digits.csv", delimiter=",", skiprows=1)
labels, pictures = table[:, 0].astype(int), table[:, 1:]
train, test = slice(0, 1200), slice(1200, None)

# %% [markdown]
# Three prototypes for each class, chosen among the pictures of that class.

# %%
prototypes, weights = {}, {}
for digit in range(10):
    rows = np.flatnonzero(labels[train] == digit)
    selection = protodash.select(pictures[rows], n_prototypes=3)
    prototypes[digit], weights[digit] = rows[selection.indices], selection.shares
    print(digit, prototypes[digit], [f"{share:.0%}" for share in weights[digit]], f"{selection.explained:.1%}")

# %% [markdown]
# Do they carry what the model learnt? A classifier that sees these 30 pictures only, each as often as its share of the
# class says, against one that sees all 1,200.

# %%
chosen = np.concatenate([prototypes[digit] for digit in range(10)])
share = np.concatenate([weights[digit] for digit in range(10)])
few = LogisticRegression(max_iter=2000).fit(pictures[chosen], labels[chosen], sample_weight=share)
all_rows = LogisticRegression(max_iter=2000).fit(pictures[train], labels[train])
print(f"30 prototypes: {few.score(pictures[test], labels[test]):.1%}")
print(f"1,200 rows:    {all_rows.score(pictures[test], labels[test]):.1%}")
assert few.score(pictures[test], labels[test]) > 0.75

# %% [markdown]
# Why did the model say so? The prototypes of the predicted class that are most like the picture in question.

# %%
question = pictures[test][:1]
said = all_rows.predict(question)[0]
similarity = protodash.kernels.Gaussian(30.0)(question, pictures[prototypes[said]])[0]
print(said, dict(zip(prototypes[said].tolist(), similarity.round(3).tolist(), strict=True)))
