#!/usr/bin/env bash
# The programs carry what makes a mistake in a reader hard to use, and load no library that SECURITY.md does not name.
# usage: hardened.sh SECURITY.md PROGRAM-OR-MODULE ...
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
export LC_ALL=C
named=$1
shift
failed=0
fail() {
    printf 'FAIL: %s\n' "$*" >&2
    failed=1
}
has() { grep -qE "$2" <<<"$1"; } # grep -q on a pipe would end the writer
for file; do
    head=$(readelf -hW "$file") segments=$(readelf -lW "$file") dynamic=$(readelf -dW "$file")
    symbols=$(readelf -W --dyn-syms "$file")
    name=$(basename "$file")
    has "$head" 'Type: +DYN' || fail "$name lies at a fixed address: it is no position-independent executable"
    has "$segments" 'GNU_RELRO' || fail "$name has no part that is read-only once it is loaded (RELRO)"
    has "$dynamic" 'BIND_NOW|FLAGS_1.* NOW' || fail "$name leaves its table of functions writable (no -z now)"
    has "$segments" 'GNU_STACK .* RW ' || fail "$name has a stack that can be executed"
    ! has "$segments" 'LOAD .* RWE ' || fail "$name has memory that can be both written and executed"
    ! has "$dynamic" '\((RPATH|RUNPATH)\).*(\[|:)(/tmp|\.|:|\])' || fail "$name looks for libraries where anybody may put them"
    ! has "$dynamic" 'TEXTREL' || fail "$name changes its own code when it is loaded"
    has "$symbols" '__stack_chk_fail' || fail "$name does not look whether its stack was overwritten (no stack protector)"
    has "$symbols" '__[a-z]+_chk@' || fail "$name does not look how large the buffers of the C library are (_FORTIFY_SOURCE)"
    while read -r library; do
        grep -qF "\`$library\`" "$named" || fail "$name loads $library, which $(basename "$named") does not name"
    done < <(sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*\]/\1/p' <<<"$dynamic")
done
[ "$failed" -eq 0 ] || exit 1
echo "hardened: all well, $# files"
