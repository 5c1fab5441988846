# Completion of pimc for bash: asks the program itself.
# SPDX-License-Identifier: GPL-3.0-or-later
_pimc() {
    local line=${COMP_LINE:0:COMP_POINT} words word about
    read -ra words <<<"$line"
    if [[ $line == *[[:blank:]] ]]; then words+=(""); fi
    # bash takes what is before = and : for words of their own, and wants only what comes after the last of them
    local typed=${words[-1]} breaks=${COMP_WORDBREAKS//[^:=]/} before=
    if [[ $breaks ]]; then before=${typed%"${typed##*["$breaks"]}"}; fi
    COMPREPLY=()
    while IFS=$'\t' read -r word about; do
        if [[ $word == "<file>" ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${typed#"$before"}")
        else
            COMPREPLY+=("${word#"$before"}")
            if [[ $word == *= ]]; then compopt -o nospace 2>/dev/null; fi
        fi
    done < <("$1" completion words pimc "${words[@]:1}" 2>/dev/null)
}
complete -F _pimc pimc
