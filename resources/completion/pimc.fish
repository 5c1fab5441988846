# Completion of pimc for fish: asks the program itself.
# SPDX-License-Identifier: GPL-3.0-or-later
function __pimc_words
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for line in ($words[1] completion words pimc $words[2..] "$typed" 2>/dev/null)
        if test "$line" = '<file>'
            __fish_complete_path "$typed"
        else
            echo -- $line
        end
    end
end
complete -c pimc -f -a '(__pimc_words)'
