machine() { # slug, name, cores, host (for ssh)
    machines+=("$1")
    name[$1]=$2 free[$1]=$3 host[$1]=$4 next[$1]=0 length[$1]=0
}
task() { # slug, name, machine, cores, slugs of what it needs, command
    tasks+=("$1")
    title[$1]=$2 machine[$1]=$3 cores[$1]=$4 needs[$1]=$5 command[$1]=$6
    queue[$3:${length[$3]}]=$1
    length[$3]=$((length[$3] + 1))
    [ ! -e "$folder/$1.done" ] || done[$1]=1
}
launch() { # slug
    local on=${machine[$1]}
    free[$on]=$((free[$on] - cores[$1]))
    {
        run "$1" "${title[$1]}" "${name[$on]}" "${host[$on]}" "${cores[$1]}" "${command[$1]}"
        echo "$1 $?" >&3
    } &
    pids[$1]=$!
    printf 'started %s on %s\n' "${title[$1]}" "${name[$on]}"
}
advance() { # starts what can start
    local on slug need
    for on in "${machines[@]}"; do
        while ((next[$on] < length[$on])); do
            slug=${queue[$on:${next[$on]}]}
            if [ -z "${done[$slug]-}" ]; then
                ((cores[$slug] <= free[$on])) || continue 2
                for need in ${needs[$slug]}; do
                    [ -n "${done[$need]-}" ] || continue 3
                done
                launch "$slug"
            fi
            next[$on]=$((next[$on] + 1))
        done
    done
}
interrupted() {
    trap '' INT TERM
    kill -TERM $(jobs -p) 2>/dev/null
    wait
    echo 'placewise: interrupted; run the script again to resume' >&2
    exit 130
}
stated() { # whether every task has a command
    local slug
    for slug in "${tasks[@]}"; do
        [ -n "${command[$slug]}" ] && continue
        printf 'placewise: no command is stated for task %s: write it at the end of its line\n' \
            "${title[$slug]}" >&2
        return 1
    done
}
carry_out() {
    local slug status failed=0
    stated || exit 2
    begin
    rm -f "$folder/events"
    mkfifo "$folder/events" && exec 3<>"$folder/events" && rm -f "$folder/events" || exit
    trap interrupted INT TERM
    advance
    while ((${#pids[@]})); do
        read -r slug status <&3 || continue
        unset "pids[$slug]"
        free[${machine[$slug]}]=$((free[${machine[$slug]}] + cores[$slug]))
        if ((status)); then
            failed=1
            continue
        fi
        done[$slug]=1
        printf 'ended %s\n' "${title[$slug]}"
        ((failed)) || advance
    done
    if ((${#done[@]} < ${#tasks[@]})); then
        printf 'placewise: %d of %d tasks are done; ' "${#done[@]}" "${#tasks[@]}" >&2
        echo 'run the script again to resume' >&2
        exit 1
    fi
    rm -f "$folder"/*.done "$folder/run"
    printf 'placewise: all tasks are done; record: %s\n' "$record"
}
declare -a machines=() tasks=()
declare -A name=() free=() host=() next=() length=() queue=()
declare -A title=() machine=() cores=() needs=() command=() done=() pids=()
plan() { # name: of folder and record
    folder=$1.run record=${PLACEWISE_RECORD:-$1.csv}
}
