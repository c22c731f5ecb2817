#!/bin/sh
# Make a virtual environment with the tools that the tests in this folder run, and say how to use it.
#
#   tests/ecosystem/make_environment.sh <folder>
set -eu
python=$(command -v python3.11 || command -v python3.12 || command -v python3)
"$python" -m venv "$1"
"$1/bin/python" -m pip install --quiet -r "$(dirname "$0")/requirements.txt"
echo "export ATTRIBENCH_TEST_ECOSYSTEM=$(cd "$1" && pwd)/bin/python"
