#!/usr/bin/env bash
# Checks Prometheus' and Alertmanager's files: syntax, a test for each alert, that every runbook is
# there, and that every metric is one of docs/METRICS.md. Needs promtool and amtool.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
FAULTS=0

fault() {
  printf 'FAILED: %s\n' "$*" >&2
  FAULTS=$((FAULTS + 1))
}

# quietly COMMAND...: its output is shown only if it fails.
quietly() {
  local output
  output=$("$@" 2>&1) || {
    printf '%s\n' "$output" >&2
    fault "$*"
  }
}

# each CHECK FAULT: reads words, and calls the check with each; FAULT and the word are a fault if that fails.
each() {
  local word
  while read -r word; do
    "$1" "$word" || fault "$2 $word"
  done
}

# Headings of a page as GitHub's anchors: lower case, without punctuation, blanks as dashes.
anchors() {
  sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# has_runbook FILE#ANCHOR
has_runbook() { [ -f "${1%%#*}" ] && anchors "${1%%#*}" | grep -qxF -- "${1#*#}"; }

is_tested() { grep -hA 4 "alertname: $1\$" ops/prometheus/tests/*.yml | grep -q exp_labels; }

is_documented() { grep -qE "^\| \`($1|${1%_@(bucket|count|sum|max)})\`" docs/METRICS.md; }

is_recorded() { grep -qE "^ *- record: $1\$" ops/prometheus/rules/*.yml; }

shopt -s extglob
rules=(ops/prometheus/rules/*.yml)
quietly promtool check config ops/prometheus/prometheus.yml
quietly promtool test rules ops/prometheus/tests/*.yml
quietly amtool check-config ops/alertmanager/alertmanager.yml

alerts=$(cat "${rules[@]}" | sed -n 's/^ *- alert: *//p')
# shellcheck disable=SC2016 # Prometheus expands what looks like a variable
runbooks=$(cat "${rules[@]}" | sed -n 's/^ *runbook_url: "{{ $externalLabels.runbooks }}\(.*\)"$/\1/p')
each has_runbook "there is no runbook" <<<"$runbooks"
[ "$(wc -l <<<"$alerts")" -eq "$(wc -l <<<"$runbooks")" ] || fault "an alert has no runbook_url"
each is_tested "no test expects the alert" < <(sort -u <<<"$alerts")

# What a rule records has a colon in its name, and is not looked for in the page.
each is_documented "docs/METRICS.md does not have" < <(
  grep -ohE '[a-z0-9_]*:?keywell_[a-z0-9_]+(:[a-z0-9_]+)?' \
    "${rules[@]}" ops/prometheus/tests/*.yml ops/grafana/dashboards/*.json | grep -v : | sort -u)
# A recorded metric that a rule or a panel uses.
each is_recorded "no rule records" < <(
  grep -ohE '\b[a-z_]+:keywell_[a-z0-9_]+:[a-z0-9_]+|\bkeywell:[a-z_]+:[a-z0-9_]+' \
    "${rules[@]}" ops/grafana/dashboards/*.json | sort -u)

# Grafana makes the windows of rates from the interval between scrapes.
scraped=$(sed -n 's/^ *scrape_interval: *//p' ops/prometheus/prometheus.yml)
told=$(sed -n 's/^ *timeInterval: *//p' ops/grafana/provisioning/datasources/prometheus.yml)
[ "$scraped" = "$told" ] || fault "Grafana's timeInterval is $told, Prometheus scrapes every $scraped"

[ "$FAULTS" -eq 0 ] || exit 1
printf 'Rules, their tests, runbooks and metric names are in order\n'
