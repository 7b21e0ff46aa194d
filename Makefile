.DEFAULT_GOAL := help
.PHONY: help run test mutations check docs format bench profile balance endure load slo up down try-compose dashboards redis wrk prometheus

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: node_modules/.installed ## start the exchange in the foreground (PORT=8080), with sandbox demand
	@npm start --silent

test: node_modules/.installed redis prometheus check ## lint, types and every test, with a real redis-server
	npm test --silent

mutations: node_modules/.installed ## a million mutated requests (MUTATIONS) through the compiled check and Joi
	MUTATIONS=$(or $(MUTATIONS),1000000) npm test --silent -- tests/openrtb/accept.test.ts

check: node_modules/.installed
	npm run --silent lint
	npm run --silent types

bench: node_modules/.installed redis wrk ## what things cost, against the bare and the plain way: BENCH=limits, exchange, fan-out
	$(if $(filter-out limits exchange fan-out,$(BENCH)),$(error BENCH is limits, exchange or fan-out, not $(BENCH)))
	@set -e; for name in $(or $(BENCH),limits exchange fan-out); do node_modules/.bin/node load/bench/$$name.ts; done

profile: node_modules/.installed redis wrk ## where the CPU time of a request goes, by folder, package and function
	@node_modules/.bin/node load/bench/profile.ts

balance: node_modules/.installed wrk ## how evenly workers share connections, by round robin and by reusePort
	@node_modules/.bin/node load/bench/balance.ts

endure: node_modules/.installed redis wrk ## ten minutes at half of saturation: latency, stalls and memory minute by minute
	@node_modules/.bin/node load/bench/endure.ts

load: node_modules/.installed redis ## a k6 scenario against an exchange of its own: SCENARIO=smoke, steady, spike, limits, slow-partner, soak
	node_modules/.bin/node load/run.ts $(or $(SCENARIO),smoke)

slo: node_modules/.installed ## whether a running exchange meets its targets (ADMIN_URL)
	@node_modules/.bin/node load/slo.ts

COMPOSE = $(shell docker compose version >/dev/null 2>&1 && echo docker compose || echo docker-compose) -p gavel

up: ## start HAProxy, two exchanges, Redis, sandbox demand, Prometheus and Grafana in containers
	$(COMPOSE) up -d --build $(SERVICES)
	@echo 'bids http://127.0.0.1:$(or $(PORT),8080)/openrtb2  Prometheus http://127.0.0.1:$(or $(PROMETHEUS_PORT),9090)  Grafana http://127.0.0.1:$(or $(GRAFANA_PORT),3000)'

down: ## end and remove the containers
	$(COMPOSE) down --volumes --remove-orphans

try-compose: ## in containers: a bid, shared limits, each instance stopped without a failed request
	deploy/compose-trial

dashboards: node_modules/.installed ## write the Grafana dashboards anew
	node_modules/.bin/node deploy/grafana/dashboards/source/main.ts

docs: node_modules/.installed ## write the generated parts of the documents anew
	npm run --silent docs

format: node_modules/.installed ## lay out every file
	npm run --silent format

redis:
	@tests/support/install-redis

wrk:
	@load/bench/install-wrk

prometheus:
	@tests/support/install-prometheus

node_modules/.installed: package.json package-lock.json
	npm ci --no-fund --no-audit
	@touch $@
