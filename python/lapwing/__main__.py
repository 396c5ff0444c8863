"""`python -m lapwing` is the `lapwing` command."""

from lapwing.command_line import main

main()
