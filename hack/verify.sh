#!/usr/bin/env bash
# Fails unless the tree is as its generators and formatters would leave it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

before=$(git status --porcelain)
make --no-print-directory generate
git ls-files -z '*.go' ':!:**/testdata/**' | xargs -0 gofmt -w
go vet ./...
go mod tidy
(cd test/foreign && go mod tidy && go vet ./...)
(cd test/inmemory && go mod tidy && go vet ./...)
# Each module takes four seconds of one processor.
dirname tools/*/go.mod | xargs -P "$(nproc)" -I{} go -C {} mod verify >/dev/null
go run ./hack/deps check
after=$(git status --porcelain)
if [[ $before != "$after" ]]; then
  echo 'verify.sh: generate, gofmt or tidy changed the tree:' >&2
  diff <(echo "$before") <(echo "$after") >&2 || true
  git --no-pager diff --stat >&2
  exit 1
fi
if [[ -n $after ]]; then
  echo 'verify.sh: there is something that is not committed:' >&2
  echo "$after" >&2
  exit 1
fi
