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


def test_a_kernel_that_is_too_wide_or_too_narrow_is_noted(digits, tmp_path):
    images, _ = digits
    notes = {}
    for name, bandwidth in (("wide", "median"), ("narrow", 0.05), ("neither", "auto")):
        selection = protodash.select(images, n_prototypes=10, kernel="gaussian", bandwidth=bandwidth)
        notes[name] = selection.notes
        selection.save(tmp_path / "result.json")
        assert protodash.Selection.load(tmp_path / "result.json").notes == notes[name]
    (wide,), (narrow,) = notes["wide"], notes["narrow"]
    assert wide.startswith("the kernel is wide: 10 random rows explain ")
    assert narrow.startswith("the kernel is narrow: most rows are similar only to themselves")
    assert not any("narrow" in note for note in notes["neither"])


def test_fewer_prototypes_than_requested_come_first():
    rows = np.array([[1.0], [2.0], [4.0]])  # under the linear kernel every row represents their mean exactly
    selection = protodash.select(rows, n_prototypes=3, kernel="linear")
    first, *_ = repr(selection).splitlines()
    assert first.startswith("1 prototype instead of 3: no further row improves the fit; ")


def test_several_columns_that_dwarf_the_rest_are_noted(people):
    rows = np.arange(40)
    dwarfing = np.column_stack([people["age"], 1e6 * (rows * 5 % 11), people["height"], 1e6 * (rows * 3 % 11)]).astype(float)
    (note,) = protodash.select(dwarfing, n_prototypes=2).notes
    assert note.startswith('2 columns make up over 99.99 % of the squared distances between rows: "x1" and "x3"; ')


def test_dates_in_other_forms_are_noted(people):
    people["joined"] = [f"{1 + row % 12:02}.01.2024" for row in range(40)]
    (note,) = protodash.select(people, n_prototypes=3).notes
    assert note.startswith('column "joined" has 12 dates that are not written as in 2024-01-31 but as in "01.01.2024"')
    assert note.endswith('exclude the column with drop=["joined"], or confirm categories with categorical=["joined"]')


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
