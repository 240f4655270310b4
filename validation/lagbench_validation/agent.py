"""Java agents, compiled when they are needed."""

import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from lagbench_validation.processes import Failed, run


def make_agent(source: Path, directory: Path, class_path: Path | None = None, service: str = "") -> Path:
    """
    Compiles an agent into a new directory and returns its jar. The agent is one class without a package.

    :param service: the interface that the class implements as a service provider
    """
    name = source.stem
    jar = directory / f"{name}.jar"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    classes = ["-classpath", class_path] if class_path else []
    run([_of_jdk("javac"), "--release", 17, "-d", directory, *classes, source])
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\nPremain-Class: {name}\n")
        if service:
            archive.writestr(f"META-INF/services/{service}", f"{name}\n")
        for file in directory.glob("*.class"):
            archive.write(file, file.name)
    return jar


def agent_environment(jar: Path, argument: object = "", options: str = "") -> Mapping[str, str]:
    """Returns the variable with which every JVM has the agent, and other options."""
    return {"JAVA_TOOL_OPTIONS": f"{options} -javaagent:{jar}" + (f"={argument}" if argument else "")}


def java() -> str:
    """Returns the program that runs Java, of a JDK."""
    return _of_jdk("java")


def _of_jdk(program: str) -> str:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(program, path=f"{home}/bin" if home else None)
    if found is None:
        raise Failed(f"{program} is missing; set JAVA_HOME to a JDK")
    return found
