"""A Prometheus that scrapes a monitor and the textfile of a matrix, with the rules and dashboard of web/prometheus."""

import json
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from lagbench_validation.hosts.machines import Fleet
from lagbench_validation.namespaces import entered
from lagbench_validation.processes import Failed, Program

_PORT = 9090
_TEXTFILE_PORT = 9100
_WAIT_S = 120
# The interval of a forecast needs 21 values, one each 12 s; rounds during a matrix may have none.
_FORECAST_S = 600
_VARIABLES = {"$series": ".*", "$from": ".*", "$to": ".*", "$target": ".*", "$__rate_interval": "1m"}


def scrape(home: Path, directory: Path, fleet: Fleet, monitor: str, live_key: str, textfile: str, pairs: int) -> str:
    """Fails unless each rule is evaluated, and each query of the dashboard finds values."""
    directory.mkdir()
    served = directory / "textfile"
    served.mkdir()
    (served / "metrics").write_text(textfile)
    (directory / "live-key").write_text(live_key)
    rules = home / "web" / "prometheus" / "alerts.yaml"
    jobs = [
        {
            "job_name": "lagbench",
            "static_configs": [{"targets": [monitor]}],
            "authorization": {"credentials_file": str(directory / "live-key")},
        },
        {"job_name": "textfile", "static_configs": [{"targets": [f"127.0.0.1:{_TEXTFILE_PORT}"]}]},
    ]
    times = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    configuration = {"global": times, "scrape_configs": jobs, "rule_files": [str(rules)]}
    (directory / "prometheus.yaml").write_text(json.dumps(configuration))
    command = fleet.in_hub(
        *("prometheus", f"--config.file={directory / 'prometheus.yaml'}", f"--storage.tsdb.path={directory / 'data'}"),
        f"--web.listen-address=127.0.0.1:{_PORT}",
    )
    serving = [sys.executable, "-m", "http.server", _TEXTFILE_PORT, "--bind", "127.0.0.1", "--directory", served]
    collector = Program("textfile", fleet.in_hub(*serving))
    prometheus = Program("prometheus", command)
    try:
        with entered(fleet.hub):
            return _check(home, prometheus, pairs)
    finally:
        prometheus.end()
        collector.end()


def _check(home: Path, prometheus: Program, pairs: int) -> str:
    prometheus.await_text("Server is ready", _WAIT_S)
    _await(prometheus, "count(lagbench_pair_failed)", pairs)
    _await(prometheus, "count(lagbench_probe_value_seconds) > bool 0", 1)
    rules = [rule for group in _get("rules")["groups"] for rule in group["rules"]]
    while any(rule["health"] == "unknown" for rule in rules):
        time.sleep(0.2)
        rules = [rule for group in _get("rules")["groups"] for rule in group["rules"]]
    if not rules or any(rule["health"] != "ok" for rule in rules):
        raise Failed(f"these rules fail: {[rule for rule in rules if rule['health'] != 'ok']}")
    queries = dashboard_queries(home)
    deadline = time.monotonic() + _FORECAST_S
    while empty := [query for query in queries if not _query(query)]:
        if time.monotonic() > deadline:
            raise Failed(f"queries of the dashboard find nothing: {empty}")
        time.sleep(1)
    if not queries:
        raise Failed("the dashboard has no queries")
    return f"{len(rules)} rules are evaluated, {len(queries)} queries of the dashboard find values"


def dashboard_queries(home: Path) -> list[str]:
    """Returns the queries of the dashboard, with its variables replaced."""
    dashboard = json.loads((home / "web" / "prometheus" / "grafana.json").read_text())
    found = []
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            query = target["expr"]
            for name, value in _VARIABLES.items():
                query = query.replace(name, value)
            found.append(query)
    return found


def _await(prometheus: Program, query: str, wanted: float) -> None:
    deadline = time.monotonic() + _WAIT_S
    while not ((result := _query(query)) and float(result[0]["value"][1]) == wanted):
        if prometheus.ended or time.monotonic() > deadline:
            raise Failed(f"prometheus: {query} is {result}, not {wanted}: {prometheus.last_lines()}")
        time.sleep(0.2)


def _query(query: str) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = _get(f"query?{urllib.parse.urlencode({'query': query})}")["result"]
    return result


def _get(path: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{_PORT}/api/v1/{path}", timeout=10) as response:
        return json.load(response)["data"]
