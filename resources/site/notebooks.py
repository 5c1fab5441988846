# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs notebooks without a browser, each in a new interpreter and an empty folder, whatever the user has set up for Jupyter."""
import os
import pathlib
import tempfile

os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # kernels load a debugger, which would warn

import nbclient
import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets.config import Config


class Failed(Exception):
    """A cell ended with an exception."""


class Kernel(AsyncKernelManager):
    """The interpreter that runs this, spoken to through sockets that are files: ports may be taken."""

    def _kernel_spec_manager_default(self):
        return KernelSpecManager(kernel_dirs=[])

    def _transport_default(self):
        return "ipc"


def run(path):
    """The notebook with its results."""
    notebook = nbformat.read(str(path), as_version=4)
    nbformat.validate(notebook)
    with tempfile.TemporaryDirectory(prefix="pim-") as name:
        home, work = pathlib.Path(name), pathlib.Path(name) / "work"
        work.mkdir()
        client = nbclient.NotebookClient(notebook, kernel_manager_class=Kernel, timeout=300, resources={"metadata": {"path": str(work)}},
                                         config=Config(KernelManager={"connection_file": str(home / "kernel.json")}))
        try:
            client.execute(env={**os.environ, "HOME": str(home), "IPYTHONDIR": str(home / "ipython")})
        except nbclient.exceptions.CellExecutionError as error:
            raise Failed(f"{path}: a cell ends with {error.ename}: {error.evalue}") from error
    return notebook


def results_of(path):
    """Outputs of each cell of code."""
    return [cell["outputs"] for cell in run(path)["cells"] if cell["cell_type"] == "code"]
