# What one runs by hand and what .ci/run runs. `make` alone lists the targets.
#
# `make test` needs Go and nothing else: no network once the modules are there, no display, no Node,
# no C compiler. `make check` needs what scripts/install-deps.sh installs.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Every module of go.work, as folders relative to this file, and their packages as patterns.
MODULES  = $(patsubst $(CURDIR)%,.%,$(shell go list -m -f '{{.Dir}}'))
PACKAGES = $(addsuffix /...,$(MODULES))

# Tools, pinned: a new release must not turn a green tree red.
GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
GORELEASER  := github.com/goreleaser/goreleaser/v2@v2.15.1
CYCLONEDX   := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# How long each fuzz target runs (a night's run gives it 5m), how long the soak takes, what `make bench` is told
# (-only calls,live -rounds 31), and what `make bench-go` selects.
FUZZTIME   ?= 5s
SOAKTIME   ?= 1h
BENCHFLAGS ?=
BENCH      ?= .

# Where goroutines meet. The race detector compiles all it links anew, and modernc.org/sqlite takes
# minutes, so packages with one goroutine stay out.
RACE ?= . ./elyratest/... ./database/... \
	./internal/bridge/... ./internal/confirm/... ./internal/endpoint/... ./internal/live/... \
	./internal/mcpclient/... ./internal/mcpserver/... ./internal/ratelimit/... ./internal/shim/... \
	./internal/wire/... ./window/headless/... \
	./agent/internal/catalog/... ./agent/internal/host/... ./agent/internal/keeper/... ./agent/internal/loop/... \
	./agent/internal/mcptools/... ./agent/internal/oauth/... ./agent/internal/session/...

.PHONY: help demo test generate format recording bench bench-go peers check check-offline check-online \
	check-race check-fuzz check-modules check-cross check-coverage check-lint check-js check-postgres check-window \
	check-wails check-agent check-rata check-wine check-release release-files check-soak soak bench-wails

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{ printf "make %-14s %s\n", $$1, $$2 }'

demo: ## run the example app's tour: an agent works in it, step by step
	@echo "demo: an agent works in the example app"
	@go run ./examples/crm/demo

test: export CGO_ENABLED = 0
test: ## generated code is fresh, vet, and the tests of every module
	@echo "test: generated code, vet and the tests of $(MODULES)"
	@go run ./rata generate --check ./examples/...
	@go vet $(PACKAGES)
	@go test $(PACKAGES)

generate: ## write the generated code of the examples again
	@echo "generate: elyra_gen.go of the examples"
	@go run ./rata generate ./examples/...

format: ## format all Go files
	@echo "format: gofumpt rewrites what differs"
	@go run $(GOFUMPT) -w .

recording: export CGO_ENABLED = 0
recording: ## play the agent's story at a terminal and write docs/agent.svg anew
	@echo "recording: elyra and the example app at a terminal, with a scripted model"
	@go run ./agent/internal/recording -o docs/agent.svg

bench: export CGO_ENABLED = 0
bench: ## our MCP server beside those of others, live queries beside their bars, the agent (-o DIR writes a report)
	@echo "bench: servers as programs over stdio; live queries beside tables and polling; the agent"
	@bash bench/typescript/install.sh
	@go run ./bench $(BENCHFLAGS)

bench-go: export CGO_ENABLED = 0
bench-go: ## run the Go benchmarks that match BENCH (all of them)
	@echo "bench-go: benchmarks matching '$(BENCH)'"
	@go test -run '^$$' -bench '$(BENCH)' -benchmem $(PACKAGES)

peers: ## other people's MCP implementations against ours (needs Node)
	@echo "peers: the Go and TypeScript SDKs, the MCP Inspector, servers of others and the conformance suite"
	@bash test/peers/run.sh

check: test check-offline check-online ## everything: what .ci/run runs, and check-release

check-offline: check-modules check-cross check-coverage check-race check-fuzz check-soak ## the part of check that needs no download
check-online: check-lint check-js check-postgres peers check-window check-wails check-agent check-rata check-wine check-release ## the part of check that needs downloaded tools

check-modules: export CGO_ENABLED = 0
check-modules: ## each module builds without the workspace
	@echo "check-modules: GOWORK=off builds of $(MODULES)"
	@for module in $(MODULES); do (cd "$$module" && GOWORK=off go build ./...) || { \
		echo "check-modules: $$module does not build with GOWORK=off: is its go.mod (requires, replaces) complete? try 'go mod tidy' there" >&2; exit 1; }; done

check-coverage: export CGO_ENABLED = 0
check-coverage: ## the tests of what strangers reach run through 90 % of its statements
	@echo "check-coverage: at least 90 % of the statements of each"
	@go test -cover ./internal/wire ./internal/mcpserver ./internal/confirm ./internal/endpoint ./internal/live | awk '{ print } \
		match($$0, /coverage: [0-9.]+/) { n++; if (substr($$0, RSTART + 10, RLENGTH - 10) + 0 < 90) low = 1 } END { exit low || n != 5 }'

check-cross: export CGO_ENABLED = 0
check-cross: ## everything compiles for Windows and macOS
	@echo "check-cross: builds for windows/amd64 and darwin/arm64"
	@GOOS=windows GOARCH=amd64 go build $(PACKAGES)
	@GOOS=darwin GOARCH=arm64 go build $(PACKAGES)

check-race: export CGO_ENABLED = 1
check-race: ## the tests of concurrent code under the race detector (needs a C compiler)
	@echo "check-race: the race detector over the packages where goroutines meet"
	@command -v "$$(go env CC)" >/dev/null || { echo "check-race: the race detector needs a C compiler ($$(go env CC)): scripts/install-deps.sh race" >&2; exit 1; }
	@go test -race $(RACE)

check-fuzz: export CGO_ENABLED = 0
check-fuzz: ## every fuzz target for FUZZTIME
	@echo "check-fuzz: each fuzz target for $(FUZZTIME)"
	@bash scripts/fuzz.sh $(FUZZTIME) $(MODULES)

check-lint: ## gofumpt, staticcheck and tidy go.mod files
	@echo "check-lint: gofumpt, staticcheck, go mod tidy"
	@bash scripts/lint.sh $(GOFUMPT) $(STATICCHECK) $(MODULES)

check-js: ## the page runtime: its copy in the program is fresh, and its tests (needs Node)
	@echo "check-js: the page runtime's build and tests"
	@bash scripts/js.sh

check-postgres: export CGO_ENABLED = 0
check-postgres: ## the Postgres driver, and the example app on it, with a server of their own
	@echo "check-postgres: the driver and the CRM on a PostgreSQL server on loopback"
	@bash scripts/postgres.sh go test -count=1 -tags postgres ./database ./database/postgres ./examples/crm
	@bash scripts/postgres.sh go test -count=1 -tags postgres -run Postgres ./rata/internal/cli ./rata/internal/scaffold/resource

check-window: ## the WebKitGTK backend, end to end, on a virtual display
	@echo "check-window: the WebKitGTK backend under Xvfb"
	@bash scripts/window.sh

check-wails: ## the backend for macOS and Windows, tested on Linux (needs cgo and GTK's -dev packages)
	@echo "check-wails: the Wails backend with GTK 3 under Xvfb, and compiled for Windows"
	@bash scripts/wails.sh

check-agent: export CGO_ENABLED = 0
check-agent: ## the agent's terminal interface in tmux, its sandbox, and a disk that becomes full, also under an app (needs tmux and bubblewrap)
	@echo "check-agent: the terminal interface in tmux; commands in a sandbox; full disks"
	@bash agent/internal/tui/tmux.sh
	@cd agent && go test -count=1 -tags bubblewrap -run 'Bubblewrap|FullDisk' ./internal/tools ./internal/cli
	@go test -count=1 -tags bubblewrap ./examples/crm/soak/app

check-rata: ## an app's whole way with rata, to the .deb installed in an empty root and asked by the MCP Inspector (needs Node, bubblewrap, PostgreSQL)
	@echo "check-rata: new, two resources, their tests, migrations on both databases, a grant, a call, packages"
	@bash scripts/postgres.sh bash scripts/rata.sh

soak: export CGO_ENABLED = 0
soak: ## agents, kills, writes and subscribers for SOAKTIME; then nothing may be lost, missed or left over
	@echo "soak: $(SOAKTIME)"
	@go run ./examples/crm/soak -for $(SOAKTIME)

check-soak: ## the soak, for five minutes
	@$(MAKE) soak SOAKTIME=5m

check-release: ## the modules as they would be published, installed into an empty module cache
	@echo "check-release: tags in a clone, go install of rata and elyra, an app that needs no checkout"
	@bash scripts/release.sh v0.1.0

check-wine: ## what is built for Windows, under Wine
	@echo "check-wine: the message layer's tests, and the CRM headless and running, under Wine"
	@bash scripts/wine.sh

release-files: ## archives, checksums and SBOMs of a release, made in a clone and looked into (compiles goreleaser and six systems)
	@echo "release-files: what goreleaser makes of this commit"
	@bash scripts/release-files.sh $(GORELEASER) $(CYCLONEDX)

bench-wails: ## compare the two window backends on Linux, in one table (needs what check-wails needs, and a display)
	@echo "bench-wails: webkitgtk and wails, in turns"
	@cd contrib/wails && go run ./bench
