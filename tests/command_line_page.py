"""`docs/command-line.md`: its text is written by hand, the help of each command is filled in."""

import re
from pathlib import Path

from click.testing import CliRunner

from lapwing.command_line import main

PAGE = Path(__file__).parent.parent / "docs/command-line.md"
HELP = re.compile(r"(```\n\$ lapwing((?: \w+)?) --help\n)(.*?)(```)", re.DOTALL)
WIDTH = 100


def help_text(command):
    out = CliRunner().invoke(main, [*command.split(), "--help"], terminal_width=WIDTH)
    return out.output


def filled(page):
    return HELP.sub(lambda found: found[1] + help_text(found[2]) + found[4], page)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text()))
