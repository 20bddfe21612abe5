# %% [markdown]
# # Find criticisms in images
# Prototypes show what is typical. Criticisms show what the prototypes miss: odd handwriting, and mistakes in the labels.

# %%
import numpy as np
import protodash

table = np.loadtxt("testdata/digits.csv", delimiter=",", skiprows=1)
labels, pictures = table[:, 0].astype(int), table[:, 1:].reshape(-1, 8, 8)

# %%
selection = protodash.select(pictures, n_prototypes=20, label=labels)
print(selection)

# %% [markdown]
# A notebook shows the gallery; a script can save it.

# %%
figure = selection.plot_images()
figure.savefig("prototypes.png", dpi=100)

# %% [markdown]
# Criticisms by the witness function: where the data have more, or fewer, images than the prototypes' weights suggest.

# %%
witness = selection.criticisms(8)
print(witness)

# %% [markdown]
# Criticisms by distance: the images least similar to any prototype.

# %%
distance = selection.criticisms(8, definition="distance")
print(distance)
assert not set(distance.indices) & set(selection.indices)

# %% [markdown]
# Are they hard for a classifier that knows only the prototypes? It misclassifies more of them than of the others.

# %%
model = protodash.ProtoDash(n_prototypes=100).fit(pictures.reshape(len(pictures), -1), labels)
odd = selection.criticisms(100, definition="distance").indices
wrong = model.predict(pictures.reshape(len(pictures), -1)) != labels
print(f"wrong: {wrong[odd].mean():.1%} of the criticisms, {wrong.mean():.1%} of all")
assert wrong[odd].mean() > wrong.mean()

# %% [markdown]
# An HTML report with the prototypes, the rows they represent and the criticisms as images.

# %%
selection.report("digits.html", criticisms=distance, title="Twenty digits that represent 1,797")
