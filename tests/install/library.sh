#!/usr/bin/env bash
# The C++ library as others use it: installed, moved, found by find_package, with the example of the help as it stands, a family of
# hardware that comes from outside, and every header that the help names compiled alone.
# usage: library.sh CMAKE BUILD SOURCES COMPILER
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
cmake=$1 build=$2 sources=$3 compiler=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}
unset PIM_RESOURCE_DIR PIM_PROJECTS_DIR PIM_TARGET_PATH
page=$sources/resources/help/library.md
"$cmake" --install "$build" --prefix "$folder/first" >"$folder/log" || fail "$(cat "$folder/log")"
[ ! -e "$folder/first/include" ] || fail "the programs alone bring headers"
[ -z "$(find "$folder/first" -name '*.a')" ] || fail "the programs alone bring libraries"
"$cmake" --install "$build" --prefix "$folder/first" --component dev >"$folder/log" || fail "$(cat "$folder/log")"
prefix=$folder/moved
mv "$folder/first" "$prefix"
! grep -rn "$sources\|$build" "$prefix/lib/cmake" "$prefix/lib/"*/cmake 2>/dev/null || fail "the package names folders of the build"

block() { awk -v fence="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == fence && !seen { on = seen = 1 }' "$page"; }
made() { # NAME: configures and builds the project in that folder
    "$cmake" -S "$folder/$1" -B "$folder/$1/build" -G Ninja -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_PREFIX_PATH="$prefix" \
        -D CMAKE_BUILD_TYPE=Debug >"$folder/log" 2>&1 && "$cmake" --build "$folder/$1/build" >>"$folder/log" 2>&1 ||
        fail "$1 is not built: $(cat "$folder/log")"
}

# The example of the help, against pimc with the same machine.
mkdir "$folder/example"
block cmake >"$folder/example/CMakeLists.txt"
block cpp >"$folder/example/main.cpp"
[ "$(wc -l <"$folder/example/main.cpp")" -gt 20 ] || fail "the help has no example"
made example
model=$prefix/share/pimstudio/projects/tiny-gpt/tiny-gpt.onnx
"$folder/example/build/my_machine" "$model" >"$folder/plan.json" || fail "the example says: $(cat "$folder/plan.json")"
"$prefix/bin/pimc" targets hbm-pim --json |
    python3 -c 'import json, sys
machine = json.load(sys.stdin)
machine["id"] = "my-machine"
machine["levels"][0]["count"]["value"] *= 2
json.dump(machine, sys.stdout)' >"$folder/my-machine.json"
"$prefix/bin/pimc" compile "$model" --target "$folder/my-machine.json" --verify 0 --quiet --json >"$folder/pimc.json" || fail "pimc does not compile it"
python3 -c 'import json, sys
ours, theirs = (json.load(open(file)) for file in sys.argv[1:])
different = [key for key in ours if theirs[key] != ours[key]]
sys.exit(f"the example plans otherwise than pimc: {different}" if different or not ours["ops"] else 0)' \
    "$folder/plan.json" "$folder/pimc.json" || exit 1
! "$folder/example/build/my_machine" "$folder/none.onnx" >"$folder/said" || fail "a model that is not there is no error"
grep -q none.onnx "$folder/said" || fail "the error does not name the model: $(cat "$folder/said")"

# A family from outside.
mkdir -p "$folder/family/tests/backends_toy"
cp "$sources/tests/backends_toy/"toy.* "$folder/family/tests/backends_toy"
cat >"$folder/family/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(family CXX)
find_package(PimStudio REQUIRED)
add_executable(family main.cpp tests/backends_toy/toy.cpp)
target_include_directories(family PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(family PRIVATE PimStudio::core PimStudio::backends)
END
cat >"$folder/family/main.cpp" <<'END'
#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "tests/backends_toy/toy.h"

#include <iostream>

int main(int, char** arguments) {
    pim::BackendList backends = pim::builtinBackends();
    backends.add(std::make_unique<pim::test::ToyBackend>(std::make_shared<const pim::RooflineHost>()));
    pim::PlanRequest request;
    request.target = pim::TargetCatalog::load({arguments[2]}).find("toy").value();
    request.graph = pim::loadGraph(arguments[1]).value();
    std::cout << pim::planJson(*pim::compile(backends, request).value());
}
END
made family
PIM_RESOURCE_DIR=$prefix/share/pimstudio/resources "$folder/family/build/family" "$model" "$folder/family/tests/backends_toy" \
    >"$folder/toy.json"
grep -q '"toy": {' "$folder/toy.json" || fail "the family from outside planned nothing: $(cat "$folder/toy.json")"

# Headers alone, by those who want no warnings; with fmt and expected as the only others.
mapfile -t headers < <(sed -n 's/^| `\(.*\.h\)` |.*/\1/p' "$page")
[ ${#headers[@]} -gt 20 ] || fail "the help names no headers"
printf '%s\n' "${headers[@]}" | xargs -P 2 -I HEADER sh -c 'printf "#include \"HEADER\"\n#include \"HEADER\"\n" |
    '"$compiler"' -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wno-missing-field-initializers -Werror -I'"$prefix"'/include/pimstudio \
        -x c++ - || { echo "FAIL: HEADER does not compile alone" >&2; exit 255; }' || exit 1
echo "library: all well, ${#headers[@]} headers"
