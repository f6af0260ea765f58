# `make help` lists the targets. Everything that a target needs is obtained by it: Go, git, bash, a C compiler and, for some
# tests, Debian's packages (hack/packages.sh installs them when it may).

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

GO ?= go
# Without paths of this machine in what the compiler writes, each clone of the repository uses the same build cache.
export GOFLAGS := $(strip $(filter-out -trimpath,$(GOFLAGS)) -trimpath)
TOOL := $(GO) tool -modfile=go.tool.mod
CRDS := $(TOOL) controller-gen object crd:generateEmbeddedObjectMeta=false
# Packages to test, and how long one fuzz target runs.
PKG ?= ./...
T ?= 20s
VERSION ?= v0.1.0
OUT ?= out

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Tests are linked without debug information, which takes half of the time, and vetted by make lint. Rare garbage
# collection saves time in the linker and in tests that compute. Packages with servers run two at a time: each of them
# runs some of its tests in parallel, and more at once make some virtual machines slower.
GOTEST := GOGC=400 $(GO) test
CACHED := -json -vet=off -ldflags=-s
TESTFLAGS := $(CACHED) -count=1
# The packages that take longest start first, so that none of them is alone in the end.
LONGEST := ./test/integration ./test/consumers/nodes ./test/consumers/agent ./test/consumers/cloudinit \
	./test/consumers/hosts ./test/clusterctl ./test/planes

.PHONY: test
test: ## run all tests, and check that no output contains a secret; PKG=./domain/... for some packages
	@$(GO) build -o bin/watch ./test/canary/watch
	@# Programs are built before the tests, whose time is limited.
	@# The go command repeats the result of a test that starts no programs, and whose source and input are the same. Of the
	@# other tests, hack/link-cache.sh repeats what the linker wrote.
	{ failed=0; $(if $(filter ./...,$(PKG)),hack/tool.sh --test >/dev/null || failed=1; packages=$$(hack/cacheable.sh); \
	  cached=$${packages%%$$'\n'*}; others=$${packages#*$$'\n'}; \
	  $(GOTEST) $(CACHED) -p 4 $$cached || failed=1;) \
	  MACHINEADM_TEST_RUN=$$(date +%s%N) $(GOTEST) $(TESTFLAGS) -toolexec $(CURDIR)/hack/link-cache.sh -p 2 -timeout 40m \
	    $(if $(filter ./...,$(PKG)),$(LONGEST) $$others,$(PKG)) || failed=1; \
	  exit $$failed; } 2>&1 | bin/watch

.PHONY: test-unit
test-unit: ## run the tests that need neither servers nor root, and build no programs
	@$(GO) build -o bin/watch ./test/canary/watch
	@# These tests compute more than they wait.
	$(GOTEST) $(TESTFLAGS) -p 4 -tags unit $$(hack/unit.sh) 2>&1 | bin/watch

.PHONY: nightly
nightly: ## run each test in full, of which make test runs a short version; hours
	@$(GO) build -o bin/watch ./test/canary/watch
	MACHINEADM_NIGHTLY=1 $(GOTEST) $(TESTFLAGS) -p 1 -timeout 8h $(PKG) 2>&1 | bin/watch
	@# The faults of control planes of real nodes take an hour.
	$(if $(filter ./...,$(PKG)),$(GOTEST) $(TESTFLAGS) -tags e2e -p 1 -timeout 4h ./test/consumers/controlplanes 2>&1 | bin/watch)

.PHONY: e2e
e2e: ## boot virtual machines that partition disks, join a cluster, serve as hosts, and the demo; IMAGE=flatcar.img for a real image
	@# One virtual machine at a time takes all processors.
	$(if $(IMAGE),IMAGE=$(abspath $(IMAGE))) $(GO) test -tags e2e -p 1 -count=1 -v -timeout 60m $(if $(IMAGE),,\
	  ./test/consumers/vm ./test/consumers/machines ./test/consumers/hosts \
	  ./adapters/hostdriver/qemu ./test/demo ./test/planescale) \
	  ./test/consumers/stock

.PHONY: e2e-windows
e2e-windows: ## run the programs for Windows with doubles of its cmdlets; needs pwsh
	@command -v pwsh >/dev/null || { echo 'e2e-windows needs PowerShell: install pwsh 7' >&2; exit 1; }
	$(GO) test -tags e2e -count=1 -v -run TestProgramsRun ./test/consumers/windows

.PHONY: demo
# Root may run it in the clone of another user, where git answers nothing and Go would not build.
demo: export GOFLAGS := $(GOFLAGS) -buildvcs=false
demo: ## create a cluster of nodes in namespaces of this host; KEEP=1 keeps it, DEMO=qemu adds a virtual machine (IMAGE=…), DEMO=ssh starts hosts for the SSH guide
	@command -v $(GO) >/dev/null || { echo 'demo: $(GO) is not in PATH; with sudo, run' \
	  '"sudo env PATH=$$PATH $(strip make demo $(filter-out GO=%,$(MAKEOVERRIDES)))"' >&2; exit 1; }
	@echo 'compiling the demo, which takes some seconds, and some minutes for the first time' >&2
	@CGO_ENABLED=0 $(GO) build -ldflags=-s -o bin/demo-pod ./test/demo/pod
	@$(GO) build -o bin/ ./test/demo $(if $(filter ssh,$(DEMO)),./cmd/machineadmctl)
	@bin/demo -out demo $(if $(KEEP),-keep) -demo "$(DEMO)" -image "$(IMAGE)"

.PHONY: arch
arch: ## hold the tree against the dependency rule
	$(GO) test .

.PHONY: lint
lint: export GOGC = 400
lint: ## run golangci-lint for Linux and Windows, and the linters of shell, Python and PowerShell
	hack/lint-scripts.sh
	$(TOOL) golangci-lint config verify
	$(TOOL) golangci-lint run ./...
	GOOS=windows $(GO) build -ldflags=-s -o /dev/null ./cmd/...
	@# Two packages are compiled, and not linked.
	GOOS=darwin $(GO) build ./cmd/machineadm ./cmd/machineadmctl
	@# A tool is built for where it runs. The lines before built it, and -n prints its path.
	GOOS=windows $$($(TOOL) -n golangci-lint) run --tests=false ./cmd/machineadm ./adapters/pluginhost/... ./adapters/system/windows

.PHONY: deps
deps: ## hold the linked modules and the tools to hack/deps/policy.yaml
	$(GO) run ./hack/deps check

.PHONY: vulncheck
vulncheck: ## report known vulnerabilities in called functions; VULNDB=dir is used if the public database cannot be reached
	VULNDB=$(VULNDB) $(GO) run ./hack/deps vulncheck

.PHONY: figures
figures: ## print how long functions and files are, and fail when they are too long
	$(GO) run ./hack/figures

.PHONY: prose
prose: ## count words that readers have to decode, and fail when there are too many
	$(GO) run ./hack/prose

.PHONY: golden
golden: ## rewrite the golden files; look at the difference
	UPDATE=1 $(GO) test $(PKG)
	git --no-pager diff --stat

.PHONY: fuzz
fuzz: ## run every fuzz target for T (20s); F=talos for some
	@hack/fuzz.sh $(T) $(F)

.PHONY: bench
bench: ## run the benchmarks; COUNT=6 OUT=out
	@mkdir -p $(OUT)
	$(GO) test -run '^$$' -bench . -benchmem -count $${COUNT:-6} ./... | tee $(OUT)/bench.txt
	$(TOOL) benchstat $(OUT)/bench.txt

# The sections of docs/benchmarks.md that programs write. A section that fails does not prevent the next one. A quiet
# machine takes about an hour.
.PHONY: scale scale-providers scale-fleet scale-week scale-chaos
scale: ## measure many workers against the kubeadm provider, a week, and chaos; writes the tables of docs/benchmarks.md
	@$(MAKE) -k -j1 scale-providers scale-fleet scale-week scale-chaos
scale-providers:
	$(GO) run ./test/scale -limits default,lifted -rounds 5 -page docs/benchmarks.md -section providers
scale-fleet:
	$(GO) run ./test/scale -n 10000 -clusters 50 -limits default -page docs/benchmarks.md -section fleet
scale-week:
	$(GO) run ./test/scale -n 2000 -clusters 20 -days 7 -page docs/benchmarks.md -section week
scale-chaos:
	$(GO) run ./test/chaos -page docs/benchmarks.md

.PHONY: new-format
new-format: ## scaffold an output format that works, and write its goldens; NAME=kick-start
	@$(GO) run ./hack/new-format "$(NAME)"
	UPDATE=1 $(GO) test ./cmd/internal/conformance ./cmd/internal/hostile ./cmd/machineadmctl
	UPDATE=1 $(GO) test -run Table ./test/scenarios

.PHONY: generate
generate: ## regenerate deep copies, CRDs, roles, the plugin protocol's code, docs/reference, alerts and the dashboard
	$(CRDS) paths=./adapters/kubernetes/api/v1alpha1 output:crd:dir=config/crd/bases
	$(CRDS) paths=./adapters/kubernetes/api/infrastructure/v1alpha1 output:crd:dir=config/hosts/crd/bases
	$(CRDS) paths=./adapters/kubernetes/api/controlplane/v1alpha1 output:crd:dir=config/control-plane/crd/bases
	@hack/protobuf.sh
	$(GO) run ./hack/reference
	$(GO) run ./hack/monitoring

.PHONY: verify
verify: ## generate, format, vet and tidy; fails unless the tree stays as it was committed
	@hack/verify.sh

.PHONY: corpus
corpus: ## convert published KubeadmConfigSpecs and compare them with the kubeadm provider; CLONES=directory of the repositories
	$(GO) run ./cmd/internal/corpus -clones "$(CLONES)" -page docs/evidence/conversion.md

.PHONY: docs-check
docs-check: ## check the links and the commands of the documents
	$(GO) test -run 'Docs|Layers' . ./cmd/machineadmctl

.PHONY: release
release: ## write a clusterctl repository and the agents to OUT; VERSION=v0.1.0, IMAGE=…, KEY=key.pem signs their checksums
	hack/release.sh $(VERSION) $(OUT) $(IMAGE)
	hack/agents.sh $(VERSION) $(OUT)/agents $(KEY)

.PHONY: image
image: ## write the controller's image to OUT, without a container engine; VERSION=v0.1.0
	hack/image.sh $(VERSION) $(OUT)

.PHONY: dist
dist: ## write everything of a release to OUT, which must be empty; VERSION=v0.1.0, IMAGE=…, KEY=key.pem signs the checksums, FIPS=1
	$(GO) run ./hack/dist $(strip $(if $(FIPS),-fips) $(if $(IMAGE),-image $(IMAGE)) $(if $(KEY),-key $(KEY)) $(VERSION) $(OUT))

.PHONY: hooks
hooks: ## have git run gofmt, vet and the dependency rule before each commit
	git config core.hooksPath .githooks
