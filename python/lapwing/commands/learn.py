"""`lapwing learn`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from lapwing.commands.group import silence
from lapwing.commands.model_options import flags, given, model_options, new_model
from lapwing.commands.reading_options import Reading, column_options, files, reading_options
from lapwing.commands.writing import check_writable

if TYPE_CHECKING:
    from lapwing.learning.checkpoint import Unfinished
    from lapwing.learning.run import Ended, Run
    from lapwing.learning.screen import Screen
    from lapwing.report.recent import Recent

EXAMPLES = """\b
Examples:
  lapwing learn clicks.vw.gz --save clicks.lapwing
  lapwing learn flights.parquet --label "delay > 15" --cross origin,dest --names
  zcat day_*.tsv.gz | lapwing learn - --format criteo --save m --checkpoint-every 1000000
  lapwing learn tuesday.vw --resume clicks.lapwing --save clicks.lapwing --report tuesday.html
"""


@click.command(epilog=EXAMPLES)
@files
@reading_options
@column_options
@model_options
@click.option("--save", metavar="MODEL", help="Write the model to this file when all is learned.")
@click.option(
    "--resume",
    metavar="MODEL",
    help="Go on with the model of this file. If it was saved before its files were read to the "
    "end, rows of these files that it has learned are passed over.",
)
@click.option(
    "--no-skip", is_flag=True, help="With --resume: learn all rows, whatever was learned before."
)
@click.option(
    "--checkpoint-every",
    "every",
    type=click.IntRange(1),
    metavar="ROWS",
    help="Also write the model after every so many rows.",
)
@click.option("--report", metavar="FILE.html", help="Write a page with figures and pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option(
    "-q", "--quiet", is_flag=True, help="Print nothing but errors, and JSON if asked for."
)
def learn(
    files: tuple[str, ...],
    format: str,  # noqa: A002
    label: str | None,
    skip_bad_rows: bool,
    columns: list[str] | None,
    ignore: list[str] | None,
    categories: list[str] | None,
    save: str | None,
    resume: str | None,
    no_skip: bool,
    every: int | None,
    report: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Learn the rows of files, predicting each before it is learned.

    FILE is text (CSV, VW, svmlight, Criteo), plain or compressed by gzip or zstd, or Parquet; - is
    standard input. The table shows the average loss of these predictions after 1, 2, 4, 8, ...
    thousand rows, and goes to standard output.

    The exit code is 0; 1 after a mistake, and when a row cannot be read; 130 after Ctrl-C. In both
    cases what was learned before is saved if --save is given, and --resume with the same files goes
    on from there: the model it ends with is the same, to the last bit, as without a break.
    """
    from lapwing.learning.run import learn as learn_run
    from lapwing.learning.screen import Screen
    from lapwing.report.recent import Recent

    reading = Reading(format, label, columns, ignore, categories, skip_bad_rows)
    run = _run(list(files), reading, options, save, resume, every, no_skip=no_skip)
    check_writable(save, files)
    check_writable(report, [*files, *(path for path in (save, resume) if path is not None)])
    recent = Recent()
    if report is not None:
        run.on_piece = recent.add
    out = None if quiet else sys.stderr if as_json else sys.stdout
    with Screen(out) as screen:
        if run.begun is not None and out is not None:
            note = (
                f"{run.origin} has learned {run.begun.rows:,} rows of these files: going on there"
            )
            click.echo(note, err=True)
        ended = learn_run(run, screen)
        screen.close_bar()
        screen.end()
        if ended.error is not None:
            raise click.ClickException(_with_what_is_kept(run, ended)) from ended.error
        _tell(run, ended, screen, report, recent, as_json=as_json)
        if screen.is_broken:
            silence(sys.stderr if as_json else sys.stdout)
    if ended.interrupted is not None:
        click.get_current_context().exit(ended.interrupted.exit_code)


def _run(
    files: list[str],
    reading: Reading,
    options: dict[str, Any],
    save: str | None,
    resume: str | None,
    every: int | None,
    *,
    no_skip: bool,
) -> Run:
    from lapwing.learning import checkpoint
    from lapwing.learning.run import Run

    if every is not None and save is None:
        raise click.UsageError("--checkpoint-every needs --save, to know where")
    if resume is None:
        if no_skip:
            raise click.UsageError("--no-skip says how to go on: it needs --resume")
        return Run(new_model(options), files, reading._asdict(), save, every or 0)
    if given(options):
        raise click.UsageError(
            f"{flags(options)} would make another model; {resume} is as it was made"
        )
    model, begun = checkpoint.load(resume)
    run = Run(model, files, reading._asdict(), save, every or 0, origin=resume)
    if begun is not None and not no_skip:
        run.begun = begun
        run.reading = begun.reading
        _check_same_reading(reading, begun, resume)
    return run


def _check_same_reading(reading: Reading, begun: Unfinished, resume: str) -> None:
    """What is not said again is as it was; what is said must be."""
    for name, default in Reading()._asdict().items():
        said, was = getattr(reading, name), begun.reading.get(name, default)
        if said not in (default, was):
            flag = "--" + name.replace("_", "-")
            raise click.UsageError(
                f"{flag} is not what the unfinished {resume} began with; leave {flag} out to go "
                "on, or give --no-skip to learn all rows"
            )


def _with_what_is_kept(run: Run, ended: Ended) -> str:
    text = str(ended.error)
    if not ended.has_learned:
        return text
    rows = f"{ended.progress.rows - ended.rows_before:,} rows before it are learned"
    if run.save is None:
        return f"{text} (the {rows}, and lost without --save)"
    return f"{text} (the {rows} and saved in {run.save}; --resume {run.save} goes on there)"


def _tell(
    run: Run, ended: Ended, screen: Screen, report: str | None, recent: Recent, *, as_json: bool
) -> None:
    from lapwing.learning import summary

    weights = run.model.weights()
    found = summary.figures(ended, len(weights))
    written = run.save if ended.is_whole or ended.has_learned else None
    screen.print()
    for line in summary.lines(found):
        screen.print(line)
    if ended.interrupted is not None:
        screen.print("interrupted: the rows after these are not learned")
    if report is not None:
        from lapwing.report import write

        write(report, run, ended, found, weights, recent)
        screen.print(f"report in {report}")
    if written is not None:
        screen.print(f"model in {written}")
    if as_json:
        click.echo(json.dumps({**found, "model": written, "report": report}))
