.DEFAULT_GOAL := help
.PHONY: help run test check docs format bench-limits

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: node_modules/.installed ## start the exchange in the foreground (PORT=8080), with sandbox demand
	@npm start --silent

test: node_modules/.installed redis check ## lint, types and every test, with a real redis-server
	npm test --silent

check: node_modules/.installed
	npm run --silent lint
	npm run --silent types

bench-limits: node_modules/.installed redis ## what a decision on the limits costs, against the stock store
	node_modules/.bin/node load/bench/limits.ts

docs: node_modules/.installed ## write the generated parts of the documents anew
	npm run --silent docs

format: node_modules/.installed ## lay out every file
	npm run --silent format

redis:
	@tests/support/install-redis
.PHONY: redis

node_modules/.installed: package.json package-lock.json
	npm ci --no-fund --no-audit
	@touch $@
