"""The walkthrough of docs/scale.md, as it is printed there."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conftest import children

GUIDE = Path(__file__).parents[3] / "docs" / "scale.md"


def steps() -> list[tuple[str, str]]:
    """The commands of the walkthrough, each with what is printed below it."""
    section = GUIDE.read_text().partition("## Walkthrough")[2].partition("\n## ")[0]
    found: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", section, re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = step.partition("\n")
            if command.count('"') % 2:
                # A program over several lines.
                command, printed = step.rstrip("\n"), ""
            found.append((command, printed))
    return found


@contextmanager
def ended(processes: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    """Ends what was started here, and what that started: `ray stop` would also end other clusters of this machine."""
    try:
        yield
    finally:
        for process in reversed(processes):
            descendants = all_children(process.pid)
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for descendant in descendants:
                try:
                    os.kill(descendant, signal.SIGKILL)
                except ProcessLookupError:
                    pass


def all_children(parent: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    try:
        found = children(parent)
    except FileNotFoundError:
        return []
    return found + [other for child in found for other in all_children(child)]


def is_raylet(process: int) -> bool:
    """Whether this process starts the workers of a node."""
    return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0].endswith(b"/raylet")


def test_the_walkthrough_prints_what_it_says(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.2", 0))
        port = str(free.getsockname()[1])
    folder = Path(sys.executable).parent
    environment = {**os.environ, "HOME": str(tmp_path), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    environment["PYTHONWARNINGS"] = "ignore"
    nodes: list[subprocess.Popen[bytes]] = []
    work = tmp_path / "work"
    work.mkdir()
    done = []
    with ended(nodes):
        for command, printed in steps():
            command = command.replace("6379", port)
            if command.startswith(("pip install ", "ray stop")):
                continue
            done.append(command)
            if command.startswith("export "):
                environment |= dict(pair.split("=") for pair in command.split()[1:])
            elif command.startswith("ray start "):
                log = tmp_path / f"node-{len(nodes)}.log"
                more = ["--block", "--object-store-memory=80000000"]
                with log.open("wb") as output:
                    process = subprocess.Popen([*command.split(), *more], env=environment, stdout=output, stderr=output)
                nodes.append(process)
                deadline = time.monotonic() + 60
                while b"Ray runtime started" not in log.read_bytes():
                    assert process.poll() is None and time.monotonic() < deadline, log.read_text()
                    time.sleep(0.1)
            elif command == "cat run.py":
                # `auto` would find any cluster of this machine.
                (work / "run.py").write_text(printed.replace('address="auto"', f'address="127.0.0.2:{port}"'))
            else:
                # Any worker of this machine would do for the guide.
                raylets = ",".join(str(child) for node in nodes for child in all_children(node.pid) if is_raylet(child))
                shell = command.replace("pgrep -f", f"pgrep -P {raylets} -f")
                found = subprocess.run(
                    ["bash", "-c", shell], cwd=work, env=environment, capture_output=True, text=True, timeout=120, check=False
                )
                assert found.returncode == 0, f"{command}: {found.stderr}"
                # What Ray says of a worker that died is no part of the guide.
                lines = [line for line in found.stdout.splitlines() if "(raylet)" not in line]
                assert " ".join(" ".join(lines).split()) == " ".join(printed.split()), command
    assert len(done) > 12
