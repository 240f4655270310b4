# Sourced by common.sh: runs the programs of validation/lagbench_validation, and makes virtual environments with the packages
# of validation/pyproject.toml.
# shellcheck shell=bash

python=python3

# Executes a program of validation/lagbench_validation with $python.
exec_python() { # module, its arguments
    export PYTHONPATH=$home/validation:$home/python
    exec "$python" -B -m "$@"
}

# Sets python to the interpreter of a virtual environment that has the optional dependencies $1 of
# validation/pyproject.toml. Makes the environment in the checkout if it is missing or has other versions.
require_python_packages() {
    local extra=$1 environment=$state/python-$1
    local -a packages
    require "${python_requirements[@]}"
    python=$environment/bin/python
    mapfile -t packages < <(python3 -B - "$home/validation/pyproject.toml" "$extra" <<'END'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    print(*tomllib.load(file)["project"]["optional-dependencies"][sys.argv[2]], sep="\n")
END
    )
    ((${#packages[@]} > 0)) || fail $exit_internal "validation/pyproject.toml has no optional dependencies \"$extra\"."
    [[ ! -x $python || $(cat "$environment/installed" 2>/dev/null) != "${packages[*]}" ]] || return 0
    [[ ${LAGBENCH_NO_INSTALL:-0} == 0 ]] ||
        fail $exit_unavailable "missing: ${packages[*]} in $environment. Unset LAGBENCH_NO_INSTALL to install" \
            "them, or run: python3 -m venv $environment && $environment/bin/pip install ${packages[*]}" \
            "&& echo '${packages[*]}' >$environment/installed"
    writable_state
    print_message "installing ${packages[*]} in $environment …"
    logged $exit_unavailable "python3 -m venv" python3 -m venv --clear "$environment"
    logged $exit_unavailable "pip install" "$environment/bin/pip" --quiet --disable-pip-version-check install "${packages[@]}"
    printf '%s\n' "${packages[*]}" >"$environment/installed"
}
