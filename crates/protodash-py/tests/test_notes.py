"""Notes on misleading data, ids and labels that keep their type, and keywords of other libraries."""

from __future__ import annotations

import datetime

import numpy as np
import pandas
import polars
import protodash
import pyarrow
import pytest


@pytest.fixture
def people():
    rows = np.arange(40)
    return pandas.DataFrame({"age": 20 + rows % 11, "height": 150 + rows * 7 % 35})


def test_notes_name_the_column_and_the_keyword(people, tmp_path):
    people["customer"] = 1000 + np.arange(len(people))
    selection = protodash.select(people, n_prototypes=3)
    note = (
        'integer column "customer" has only distinct values, so it looks like an id but is used as a feature; use id="customer" if '
        'it names the rows, or exclude it with drop=["customer"]'
    )
    assert selection.notes == [note]
    selection.save(tmp_path / "result.json")
    assert protodash.Selection.load(tmp_path / "result.json").notes == [note]
    assert protodash.select(people, n_prototypes=3, id="customer").notes == []


def test_an_array_column_that_dwarfs_the_rest_is_noted(wine):
    assert protodash.select(wine, n_prototypes=2).notes == []
    dwarfing = wine.copy()
    dwarfing[:, 3] *= 1000
    for rows in (dwarfing, dwarfing.astype(np.float32)):
        (note,) = protodash.select(rows, n_prototypes=2).notes
        assert note.startswith('column "x3" makes up over 99.99 % of the squared distances between rows; ')


def test_dates_are_numbers(people):
    people["joined"] = [datetime.date(2024, 1, 1) + datetime.timedelta(days=int(day)) for day in np.arange(40) % 13]
    texts = people.assign(joined=people["joined"].astype(str))
    times = people.assign(joined=pandas.to_datetime(people["joined"]))
    chosen = [protodash.select(frame, n_prototypes=4) for frame in (people, texts, times, polars.from_pandas(times))]
    assert {selection.n_features for selection in chosen} == {3}
    assert all(selection.indices.tolist() == chosen[0].indices.tolist() for selection in chosen)


@pytest.mark.parametrize("scale", ["robust", "rank"])
def test_heavy_tails_have_scales(people, scale, tmp_path):
    people["spent"] = np.where(np.arange(40) == 7, 1e6, np.arange(40) % 9)
    selection = protodash.select(people, n_prototypes=4, scale=scale)
    assert selection._flags["scale"] == scale
    selection.report(tmp_path / "page.html")
    with pytest.raises(ValueError, match="^unknown scale 'log'; allowed are none, standard, minmax, robust, rank$"):
        protodash.select(people, scale="log")


def test_a_shift_of_ranks_and_dates_says_so(people):
    people["day"] = pandas.to_datetime("2024-01-01") + pandas.to_timedelta(np.arange(40), unit="D")
    options = {"n_prototypes": 5, "shift": True}
    shift = protodash.select(people, people[::2], **options, scale="rank").covariate_shift
    assert {feature["feature"] for feature in shift.features} == {"age (rank)", "height (rank)", "day (rank)"}
    shift = protodash.select(people, people[::2], **options).covariate_shift
    assert "day (days since 1970-01-01)" in {feature["feature"] for feature in shift.features}


def test_ids_find_the_rows_of_the_frame(people):
    for index in (
        pandas.Index(np.arange(40) * 10 + 5),
        pandas.date_range("2024-01-01", periods=40),
        pandas.MultiIndex.from_product([["a", "b"], range(20)]),
        pandas.Index([f"p{row}" for row in range(40)]),
    ):
        frame = people.set_axis(index)
        selection = protodash.select(frame, n_prototypes=4)
        pandas.testing.assert_frame_equal(frame.loc[selection.ids], frame.iloc[selection.indices], check_freq=False)
        pandas.testing.assert_frame_equal(frame.loc[selection.prefix(2).ids], frame.iloc[selection.indices[:2]], check_freq=False)
        found = selection.criticisms(3)
        pandas.testing.assert_frame_equal(frame.loc[found.ids], frame.iloc[found.indices])


def test_ids_and_labels_of_columns_keep_their_type(people):
    people["customer"] = np.arange(40) * 10
    people["vip"] = np.arange(40) % 3 == 0
    for frame in (people, polars.from_pandas(people), pyarrow.Table.from_pandas(people)):
        selection = protodash.select(frame, n_prototypes=4, id="Customer", label="vip")
        assert selection.ids == [10 * index for index in selection.indices.tolist()]
        assert selection.labels == [index % 3 == 0 for index in selection.indices.tolist()]
        assert all(type(value) is bool for value in selection.labels)
    array = people[["age", "height"]].to_numpy(float)
    assert protodash.select(array, n_prototypes=2, id=range(40)).ids == protodash.select(array, n_prototypes=2).indices.tolist()


def test_keywords_of_other_libraries_are_translated(wine):
    for keyword, meant in [
        ("k", "n_prototypes"),
        ("m", "n_prototypes"),
        ("sample_weight", "target_weights"),
        ("random_state", "seed"),
        ("n_jobs", "n_threads"),
        ("metric", "kernel"),
        ("initial_subset", "fixed"),
    ]:
        with pytest.raises(TypeError, match=rf"^select\(\) has no keyword {keyword}; it is called {meant}$"):
            protodash.select(wine, **{keyword: 5})
    for estimator in (protodash.ProtoDash, protodash.PrototypeClassifier):
        with pytest.raises(TypeError, match=rf"^{estimator.__name__}\(\) has no keyword k; it is called n_prototypes$"):
            estimator(k=5)
        with pytest.raises(TypeError, match=rf"^{estimator.__name__}\(\) has no keyword seed; it is called random_state$"):
            estimator(seed=5)
    with pytest.raises(TypeError, match=r"^select\(\) has no keyword n_prototype; did you mean n_prototypes\?$"):
        protodash.select(wine, n_prototype=5)
    with pytest.raises(TypeError, match=r"^target is 5; it must be rows. To set the number of prototypes, pass n_prototypes=5$"):
        protodash.select(wine, 5)


def test_methods_name_the_keyword_that_was_meant(wine, tmp_path):
    selection = protodash.select(wine, n_prototypes=3)
    explanations = protodash.explain(wine, [3], n_prototypes=2)
    explainer = protodash.aix360.ProtodashExplainer()
    for method, call in [
        ("predict", lambda: selection.predict(wine, X=wine)),
        ("criticisms", lambda: selection.criticisms(n_criticism=2)),
        ("report", lambda: selection.report(tmp_path / "r.html", titel="wine")),
        ("estimate", lambda: selection.estimate(np.zeros(len(wine)), target_score=None)),
        ("report", lambda: explanations.report(tmp_path / "r.html", titel="wine")),
        ("explain", lambda: explainer.explain(wine, wine, m=2, kernel_type="Gaussian")),
    ]:
        with pytest.raises(TypeError, match=rf"^{method}\(\) has no keyword \w+; (did you mean \w+\?|it is called \w+|it has )"):
            call()
    assert not list(tmp_path.iterdir())
