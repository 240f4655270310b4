"""Prints the lags of a dataset: python -m lagbench.lag_table DIR, or spark-submit lag_table.py DIR --engine spark."""

import argparse

from lagbench.dataset import dataset


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m lagbench.lag_table", description="Print the lags of a dataset.")
    parser.add_argument("directory", help="of lagbench dataset")
    parser.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb")
    parser.add_argument("--by", default="network,packet_bytes,engine", help="columns of runs (default: %(default)s)")
    parser.add_argument("--where", default="", help="a condition on columns of runs, in SQL")
    arguments = parser.parse_args()
    print(dataset(arguments.directory, arguments.engine).lag_table(arguments.by.split(","), arguments.where))


if __name__ == "__main__":
    main()
