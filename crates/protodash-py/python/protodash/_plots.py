"""Plots of a selection, with matplotlib if it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from ._selection import Selection


class SelectionPlots:
    """The plots of a selection."""

    def plot_objective(self, ax: Any = None) -> Any:
        """Plot the share explained, or else the objective, by number of prototypes.

        >>> import matplotlib, protodash
        >>> matplotlib.use("Agg")
        >>> axes = protodash.select([[0.0], [9.0]], n_prototypes=2, bandwidth=1.0).plot_objective()
        >>> axes.get_ylabel()
        'explained'
        """
        return plot_objective(cast("Selection", self), ax)

    def plot_weights(self, ax: Any = None) -> Any:
        """Plot the weights as bars, one for each prototype.

        >>> import matplotlib, protodash
        >>> matplotlib.use("Agg")
        >>> axes = protodash.select([[0.0], [9.0]], n_prototypes=2, bandwidth=1.0).plot_weights()
        >>> len(axes.patches)
        2
        """
        return plot_weights(cast("Selection", self), ax)

    def plot_images(self, shape: tuple[int, int] | None = None, n_columns: int = 10) -> Any:
        """Plot the prototypes as images with their shares; `shape` is height and width.

        >>> import matplotlib, numpy, protodash
        >>> matplotlib.use("Agg")
        >>> pictures = numpy.eye(4).reshape(4, 2, 2)
        >>> figure = protodash.select(pictures, n_prototypes=3, bandwidth=1.0).plot_images()
        >>> len([axes for axes in figure.axes if axes.images])
        3
        """
        return plot_images(cast("Selection", self), shape, n_columns)


def plot_objective(selection: Selection, ax: Any) -> Any:
    """The share explained, or else the objective, by number of prototypes."""
    axes = _axes(ax)
    sizes = np.arange(1, len(selection) + 1)
    explained = selection._document.explained_path
    if len(explained):
        axes.plot(np.append(0, sizes), np.append(0.0, explained), marker="o", markersize=3, label="prototypes")
        random = (selection.baseline or {}).get("random_explained_path", [])
        if random:
            axes.plot(np.arange(len(random) + 1), [0.0, *random], linestyle="--", label="random rows")
            axes.legend()
        axes.set_ylabel("explained")
    else:
        axes.plot(sizes, selection.objective, marker="o", markersize=3)
        axes.set_ylabel("objective")
    axes.set_xlabel("number of prototypes")
    return axes


def plot_weights(selection: Selection, ax: Any) -> Any:
    """A bar for each prototype, the first at the top."""
    axes = _axes(ax)
    names = selection.ids if selection.ids is not None else [str(index) for index in selection.indices]
    places = np.arange(len(selection))
    axes.barh(places, selection.weights)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlabel("weight")
    axes.set_ylabel("source row" if selection.ids is None else "id")
    return axes


def plot_images(selection: Selection, shape: tuple[int, int] | None, n_columns: int) -> Any:
    """The prototypes as grey images, each with its share."""
    from ._checks import whole

    whole("n_columns", n_columns, 1)
    data, positions = selection._data, selection._positions
    if data is None or positions is None:
        raise ValueError("this selection was loaded without its data, so there are no images to plot")
    height, width = shape or data.image_shape or _square(selection.n_features)
    if height * width != selection.n_features:
        raise ValueError(f"images of {height} x {width} do not match rows of {selection.n_features} features")
    n_rows = max(1, -(-len(selection) // n_columns))
    figure, grid = _pyplot().subplots(n_rows, n_columns, figsize=(n_columns, 1.3 * n_rows), squeeze=False)
    for axes in grid.flat:
        axes.axis("off")
    rows = data.source.matrix if data.source.rows is None else data.source.rows
    shares = selection._document.share_texts()
    for axes, position, share in zip(grid.flat, positions, shares, strict=False):
        axes.imshow(rows[position].reshape(height, width), cmap="gray_r")
        axes.set_title(share, fontsize=8)
    return figure


def _square(n_features: int) -> tuple[int, int]:
    side = round(n_features**0.5)
    if side * side != n_features:
        raise ValueError(f"{n_features} features are not a square image; pass height and width with shape=")
    return side, side


def _axes(ax: Any) -> Any:
    return ax if ax is not None else _pyplot().subplots()[1]


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("matplotlib is not installed, but is needed for plots") from error
    return pyplot
