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
selection = protodash.select(pictures[train], n_prototypes=30, label=labels[train], per_label="equal")
of_class = np.array(selection.labels)
for digit in range(10):
    print(digit, selection.indices[of_class == digit], selection.weights[of_class == digit].round(3))

# %% [markdown]
# Do they carry what the model learnt? A classifier that sees these 30 pictures only, each with its weight, against one
# that sees all 1,200.

# %%
chosen, share = selection.indices, 30 * selection.shares
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
alike = selection.indices[of_class == said]
similarity = selection.kernel(question, pictures[alike])[0]
print(said, dict(zip(alike.tolist(), similarity.round(3).tolist(), strict=True)))
