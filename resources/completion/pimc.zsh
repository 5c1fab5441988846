#compdef pimc
# Completion of pimc for zsh: asks the program itself.
# SPDX-License-Identifier: GPL-3.0-or-later
_pimc() {
    local line word
    local -a whole open # "word:about"; what ends in = is gone on with
    for line in "${(@f)$("${(Q)words[1]}" completion words pimc "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        word=${${line%%$'\t'*}//:/\\:}
        [[ $line == *$'\t'* ]] && word+=":${line#*$'\t'}"
        case ${line%%$'\t'*} in
        '') ;;
        '<file>') _files ;;
        *=) open+=("$word") ;;
        *) whole+=("$word") ;;
        esac
    done
    (( $#open )) && _describe -o pimc open -S ''
    (( $#whole )) && _describe -o pimc whole
    return 0
}
if [[ $funcstack[1] == _pimc ]]; then
    _pimc "$@"
else
    compdef _pimc pimc
fi
