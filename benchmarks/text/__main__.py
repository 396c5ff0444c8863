"""A file of VW text from the disk to its loss, by processes of their own.

Every round runs every contestant once, in the same order, and the file is in the system's cache.
The best round counts: wall clock, start of the process included; the processor time of all its
threads, which a busy machine disturbs less; and the most memory it had.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.text import lapwing, vowpal_wabbit

WORKLOADS = ("namespaces", "numbers")
CONTESTANTS = (vowpal_wabbit, lapwing)


class Run(NamedTuple):
    seconds: float
    processor: float
    megabytes: float
    loss: float


def run(command: list[str]) -> Run:
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    output = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command[:3]} failed:\n{output}")
    (loss,) = re.findall(r"^average loss = (\S+)$", output, re.MULTILINE)
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, float(loss))


def best(runs: list[Run]) -> Run:
    seconds, processor, megabytes, losses = zip(*runs, strict=True)
    return Run(min(seconds), min(processor), max(megabytes), losses[0])


def compare(name: str, rows: int, rounds: int, folder: Path) -> None:
    path = folder / f"{name}.vw"
    # By another process: what this one has in memory would count as its children's.
    write = [sys.executable, "-m", "benchmarks.text.workload", name, str(rows), str(path)]
    subprocess.run(write, check=True)
    commands = {c.NAME: c.command(str(path)) for c in CONTESTANTS}
    runs: dict[str, list[Run]] = {name: [] for name, command in commands.items() if command}
    for _ in range(rounds):
        for contestant, kept in runs.items():
            command = commands[contestant]
            assert command is not None
            kept.append(run(command))
    megabytes = path.stat().st_size / 1e6
    print(f"{name}: {rows:,} rows, {megabytes:.0f} MB, 24 bits")
    print(
        f"{'':14} {'s':>7} {'ratio':>5}   {'processor s':>11} {'ratio':>5}   {'MB':>5} {'loss':>8}"
    )
    found = {contestant: best(kept) for contestant, kept in runs.items()}
    rival = found.get(vowpal_wabbit.NAME)
    for contestant, of in found.items():
        ratios = (rival.seconds / of.seconds, rival.processor / of.processor) if rival else (1, 1)
        print(
            f"{contestant:14} {of.seconds:7.2f} {ratios[0]:5.2f}   {of.processor:11.2f} "
            f"{ratios[1]:5.2f}   {of.megabytes:5.0f} {of.loss:8.6f}"
        )
    if rival is None:
        print("Vowpal Wabbit is missing: pip install vowpalwabbit, or VW_PYTHON=...")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.text", description=__doc__)
    parser.add_argument("workloads", nargs="*", choices=[*WORKLOADS, []], metavar="WORKLOAD")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in given.workloads or WORKLOADS:
            compare(name, given.rows, given.rounds, Path(folder))


main()
