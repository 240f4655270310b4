# Sourced by scripts/test: its steps, what each costs, and which are broken.
# shellcheck shell=bash

readonly reports=$state/reports  # JUnit reports, in a folder for each step, and logs of steps
readonly broken_steps=$state/broken costs=$state/costs
lanes=()

heading() { printf '\n=== %s ===\n' "$*"; }

# Notes that a step is broken, with or without a failed test.
break_step() { printf '%s\n' "$*" >>"$broken_steps"; }

# Runs the step $1, which is the remaining arguments, and notes its seconds and the CPU seconds of its processes. It is a
# subshell, whose child processes are those of this step.
measured() (
    name=$1 begin=$SECONDS status=0
    shift
    "$@" || status=$?
    read -ra stat <"/proc/$BASHPID/stat"
    printf '%s\t%d\t%d\n' "$name" $((SECONDS - begin)) $(((stat[15] + stat[16]) / $(getconf CLK_TCK))) >>"$costs"
    exit "$status"
)

# Runs a step like measured, with its output in a log.
logged_step() { measured "$@" >"$reports/$1.log" 2>&1 </dev/null 9>&- || break_step "$1"; }

# Starts a function that runs steps one after the other, concurrent with other lanes. It has a process group, so that all its
# processes end with this one.
start_lane() {
    set -m
    "$1" &
    set +m
    lanes+=($!)
    # shellcheck disable=SC2064 # these process groups
    trap "kill -- ${lanes[*]/#/-} 2>/dev/null || true" EXIT
}

# Waits for all lanes.
await_lanes() {
    local lane
    for lane in "${lanes[@]}"; do
        wait "$lane" || break_step "steps of scripts/test"
    done
    lanes=()
    trap - EXIT
}

# Prints the logs of steps, except the named ones, which were printed before.
print_logs() {
    local file name
    for file in "$reports"/*.log; do
        name=$(basename "$file" .log)
        [[ " ${*/%/.log} " != *" $name.log "* ]] || continue
        heading "$name"
        cat "$file"
    done
}

# Prints what each step cost.
print_costs() {
    local name seconds cpu
    printf '%-40s %8s %12s\n' step minutes 'CPU seconds'
    while IFS=$'\t' read -r name seconds cpu; do
        printf '%-40s %6d.%d %12d\n' "$name" $((seconds / 60)) $((seconds % 60 / 6)) "$cpu"
    done <"$costs"
}
