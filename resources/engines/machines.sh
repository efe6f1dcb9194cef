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
