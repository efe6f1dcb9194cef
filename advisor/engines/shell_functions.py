"""What scripts that carry plans out do for a task: constant text of bash, without a word of a plan.

`RECORD` writes lines of a run record (`advisor.runs.record_csv`); `MACHINES` runs a task on its
machine, here or over ssh, with the clock of the machine that the script runs on: a task starts when
its machine says so, so that what ssh takes is between tasks, not in them. Variables: ``folder`` of
logs and marks, ``record``, ``LOCAL``. Bash 4.4. A command may write what it fetched, "bytes
seconds", into the file of `advisor.engines.shell.FETCHED_VARIABLE`.
"""

from __future__ import annotations

from advisor.engines.jobs import CORES_VARIABLE, MACHINE_VARIABLE, TASK_VARIABLE
from advisor.engines.shell import FETCHED_VARIABLE
from advisor.runs.record_csv import header_line

RECORD = r"""
now() { # microseconds since 1970
    if [ -n "${EPOCHREALTIME-}" ]; then
        printf '%s' "${EPOCHREALTIME/[.,]/}"
    else
        printf '%s' "$(($(date +%s%N) / 1000))"
    fi
}
seconds() { # microseconds: the same in seconds
    local us=$1 sign=""
    if ((us < 0)); then sign=- us=$((-us)); fi
    printf '%s%d.%06d' "$sign" "$((us / 1000000))" "$((us % 1000000))"
}
cell() { # a text: a cell of the record that no spreadsheet takes for a formula
    local text=$1 quote='"'
    [[ $text == [=+@-]* ]] && text="'$text"
    printf '"%s"' "${text//$quote/$quote$quote}"
}
quoted() { # a text: one word of any shell
    local apostrophe="'\\''"
    printf "'%s'" "${1//\'/$apostrophe}"
}
begin() { # the run's name and zero, kept for resuming, and the record's first line
    mkdir -p "$folder" || exit
    [ -s "$folder/run" ] || printf '%s %s\n' "$(date +%Y%m%dT%H%M%S)" "$(now)" >"$folder/run"
    [ -s "$record" ] || echo '@HEADER@' >"$record" || exit
}
add() { # task, machine, begin, end, status, file of what it fetched: a line, in one write
    local run zero line start=$3 bytes="" fetch="" begin=""
    read -r run zero <"$folder/run"
    [ -s "$6" ] && read -r bytes fetch <"$6"
    if [[ $bytes =~ ^[0-9]+$ && $fetch =~ ^[0-9]+([.][0-9]+)?$ ]]; then
        LC_ALL=C printf -v fetch '%.0f' "${fetch}e6"
        start=$(($3 + fetch < $4 ? $3 + fetch : $4)) begin=$(seconds $(($3 - zero)))
    else
        bytes=""
    fi
    line="$run,$(cell "$1"),$(cell "$2"),,$begin,$(seconds $((start - zero)))"
    line="$line,$(seconds $(($4 - zero))),$bytes,$5"
    { flock -w 10 9 2>/dev/null; printf '%s\n' "$line" >&9; } 9>>"$record"
}
""".replace("@HEADER@", header_line().strip())

MACHINES = (
    RECORD
    + r"""
here() { # host: whether it is this one
    case $1 in localhost | "$HOSTNAME" | "${HOSTNAME%%.*}") return 0 ;; esac
    [ -n "${LOCAL-}" ]
}
reach() { # host, text: a bash there runs it
    if here "$1"; then
        bash -c "$2"
    else
        ssh -o BatchMode=yes -- "$1" "exec bash -c $(quoted "$2")"
    fi
}
watched() { # file: keeps when and as which process the task began, and passes its output on
    local line
    while IFS= read -r line; do
        if [[ $line == "placewise begins "* ]]; then
            printf '%s %s\n' "$(now)" "${line##* }" >"$1"
            break
        fi
        printf '%s\n' "$line"
    done
    exec cat
}
stop() { # host, group, file: ends a task and whatever it started, within five seconds
    local start pid
    trap '' INT TERM
    if ! here "$1"; then
        for _ in {1..10}; do [ -s "$3" ] && break || sleep 0.1; done # it may be about to begin
        read -r start pid <"$3" && reach "$1" "kill -TERM -- -$pid" </dev/null
    fi
    kill -TERM -- "-$2"
    { sleep 5; kill -KILL -- "-$2"; } </dev/null &>/dev/null &
    exit 143
} 2>/dev/null
run() { # slug, name, machine, host, cores, command: a task with its log, mark and line
    local file=$folder/$1 text group status start end pid stopped=""
    if [ -z "$6" ]; then
        printf 'placewise: no command is stated for task %s\n' "$2" >&2
        return 2
    fi
    text="export @TASK@=$(quoted "$2") @MACHINE@=$(quoted "$3") @CORES@=$5
export @FETCHED@=$(quoted "$PWD/$file.fetched")
cd $(quoted "$PWD") && echo placewise begins \$\$ && exec bash -c $(quoted "$6")"
    rm -f "$file.began" "$file.fetched"
    start=$(now)
    trap 'stopped=1' INT TERM
    set -m
    (set -o pipefail; reach "$4" "$text" 2>&1 </dev/null | watched "$file.began") >"$file.log" &
    group=$!
    set +m
    trap 'stop "$4" "$group" "$file.began"' INT TERM
    [ -z "$stopped" ] || stop "$4" "$group" "$file.began"
    wait "$group" 2>/dev/null
    status=$?
    end=$(now)
    trap - INT TERM
    [ -s "$file.began" ] && read -r start pid <"$file.began"
    if ((status == 0)); then
        add "$2" "$3" "$start" "$end" ok "$file.fetched"
        : >"$file.done"
        return
    fi
    add "$2" "$3" "$start" "$end" failed "$file.fetched"
    {
        printf 'placewise: task %s failed on %s with status %d: ' "$2" "$3" "$status"
        printf '%s\n' "$file.log"
        tail -n 5 "$file.log"
    } >&2
    return 1
}
"""
)
for _sign, _variable in (("@TASK@", TASK_VARIABLE), ("@MACHINE@", MACHINE_VARIABLE),
                         ("@CORES@", CORES_VARIABLE), ("@FETCHED@", FETCHED_VARIABLE)):  # fmt: skip
    MACHINES = MACHINES.replace(_sign, _variable)
