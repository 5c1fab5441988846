#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns on the engines that people have: processes killed at random, GNU parallel, Open MPI, a Slurm of one node. All give the same database.

    test_engines.py PIMC [--kills 200] [--points 100000] [TEST ...]

Kills are told with what they did, engines with what they cost beside as many points of 10 ms each.

Exit code 77 where an engine is missing and the others pass, which the build calls skipped.
"""
import argparse
import json
import os
import random
import resource
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
# As many as are not finished long before the last kill; then they begin anew.
KILLED = SMALL + ";timing.nRCDRD=8..{last}+1"
KILLS_OF_A_VALUE = 20
POINT_SECONDS = 0.01  # what a point of a real campaign takes at least
TASK_SECONDS = 300  # and a task of Slurm


class Engines:
    def __init__(self, pimc, folder, kills, points):
        self.program, self.folder, self.kills = pimc, folder, kills
        self.points = points // CHEAP_OTHERS * CHEAP_OTHERS
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
        over = KILLED.format(last=8 + self.kills // KILLS_OF_A_VALUE)
        folder = self.plan("killed", over, "--chunk", "7")
        points = os.path.join(folder, "points")
        worker = [self.program, "sweep", "run", folder, "--quiet", "--jobs", "1"]
        start = time.time()
        workers, killed, ended, begun = [subprocess.Popen(worker, stdin=subprocess.DEVNULL)], 0, 0, 1
        while not os.path.exists(points):
            assert workers[0].poll() is None, "the first worker ended without a point"
            time.sleep(0.001)
        to_first = time.time() - start  # from its start to its first point, on this machine, today
        while killed < self.kills and ended < 50:
            while len(workers) < 3:
                workers.append(subprocess.Popen(worker, stdin=subprocess.DEVNULL))
            time.sleep(self.random.uniform(0, to_first))
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
                self.check("killed-once", over, folder)
                os.remove(self.project("killed"))
                shutil.rmtree(points)
                ended, begun = 0, begun + 1
        for each in workers:
            each.kill()
            each.wait()
        assert killed >= self.kills, killed
        took = time.time() - start
        self.pimc("sweep", "run", folder, "--quiet")
        left, cut, twice = self.traces(points)
        assert twice == 0, twice
        self.check("killed-once", over, folder)
        return (f"{killed} processes killed in {took:.0f} s and {begun} campaigns; in the last one {left} chunks were left "
                f"unfinished, {cut} lines cut, {twice} points computed twice")

    @staticmethod
    def traces(points):
        """Of processes that were killed: chunks that another went on with, lines that were cut, points that are there twice."""
        left = cut = twice = 0
        for chunk in os.listdir(points):
            files = [open(os.path.join(points, chunk, name), "rb").read().split(b"\n") for name in os.listdir(os.path.join(points, chunk))]
            left += len(files) - 1
            cut += sum(lines[-1] != b"" for lines in files)
            indices = [line.split(b" ")[2] for lines in files for line in lines[:-1] if line[9:11] in (b"P ", b"F ")]
            twice += len(indices) - len(set(indices))
        return left, cut, twice

    def test_a_worker_that_dies_is_replaced(self):
        """Whoever has all chunks to do waits for those that others have, and takes them over."""
        folder = self.plan("replaced", SMALL, "--chunk", "40")
        worker = [self.program, "sweep", "run", folder, "--quiet", "--jobs", "1"]
        first = subprocess.Popen(worker)
        while not any(files for _, _, files in os.walk(os.path.join(folder, "points"))) and first.poll() is None:
            time.sleep(0.002)
        os.kill(first.pid, 19)  # SIGSTOP: it has a chunk and does not go on
        assert first.poll() is None, "it was done before it could be stopped"
        second = subprocess.Popen(worker)
        time.sleep(2)
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

    def submitted(self, folder, *arguments, **more):
        """What it took, and how much that is beside the work of as many points of 10 ms. The cheap points themselves count, so it is a bound."""
        def of_processors():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
        start, before = time.time(), of_processors()
        self.pimc("sweep", "submit", folder, *arguments, **more)
        used = of_processors() - before
        return f"{time.time() - start:.1f} s, {used:.1f} s of processors: {used / (self.points * POINT_SECONDS):.2%}"

    def test_local(self):
        folder = self.plan("local", self.cheap)
        told = self.submitted(folder, "--with", "local", "--processes", "2")
        self.check("cheap", self.cheap, folder)
        return told

    def test_parallel(self):
        if not shutil.which("parallel"):
            return None
        folder = self.plan("par allel's", self.cheap, "--chunk", "20000")
        told = self.submitted(folder, "--with", "parallel", "--processes", "2")
        self.check("cheap", self.cheap, folder)
        return told

    def test_mpi(self):
        if not shutil.which("mpirun") or not os.path.exists(os.path.join(os.path.dirname(self.program), "pimc-mpi")):
            return None
        folder = self.plan("mpi", self.cheap)
        root = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        told = self.submitted(folder, "--with", "mpi", "--processes", "3", "--oversubscribe", env=root)
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
        return told

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
            computing = json.loads(self.pimc("sweep", "status", folder, "--json"))["core_seconds"]
            beside = (took * cluster.cpus - computing) / 8  # jobs, with the one that merges
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
            return f"{took:.1f} s, {beside:.1f} s of a job beside computing: {beside / TASK_SECONDS:.2%}; {len([n for n in os.listdir(os.path.join(folder, 'jobs')) if n.startswith('array')])} rounds"
        finally:
            cluster.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pimc")
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--points", type=int, default=100_000)
    options = parser.parse_intermixed_args()
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
