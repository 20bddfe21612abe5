"""While Rust works: progress, Ctrl-C, other threads and processes."""

import io
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import protodash
import pytest
from protodash._progress import Line

# Work for half a minute or more, which no test waits for.
LONG = np.random.default_rng(0).normal(size=(120_000, 40))


@pytest.fixture(autouse=True)
def heard():
    """Enable Ctrl-C even if the tests run in the background, where SIGINT is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_soon():
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    return timer


def test_ctrl_c_stops_a_run():
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        protodash.select(LONG, bandwidth=5.0, n_threads=1)
    timer.join()


class StopAtNotice:
    """Progress that ends the run with the text of the first notice."""

    def __call__(self, stage, done, total):
        pass

    def notice(self, text):
        raise RuntimeError(text)


def test_a_long_run_says_what_it_will_cost_and_how_to_shorten_it():
    rows = np.arange(3_000_000, dtype=np.float64)[:, None]
    with pytest.raises(RuntimeError) as raised:
        protodash.select(rows, means="full", bandwidth=5.0, progress=StopAtNotice())
    text = str(raised.value)
    assert text.startswith("3,000,000 rows have 4,500,001,500,000 pairs, which take about ")
    assert '; for a shorter run, use means="racing" or target_sample=' in text
    with pytest.raises(RuntimeError, match="which take at least"):
        protodash.select(rows, method="swap", bandwidth=5.0, progress=StopAtNotice())


def test_a_short_run_says_nothing(wine):
    assert len(protodash.select(wine, n_prototypes=3, progress=StopAtNotice()).indices) == 3


def test_a_notice_stays_above_the_line():
    stream = io.StringIO()
    line = Line(stream, clock=lambda: 0.0)
    line("search", 1, 2)
    line.notice("12 rows")
    line("search", 2, 2)
    line.close()
    assert "\r12 rows\n\rsearch" in stream.getvalue()


@pytest.mark.parametrize("memory", [None, "1MB"])
def test_ctrl_c_stops_a_custom_kernel(memory):
    def slow(x, y):
        time.sleep(0.05)
        return x @ y.T

    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        protodash.select(LONG[:10_000], kernel=slow, memory=memory)
    timer.join()


@pytest.mark.parametrize("memory", [None, "1MB"])
def test_a_custom_kernel_is_not_called_after_ctrl_c(memory):
    begun, ended = [], []

    def interrupted(x, y):
        begun.append(threading.current_thread())
        if len(begun) == 3:
            signal.raise_signal(signal.SIGINT)
        ended.append(len(x))
        return x @ y.T

    with pytest.raises(KeyboardInterrupt):
        protodash.select(LONG[:2000], kernel=interrupted, memory=memory)
    # It is raised inside the call, which therefore runs on the caller's thread.
    assert (len(begun), len(ended)) == (3, 2)
    assert set(begun) == {threading.current_thread()}


def test_other_threads_keep_running(digits):
    steps = []
    done = threading.Event()

    def count():
        while not done.is_set():
            steps.append(time.sleep(0.001))

    thread = threading.Thread(target=count)
    thread.start()
    try:
        for _ in range(3):
            protodash.select(np.repeat(digits[0], 3, axis=0), n_prototypes=30, method="swap", n_threads=1)
    finally:
        done.set()
        thread.join()
    assert len(steps) > 20


def test_concurrent_selections_give_the_same_results(wine, digits):
    jobs = [(wine, 5), (digits[0], 8), (wine, 9), (digits[0][:500], 6)]
    expected = [protodash.select(rows, n_prototypes=n) for rows, n in jobs]
    found = [None] * len(jobs)

    def work(place):
        rows, n = jobs[place]
        found[place] = protodash.select(rows, n_prototypes=n)

    threads = [threading.Thread(target=work, args=[place]) for place in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(expected, found, strict=True):
        assert one.weights.tobytes() == other.weights.tobytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_forked_process_can_select():
    script = """
import os, warnings
import numpy as np, protodash
warnings.simplefilter("ignore")
rows = np.random.default_rng(0).normal(size=(500, 3))
before = protodash.select(rows, n_prototypes=3).indices.tolist()
child = os.fork()
if child == 0:
    os._exit(0 if protodash.select(rows, n_prototypes=3).indices.tolist() == before else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def test_progress_is_reported_by_stage(digits):
    heard = []
    protodash.select(digits[0], n_prototypes=40, progress=lambda stage, done, total: heard.append((stage, done, total)))
    assert heard[-1][0] == "baseline"
    assert {stage for stage, _, _ in heard} <= {"kernel mean", "target energy", "search", "baseline"}
    for (stage, done, total), (next_stage, next_done, _) in zip(heard, heard[1:], strict=False):
        assert 0 <= done <= total
        assert stage != next_stage or done <= next_done


def test_an_exception_in_the_progress_callback_stops_the_run():
    def refuse(stage, done, total):
        raise LookupError("seen enough")

    with pytest.raises(LookupError, match="^seen enough$"):
        protodash.select(LONG, bandwidth=5.0, progress=refuse)


def test_a_class_like_tqdm_makes_a_bar_for_each_stage(wine):
    bars = []

    class Bar:
        def __init__(self, total, desc):
            self.n, self.total, self.desc, self.closed = 0, total, desc, False
            bars.append(self)

        def update(self, n):
            self.n += n

        def close(self):
            self.closed = True

    protodash.select(wine, kernel=lambda x, y: x @ y.T, n_prototypes=3, progress=Bar)
    assert bars[0].desc == "kernel values"
    assert all(bar.n == bar.total for bar in bars)
    assert all(bar.closed for bar in bars)


def test_the_progress_line_is_removed_at_the_end(wine, capsys):
    stream = io.StringIO()
    line = Line(stream)
    line("kernel mean", 1, 4)
    assert "█████░░░░░░░░░░░░░░░  25 %" in stream.getvalue()
    line.close()
    assert stream.getvalue().endswith(" \r")
    protodash.select(wine, progress=True)
    assert capsys.readouterr().out == ""


def test_the_line_says_how_long_a_stage_will_still_take():
    stream, times = io.StringIO(), iter([0.0, 0.0, 10.0, 10.0, 11.0])
    line = Line(stream, clock=lambda: next(times))
    line("kernel mean", 0, 100)
    line("kernel mean", 10, 100)
    line("search", 0, 4)
    line("search", 2, 4)
    shown = stream.getvalue().split("\r")
    assert [text.strip().rsplit("%  ")[-1] for text in shown if text] == ["0.0 s", "10.0 s, 1 min 30 s left", "10.0 s", "11.0 s, 1 s left"]
