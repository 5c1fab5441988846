# Shared by start and test: packages, folders, build. Sourced, not run.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
exec </dev/null # nothing here asks a question

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
source_dir=$(cd "$scripts/../.." && pwd -P)

say() { printf '== %s\n' "$*"; }
give_up() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# install_packages [PACKAGE ...]: those of the list, and more.
install_packages() {
    command -v dpkg-query >/dev/null || give_up "this script needs Debian 12 or a system made from it"
    local wanted missing=() name
    mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$scripts/packages")
    wanted+=("$@")
    for name in "${wanted[@]}"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null || true)" = installed ] || missing+=("$name")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        say "All ${#wanted[@]} Debian packages are there"
        return
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            give_up "not root and no sudo here; as root run: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600)
    say "Installing ${#missing[@]} missing Debian packages: ${missing[*]}"
    "${apt[@]}" update || say "The package lists could not be refreshed; trying with the old ones"
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

# Folder for builds: build/ of the source tree, or one in the cache where that is not ours to write.
build_root() {
    if mkdir -p "$source_dir/build" 2>/dev/null && [ -w "$source_dir/build" ] &&
        { [ ! -e "$source_dir/build/$1" ] || [ -w "$source_dir/build/$1" ]; }; then
        printf '%s\n' "$source_dir/build"
    else
        local cache="${XDG_CACHE_HOME:-$HOME/.cache}/pimstudio/build"
        mkdir -p "$cache"
        printf '%s\n' "$cache"
    fi
}

# As many compilers as there are processors, and one for each GiB that is free.
jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
    echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

# need_space PRESET FOLDER: for a build from nothing; a disk that fills up tells the thousandth step of it.
need_space() {
    local need free
    case $1 in # measured
    asan) need=55 ;;
    asan-core) need=5 ;;
    *) need=4 ;;
    esac
    [ ! -e "$2/build.ninja" ] || return 0
    free=$(df --output=avail "$(dirname "$2")" 2>/dev/null | tail -1) || return 0 # KiB
    [[ $free =~ ^\ *[0-9]+$ ]] || return 0 # a file system that does not say
    [ "$free" -ge $((need * 1048576)) ] ||
        give_up "the build in $2 takes about $need GiB of disk, $((free / 1048576)) GiB are free there; make room, and run this again"
}

# build PRESET FOLDER [TARGET ...]: everything if no target is given
build() {
    local preset=$1 folder=$2
    shift 2
    need_space "$preset" "$folder"
    say "Configuring preset $preset in $folder"
    (cd "$source_dir" && cmake --preset "$preset" -B "$folder" --log-level=WARNING)
    say "Building with $(jobs) jobs"
    cmake --build "$folder" --parallel "$(jobs)" --target "${@:-all}"
}

# Every source in the form that .clang-format describes; says which are not.
check_format() {
    say "Checking the format of all sources"
    (cd "$source_dir" && find app backends core resources tests views -name '*.h' -o -name '*.cpp' -o -name '*.c' | sort |
        xargs clang-format --dry-run --Werror --ferror-limit=1) ||
        give_up "some sources are not formatted; run clang-format -i (version 14) on them"
}

# batches FOLDER [COMMITS]: the batches of sources that FOLDER has built, one a line; with COMMITS only those that so many last
# commits changed, a header by the source of its name. Without a history to ask, all.
batches() {
    local all changed
    all=$(find "$1"/{app,core,views,backends} -path '*/Unity/unity_*' -name '*.cxx' | sort)
    if [ $# -lt 2 ] || ! changed=$(git -C "$source_dir" log "-$2" --format= --name-only 2>/dev/null); then
        printf '%s\n' "$all"
        return
    fi
    printf '%s\n' "$changed" | grep -E '\.(cpp|h)$' | sed -E 's|\.[a-z]+$|.cpp"|' | sort -u |
        xargs -d '\n' -r printf '/%s\n' | grep -lFf - $all || true
}

# check_mistakes FOLDER [COMMITS]: clang-tidy over those batches, but without headers that g++ precompiled, which clang cannot read;
# .clang-tidy says for what. What clang 14 itself cannot compile of g++ 12's library is no mistake of ours.
check_mistakes() {
    local chosen
    mapfile -t chosen < <(batches "$@")
    say "Looking for mistakes in ${#chosen[@]} batches of sources"
    mkdir -p "$1/clang-tidy"
    sed -E 's/ -Winvalid-pch( -include [^ ]*cmake_pch\.hxx)?//' "$1/compile_commands.json" >"$1/clang-tidy/compile_commands.json"
    : >"$1/clang-tidy.log"
    [ ${#chosen[@]} -eq 0 ] || run-clang-tidy -quiet -p "$1/clang-tidy" -j "$(jobs)" "${chosen[@]}" >"$1/clang-tidy.log" 2>&1 || true
    ! grep -E 'not a PCH file|file not found|no such file' "$1/clang-tidy.log" || give_up "clang-tidy could not read all sources"
    if grep -E '\[(bugprone|misc|modernize|performance|readability)-' "$1/clang-tidy.log" | sort -u >"$1/clang-tidy.found"; then
        head -40 "$1/clang-tidy.found"
        give_up "clang-tidy found mistakes; all of it is in $1/clang-tidy.log"
    fi
}
