"""A system without nvcc: the offer to install it declined, offline, and taken, from stand-in packages."""
import functools
import http.server
import os
import subprocess
import tempfile
import threading

from bare_root import quiet
from walk import clone

# Real names, so that the lines that ./learn runs are the real ones; what they hold is a link.
PACKAGES = ("cuda-nvcc-13-0", "cuda-crt-13-0", "cuda-cudart-dev-13-0", "cuda-cccl-13-0")
HIDDEN = "/opt/toolkit"  # where the toolkit is until a package links to it


def walk(root):
    root.show_toolkit(HIDDEN)
    root.share_compiled()
    way = clone(root, "root", "/root/warpwise")
    way.expect("apt-get update -q")
    one_line = "no CUDA toolkit (nvcc) was found: add NVIDIA's apt repository"
    way.expect("./learn", status=3, says=[one_line], never=["[y/N]"])
    way.expect("./learn", status=3, terminal=True, typed=[("[y/N]", "n\n")], says=["[y/N]", one_line])
    way.expect("WARPWISE_CUDA_SITE=http://127.0.0.1:9/ ./learn --yes", status=3, says=["no network for the CUDA toolkit"])
    way.expect("./learn doctor", status=3, says=["missing toolkit"])
    with tempfile.TemporaryDirectory() as folder:
        site = serve(folder)
        make_repository(folder, site)
        text = way.expect(f"WARPWISE_CUDA_SITE={site} ./learn", terminal=True, typed=[("[y/N]", "y\n"), ("q quit", "q")],
                          says=["[y/N]", "to download", "the CUDA toolkit is installed", "01_grid_size"])
        way.count("the repository's packages are there",
                  [] if all(f"Setting up {name}" in text for name in PACKAGES) else ["one was not set up"], text)
    return way


def serve(folder):
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def make_package(folder, name, version, files):
    """A .deb of a few files, by dpkg-deb."""
    tree = os.path.join(folder, "tree-" + name)
    for path, text in {"DEBIAN/control": f"Package: {name}\nVersion: {version}\nArchitecture: all\n"
                                         "Maintainer: nobody <nobody@localhost>\nDescription: a stand-in\n", **files}.items():
        os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
        with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(os.path.join(tree, path), 0o755 if "bin/" in path else 0o644)
    target = os.path.join(folder, "debian12", "x86_64", f"{name}_{version}.deb")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    quiet("dpkg-deb", "--build", "--root-owner-group", tree, target)
    return target


def make_repository(folder, site):
    for name in PACKAGES:
        is_compiler = name == PACKAGES[0]
        script = f'#!/bin/sh\nexec {HIDDEN}/bin/nvcc "$@"\n'
        make_package(folder, name, "13.0.88-1", {"usr/local/cuda/bin/nvcc": script} if is_compiler else {})
    place = os.path.join(folder, "debian12", "x86_64")
    index = subprocess.run(["dpkg-scanpackages", "--multiversion", "."], cwd=place, check=True, capture_output=True, text=True)
    with open(os.path.join(place, "Packages"), "w", encoding="utf-8") as file:
        file.write(index.stdout)
    keyring = make_package(folder, "cuda-keyring", "1.1-1", {
        "etc/apt/sources.list.d/cuda-debian12-x86_64.list": f"deb [trusted=yes] {site}/debian12/x86_64/ ./\n"})
    os.rename(keyring, os.path.join(place, "cuda-keyring_1.1-1_all.deb"))
