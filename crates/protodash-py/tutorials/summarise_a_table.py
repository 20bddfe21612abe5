# %% [markdown]
# # Summarise a table
# 1,200 adults, 17 columns of numbers and text with missing values: which few people represent them all?

# %%
import pandas
import protodash

adults = pandas.read_csv("testdata/nhanes_adults.csv", index_col="id")
adults.shape

# %% [markdown]
# Text is one-hot encoded and numbers are standardised. Missing values need a rule: here they are a separate category.

# %%
selection = protodash.select(adults, n_prototypes=5, missing="category")
print(selection)

# %% [markdown]
# The index of the table identifies the rows. `to_frame` returns the chosen rows with their weights in the first
# columns.

# %%
chosen = selection.to_frame()
print(chosen[["prototype_share", "age", "gender", "education", "smoking"]])

# %% [markdown]
# How many are enough? `explained` is the share of the table's kernel mean that they reproduce; one run gives it for
# every smaller number too.

# %%
for size in (1, 2, 5):
    print(size, f"{selection.prefix(size).explained:.1%}")

# %% [markdown]
# One table can be both source and target: which people who never smoked look most like those who smoke every day?

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
# To share the result: an HTML report with each person's values next to the typical ones, and a map.

# %%
selection.report("adults.html", criticisms=selection.criticisms(4), title="Five people who represent 1,200 adults")
