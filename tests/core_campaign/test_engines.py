#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns on the engines that people have: processes killed at random, GNU parallel, Open MPI, a Slurm of one node. All give the same database.

    test_engines.py PIMC [--kills 200] [--points 100000] [TEST ...]

Exit code 77 where an engine is missing and the others pass, which the build calls skipped.
"""
import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import slurm

MODEL, TARGET = "sample:tiny-gpt", "hbm-pim"
# Plans, points that are refused and points that a condition leaves out.
SMALL = "group.count=2..32;timing.nCCDL=2..9+1;past=4,8,60,64;group.count<32"
# An option of other machines, so that next to nothing is computed anew from one point to the next: it is the engines that are tested.
CHEAP = "timing.nRCDRD=8..17+1;timing.nCCDL=1..50+1;crossbar.iterations=1..{count}+1;timing.nCCDL<2"
CHEAP_OTHERS = 10 * 50  # points for each value of that option


class Engines:
    def __init__(self, pimc, folder, kills, points):
        self.program, self.folder, self.kills = pimc, folder, kills
        self.cheap = CHEAP.format(count=points // CHEAP_OTHERS)
        self.random = random.Random(1)

    def pimc(self, *arguments, code=0, **more):
        run = subprocess.run([self.program, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)
        assert run.returncode == code, f"{arguments}: {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
        return run.stdout + run.stderr

    def plan(self, name, over, *more):
        folder = os.path.join(self.folder, name)
        self.pimc("sweep", "plan", MODEL, "--target", TARGET, "--over", over, "--to", folder, *more)
        return folder

    def project(self, name):
        return os.path.join(self.folder, name + ".pimproj")

    @staticmethod
    def content(project):
        """All but when and how fast it was computed."""
        database = sqlite3.connect(project)
        rows = database.execute("SELECT point, total_ns, host_only_ns, macs, problem, names, numbers "
                                "FROM sweep_points ORDER BY point").fetchall()
        rows += database.execute("SELECT names, position, baseline, name FROM sweep_names ORDER BY names, position").fetchall()
        rows += database.execute("SELECT position, axis, kind, size, stride FROM sweep_axes ORDER BY position").fetchall()
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()
        return rows

    def expected(self, name, over):
        """What one process finds."""
        project = self.project(name)
        if not os.path.exists(project):
            folder = self.plan(name + "-alone", over)
            self.pimc("sweep", "run", folder, "--quiet")
            self.pimc("sweep", "merge", folder, "--project", project)
        return self.content(project)

    def check(self, name, over, folder):
        project = self.project(os.path.basename(folder))
        said = self.pimc("sweep", "merge", folder, "--project", project)
        assert "missing" not in said, said
        assert self.content(project) == self.expected(name, over)
        self.pimc("sweep", "merge", folder, "--project", project)  # again: nothing twice
        assert self.content(project) == self.expected(name, over)

    # ---- tests ----

    def test_killed_at_random(self):
        """Three workers, one of them killed again and again; nothing is lost and nothing there twice."""
        folder = self.plan("killed", SMALL, "--chunk", "7")
        worker = [self.program, "sweep", "run", folder, "--quiet", "--jobs", "1"]
        workers, killed, ended = [], 0, 0
        while killed < self.kills and ended < 50:
            while len(workers) < 3:
                workers.append(subprocess.Popen(worker, stdin=subprocess.DEVNULL))
            time.sleep(self.random.uniform(0.02, 0.1))
            victim = workers.pop(self.random.randrange(len(workers)))
            victim.kill()
            if victim.wait() == -9:
                killed += 1
            else:
                ended += 1
                assert victim.returncode == 0, victim.returncode
            if ended and killed < self.kills:  # all is computed: begin again, from nothing but the plan
                for each in workers:
                    each.kill()
                    each.wait()
                workers = []
                self.check("small", SMALL, folder)
                os.remove(self.project("killed"))
                shutil.rmtree(os.path.join(folder, "points"))
                ended = 0
        for each in workers:
            each.kill()
            each.wait()
        assert killed >= self.kills, killed
        self.pimc("sweep", "run", folder, "--quiet")
        self.check("small", SMALL, folder)
        return f"{killed} processes killed"

    def test_a_worker_that_dies_is_replaced(self):
        """Whoever has all chunks to do waits for those that others have, and takes them over."""
        folder = self.plan("replaced", SMALL, "--chunk", "40")
        worker = [self.program, "sweep", "run", folder, "--quiet", "--jobs", "1"]
        first = subprocess.Popen(worker)
        time.sleep(0.3)
        second = subprocess.Popen(worker)
        time.sleep(0.2)
        os.kill(first.pid, 19)  # SIGSTOP: it has a chunk and does not go on
        time.sleep(1)
        assert first.poll() is None
        waits = second.poll() is None
        first.kill()
        first.wait()
        assert second.wait(300) == 0
        self.check("small", SMALL, folder)
        return "the other waited" if waits else "the other had more to do"

    def test_stopped_by_its_scheduler(self):
        folder = self.plan("warned", SMALL, "--chunk", "160")
        worker = subprocess.Popen([self.program, "sweep", "run", folder, "--jobs", "1"], stderr=subprocess.PIPE, text=True)
        while not any(files for _, _, files in os.walk(os.path.join(folder, "points"))) and worker.poll() is None:
            time.sleep(0.01)
        os.kill(worker.pid, 10)  # SIGUSR1, as Slurm sends it
        said = worker.communicate(timeout=120)[1]
        assert worker.returncode == 130 and "computed are kept; the same command goes on" in said, (worker.returncode, said)
        self.pimc("sweep", "run", folder, "--shard", "1/2")
        self.pimc("sweep", "run", folder, "--chunks", "0")
        self.check("small", SMALL, folder)

    def test_local(self):
        folder = self.plan("local", self.cheap)
        start = time.time()
        self.pimc("sweep", "submit", folder, "--with", "local", "--processes", "2")
        took = time.time() - start
        self.check("cheap", self.cheap, folder)
        return f"{took:.1f} s"

    def test_parallel(self):
        if not shutil.which("parallel"):
            return None
        folder = self.plan("par allel's", self.cheap, "--chunk", "20000")
        start = time.time()
        self.pimc("sweep", "submit", folder, "--with", "parallel", "--processes", "2")
        took = time.time() - start
        self.check("cheap", self.cheap, folder)
        return f"{took:.1f} s"

    def test_mpi(self):
        if not shutil.which("mpirun") or not os.path.exists(os.path.join(os.path.dirname(self.program), "pimc-mpi")):
            return None
        folder = self.plan("mpi", self.cheap)
        root = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        start = time.time()
        self.pimc("sweep", "submit", folder, "--with", "mpi", "--processes", "3", "--oversubscribe", env=root)
        took = time.time() - start
        self.check("cheap", self.cheap, folder)
        # A rank that cannot write: the others go on, the command says so, and the next one computes what is missing.
        again = self.plan("mpi-again", SMALL, "--chunk", "10")
        broken = os.path.join(again, "points", "000003")
        os.makedirs(os.path.dirname(broken))
        open(broken, "w").close()
        said = self.pimc("sweep", "submit", again, "--with", "mpi", "--processes", "3", "--oversubscribe", "--rounds", "1",
                         env=root, code=1)
        assert "1 chunks are still missing after 1 rounds: 3" in said, said
        os.remove(broken)
        self.pimc("sweep", "submit", again, "--with", "mpi", "--processes", "2", "--oversubscribe", env=root)
        self.check("small", SMALL, again)
        return f"{took:.1f} s"

    def test_slurm(self):
        if slurm.missing():
            print("no Slurm:", slurm.missing())
            return None
        os.makedirs(os.path.join(self.folder, "slurm"))
        cluster = slurm.Slurm(os.path.join(self.folder, "slurm"), max_array_size=4)
        try:
            # More tasks than an array may have; the follow-up merges.
            folder, project = self.plan("array", self.cheap, "--chunk", "16000"), self.project("array-merged")
            start = time.time()
            said = self.pimc("sweep", "submit", folder, "--with", "slurm", "--minutes", "0", "--project", project,
                             "--name", "all of it", env=cluster.environment)
            assert "7 chunks in 7 tasks of 2 jobs" in said, said
            cluster.wait_for_jobs(600)
            took = time.time() - start
            logs = "".join(open(os.path.join(folder, "jobs", name)).read() for name in os.listdir(os.path.join(folder, "jobs"))
                           if name.endswith(".log"))
            assert os.path.exists(project), logs
            assert self.content(project) == self.expected("cheap", self.cheap)
            # Tasks that are cancelled: what they lack is found and submitted again, then merged.
            folder, project = self.plan("cancelled", SMALL, "--chunk", "20"), self.project("cancelled-merged")
            self.pimc("sweep", "submit", folder, "--with", "slurm", "--minutes", "0", "--project", project, "--rounds", "9",
                      env=cluster.environment)
            for _ in range(4):
                time.sleep(0.5)
                for task in cluster.ask("squeue", "-h", "-r", "-t", "R", "-o", "%i %j").split("\n"):
                    if task and "follow" not in task and self.random.random() < 0.5:
                        cluster.ask("scancel", "--signal", "KILL", "--full", task.split()[0])
            cluster.wait_for_jobs(600)
            assert os.path.exists(project), os.listdir(os.path.join(folder, "jobs"))
            assert self.content(project) == self.expected("small", SMALL)
            return f"{took:.1f} s; {len([n for n in os.listdir(os.path.join(folder, 'jobs')) if n.startswith('array')])} rounds"
        finally:
            cluster.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pimc")
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--points", type=int, default=100_000)
    options = parser.parse_args()
    skipped = False
    # In memory where that can be: a kill loses nothing that was written to a disk either, and a slow one is not what is tested.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="pim", dir=memory) as folder:
        engines = Engines(os.path.abspath(options.pimc), folder, options.kills, options.points)
        for name in [name for name in vars(Engines) if name.startswith("test_")]:
            if options.tests and name not in options.tests:
                continue
            start = time.time()
            said = getattr(engines, name)()
            is_there = said is not None or name == "test_stopped_by_its_scheduler"
            skipped |= not is_there
            print(f"{'ok' if is_there else 'skipped':8}{name}  {said or ''}  ({time.time() - start:.1f} s)", flush=True)
    return 77 if skipped else 0


sys.exit(main())
