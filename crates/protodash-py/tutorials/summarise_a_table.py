# %% [markdown]
# # Summarise a table
# 1,200 adults, 17 columns of numbers and words, some of them empty: which few people stand for all of them?

# %%
import pandas
import protodash

adults = pandas.read_csv("testdata/nhanes_adults.csv", index_col="id")
adults.shape

# %% [markdown]
# Words become one-hot and numbers are standardised. Missing values have to be spoken of: here they are a level of their own.

# %%
selection = protodash.select(adults, n_prototypes=5, missing="category")
print(selection)

# %% [markdown]
# The index of the table names the rows. `to_frame` puts the weights in front of the columns they were chosen from.

# %%
chosen = selection.to_frame()
print(chosen[["prototype_share", "age", "gender", "education", "smoking"]])

# %% [markdown]
# How many are enough? `explained` says how much of the table's kernel mean they carry, and the run knows it for every
# smaller number too.

# %%
for size in (1, 2, 5):
    print(size, f"{selection.prefix(size).explained:.1%}")

# %% [markdown]
# One file can be both sides: which people who never smoked look most like those who smoke every day?

# %%
alike = protodash.select(
    adults,
    n_prototypes=4,
    missing="category",
    drop=["smoking"],
    source_where="smoking = 'never'",
    target_where="smoking = 'every day'",
)
print(alike)
assert set(adults.loc[alike.ids, "smoking"]) == {"never"}

# %% [markdown]
# Something to show to others: one page for any browser, with the people's values beside the typical ones and a map.

# %%
selection.report("adults.html", criticisms=selection.criticisms(4), title="Five people who stand for 1,200 adults")
