"""A bare Debian 12 to walk in: made once by debootstrap, copied for each journey."""
import glob
import os
import shutil
import subprocess

BASE = os.environ.get("WARPWISE_JOURNEYS", "/var/cache/warpwise")
TOOLKIT = os.path.realpath("/usr/local/cuda")
LEARNER = 1000  # the plain user's number
COMPILED = "/var/cache/ccache"  # in there: the compiler's cache


def quiet(*words, **more):
    """Runs a command; its output is shown only where it fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def mirror():
    """Where this machine's packages come from; none where it is Debian's own."""
    for path in sorted(glob.glob("/etc/apt/sources.list.d/*.sources")):
        with open(path, encoding="utf-8") as file:
            found = [line.split(":", 1)[1].split()[0] for line in file if line.startswith("URIs:") and "/debian" in line]
        if found and "security" not in found[0]:
            return [found[0]]
    return []


def make_base():
    """The folder of the bare system, made where it is not there yet."""
    root = os.path.join(BASE, "bookworm")
    if os.path.exists(os.path.join(root, "usr/bin/git")):
        return root
    if not shutil.which("debootstrap"):
        quiet("apt-get", "update", "-q")
        quiet("apt-get", "install", "-q", "-y", "--no-install-recommends", "debootstrap")
    os.makedirs(BASE, exist_ok=True)
    part = root + ".part"
    shutil.rmtree(part, ignore_errors=True)
    quiet("debootstrap", "--variant=minbase", "--include=ca-certificates,git", "bookworm", part, *mirror())
    quiet("chroot", part, "useradd", "-m", "-u", str(LEARNER), "-s", "/bin/bash", "learner")
    os.rename(part, root)
    return root


def copy_settings(root):
    """How this machine reaches packages: Debian's list, keys, certificates, names of hosts."""
    for folder in ("/etc/apt/apt.conf.d", "/usr/share/keyrings"):
        shutil.copytree(folder, root + folder, dirs_exist_ok=True)
    # Lists of other makers' packages are not a bare system's.
    lists = [path for path in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list") if os.path.exists(path)]
    for path in (lists[0], "/etc/ssl/certs/ca-certificates.crt", "/etc/resolv.conf", "/etc/hosts"):
        shutil.copy(path, root + path)
    if lists[0].endswith(".sources"):
        with open(root + "/etc/apt/sources.list", "w", encoding="utf-8"):
            pass


def bind(source, target):
    os.makedirs(target, exist_ok=True)
    quiet("mount", "--bind", source, target)


def cache_of_this_machine():
    """The folder of the compiler's cache outside, with which .ci/run compiles; "" where there is none."""
    return quiet("ccache", "--get-config", "cache_dir").strip() if shutil.which("ccache") else ""


class BareRoot:
    """One journey's own copy, with what the kernel shows, the course as a bundle, and caches that are kept."""

    def __init__(self, name, bundle, with_toolkit=True):
        base = make_base()
        self.path = os.path.join(BASE, "walked", name)
        self.remove()
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        quiet("cp", "-a", "--reflink=auto", base, self.path)
        copy_settings(self.path)
        for kind in ("proc", "sysfs"):
            quiet("mount", "-t", kind, kind, os.path.join(self.path, kind.removesuffix("fs")))
        quiet("mount", "--rbind", "/dev", self.path + "/dev")
        self.cache("archives", "/var/cache/apt/archives")
        self.compiled = self.cache(f"ccache-{name}", COMPILED, owner=LEARNER)
        # Those of CI's `./learn check`, too: an image is known by what its headers hold.
        self.cache("images", "/var/cache/images", owner=LEARNER)
        if with_toolkit:
            self.show_toolkit()
        shutil.copy(bundle, self.path + "/course.bundle")

    def cache(self, name, where, owner=0):
        kept = os.path.join(BASE, name)
        os.makedirs(kept, exist_ok=True)
        os.chown(kept, owner, owner)
        bind(kept, self.path + where)
        return kept

    def share_compiled(self):
        """For CI: root in here and this machine have one compiler's cache."""
        here = cache_of_this_machine()
        if here and os.environ.get("WARPWISE_WALKS_IN"):
            os.makedirs(here, exist_ok=True)
            bind(here, self.path + COMPILED)

    def know_what_is_compiled(self):
        """The compiler's cache begins with what this machine's has. It knows a file where all paths are the same."""
        here = cache_of_this_machine()
        if not here:
            return
        # There may be none yet, and what somebody writes there meanwhile may be gone before it is copied.
        subprocess.run(["cp", "-a", "--update", here + "/.", self.compiled], stderr=subprocess.DEVNULL, check=False)
        quiet("chown", "-R", f"{LEARNER}:{LEARNER}", self.compiled)

    def show_toolkit(self, where=None):
        bind(TOOLKIT, self.path + (where or TOOLKIT))
        if where is None and TOOLKIT != "/usr/local/cuda":
            os.symlink(TOOLKIT, self.path + "/usr/local/cuda")

    def remove(self):
        """Mounts are this process's own: they are gone with it, and a folder that is one is left alone."""
        if os.path.isdir(self.path):
            shutil.rmtree(self.path)
