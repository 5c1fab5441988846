# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel of a build: what it says of its files is so, and unpacked anywhere it finds all it needs inside of itself."""
import base64
import csv
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

import wheel_backend


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        name = wheel_backend.build_wheel(cls.folder.name, {"build-folder": os.environ["PIM_BUILD"]})
        cls.wheel = zipfile.ZipFile(os.path.join(cls.folder.name, name))
        cls.addClassCleanup(cls.wheel.close)
        cls.site = pathlib.Path(cls.folder.name, "site")
        cls.wheel.extractall(cls.site)

    def python(self, program):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIM_", "PYTHON"))}
        done = subprocess.run([sys.executable, "-c", program], env={**clean, "PYTHONPATH": str(self.site)}, cwd=self.folder.name,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def testRecordIsWhatIsThere(self):
        record, = (name for name in self.wheel.namelist() if name.endswith(".dist-info/RECORD"))
        rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(self.wheel.read(record).decode()))}
        self.assertEqual(set(rows), set(self.wheel.namelist()))
        for name, (digest, size) in rows.items():
            if name != record:
                content = self.wheel.read(name)
                self.assertEqual(int(size), len(content))
                self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("="))

    def testItFindsItsOwnResources(self):
        self.assertIn("site/pimstudio/__init__.py", self.python("import pimstudio; print(pimstudio.__file__)"))
        listed = self.python("import pimstudio; print(*sorted(each['id'] for each in pimstudio.targets()))")
        (self.site / "pimstudio/share/resources/targets/isaac.json").unlink()  # those of the source tree stay
        left = self.python("import pimstudio; print(*sorted(each['id'] for each in pimstudio.targets()))")
        self.assertEqual(set(listed.split()) - set(left.split()), {"isaac"})
        self.assertGreater(float(self.python("import pimstudio; print(pimstudio.compile('sample:tiny-gpt', 'attacc').total_ns)")), 0)


if __name__ == "__main__":
    unittest.main()
