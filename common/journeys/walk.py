"""A command on a journey: as a user of the bare system, with or without a terminal."""
import os
import pty
import re
import resource
import select
import shlex
import signal
import subprocess
import time

from bare_root import COMPILED, LEARNER

# What no command may print, whatever it is for.
NOISE = re.compile(r"ld\.so|LD_PRELOAD|Traceback|terminate called|core dumped|\[json\.exception|AddressSanitizer")


def clone(root, user, folder):
    """The first command of a journey. CI names a folder for all of them: its own, so that what it compiled is known."""
    folder = os.environ.get("WARPWISE_WALKS_IN") or folder
    place, name = os.path.split(folder)
    os.makedirs(root.path + place, exist_ok=True)
    if user != "root":
        os.chown(root.path + place, LEARNER, LEARNER)
    way = Walk(root.path, user, place)
    way.expect(f"git clone -q /course.bundle {shlex.quote(name)}")
    way.folder = folder
    return way


class Walk:
    """Runs commands in one folder, shows each with its status and seconds, and counts what is as expected."""

    def __init__(self, root, user, folder):
        self.root, self.user, self.folder = root, user, folder
        self.passed = self.failed = 0
        self.variables = {"HOME": "/root" if user == "root" else "/home/" + user, "LANG": "C.UTF-8", "TERM": "xterm",
                          "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "CCACHE_DIR": COMPILED}

    def words(self, command, user):
        proxies = [f"{name}={value}" for name, value in os.environ.items() if re.fullmatch(r"(?i)(http|https|no)_proxy", name)]
        settings = [f"{name}={value}" for name, value in self.variables.items()]
        return ["chroot", f"--userspec={user}:{user}", self.root, "env", "-i", *settings, *proxies,
                "bash", "-c", f"cd {shlex.quote(self.folder)} && {command}"]

    def run(self, command, user=None, terminal=False, typed=(), seconds=1500):
        """@return the exit status and all that was printed."""
        words = self.words(command, user or self.user)
        if terminal:
            return on_terminal(words, typed, seconds)
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=seconds, check=False)
        except subprocess.TimeoutExpired as late:
            return 124, (late.stdout or b"").decode(errors="replace") + f"\n[did not end in {seconds} s]"
        return done.returncode, done.stdout.decode(errors="replace")

    def expect(self, command, status=0, says=(), never=(), **how):
        """Runs a command and compares. @return what it printed."""
        begin, worked = time.monotonic(), processor_seconds()
        got, text = self.run(command, **how)
        wrong = [f"status {got}, not {status}"] if got != status else []
        wrong += [f"does not say '{word}'" for word in says if word not in text]
        wrong += [f"says '{word}'" for word in never if word in text]
        noise = NOISE.search(text)
        wrong += [f"prints noise: '{noise.group()}'"] if noise else []
        took = f"{time.monotonic() - begin:.1f} s, {processor_seconds() - worked:.1f} of the processors"
        self.count(f"{command}  [{status}]  {took}", wrong, text)
        return text

    def count(self, what, wrong, text=""):
        self.passed += not wrong
        self.failed += bool(wrong)
        print(f"  {'FAILED ' if wrong else ''}{what}", flush=True)
        for line in wrong:
            print(f"    {line}")
        if wrong and text:
            print("    | " + "\n    | ".join(what_matters(text)), flush=True)

    def write(self, path, text):
        full = os.path.join(self.root + self.folder, path)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        owner = os.stat(self.root + self.folder)
        os.chown(full, owner.st_uid, owner.st_gid)

    def read(self, path):
        with open(os.path.join(self.root + self.folder, path), encoding="utf-8") as file:
            return file.read()


def processor_seconds():
    """What ended commands have taken. What a command leaves behind at work is in none."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def what_matters(text):
    """What a reader of the log needs of a long output: the lines that name a failure, and the end."""
    end = text[-3000:].splitlines()
    named = [line for line in text[:-3000].splitlines() if re.search(r"ERROR|FAILED|Failed|error:|TEST CASE", line)]
    return [*named[:100], *(["..."] if named else []), *end]


def on_terminal(words, typed, seconds):
    """The same with a terminal for all three streams. typed: pairs of what is waited for and what is then typed."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(words[0], words)
    text, end, typed = b"", time.monotonic() + seconds, list(typed)
    while time.monotonic() < end:
        if select.select([terminal], [], [], 1.0)[0]:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        if typed and typed[0][0].encode() in text:
            os.write(terminal, typed.pop(0)[1].encode())
    else:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    unseen = "".join(f"\n[waited for {words[0]!r} in vain]" for words in typed)
    return status, text.decode(errors="replace") + unseen
