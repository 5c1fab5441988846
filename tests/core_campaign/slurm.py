# SPDX-License-Identifier: GPL-3.0-or-later
"""A Slurm of one node for tests: its own munge, controller and daemon, all files in one folder. Needs root."""
import os
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel")


def find(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def missing():
    """Why there can be no Slurm here; None: there can."""
    if os.geteuid() != 0:
        return "not root"
    absent = [program for program in PROGRAMS if not find(program)]
    return "no " + ", ".join(absent) if absent else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]


class Slurm:
    def __init__(self, folder, cpus=2, max_array_size=1001):
        self.folder, self.cpus, self.running = folder, cpus, []
        for name in ("state", "spool", "log", "munge"):
            os.makedirs(f"{folder}/{name}")
        os.chmod(f"{folder}/munge", 0o700)
        with open(f"{folder}/munge/key", "wb") as key:
            key.write(os.urandom(1024))
        os.chmod(f"{folder}/munge/key", 0o400)
        host = socket.gethostname().split(".")[0]
        self.conf = f"{folder}/slurm.conf"
        with open(self.conf, "w") as conf:
            conf.write(f"""ClusterName=pim
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld
SlurmdLogFile={folder}/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=2
MaxArraySize={max_array_size}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
""")
        self.environment = dict(os.environ, SLURM_CONF=self.conf)
        try:
            self.start("munged", "--foreground", "--force", "--key-file", f"{folder}/munge/key", "--socket",
                       f"{folder}/munge.socket", "--pid-file", f"{folder}/munge/pid", "--log-file", f"{folder}/munge/log",
                       "--seed-file", f"{folder}/munge/seed", "--num-threads", "2")
            self.wait_for(lambda: os.path.exists(f"{folder}/munge.socket"), "munge")
            self.start("slurmctld", "-D", "-i")
            self.start("slurmd", "-D", "-N", host)
            self.wait_for(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T"), "a node that is idle")
        except Exception:
            self.stop()
            raise

    def start(self, program, *arguments):
        out = open(f"{self.folder}/log/{program}.out", "wb")
        self.running.append(subprocess.Popen([find(program), *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                             stdout=out, stderr=out))

    def ask(self, program, *arguments):
        return subprocess.run([find(program), *arguments], env=self.environment, capture_output=True, text=True).stdout

    def wait_for(self, is_there, what, seconds=60):
        end = time.time() + seconds
        while not is_there():
            if time.time() > end:
                logs = "".join(open(f"{self.folder}/log/{name}", errors="replace").read()[-1500:]
                               for name in os.listdir(f"{self.folder}/log"))
                raise RuntimeError(f"waited {seconds} s for {what}\n{logs}")
            time.sleep(0.2)

    def wait_for_jobs(self, seconds):
        self.wait_for(lambda: not self.ask("squeue", "-h").strip(), "jobs to end", seconds)

    def stop(self):
        for process in reversed(self.running):
            process.terminate()
        for process in reversed(self.running):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
