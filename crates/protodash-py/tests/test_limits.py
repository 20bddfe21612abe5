"""Limits on the weights: a cap on each, a floor on the effective sample size, and the note without them."""

from __future__ import annotations

import numpy as np
import protodash
import pytest


@pytest.fixture
def shifted():
    generator = np.random.default_rng(0)
    return generator.normal(size=(120, 2)), generator.normal(size=(80, 2)) * 0.5 + 1.0


def effective(weights):
    return weights.sum() ** 2 / (weights**2).sum()


@pytest.mark.parametrize("weights", ["nonnegative", "convex"])
def test_limits_hold_and_are_saved(shifted, weights, tmp_path):
    source, target = shifted
    free = protodash.select(source, target, "all", weights=weights, bandwidth=0.5, shift=True)
    assert free.max_weight is None and free.min_effective is None
    limits = {"max_weight": 0.04, "min_effective": 40}
    limited = protodash.select(source, target, "all", weights=weights, bandwidth=0.5, shift=True, **limits)
    assert (limited.max_weight, limited.min_effective, limited.stopped) == (0.04, 40, "optimal")
    assert limited.weights.max() <= 0.04 * limited.weights.sum() * (1 + 1e-9)
    assert effective(limited.weights) >= 40 - 1e-6 > effective(free.weights)
    assert limited.covariate_shift.effective_sample_size == pytest.approx(effective(limited.weights))
    assert limited.explained < free.explained
    assert "each at most 4.000 % of the total, effective sample size at least 40.00" in repr(limited)
    limited.save(tmp_path / "limited.json")
    loaded = protodash.Selection.load(tmp_path / "limited.json")
    assert (loaded.max_weight, loaded.min_effective) == (0.04, 40)


def test_with_a_number_only_the_weights_differ(shifted):
    source, target = shifted
    free, limited = (protodash.select(source, target, 12, max_weight=cap) for cap in (None, 0.1))
    assert limited.indices.tolist() == free.indices.tolist()
    assert limited.weights.max() <= 0.1 * limited.weights.sum() * (1 + 1e-9) < free.weights.max()


def test_few_dominant_rows_are_noted():
    source = 3.0 * np.arange(30)[:, None]
    target = np.concatenate([np.zeros(60), 3.0 * np.arange(1, 12)])[:, None]
    selection = protodash.select(source, target, "all", kernel="gaussian", bandwidth=0.5, shift=True)
    note = "12 rows have a weight, but an effective sample size of 1.4: a few of them dominate"
    assert selection.notes[-1].startswith(note)
    assert repr(selection.covariate_shift).splitlines()[-1].startswith(f"note: {note}")


def test_impossible_limits_are_refused(shifted):
    source, target = shifted
    with pytest.raises(ValueError, match="^max_weight is 0.2, which is too low for 4 prototypes, .* it must be at least 0.25\nhint: raise max_weight, "):
        protodash.select(source, target, 4, max_weight=0.2)
    with pytest.raises(ValueError, match="^min_effective is 5, but 4 prototypes cannot have .* above 4\nhint: lower min_effective, "):
        protodash.select(source, target, 4, min_effective=5)
    with pytest.raises(ValueError, match="nonnegative or convex; equal weights have no limits$"):
        protodash.select(source, target, 4, max_weight=0.5, weights="equal")
    with pytest.raises(TypeError, match="max_weight"):
        protodash.select(source, target, 4, max_weight="half")


def test_a_run_with_other_limits_is_not_continued(shifted):
    source, target = shifted
    first = protodash.select(source, target, 6, max_weight=0.25)
    again = protodash.select(source, target, 10, max_weight=0.25, resume=first)
    fresh = protodash.select(source, target, 10, max_weight=0.25)
    assert again.weights.tolist() == fresh.weights.tolist()
    with pytest.raises(ValueError, match="its max_weight is 0.25, now it is null"):
        protodash.select(source, target, 10, resume=first)
