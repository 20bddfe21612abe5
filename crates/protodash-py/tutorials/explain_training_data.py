# %% [markdown]
# # Explain a model's training data by class
# What was a classifier of handwritten digits trained on? A few images per class, each with its weight.

# %%
import numpy as np
import protodash
from sklearn.linear_model import LogisticRegression

table = np.loadtxt("testdata/digits.csv", delimiter=",", skiprows=1)
labels, pictures = table[:, 0].astype(int), table[:, 1:]
train, test = slice(0, 1200), slice(1200, None)

# %% [markdown]
# Three prototypes per class, chosen among the images of that class.

# %%
selection = protodash.select(pictures[train], n_prototypes=30, label=labels[train], per_label="equal")
of_class = np.array(selection.labels)
for digit in range(10):
    print(digit, selection.indices[of_class == digit], selection.weights[of_class == digit].round(3))

# %% [markdown]
# Do they contain what the model learnt? Compare a classifier trained on only these 30 weighted images with one trained
# on all 1,200.

# %%
chosen, share = selection.indices, 30 * selection.shares
few = LogisticRegression(max_iter=2000).fit(pictures[chosen], labels[chosen], sample_weight=share)
all_rows = LogisticRegression(max_iter=2000).fit(pictures[train], labels[train])
print(f"30 prototypes: {few.score(pictures[test], labels[test]):.1%}")
print(f"1,200 rows:    {all_rows.score(pictures[test], labels[test]):.1%}")
assert few.score(pictures[test], labels[test]) > 0.75

# %% [markdown]
# Why this prediction? Show the prototypes of the predicted class that are most similar to the image.

# %%
question = pictures[test][:1]
said = all_rows.predict(question)[0]
alike = selection.indices[of_class == said]
similarity = selection.kernel(question, pictures[alike])[0]
print(said, dict(zip(alike.tolist(), similarity.round(3).tolist(), strict=True)))
