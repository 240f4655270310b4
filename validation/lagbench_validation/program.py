"""What the programs of scripts/validate have in common: options, signals, and how they end."""

import argparse
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from lagbench_validation.processes import Failed

INTERRUPTED = 130
UNAVAILABLE = 5


class _Parser(argparse.ArgumentParser):
    """A parser that fails at each use if its help cannot be printed, such as for a percent sign in it."""

    def parse_args(self, *arguments: Any, **named: Any) -> Any:
        self.format_help()
        return super().parse_args(*arguments, **named)


def make_parser(name: str, description: str, smoke: str, epilog: str | None = None) -> argparse.ArgumentParser:
    """Returns a parser with the options that all programs have."""
    parser = _Parser(prog=f"scripts/validate {name}", description=description, epilog=epilog)
    parser.add_argument("--smoke", action="store_true", help=f"{smoke}, in seconds: part of scripts/validate smoke")
    parser.add_argument("--home", required=True, type=Path, help=argparse.SUPPRESS)
    return parser


def run_main(name: str, main: Callable[[], int]) -> NoReturn:
    """Runs a program. SIGINT or SIGTERM interrupts it; later ones do not interrupt its clean-up."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        status = main()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except Failed as e:
        print(f"validate {name}: {e}", file=sys.stderr)
        status = 1
    sys.exit(status)


def _interrupt(*_: object) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
