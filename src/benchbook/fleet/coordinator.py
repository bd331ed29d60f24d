"""`benchbook run STUDY --on hosts.yml`: one study on many hosts at once.

A thread talks to each host; all take from one queue. What a host was given and does not
end, because it does not answer any more, is given to another after the fleet's patience,
where another may run it. Whoever stops the coordinator stops no job: the next call finds
them where they are.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchbook.files import locked
from benchbook.fleet.hosts import Fleet, Host
from benchbook.fleet.jobs import Job, homes_of, jobs_of, made_by
from benchbook.fleet.remote import HostLost, JobGone, Remote, no_space
from benchbook.machine.facts import Machine
from benchbook.measure.decided import Judge, keep_standing
from benchbook.measure.progress import HostProgress, Progress
from benchbook.measure.run import Outcome
from benchbook.project import Project
from benchbook.runs.folder import RunError, find_runs, verify
from benchbook.runs.inventory import Filed, OnDisk, made_all
from benchbook.study.study import Study
from benchbook.study.until import FEWEST_LOADS
from benchmath.errors import UserError
from benchmath.prose import counted

AGAIN_S = 5.0  # between two tries to reach a host
MOST_TRIES = 2  # of a job that ends without its runs
_JUDGING = threading.Lock()  # one at a time has the store
CLOCK_S = 2.0  # that a host's clock may differ before it is said
Say = Callable[[str], None]


@dataclass
class Queue:
    """The jobs that are left, and who has which; asked by several threads."""

    jobs: list[Job]
    homes: dict[str, str] = field(default_factory=dict)  # of a group the host it is on
    taken: dict[str, tuple[Job, str]] = field(default_factory=dict)  # by the job's name
    tries: dict[str, int] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)  # hosts that do not answer
    made: list[Job] = field(default_factory=list)  # whose runs are at home
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, host: str) -> Job | None:
        """The next job for a host: of a group that is at home there, or nowhere yet."""
        with self.lock:
            for job in self.jobs:
                home = self.homes.get(job.group, host)
                if host in job.hosts and (home == host or home in self.lost):
                    return self._given(job, host)
        return None

    def adopt(self, name: str, host: str) -> Job | None:
        """A job that a host has from an earlier call, if it is still wanted."""
        with self.lock:
            for job in self.jobs:
                if job.name == name and host in job.hosts:
                    return self._given(job, host)
        return None

    def _given(self, job: Job, host: str) -> Job:
        self.jobs.remove(job)
        self.homes[job.group] = host
        self.taken[job.name] = (job, host)
        return job

    def leave(self, host: str) -> None:
        """A host takes no more: what it has is for others, if these may run it."""
        with self.lock:
            self.lost.add(host)
            for job, whose in list(self.taken.values()):
                if whose == host:
                    del self.taken[job.name]
                    self.jobs.insert(0, job)

    def give_back(self, job: Job, host: str, failed: bool = False) -> bool:
        """Back to the others; False where it was tried often enough."""
        with self.lock:
            if self.taken.get(job.name, (job, ""))[1] != host:
                return False
            del self.taken[job.name]
            self.tries[job.name] = self.tries.get(job.name, 0) + failed
            again = self.tries[job.name] < MOST_TRIES
            if again:
                self.jobs.insert(0, job)
            return again

    def end(self, job: Job, host: str) -> bool:
        """Is what a host made of a job wanted? Not where another has it by now."""
        with self.lock:
            if self.taken.get(job.name, (job, ""))[1] != host:
                return False
            del self.taken[job.name]
            return True

    def put_back(self, job: Job) -> None:
        """What ended without runs that are at home and count: for others."""
        with self.lock:
            self.jobs.insert(0, job)

    def keep(self, job: Job) -> None:
        """Its runs are at home, and count."""
        with self.lock:
            self.made.append(job)

    def renew(self, old: set[tuple[str, int]], new: set[tuple[str, int]]) -> int:
        """Put back what is made by old machines alone; how many runs."""
        with self.lock:
            stale = [job for job in self.made if job.runs_of & old - new]
            self.made = [job for job in self.made if job not in stale]
            self.jobs += stale
        return sum(job.runs for job in stale)

    def end_decided(self, host: str, ends: Callable[[Iterable[str]], bool]) -> int:
        """Take away what waits for a host and is of decided cells; how many runs."""
        with self.lock:
            over = [
                job
                for job in self.jobs
                if self.homes.get(job.group) == host and ends(job.cells)
            ]
            self.jobs = [job for job in self.jobs if job not in over]
        return sum(job.runs for job in over)

    def open_for(self, host: str) -> bool:
        """May there still be something to do for a host?"""
        with self.lock:
            left = [*self.jobs, *(job for job, _ in self.taken.values())]
            return any(host in job.hosts for job in left)


@dataclass
class Board:
    """What `benchbook status` shows, kept as the threads tell it."""

    study: str
    pid: int
    project: Project
    total: int
    done: int = 0
    brought: int = 0  # by this call
    failed: int = 0
    last_error: str = ""
    hosts: dict[str, HostProgress] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(
        self, host: str, state: str, job: Job | None = None, error: str = ""
    ) -> None:
        with self.lock:
            now = time.time()
            self.hosts[host] = HostProgress(
                host, state, job.label if job else "", now, error
            )
            self.last_error = f"{host}: {error}" if error else self.last_error
            self._write("measuring")

    def made(self, runs: int, failed: int) -> None:
        with self.lock:
            self.done += runs
            self.brought += runs
            self.failed += failed
            self._write("measuring")

    def renewed(self, runs: int) -> None:
        """So many are to be made again."""
        with self.lock:
            self.done -= runs
            self._write("measuring")

    def ended(self, runs: int) -> None:
        """So many are not wanted any more."""
        with self.lock:
            self.total -= runs
            self._write("measuring")

    def close(self) -> None:
        with self.lock:
            self._write("finished" if self.done >= self.total else "stopped")

    def _write(self, state: str) -> None:
        Progress(
            self.study, self.pid, state, self.done, self.failed,
            max(0, self.total - self.done), 0.0, last_error=self.last_error,
            hosts=tuple(self.hosts.values()),
        ).write(self.project)  # fmt: skip


def measure_on(
    study: Study, project: Project, fleet: Fleet, say: Say, pid: int, judge: Judge
) -> Outcome:
    """Make the study's missing runs on the hosts; what they made is in data/raw then.

    ``judge`` says of each host what its runs decide, where a study ends by that.
    """
    jobs, made = jobs_of(study, project, fleet)
    homes = homes_of([*jobs, *made], OnDisk(project).that_serve(study), fleet)
    queue = Queue(jobs, homes, made=made)
    there = sum(job.runs for job in made)
    total = there + sum(job.runs for job in jobs)
    board = Board(study.slug, pid, project, total, there)
    with locked(project.data / f".fleet-{study.slug}.lock"):
        workers = [
            threading.Thread(
                target=_Worker(
                    host, fleet, study, project, queue, board, say, judge
                ).work,
                name=host.name,
                daemon=True,  # jobs go on without us
            )
            for host in fleet.hosts
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    board.close()
    left = board.total - board.done
    return Outcome(board.brought, board.failed, left, board.last_error)


@dataclass
class _Worker:
    """What is done with one host, from the first connection to its last job."""

    host: Host
    fleet: Fleet
    study: Study
    project: Project
    queue: Queue
    board: Board
    say: Say
    judge: Judge

    machine_id: str = ""
    off_told: bool = False  # that its clock is off
    heard: float = 0.0  # when it last answered, by the monotonic clock

    def __post_init__(self) -> None:
        self.remote = Remote(self.host, self.fleet)

    def work(self) -> None:
        """Until nothing is left that it may run."""
        name = self.host.name
        try:
            self._reach(self._begin)
            while self.queue.open_for(name):
                job = self.queue.take(name)
                if job is None:  # what others have may come back
                    time.sleep(0.2)
                    continue
                self._reach(partial(self._run, job), job)
            self.board.tell(name, "finished")
        except (HostLost, UserError, OSError) as error:
            self.board.tell(name, "gave up", error=str(error))
            self.say(f"{name}: {error}")
        finally:  # whatever ended it, others must not wait for what it had
            self.queue.leave(name)

    def _reach(self, action: Callable[[], None], job: Job | None = None) -> None:
        """Try until the host answers; after the fleet's patience others get the job."""
        self.heard = time.monotonic()
        told = False
        while True:
            try:
                action()
                self.queue.lost.discard(self.host.name)
                return
            except HostLost as error:
                silent = time.monotonic() - self.heard
                if not told:
                    self.say(f"{self.host.name}: {error}; trying again")
                    told = True
                self.board.tell(self.host.name, "does not answer", job, str(error))
                if silent > self.fleet.patience_s:
                    raise
                time.sleep(min(AGAIN_S, self.fleet.patience_s / 10))

    def _prepare(self) -> None:
        """Bring what jobs need, look at the clock and at which machine it is."""
        name, project = self.host.name, self.project
        self.board.tell(name, "is prepared")
        ahead = self.remote.seconds() - time.time()
        if abs(ahead) > CLOCK_S and not self.off_told:
            self.say(f"{name}: its clock is {ahead:+,.0f} s off; runs have its times")
            self.off_told = True
        post = self.study.path.resolve().parent
        place = f"posts/{post.name}"
        self.remote.prepare([(project.bench, "bench"), (post, place)])
        self._known_as(self.remote.machine_id())

    def _begin(self) -> None:
        """Prepare it, and take up what an earlier call left there."""
        name = self.host.name
        self._prepare()
        for known in self.remote.jobs():
            if not known.startswith(f"{self.study.slug}."):
                continue
            if job := self.queue.adopt(known, name):
                self.say(f"{name}: goes on with {job.label}")
                self._finish(job)
            else:
                self.remote.end(known)
        self._judged()

    def _run(self, job: Job) -> None:
        self.board.tell(self.host.name, "measures", job)
        lines = f"export BENCHBOOK_MACHINE={self.host.name}\n{job.script}"
        try:
            self.remote.start(job.name, lines)
        except JobGone:  # since it was prepared
            self._prepare()
            self.remote.start(job.name, lines)
        self._finish(job)

    def _known_as(self, machine_id: str) -> None:
        """Put back what another machine of this name made.

        Trials that are compared are of one machine; as where one measures alone, runs
        count that are of the machine that is there now.
        """
        self.machine_id = machine_id
        mine: list[Filed] = [
            run
            for run in OnDisk(self.project).that_serve(self.study)
            if made_all(run) and run.spec["machine"] == self.host.name
        ]
        new = [run for run in mine if run.spec["machine_id"] == machine_id]
        old = [run for run in mine if run not in new]
        if runs := self.queue.renew(made_by(old, None), made_by(new, None)):
            self.board.renewed(runs)
            self.say(
                f"{self.host.name}: is another machine than before ({machine_id}); "
                f"{counted(runs, 'run')} of the earlier one made anew"
            )

    def _finish(self, job: Job) -> None:
        """Wait for a job's end, and bring home what it made."""
        name = self.host.name
        try:
            while isinstance(ended := self.remote.await_end(job.name), str):
                self.heard = time.monotonic()
                waits = ended.startswith("waits for quiet")
                self.board.tell(name, ended if waits else "measures", job)
        except JobGone as gone:
            self.remote.end(job.name)
            self._again(job, str(gone))
            self._prepare()  # whatever it is now
            return
        folders = folders_of(ended.out)
        if len(folders) != job.runs:
            self.remote.end(job.name, folders)
            why = ended.complaint or f"exit code {ended.code}"
            self._again(job, why)
            if full := no_space(why):
                raise UserError(full)
            return
        if not self.queue.end(job, name):
            self.remote.end(job.name, folders)  # another host has made it
            return
        try:
            reasons = brought_home(
                job, folders, self.project,
                lambda to: self._reach(lambda: self.remote.fetch(folders, to)),
            )  # fmt: skip
        except (HostLost, UserError, OSError):
            self.queue.put_back(job)
            raise
        self._reach(lambda: self.remote.end(job.name, folders))
        if full := next(filter(None, map(no_space, reasons)), ""):
            self.queue.put_back(job)
            raise UserError(full)
        self.queue.keep(job)
        failed = len(reasons)
        self.board.made(job.runs, failed)
        self.say(f"[{self.board.done}/{self.board.total}] {name}: {job.label}"
                 + f": {counted(failed, 'run')} FAILED" * bool(failed))  # fmt: skip
        if job.trial >= FEWEST_LOADS:
            self._judged()

    def _judged(self) -> None:
        """Take away what the runs of this host decide, and keep what they decide."""
        study, project, name = self.study, self.project, self.host.name
        if not study.until:
            return
        with _JUDGING:
            runs = OnDisk(project).that_serve(study)
            machine = Machine(name, self.machine_id)
            mine = (machine.name, machine.machine_id)
            if mine not in {run.key[:2] for run in runs}:
                return
            standing = self.judge(study, project, machine)
            keep_standing(standing, study, machine, (), runs, project)
        if ended := self.queue.end_decided(name, standing.ends):
            self.board.ended(ended)
            self.say(f"{name}: {standing.text}")

    def _again(self, job: Job, why: str) -> None:
        again = self.queue.give_back(job, self.host.name, failed=True)
        self.say(f"{self.host.name}: {job.label}: {why}" + "; tried again" * again)
        self.board.tell(self.host.name, "failed", job, why)


def brought_home(
    job: Job, folders: list[str], project: Project, fetch: Callable[[Path], None]
) -> list[str]:
    """Fetch a job's run folders, look at each, put it in its place; why some failed.

    ``fetch`` writes them below a folder. RunError where one is not whole: none is kept.
    """
    arriving = project.raw / f".arriving-{job.name}"
    shutil.rmtree(arriving, ignore_errors=True)
    try:
        fetch(arriving)
        runs = list(find_runs(arriving))
        if sorted(run.folder for run in runs) != sorted(folders):
            raise RunError(f"{job.label}: a run folder is not whole")
        seen = [verify(run) for run in runs]
        for folder in folders:
            place = project.raw / folder
            place.parent.mkdir(parents=True, exist_ok=True)
            (arriving / folder).rename(place)
    finally:
        shutil.rmtree(arriving, ignore_errors=True)
    return [run.reason for run in seen if run.status != "ok"]


def folders_of(out: str) -> list[str]:
    """The run folders that a job printed, below data/raw: of run.sh or of the referee."""
    last = [line.rpartition("\t")[2] for line in out.splitlines() if line.strip()]
    return [line.partition("data/raw/")[2] for line in last if "data/raw/" in line]
