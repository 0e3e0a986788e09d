#!/usr/bin/env bash
# Makes .venv ready: the Python packages at their pinned versions, and what Debian has to add.
set -euo pipefail
cd "$(dirname "$0")/.."

state=$(cat pyproject.toml setup.py constraints.txt | cksum)
if [ -x .venv/bin/perm ] && [ "$(cat .venv/ready 2>/dev/null)" = "$state" ]; then exit 0; fi

# Installs Debian packages as root; otherwise prints the one line to type.
debian() {
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        echo "setup: apt-get install $*"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    else
        echo "setup: please run: sudo apt-get update && sudo apt-get install -y $*" >&2
        return 1
    fi
}

python=${PYTHON:-$(command -v python3.11 || command -v python3 || true)}
if ! "${python:-false}" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "setup: Python 3.11 or newer is needed; name one with PYTHON=/path/to/python3.11" >&2
    exit 1
fi

if [ ! -x .venv/bin/pip ]; then
    if ! "$python" -c 'import ensurepip' 2>/dev/null; then
        debian "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
    fi
    rm -rf .venv
    "$python" -m venv .venv
fi

echo "setup: installing into .venv (2 GB, some minutes)"
.venv/bin/pip install --quiet --no-input --disable-pip-version-check -c constraints.txt -e '.[dev,groot,models]'

.venv/bin/perm doctor || {
    debian libgl1 libglib2.0-0 libegl1 libegl-mesa0 libgl1-mesa-dri libosmesa6
    .venv/bin/perm doctor
}
echo "$state" > .venv/ready
