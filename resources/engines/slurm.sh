carry() { # slug, task, command: on its node, in its job
    local start end status state=ok
    rm -f "$folder/$1.fetched"
    start=$(now)
    @TASK@=$2 @FETCHED@=$folder/$1.fetched bash -c "$3" </dev/null >"$folder/$1.log" 2>&1
    status=$?
    end=$(now)
    ((status == 0)) || state=failed
    add "$2" "$@MACHINE@" "$start" "$end" "$state" "$folder/$1.fetched"
    return "$status"
}
plan() { # name: of folder and record
    name=$1 folder=$PWD/$1.run record=${PLACEWISE_RECORD:-$PWD/$1.csv}
}
node() { # slug, machine, Slurm's name of it
    machine[$1]=$2 node[$1]=$3
    [[ $3 =~ ^@NODE@$ ]] || refuse "Slurm has no node \"$3\": write its name in the line \"node\""
}
job() { # slug of the machine, cores, what it waits for, what else it asks for; its tasks follow and run in turn
    units+=("job $1 $2 $3") needs+=("${4:-}")
}
array() { # the same; its tasks run side by side
    units+=("array $1 $2 $3") needs+=("${4:-}")
}
task() { # slug, name, command
    local unit=$((${#units[@]} - 1))
    members[$unit]+="$1 "
    title[$1]=$2 command[$1]=$3
    [ -n "$3" ] || refuse "no command is stated for task $2: write it at the end of its line"
}
refuse() {
    printf 'placewise: %s\n' "$1" >&2
    wrong=1
}
script() { # number: the text of a job
    local kind on cores waits slug element=0
    read -r kind on cores waits <<<"${units[$1]}"
    echo '#!/bin/bash'
    declare -f now seconds cell add carry
    echo "folder=$(quoted "$folder") record=$(quoted "$record")"
    echo "export @MACHINE@=$(quoted "${machine[$on]}") @CORES@=$cores"
    for slug in ${members[$1]}; do
        [ "$kind" = job ] || echo "[ \"\$SLURM_ARRAY_TASK_ID\" != $element ] ||"
        echo "{ carry $slug $(quoted "${title[$slug]}") $(quoted "${command[$slug]}") || exit; }"
        element=$((element + 1))
    done
    echo 'exit 0'
}
send() { # number
    local kind on cores waits one first count found options=() asked=() gate=""
    read -r kind on cores waits <<<"${units[$1]}"
    read -r first _ <<<"${members[$1]}"
    count=$(wc -w <<<"${members[$1]}")
    for one in $waits; do gate+=",${one%%:*}:${id[${one#*:}]}"; done
    read -r -a asked <<<"${needs[$1]}"
    options=(--parsable --nodes=1 --ntasks=1 --nodelist="${node[$on]}" --cpus-per-task="$cores"
        --job-name="${title[$first]}" --output="$name.run/slurm-%A.out" "${asked[@]}")
    ((count == 1)) || options+=(--comment="$count tasks")
    [ "$kind" = job ] || options+=(--array="0-$((count - 1))")
    if [ -n "$gate" ]; then
        options+=(--dependency="${gate#,}" --kill-on-invalid-dep=yes)
    else
        options+=(--hold)
    fi
    found=$(script "$1" | sbatch "${options[@]}") || return
    found=${found%%;*}
    submitted+=("$found")
    [ -n "$gate" ] || held+=("$found")
    count=0
    for one in ${members[$1]}; do
        id[$one]=$found
        [ "$kind" = job ] || id[$one]+=_$count
        count=$((count + 1))
    done
}
withdraw() {
    local status=$?
    trap '' INT TERM
    ((${#submitted[@]})) && scancel "${submitted[@]}"
    echo 'placewise: the plan is not submitted; what was submitted is cancelled' >&2
    exit "$((status ? status : 1))"
}
submit() {
    local unit
    ((wrong == 0)) || exit 2
    rm -f "$folder/run"
    begin
    trap withdraw EXIT
    trap 'exit 130' INT TERM
    for unit in "${!units[@]}"; do send "$unit" || exit; done
    scontrol release "$(IFS=,; echo "${held[*]}")" || exit
    trap - EXIT INT TERM
    printf '%s\n' "${submitted[@]}" >"$folder/jobs"
    printf 'placewise: %d jobs are submitted; record: %s\n' "${#submitted[@]}" "$record"
    printf 'placewise: cancel them by: scancel $(cat %s)\n' "$(quoted "$folder/jobs")"
}
declare -a units=() needs=() submitted=() held=() members=()
declare -A machine=() node=() title=() command=() id=()
wrong=0
