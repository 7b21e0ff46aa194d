.DEFAULT_GOAL := help
.PHONY: help run dev slo test test-fast mutations format docs dashboards prometheus-rule bench load profile balance endure audit siege overload drill scale up down try-compose pin-images fuzz \
	check lint types suites suites-fast compose redis wrk haproxy iproute2 prometheus chromium console screenshots

help: ## Print this list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Run

run dev: export RATES_FILE ?= $(if $(DEMAND_FILE),,src/sandbox/rates.json)
run dev: export PUBLISHERS_FILE ?= $(if $(DEMAND_FILE),,src/sandbox/publishers.json)
run: node_modules/.installed dist/console/app.js ## Start the exchange with sandbox demand partners (PORT, default 8080)
	@npm start --silent

dev: node_modules/.installed dist/console/app.js ## Start the exchange and restart it when a file in src/ changes
	@npm run --silent dev

slo: node_modules/.installed ## Check whether a running exchange meets its latency and throughput targets (ADMIN_URL)
	@node_modules/.bin/node load/slo.ts

##@ Test

test: node_modules/.installed dist/console/app.js redis prometheus haproxy chromium ## Run lint, type check and all tests; install redis-server, Prometheus, HAProxy and Chromium if missing
	@$(MAKE) --no-print-directory -j3 lint types suites

test-fast: node_modules/.installed ## Run lint, type check and the tests that start no process
	@$(MAKE) --no-print-directory -j3 lint types suites-fast

mutations: node_modules/.installed ## Compare the fast path with Joi on a million mutated requests (MUTATIONS)
	MUTATIONS=$(or $(MUTATIONS),1000000) npm test --silent -- tests/openrtb/fast-path.test.ts

fuzz: node_modules/.installed ## Run a million malformed inputs through the parsers; report stalls, memory and slow inputs (FUZZ, TARGET, SEED)
	@NODE_COMPILE_CACHE=node_modules/.cache/compile FUZZ='$(FUZZ)' TARGET='$(TARGET)' SEED='$(SEED)' FROM='$(FROM)' INPUT='$(INPUT)' \
		node_modules/.bin/node tests/fuzz/main.ts

##@ Write files

console: dist/console/app.js ## Build the pages of the console into dist/console

screenshots: dist/console/app.js chromium ## Take the screenshots of the console in docs/images
	@node_modules/.bin/node tests/browser/take-screenshots.ts

format: node_modules/.installed ## Format all files with prettier
	npm run --silent format

docs: node_modules/.installed ## Regenerate the generated parts of the documents
	npm run --silent docs

dashboards: node_modules/.installed ## Regenerate the Grafana dashboards
	node_modules/.bin/node deploy/grafana/dashboards/source/main.ts

prometheus-rule: node_modules/.installed ## Regenerate the PrometheusRule of the Kubernetes manifests from the alerts
	node_modules/.bin/node deploy/kubernetes/write-prometheus-rule.ts

##@ Measure

# The benchmarks that run by default, and the others.
BENCHES = limits exchange fan-out client parts connections
OTHER_BENCHES = deadlines memory console compare peers

bench: node_modules/.installed redis wrk ## Benchmark against baselines (BENCH=limits, exchange, fan-out, client, parts or connections; default all; BENCH=deadlines simulates, BENCH=memory prints memory by process, BENCH=console what its live stream costs), against another checkout (BENCH=compare BASE=folder) or Prebid Server Go (BENCH=peers PBS_DIR=folder)
	$(if $(filter-out $(BENCHES) $(OTHER_BENCHES),$(BENCH)),$(error BENCH must be one of $(BENCHES) $(OTHER_BENCHES); got $(BENCH)))
	@set -e; for name in $(or $(BENCH),$(BENCHES)); do node_modules/.bin/node load/bench/$$name.ts; done

load: node_modules/.installed redis ## Run a k6 scenario (SCENARIO=smoke, steady, spike, limits, slow-partner or soak; default smoke)
	node_modules/.bin/node load/run.ts $(or $(SCENARIO),smoke)

profile: node_modules/.installed redis wrk ## Profile the CPU time per request by folder, package and function
	@node_modules/.bin/node load/bench/profile.ts

balance: node_modules/.installed wrk ## Measure how evenly connections spread over workers, by one socket, by round robin and by reusePort
	@node_modules/.bin/node load/bench/balance.ts

endure: node_modules/.installed redis wrk ## Run at half of saturation for ten minutes; report latency, stalls and memory per minute
	@node_modules/.bin/node load/bench/endure.ts

overload: node_modules/.installed redis ## Offer up to 4 times the peak from clients that time out; print goodput, latency and recovery (OVERLOAD=numbers), or compare them with another checkout (BASE=folder)
	@node_modules/.bin/node load/overload/$(if $(BASE),compare,overload).ts

drill: node_modules/.installed redis ## Cause faults under steady load, from a stopped worker to a full disk; print failed requests, recovery and what showed them (DRILL=names)
	@node_modules/.bin/node load/drill/run-drill.ts

siege: node_modules/.installed redis ## Attack the exchange beside an ordinary client; compare its p99 with the quiet one (SIEGE=each or attack names), or with another checkout's (BASE=folder)
	@node_modules/.bin/node load/siege/$(if $(BASE),compare,siege).ts

scale: export REQUIRE_HAPROXY = 1
scale: node_modules/.installed redis haproxy iproute2 ## Start 1, 2 and 4 exchanges in network namespaces behind HAProxy, with one Redis and with a Redis Cluster; print exactness of the limits and cost per request (SCALE_RATE)
	@node_modules/.bin/node load/scale/scale.ts

audit: node_modules/.installed ## Send the worst value of every field and compare its CPU time with a plain request's; fail above 10 times (AUDIT=part)
	@node_modules/.bin/node load/audit/audit.ts

##@ Containers

COMPOSE = $(shell docker compose version >/dev/null 2>&1 && echo docker compose || echo docker-compose) -p gavel $(shell deploy/compose-files)

up: compose ## Start HAProxy, two exchanges, Redis, sandbox partners, Prometheus, Alertmanager and Grafana in containers (SERVICES: only these, and what they need)
	$(COMPOSE) up -d --build $(SERVICES)
	@for service in haproxy:8080 prometheus:9090 alertmanager:9093 grafana:3000; do \
		address=$$($(COMPOSE) port $${service%:*} $${service#*:} 2>/dev/null) && [ -n "$$address" ] && \
		case $$service in haproxy*) echo "bids http://127.0.0.1:$${address##*:}/openrtb2";; *) echo "$${service%:*} http://$$address";; esac; \
	done; true

down: compose ## Stop and remove the containers and their volumes
	$(COMPOSE) down --volumes --remove-orphans

try-compose: ## Test the containers: a bid, shared rate limits, stopping each instance without a failed request
	deploy/compose-trial

pin-images: ## Pin all images by the digests that their registries have now
	deploy/pin-images

# Steps of the targets above.

check: lint types

lint: node_modules/.installed
	@npm run --silent lint

types: node_modules/.installed
	@npm run --silent types

suites: node_modules/.installed
	@npm test --silent

suites-fast: node_modules/.installed
	@MUTATIONS=$(or $(MUTATIONS),20000) PROPERTY_SCALE=0.2 npm test --silent -- --selectProjects fast

compose:
	@deploy/require-compose

redis:
	@tests/support/install-redis

wrk:
	@load/bench/install-wrk

haproxy:
	@tests/support/install-haproxy

iproute2:
	@tests/support/install-package iproute2 iproute2mac 'iproute2' ip

prometheus:
	@tests/support/install-prometheus

chromium:
	@tests/support/install-chromium

dist/console/app.js: node_modules/.installed $(shell find src/console src/contract src/json -type f)
	@node_modules/.bin/node src/console/build.ts

# npm may run on an older Node.js: the package `node` brings the one that the exchange runs on. Only errors are printed.
node_modules/.installed: package.json package-lock.json
	@echo 'installing npm packages'
	@npm ci --loglevel=error >/dev/null
	@touch $@
