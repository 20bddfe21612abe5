"""Runs one measurement and prints it as JSON. Called by `cargo xtask python-bench`.

measure.py machine                          describe the machine
measure.py import                           import times
measure.py overhead N D M                   time that the binding adds to the Rust call
measure.py run protodash|aix360 N D M       one run of AIX360's explainer or its drop-in replacement
"""

import json
import os
import platform
import resource
import subprocess
import sys
import time

REPEATS = 7


def machine():
    import numpy

    lines = open("/proc/cpuinfo").read().splitlines() if os.path.exists("/proc/cpuinfo") else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
    }


def import_time():
    clock = "from time import perf_counter as now"
    script = f"{clock}; a = now(); import numpy; b = now(); import protodash; print(b - a, now() - b)"

    def once():
        printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
        return tuple(map(float, printed.split()))

    times = [once() for _ in range(REPEATS)]
    return {"numpy": min(numpy for numpy, _ in times), "protodash_after_numpy": min(own for _, own in times)}


def overhead(n, d, m):
    import protodash
    from protodash import _native

    found = []
    inner = _native.select

    def watched(*arguments):
        found.append(inner(*arguments))
        return found[-1]

    _native.select = watched
    rows = data(n, d)
    calls = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        protodash.select(rows, n_prototypes=m, bandwidth=d**0.5)
        whole = time.perf_counter() - begun
        calls.append((whole, found[-1][2]))
    parts = sorted(whole / rust - 1.0 for whole, rust in calls)
    return {
        "n": n,
        "d": d,
        "m": m,
        "seconds": min(whole for whole, _ in calls),
        "rust_seconds": min(rust for _, rust in calls),
        "overhead": parts[len(parts) // 2],
    }


def run(package, n, d, m):
    if package == "aix360":
        from aix360.algorithms.protodash import ProtodashExplainer
    else:
        from protodash.aix360 import ProtodashExplainer

    def explain(rows):
        return ProtodashExplainer().explain(rows, rows, m, "Gaussian", d**0.5, optimizer="osqp")

    rows = data(n, d)
    explain(data(50, d))
    begun, spent = time.perf_counter(), time.process_time()
    weights, indices, _ = explain(rows)
    seconds, spent = time.perf_counter() - begun, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "n": n,
        "d": d,
        "m": m,
        "seconds": seconds,
        "processor_seconds": spent,
        "megabytes": peak / 1024,
        "indices": [int(index) for index in indices],
    }


def data(n, d):
    import numpy

    return numpy.random.default_rng(0).normal(size=(n, d))


def main():
    what, *rest = sys.argv[1:]
    if what == "run":
        package, *numbers = rest
        found = run(package, *map(int, numbers))
    else:
        found = {"machine": machine, "import": import_time, "overhead": overhead}[what](*map(int, rest))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
