"""Quotas and budgets."""

import numpy as np
import pytest

import protodash

ROWS = np.random.default_rng(2).normal(size=(60, 3))
LABELS = ["FR" if row % 3 else "DE" for row in range(60)]
COSTS = np.arange(1.0, 61.0)


@pytest.mark.parametrize("method", ["protodash", "protogreedy", "random"])
def test_quotas_and_budget_are_met_and_reported(method):
    selection = protodash.select(
        ROWS, n_prototypes=9, method=method, label=LABELS, at_least={"label": {"DE": 4}}, at_most={"label": {"FR": 2}},
        cost=COSTS, budget=150,
    )
    chosen = [LABELS[index] for index in selection.indices]
    assert chosen.count("DE") >= 4 and chosen.count("FR") <= 2
    constraints = selection.constraints
    assert constraints["budget"] == {"cost": "cost", "budget": 150.0, "spent": COSTS[selection.indices].sum()}
    assert constraints["budget"]["spent"] <= 150
    assert [quota["name"] for quota in constraints["quotas"]] == ["label=DE", "label=FR"]
    assert constraints["explained_without"] > 0
    assert "without quotas and budget, the same number of rows explains" in str(selection)
    assert protodash.select(ROWS, n_prototypes=3).constraints is None


def test_columns_of_a_table_can_be_quotas_and_costs():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"country": LABELS, "tokens": COSTS, "x": ROWS[:, 0], "y": ROWS[:, 1]})
    selection = protodash.select(
        table, drop=["tokens"], source_where="x > -1", at_least={"country": {"DE": 3}}, cost="tokens", budget=80
    )
    chosen = table.iloc[selection.indices]
    assert (chosen.country == "DE").sum() >= 3 and chosen.tokens.sum() <= 80
    assert selection.constraints["budget"]["cost"] == "tokens"
    with pytest.raises(ValueError, match="there is no column 'city'; the columns are country, tokens, x, y"):
        protodash.select(table, at_least={"city": {"Paris": 1}})


def test_a_run_continues_only_with_the_same_quotas():
    quota = {"label": LABELS, "at_least": {"label": {"DE": 3}}}
    five = protodash.select(ROWS, n_prototypes=5, **quota)
    more = protodash.select(ROWS, n_prototypes=8, resume=five, **quota)
    assert more.indices.tolist() == protodash.select(ROWS, n_prototypes=8, **quota).indices.tolist()
    with pytest.raises(ValueError, match="its list of constraints is"):
        protodash.select(ROWS, n_prototypes=8, label=LABELS, resume=five)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at_least": {"label": {"DE": 21}}, "n_prototypes": 30}, "label=DE: at least 21 rows requested, but only 20"),
        ({"at_least": {"label": {"DE": 9}}, "n_prototypes": 5}, "label=DE:9: 9 rows needed, but only 5 can be chosen"),
        ({"at_least": {"label": {"ES": 1}}}, "label=ES: no source row has this value; the column has DE, FR"),
        ({"at_most": {"country": {"ES": 1}}}, "arrays have no column 'country'"),
        ({"at_least": {"label": {"DE": -1}}}, "must be at least 0"),
        ({"cost": COSTS}, "budget is missing"),
        ({"budget": 3}, "cost is missing"),
        ({"cost": COSTS[1:], "budget": 3}, "one number for each of the 60 source rows"),
        ({"cost": COSTS - 10, "budget": 3}, "the cost of source row 0 is -9; costs must be finite and above 0"),
        ({"cost": COSTS, "budget": 0.5}, "the budget is 0.5, but the cheapest row costs at least 1"),
        ({"cost": COSTS, "budget": 9, "method": "swap"}, "swap does not support quotas or a budget"),
    ],
)
def test_what_cannot_be_met_is_an_error(options, message):
    with pytest.raises(ValueError, match=message):
        protodash.select(ROWS, label=LABELS, **options)


def test_quotas_map_columns_to_numbers():
    with pytest.raises(TypeError, match="at_least must map columns to numbers for their values"):
        protodash.select(ROWS, label=LABELS, at_least={"DE": 3})
