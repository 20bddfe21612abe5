# %% [markdown]
# # Explain a credit decision
# A model decides on loans. Why was one applicant approved and another denied? Show each next to the few past applicants with
# the same decision who resemble them most: the credit example that users of AIX360 know, on the public table of 1,000 German
# loans.

# %%
import numpy as np
import pandas
import protodash
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

loans = pandas.read_csv("testdata/german_credit.csv")
past, applicants = loans[:800], loans[800:].reset_index(drop=True)

# %% [markdown]
# A decision must not rest on sex, marital status or origin, so neither the model nor the explanation sees these columns.

# %%
hidden = ["repaid", "personal_status", "foreign_worker"]
features = [name for name in loans.columns if name not in ["loan", *hidden]]
texts = [name for name in features if loans[name].dtype.kind not in "iuf"]
numbers = [name for name in features if name not in texts]
encoder = make_column_transformer(
    (OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts), (StandardScaler(), numbers)
)
model = make_pipeline(encoder, LogisticRegression(max_iter=2000)).fit(past, past["repaid"])
approved = model.predict(applicants) == "yes"
print(f"correct for {model.score(applicants, applicants['repaid']):.1%}, approved {approved.mean():.0%} of the applicants")

# %% [markdown]
# `same=model` compares each applicant with the past applicants for whom the model decides the same.

# %%
explanations = protodash.explain(past, applicants, n_prototypes=5, same=model, id="loan", drop=hidden)
similar = np.array([explanation.similar for explanation in explanations])
print(explanations.to_frame("pandas")[["id", "label", "rank", "source_id", "share", "distance"]].head(10))

# %% [markdown]
# An approved applicant: the weights say how much each past applicant contributes to the picture, and the words where they agree
# and where they differ.

# %%
first_approved, first_denied = np.flatnonzero(approved & similar)[0], np.flatnonzero(~approved & similar)[0]
print(explanations[first_approved])

# %% [markdown]
# A denied one, as a table: the applicant in the first column.

# %%
denied = explanations[first_denied]
chosen = past.iloc[[one.index for one in denied.prototypes]]
table = pandas.concat([applicants[first_denied : first_denied + 1], chosen]).set_index("loan")[features].T
print(denied.sentence)
print(table.to_string())
assert (model.predict(chosen) == "no").all()

# %% [markdown]
# Nothing similar: for some applicants the model has seen nobody like them. The nearest past applicant would be shown anyway, but
# it explains little; such a decision deserves a second look.

# %%
strangers = np.flatnonzero(~similar)
print(f"nothing similar for {len(strangers)} of {len(applicants)} applicants, such as:")
print(explanations[strangers[0]].sentence)
assert 0 < len(strangers) < len(applicants) / 10

# %% [markdown]
# AIX360's explainer gives the same answer for one row at a time, here with our drop-in for it. It takes arrays, so both get the
# encoded rows.

# %%
from protodash.aix360 import ProtodashExplainer

matrix = model[0].transform(loans)
known, new = matrix[:800], matrix[800:]
decision = model.predict(past) == "no"
weights, rows, _ = ProtodashExplainer().explain(new[[first_denied]], known[decision], m=5, kernelType="Gaussian", sigma=2)
ours = protodash.explain(
    known, new[[first_denied]], 5, same=(decision, [True]), kernel="gaussian", bandwidth=2.0
)[0].prototypes
positive = np.asarray(weights) > 0
assert np.flatnonzero(decision)[rows[positive]].tolist() == [one.index for one in ours]
assert np.allclose(np.asarray(weights)[positive], [one.weight for one in ours], atol=1e-6)
print("rows", [one.index for one in ours], "weights", [round(one.weight, 4) for one in ours])
