# The groups of the long run: what `.ci/run` leaves out, and the whole of what it does a tenth of. Each takes ten minutes at most on two
# cores. docs/testing.md says which group belongs to which part of the program. To be sourced after lib.sh.
LONG_GROUPS=(postgres walks kills instances load advice clients release)

run_group() {
  local -x EFFORT=full
  local began=$SECONDS
  title "group $1"
  "group_$1"
  took "group $1" "$began"
}

# Pages, commands and doors reach the statements that the contract of the store has proven.
group_postgres() { suite 'other tests on PostgreSQL' bun scripts/test-postgres.ts --others --retry=1; }

group_walks() {
  local others
  mapfile -t others < <(printf '%s\n' ./test-slow/browser/*.test.ts | grep -vxF "$(printf '%s\n' "${ENGINE_WALKS[@]}")")
  suite 'other walks on PostgreSQL' on_postgres "--parallel=$AT_ONCE" ./test-slow/conformance-slow.test.ts "${others[@]}"
}

group_kills() { slow_suites 'kills' ./test-slow/crash ./test-slow/import ./test-slow/run ./test-slow/alerts-across-kills.test.ts; }

group_instances() { slow_suites 'instances' ./test-slow/instances ./test-slow/postgres; }

group_load() { slow_suites 'load' ./test-slow/fuzz ./test-slow/soak ./test-slow/hostile-mail.test.ts; }

group_advice() { slow_suites 'advice' ./test-slow/advice; }

group_clients() {
  command -v cargo >/dev/null || whole 'cargo' from_debian cargo
  suite 'clients in Rust' bun run test:rust-clients
}

# Debian's Go is too old for Helm. What is not installed is skipped, and its tests say so.
group_release() {
  if command -v go >/dev/null; then
    whole 'Helm' env GOBIN="$DEPLOY_TOOLS" go install helm.sh/helm/v3/cmd/helm@v3.18.6
    whole 'actionlint' env GOBIN="$DEPLOY_TOOLS" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
  fi
  whole 'Ansible' from_python "$work/ansible" test-slow/deploy/ansible/requirements.txt
  local -x PATH="$work/ansible/bin:$PATH"
  suite 'release' slow_tests ./test-slow/deploy ./test-slow/lines ./test-slow/tools
}
