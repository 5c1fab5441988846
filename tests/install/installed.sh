#!/usr/bin/env bash
# usage: installed.sh CMAKE BUILD [pimstudio]
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
cmake=$1 build=$2 studio=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}
unset PIM_RESOURCE_DIR PIM_PROJECTS_DIR PIM_TARGET_PATH
export QT_QPA_PLATFORM=offscreen HOME=$folder/home XDG_CONFIG_HOME=$folder/home/.config
mkdir -p "$XDG_CONFIG_HOME"
"$cmake" --install "$build" --prefix "$folder/first" >"$folder/log" || fail "$(cat "$folder/log")"
mv "$folder/first" "$folder/moved"
share=$folder/moved/share
pimc=$folder/moved/bin/pimc

"$pimc" doctor >"$folder/doctor" || fail "$(cat "$folder/doctor")"
grep -q "^resources *ok *$share/pimstudio/resources" "$folder/doctor" || fail "$(cat "$folder/doctor")"

# Data that only the installed place has, or no longer has: nothing is read from the source tree.
mv "$share/pimstudio/projects/tiny-gpt" "$share/pimstudio/projects/moved-gpt"
targets=$share/pimstudio/resources/targets
sed 's/"id": *"attacc"/"id": "moved-attacc"/' "$targets/attacc.json" >"$targets/moved-attacc.json"
rm "$targets/attacc.json"
[[ $("$pimc" --version) == "pimc "* ]] || fail "no version"
"$pimc" targets >"$folder/targets"
grep -qw moved-attacc "$folder/targets" || fail "the target of the installed place is not found"
! grep -qE '^ *attacc ' "$folder/targets" || fail "a target of the source tree is found"
"$pimc" compile sample:moved-gpt --target moved-attacc --out "$folder/bundle" >/dev/null 2>&1 ||
    fail "the sample of the installed place does not compile"
"$pimc" verify "$folder/bundle" >/dev/null || fail "the bundle is not what was written"
! "$pimc" inspect sample:tiny-gpt >/dev/null 2>&1 || fail "a sample of the source tree is found"

# What programs in C for UPMEM are compiled against.
sdk=$share/pimstudio/resources/upmem_sdk
echo '#include <dpu.h>
int main(void) { struct dpu_set_t set; DPU_ASSERT(dpu_alloc(1, NULL, &set)); DPU_ASSERT(dpu_free(set)); }' >"$folder/host.c"
cc -std=gnu11 -rdynamic -I"$sdk/host" "$folder/host.c" "$sdk"/runtime/{host,image,memory,tasklets,checks}.c -ldl -o "$folder/host" &&
    "$folder/host" || fail "a program for UPMEM does not compile and run with the installed headers"

# Completion: from the installed file, asked as bash does.
PATH=$folder/moved/bin:$PATH
. "$share/bash-completion/completions/pimc"
completions() { # of a line, in one word each
    COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1) COMPREPLY=()
    _pimc pimc
    printf '%s ' "${COMPREPLY[@]}"
}
expect() {
    local found
    found=$(completions "$1")
    [[ " $found" == *" $2 "* ]] || fail "completion of \"$1\" is \"$found\", without \"$2\""
}
expect "pimc comp" compile
expect "pimc compile --targ" --target
expect "pimc compile --target moved" moved-attacc
expect "pimc compile sample:moved" moved-gpt # after the colon: bash takes it for a word of its own
expect "pimc compile --mapping " fixed
expect "pimc compile x --dual-mode traf" traffic=
expect "pimc compile x --dual-mode traffic=act" activations
expect "pimc compile x --log-level d" debug
expect "pimc export-on" export-onnx
expect "pimc export-onnx x --ou" --output
expect "pimc schema whi" which
[[ -z $(completions "pimc bake " | tr -d ' ') ]] || fail "an unknown verb is completed"
for file in zsh/site-functions/_pimc zsh/vendor-completions/_pimc fish/vendor_completions.d/pimc.fish; do
    [ -s "$share/$file" ] || fail "$file is missing"
done

programs=(pimc ${studio:+"$studio"})
for program in "${programs[@]}"; do
    zcat "$share/man/man1/$program.1.gz" | grep "^\.TH ${program^^} 1" >/dev/null || fail "$program has no manual page"
done
zcat "$share/man/man1/pimc.1.gz" >"$folder/page"
while read -r verb; do
    grep -qxF ".SS ${verb//-/\\-}" "$folder/page" || fail "the manual page does not describe $verb"
done < <("$pimc" completion words pimc '' | cut -f1)
sed -n '/^\.SH EXIT STATUS/,/^\.SH /p' "$folder/page" >"$folder/status"
for code in 0 1 2 130; do
    grep -qx "\.B $code" "$folder/status" || fail "the manual page does not say what exit code $code means"
done
"$pimc" schema compile >"$folder/schema" && grep -q '"title"' "$folder/schema" || fail "the schemas are missing"
if [ -n "$studio" ]; then
    timeout 120 "$folder/moved/bin/pimstudio" --until-usable --new sample:moved-gpt --target moved-attacc \
        >"$folder/usable" || fail "the window does not open the sample of the installed place"
    grep -qE '^[0-9.]+$' "$folder/usable" || fail "the window was not usable"
    [ -s "$share/applications/pimstudio.desktop" ] || fail "the desktop entry is missing"
fi
echo "installed: all well"
