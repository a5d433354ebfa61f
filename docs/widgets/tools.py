"""Running other programs, and knowing when nothing has to be done."""
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class AssetError(Exception):
    """Something could not be made; the text says what and what to do."""


def run(words, limit_s):
    """Runs a program; raises AssetError with its last lines where it fails."""
    words = [str(word) for word in words]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit_s, cwd=ROOT)
    except FileNotFoundError as error:
        raise AssetError(f"{words[0]} is missing: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise AssetError(f"{' '.join(words)}: not done after {limit_s} s") from error
    if done.returncode:
        last = "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
        raise AssetError(f"{' '.join(words)} ended with {done.returncode}:\n{last}")
    return done.stdout


def is_current(made, sources):
    """True where `made` exists and is newer than all of its sources."""
    if not made.exists():
        return False
    age = made.stat().st_mtime
    return all(source.stat().st_mtime < age for source in sources)


def write(path, text):
    """Replaces the file at once."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)
