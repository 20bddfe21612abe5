"""Reports written by the command, and a real browser to open them."""

import base64
import csv
import io
import json
import os
import random
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from page import Page
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = Path(__file__).resolve().parents[4]
TESTDATA = ROOT / "testdata"
SCREENSHOTS = ROOT / "target" / "browser-screenshots"
NASTY = "</script><script>alert(1)</script>"

QUIET_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


def nasty_table() -> str:
    """A table whose header, cells, ids and labels all try to be markup."""
    cells = ['"><img src=x onerror=alert(1)>', "' onclick='alert(1)", "<!--", "&lt;b&gt;"]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["x", NASTY, "name", "class"])
    writer.writerows([row, cells[row % 4], f"{NASTY}{row}", cells[(row + 1) % 4]] for row in range(12))
    return text.getvalue()


def wordy_table() -> str:
    """A table with texts of thousands of chars, and more columns than a card shows at first."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["x", "note", *(f"column_{column}" for column in range(12))])
    writer.writerows([row, f"{row}: " + "word " * 600, *(row % (column + 2) for column in range(12))] for row in range(9))
    return text.getvalue()


def write_shown(folder: Path) -> None:
    """A table with titles, texts and the paths of images: squares of one colour."""
    (folder / "photos").mkdir()
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = ["x,y,title,text,photo"]
    for row in range(60):
        pixels = b"".join(b"\0" + bytes([4 * row, 255 - 4 * row, 99]) * 8 for _ in range(6))
        parts = [(b"IHDR", struct.pack(">IIBBBBB", 8, 6, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(pixels)), (b"IEND", b"")]
        (folder / "photos" / f"{row}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts))
        lines.append(f"{row % 7},{row % 11},Title {row},{'some words ' * (row % 20)},photos/{row}.png")
    (folder / "shown.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def long_names_table() -> str:
    """A table with long ids, classes and column names, numbers with many digits, and missing values."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["name", "class", "size", "share of " + "a_long_name_" * 20])
    for row in range(40):
        size = "" if row % 5 == 0 else row / 3
        writer.writerow([f"{row:02d}-" + "id" * 60, "" if row % 4 == 0 else "class" * 30, size, (row * 7 % 40) / 7])
    return text.getvalue()


def wide_table() -> str:
    """A table of 1,500 rows and 300 columns of numbers with up to five digits."""
    numbers = random.Random(1)
    lines = [",".join(f"measurement_{column}" for column in range(300))]
    lines += [",".join(f"{numbers.gauss(column % 7, 1 + column % 3):.3f}" for column in range(300)) for _ in range(1500)]
    return "\n".join(lines) + "\n"


def letters_table() -> str:
    """Points of 26 classes."""
    lines = [f"{row % 26 * 3 + row % 5},{row % 7},{chr(97 + row % 26)}" for row in range(520)]
    return "\n".join(["x,y,letter", *lines]) + "\n"


def crowd_table() -> str:
    """A table of 12,000 rows: more than the map shows."""
    numbers = random.Random(2)
    return "\n".join(["x,y", *(f"{numbers.gauss(row % 3 * 4, 1):.3f},{numbers.gauss(0, 1):.3f}" for row in range(12_000))]) + "\n"


def write_digits(folder: Path) -> None:
    """The small digits as the four files of MNIST: every pixel becomes three by three, with a border of two."""
    folder.mkdir()
    with (TESTDATA / "digits.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    for name, part in [("train", rows[:1200]), ("t10k", rows[1200:])]:
        digits = bytes(int(row.pop("label")) for row in part)
        images = b"".join(enlarged([min(255, round(float(value) * 16)) for value in row.values()]) for row in part)
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, len(part)) + digits)
        (folder / f"{name}-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 0x803, len(part), 28, 28) + images)


def enlarged(pixels: list[int]) -> bytes:
    """An image of 8 by 8 pixels as one of 28 by 28."""
    line = lambda row: [0, 0, *(value for value in pixels[8 * row : 8 * row + 8] for _ in range(3)), 0, 0]
    return bytes(56) + b"".join(bytes(line(row)) * 3 for row in range(8)) + bytes(56)


CALLS = {
    "adults": "select nhanes_adults.csv --id id --label gender --missing category -m 8 --n-criticisms 3 --report {}",
    "adults3": "select nhanes_adults.csv --id id --label gender --missing category -m 3 --n-criticisms 3 --report {}",
    "digits3": "select digits.csv --label label -m 3 --n-criticisms 4 --image-shape 8x8 --report {}",
    "two_files": "select nhanes_adults.csv --id id --missing category -m 6 --source-where gender='male' --target-where gender='female' --drop gender --report {}",
    "digits": "select digits.csv --label label -m 12 --n-criticisms 4 --image-shape 8x8 --report {}",
    "classes": "select wine.csv --label label -m 6 --per-label equal --bandwidth cv --report {}",
    "shift": "select wine.csv --drop label -m all --shift --report {}",
    "many": "select digits.csv --label label -m 1000 --method random --image-shape 8x8 --report {}",
    "wide": "select wide.csv -m 1000 --method random --report {}",
    "nasty": "select nasty.csv --id name --label class -m 4 --n-criticisms 2 --report {}",
    "explained": "explain nhanes_adults.csv --id id --label gender --missing category --rows age>75 -m 4 --report {}",
    "explained_digits": "explain digits.csv --label label --rows p02>10 -m 3 --image-shape 8x8 --report {}",
    "explained_nasty": "explain nasty.csv --id name --label class --rows x>8 -m 2 --report {}",
    "shown": "select shown.csv -m 5 --show title,text,photo --n-criticisms 2 --report {}",
    "letters": "select letters.csv --label letter -m 8 --report {}",
    "crowd": "select crowd.csv -m 6 --report {}",
    "wordy": "select wordy.csv -m 3 --report {}",
    "names": "select names.csv --id name --label class --missing mean -m 12 --n-criticisms 2 --report {}",
    "name_methods": "compare names.csv --id name --label class --missing mean -m 4 --report {}",
    "methods": "compare digits.csv --label label -m 4,8,16 --source-sample 400 --target-sample 400 --image-shape 8x8 --report {}",
    "one_size": "compare wine.csv --label label -m 5 --report {}",
    "tables": "relate early_childhood.csv health.csv income.csv occupation.csv --key SEQN --all-categorical -m 4 --report {}",
    "criticized": "criticize saved.json wine.csv -n 3 --report {}",
    "fixed": "select wine.csv --label label -m 4 --fixed 5,70 --report {}",
    "brief": "report saved.json -o {}",
    "both": "report saved.json other.json --data wine.csv -o {}",
    "both_adults": "report adults_a.json adults_b.json --data nhanes_adults.csv -o {}",
    "two_years": "report adults_a.json next_year.json --data nhanes_adults.csv -o {}",
    "both_digits": "report digits_a.json digits_b.json --data digits.csv --image-shape 8x8 -o {}",
    "both_nasty": "report nasty_a.json nasty_b.json --data nasty.csv -o {}",
    "study": "mnist --data mnist --quick -o study --report {}",
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """A folder with the tables, and a saved result."""
    folder = tmp_path_factory.mktemp("pages")
    for name in ["nhanes_adults.csv", "digits.csv", "wine.csv"]:
        shutil.copy(TESTDATA / name, folder)
    for table in (TESTDATA / "relate").glob("*.csv"):
        shutil.copy(table, folder)
    write_digits(folder / "mnist")
    write_shown(folder)
    (folder / "nasty.csv").write_text(nasty_table(), encoding="utf-8")
    (folder / "names.csv").write_text(long_names_table(), encoding="utf-8")
    (folder / "wide.csv").write_text(wide_table(), encoding="utf-8")
    (folder / "letters.csv").write_text(letters_table(), encoding="utf-8")
    (folder / "crowd.csv").write_text(crowd_table(), encoding="utf-8")
    (folder / "wordy.csv").write_text(wordy_table(), encoding="utf-8")
    run(folder, "select wine.csv --label label -m 5 -o saved.json")
    run(folder, "select wine.csv --label label -m 8 --method protogreedy --bandwidth 2 -o other.json")
    # The same adults in another order, as a later file may have them.
    lines = (folder / "nhanes_adults.csv").read_text(encoding="utf-8").splitlines()
    (folder / "next_year.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n", encoding="utf-8")
    run(folder, "select next_year.csv --id id --missing category -m 8 -o next_year.json")
    for name, seed in [("a", 1), ("b", 2)]:
        run(folder, f"select nhanes_adults.csv --id id --missing category -m {6 + 2 * seed} -o adults_{name}.json")
        run(folder, f"select digits.csv --label label -m 12 --method random --seed {seed} -o digits_{name}.json")
        run(folder, f"select nasty.csv --id name --label class -m 4 --method random --seed {seed} -o nasty_{name}.json")
    return folder


def run(folder: Path, call: str) -> None:
    """Runs the command in the folder, or `protodash-studies` for a study."""
    arguments = call.split()
    program = os.environ["PROTODASH_STUDIES" if arguments[0] == "mnist" else "PROTODASH_COMMAND"]
    if "--shift" in arguments:
        arguments += ["--source-where", "label <> 'class_0'", "--target-where", "label = 'class_0'"]
    subprocess.run([program, *arguments, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def pages(folder):
    """The path of each page, created on first use."""
    made = {}

    def page(name: str) -> Path:
        if name not in made:
            run(folder, CALLS[name].format(f"{name}.html"))
            made[name] = folder / f"{name}.html"
        return made[name]

    return page


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    """Headless Chromium."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ["PROTODASH_BROWSER"]
    for flag in QUIET_FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(os.environ["PROTODASH_DRIVER"]))
    yield driver
    driver.quit()


@pytest.fixture
def browser(driver, pages):
    """Opens pages, and checks at the end that none logged a message or made a request."""
    opened = []

    def page(name: str, **how) -> Page:
        # The log of the browser is emptied when the next page opens.
        if opened:
            opened[-1].close()
        opened.append(Page(driver, pages(name), **how))
        return opened[-1]

    yield page
    if opened:
        opened[-1].close()


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """The folder for screenshots of the pages."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


def result_of(path: Path) -> dict:
    """The result embedded in a page."""
    return data_of(path, "result")


def view_of(path: Path) -> dict:
    """The data of a page besides the result."""
    return data_of(path, "view")


def data_of(path: Path, name: str) -> dict:
    """A block of data of a page; long ones are compressed."""
    text = path.read_text(encoding="utf-8").split(f'id="{name}"')[1]
    attributes, block = text.split("</script>")[0].split(">", 1)
    return json.loads(zlib.decompress(base64.b64decode(block), -15) if "packed" in attributes else block)


def known_weights(result: dict) -> dict[int, list[float]]:
    """The weights of each size that has them: those of a long run are written for some sizes only."""
    return {len(weights): weights for weights in [*result["weights_path"], *result.get("later_weights", [])]}
