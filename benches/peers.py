"""Runs one measurement of a peer and prints it as a line of JSON. Called by `cargo xtask bench`.

    peers.py data FOLDER                    generate the data, as raw little-endian f32
    peers.py large FOLDER                   generate ten million rows, 2 GB
    peers.py digits FOLDER FILE             convert MNIST's 60,000 training images to the same format
    peers.py WORK key=value ...             measure product, mean, protodash, aix360, compress, kmeans or kmedoids

Times exclude reading and imports. The caller sets the number of threads (OPENBLAS_NUM_THREADS and so on).
"""

import json
import resource
import sys
import time

import numpy as np


def main():
    work, *rest = sys.argv[1:]
    if work == "data":
        return write_data(rest[0])
    if work == "large":
        return write_large(rest[0])
    if work == "digits":
        return write_digits(*rest)
    options = dict(word.split("=", 1) for word in rest)
    rows = np.fromfile(options["file"], "<f4", int(options["rows"]) * int(options["columns"]))
    rows = rows.reshape(int(options["rows"]), int(options["columns"])).astype(options["dtype"].replace("f", "float"))
    works = [product, mean, protodash, aix360, compress, kmeans, kmedoids]
    measured = {call.__name__: call for call in works}[work](rows, options)
    measured["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps(measured))


def write_data(folder):
    """Ten Gaussian clusters, for each shape that is measured, and rows with heavy tails."""
    heavy = np.random.default_rng(10).standard_t(2, (200_000, 10))
    heavy.astype("<f4").tofile(f"{folder}/200000x10-heavy.f32")
    for n_rows, n_columns in [(20_000, 784), (20_000, 50), (20_000, 10), (40_000, 50), (1_000_000, 50), (1 << 20, 50)]:
        generator = np.random.default_rng(n_columns)
        centres = generator.standard_normal((10, n_columns), np.float32)
        rows = generator.standard_normal((n_rows, n_columns), np.float32)
        rows += centres[generator.integers(0, 10, n_rows)]
        rows.astype("<f4").tofile(f"{folder}/{n_rows}x{n_columns}.f32")


def write_large(folder):
    """The same clusters, a million rows at a time: all of them as f32 alone take 2 GB."""
    generator = np.random.default_rng(50)
    centres = generator.standard_normal((10, 50), np.float32)
    with open(f"{folder}/10000000x50.f32", "wb") as file:
        for _ in range(10):
            rows = generator.standard_normal((1_000_000, 50), np.float32)
            rows += centres[generator.integers(0, 10, len(rows))]
            rows.astype("<f4").tofile(file)


def write_digits(folder, file):
    import glob
    import gzip

    name = sorted(glob.glob(f"{folder}/train-images*"))[0]
    with (gzip.open if name.endswith(".gz") else open)(name, "rb") as images:
        pixels = np.frombuffer(images.read(), np.uint8, offset=16)
    pixels.astype("<f4").tofile(file)


def seconds(n_repeats, call):
    """Wall and CPU time of each call, and the result of the last."""
    times, result = {"seconds": [], "cpu_seconds": []}, None
    for _ in range(n_repeats):
        start, processor = time.perf_counter(), time.process_time()
        result = call()
        times["seconds"].append(time.perf_counter() - start)
        times["cpu_seconds"].append(time.process_time() - processor)
    return times, result


def best(candidates):
    """The times with the lowest median CPU time."""
    return min(candidates, key=lambda times: sorted(times["cpu_seconds"])[len(times["cpu_seconds"]) // 2])


def product(rows, options):
    """X Xᵀ in blocks of rows; the fastest of three block heights."""

    def blocks(height):
        out = np.empty((height, len(rows)), rows.dtype)
        for start in range(0, len(rows), height):
            part = rows[start : start + height]
            np.matmul(part, rows.T, out=out[: len(part)])

    heights = [int(height) for height in options.get("heights", "512,2048,8192").split(",")]
    return best([seconds(int(options["repeats"]), lambda: blocks(height))[0] for height in heights])


def gaussian_mean(target, source, bandwidth, height):
    """Kernel mean in blocks: one product that includes the norms, exp in place, one product with ones."""
    centre = target.mean(axis=0)
    scale = target.dtype.type(1 / bandwidth)
    target, source = (target - centre) * scale, (source - centre) * scale

    def with_norms(rows, norms_first):
        norms, ones = -0.5 * np.einsum("ij,ij->i", rows, rows), np.ones(len(rows), rows.dtype)
        return np.column_stack([rows, norms, ones] if norms_first else [rows, ones, norms])

    left, right = with_norms(source, True), np.ascontiguousarray(with_norms(target, False).T)
    ones = np.ones(len(target), target.dtype)
    out, means = np.empty((height, len(target)), target.dtype), np.empty(len(source))
    for start in range(0, len(source), height):
        part = left[start : start + height]
        block = np.matmul(part, right, out=out[: len(part)])
        np.exp(block, out=block)
        means[start : start + height] = block @ ones
    return means / len(target)


def plain_mean(target, source, bandwidth, height):
    """Kernel mean as usually written: squared distances from norms and a product, in blocks."""
    target_norms, source_norms = (target**2).sum(axis=1), (source**2).sum(axis=1)
    means = np.empty(len(source))
    for start in range(0, len(source), height):
        part = slice(start, start + height)
        squared = source_norms[part, None] + target_norms[None, :] - 2 * (source[part] @ target.T)
        means[part] = np.exp(-np.maximum(squared, 0) / (2 * bandwidth**2)).mean(axis=1)
    return means


def mean(rows, options):
    """Kernel mean; the fastest of three block heights."""
    bandwidth, others = float(options["bandwidth"]), np.roll(rows, len(rows) // 2, axis=0)
    heights = [64, 256, 1024]
    ways = [
        seconds(int(options["repeats"]), lambda: gaussian_mean(rows, others, bandwidth, height))[0]
        for height in heights
    ]
    return best(ways)


def protodash(rows, options):
    """ProtoDash in vectorised NumPy, with the fastest kernel mean we know, or the usual one with `style=plain`."""
    from scipy.linalg import cholesky, solve_triangular
    from scipy.optimize import nnls

    bandwidth, n_prototypes = float(options["bandwidth"]), int(options["prototypes"])
    kernel_mean = plain_mean if options["style"] == "plain" else gaussian_mean

    def run():
        means = kernel_mean(rows, rows, bandwidth, 256)
        norms = np.einsum("ij,ij->i", rows, rows)
        columns = np.empty((len(rows), n_prototypes), rows.dtype, order="F")
        gradient, chosen, weights = means.copy(), [], None
        for step in range(n_prototypes):
            gradient[chosen] = -np.inf
            row = int(np.argmax(gradient))
            chosen.append(row)
            squared = norms + norms[row] - 2 * (rows @ rows[row])
            np.exp(np.maximum(squared, 0) / (-2 * bandwidth**2), out=columns[:, step])
            gram = columns[chosen, : step + 1].astype(np.float64)
            factor = cholesky((gram + gram.T) / 2, lower=True)
            reduced = solve_triangular(factor, means[chosen], lower=True)
            weights = solve_triangular(factor, reduced, lower=True, trans=1)
            if weights.min() < 0:
                weights = nnls(factor.T, reduced)[0]
            gradient = means - columns[:, : step + 1] @ weights.astype(rows.dtype)
        return chosen, float(means[chosen] @ weights - 0.5 * weights @ gram @ weights)

    times, (chosen, objective) = seconds(int(options["repeats"]), run)
    return times | {"rows": chosen, "objective": objective}


def aix360(rows, options):
    """AIX360's ProtoDash, with the exact one of its two solvers."""
    from aix360.algorithms.protodash import ProtodashExplainer

    def run():
        return ProtodashExplainer().explain(
            rows,
            rows,
            int(options["prototypes"]),
            kernelType="Gaussian",
            sigma=float(options["bandwidth"]),
            optimizer="osqp",
        )

    times, (_, chosen, values) = seconds(int(options["repeats"]), run)
    return times | {"rows": [int(row) for row in chosen], "objective": float(values[-1])}


def compress(rows, options):
    """Compress++ from a power of four of rows to its root, then kernel thinning to a number of rows that divides it."""
    from goodpoints import compress as goodpoints_compress
    from goodpoints import kt

    bandwidth, n_prototypes = float(options["bandwidth"]), int(options["prototypes"])
    parameters = np.array([2 * bandwidth**2])
    rows = rows.astype(np.float64)

    def run():
        chosen = goodpoints_compress.compresspp_kt(rows, b"gaussian", k_params=parameters, g=4, seed=0)
        n_rounds = (len(chosen) // n_prototypes).bit_length() - 1
        if n_rounds > 0:
            some = rows[chosen]
            norms = (some**2).sum(axis=1)
            squared = norms[:, None] + norms - 2 * some @ some.T
            gram = np.exp(-np.maximum(squared, 0) / parameters[0])
            chosen = chosen[kt.thin_K(gram, gram, n_rounds, seed=0)]
        return chosen

    times, chosen = seconds(int(options["repeats"]), run)
    return times | {"rows": [int(row) for row in chosen], "weights": [1 / len(chosen)] * len(chosen)}


def kmeans(rows, options):
    """The row nearest each centre of MiniBatchKMeans, with the share of rows in its cluster as its weight."""
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.metrics import pairwise_distances_argmin

    def run():
        model = MiniBatchKMeans(int(options["prototypes"]), n_init=3, batch_size=4096, random_state=0).fit(rows)
        counts = np.bincount(model.labels_, minlength=len(model.cluster_centers_))
        return pairwise_distances_argmin(model.cluster_centers_, rows), counts / len(rows)

    times, (chosen, weights) = seconds(int(options["repeats"]), run)
    return times | {"rows": [int(row) for row in chosen], "weights": [float(weight) for weight in weights]}


def kmedoids(rows, options):
    """FasterPAM of the package kmedoids, from the matrix of all distances."""
    import kmedoids as package
    from sklearn.metrics import pairwise_distances

    def run():
        distances = pairwise_distances(rows)
        return package.fasterpam(distances, int(options["prototypes"]), random_state=0, init="random")

    times, found = seconds(int(options["repeats"]), run)
    return times | {"rows": [int(row) for row in found.medoids]}


if __name__ == "__main__":
    main()
