# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the wheel of the package with CMake: PEP 517 for pip, with nothing but the standard library.

    pip wheel --no-build-isolation --no-deps .
    pip wheel --no-build-isolation --no-deps . --config-settings build-folder=build/release   # of a build that has the module
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def _version():
    return re.search(r"project\(PimStudio VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def _run(*words):
    subprocess.run([str(word) for word in words], check=True)


def _build(folder):
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    _run("cmake", "-S", SOURCE, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DPIM_DESKTOP=OFF", "-DBUILD_TESTING=OFF",
         f"-DPython3_EXECUTABLE={sys.executable}")
    _run("cmake", "--build", folder, "--target", "pim_python", "--parallel", os.cpu_count())


def _write_metadata(folder, tag):
    folder.mkdir()
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: pimstudio\nVersion: {_version()}\n"
        "Summary: Compiler for neural networks on processing-in-memory hardware\nLicense: GPL-3.0-or-later\n"
        f"Requires-Python: =={sys.version_info[0]}.{sys.version_info[1]}.*\nRequires-Dist: numpy\n", encoding="utf-8")
    (folder / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: pimstudio\nRoot-Is-Purelib: false\nTag: {tag}\n", encoding="utf-8")
    shutil.copy(SOURCE / "LICENSE", folder / "LICENSE")


def _pack(tree, info, wheel):
    records = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(path for path in tree.rglob("*") if path.is_file()):
            name, content = file.relative_to(tree).as_posix(), file.read_bytes()
            packed.write(file, name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            records.append(f"{name},sha256={digest},{len(content)}\n")
        packed.writestr(f"{info}/RECORD", "".join(records) + f"{info}/RECORD,,\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    tag = f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    info, name = f"pimstudio-{_version()}.dist-info", f"pimstudio-{_version()}-{tag}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        build, tree = pathlib.Path(scratch, "build"), pathlib.Path(scratch, "wheel")
        if given := (config_settings or {}).get("build-folder"):
            build = pathlib.Path(given).resolve()
        else:
            _build(build)
        _run("cmake", "--install", build, "--component", "wheel", "--prefix", tree, "--strip")
        if not list(tree.glob("pimstudio/_core*.so")):
            raise RuntimeError(f"{build} has no Python module: pybind11-dev and python3-dev of Debian are needed to build it")
        _write_metadata(tree / info, tag)
        _pack(tree, info, pathlib.Path(wheel_directory, name))
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("wheels are built from a checkout of the repository")
