#!/usr/bin/env bash
# Checks every shell, Python and PowerShell program of the repository.
#
# Goldens are not checked: tests run them, and their programs are checked as files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# files EXTENSION... prints the files with the extensions, each ended by NUL.
files() {
  git ls-files -z -co --exclude-standard -- "${@/#/*.}" ':!:testdata/**'
}

hack/packages.sh shellcheck pylint
mapfile -d '' -t shell < <(files sh)
shell+=(.ci/run .githooks/pre-commit)
go tool -modfile=go.tool.mod shfmt -i 2 -ci -d "${shell[@]}"
shellcheck "${shell[@]}"
files py | xargs -0 pylint --score=n
files ps1 | xargs -0 hack/powershell.sh
