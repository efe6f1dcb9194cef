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
