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

# Headings of a page as GitHub's anchors: lower case, without punctuation, blanks as dashes.
anchors() {
  sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# shellcheck disable=SC2016 # Prometheus expands what looks like a variable
runbooks_exist() {
  local alerts=0 file anchor
  while IFS='#' read -r file anchor; do
    alerts=$((alerts + 1))
    if [ ! -f "$file" ] || ! anchors "$file" | grep -qxF -- "$anchor"; then
      fault "there is no runbook $file#$anchor"
    fi
  done < <(sed -n 's/^ *runbook_url: "{{ $externalLabels.runbooks }}\(.*\)"$/\1/p' ops/prometheus/rules/*.yml)
  if [ "$alerts" -ne "$(grep -c '^ *- alert:' ops/prometheus/rules/*.yml | awk -F: '{ n += $2 } END { print n }')" ]; then
    fault "an alert has no runbook_url"
  fi
}

every_alert_is_tested() {
  local alert
  while read -r alert; do
    if ! grep -hA 4 "alertname: $alert\$" ops/prometheus/tests/*.yml | grep -q exp_labels; then
      fault "no test expects the alert $alert"
    fi
  done < <(sed -n 's/^ *- alert: *//p' ops/prometheus/rules/*.yml | sort -u)
}

# What a rule records has a colon in its name, and is not looked for in the page.
metrics_used() {
  grep -ohE '[a-z0-9_]*:?keywell_[a-z0-9_]+(:[a-z0-9_]+)?' \
    ops/prometheus/rules/*.yml ops/prometheus/tests/*.yml ops/grafana/dashboards/*.json |
    grep -v : | sort -u
}

every_metric_is_documented() {
  local metric
  while read -r metric; do
    if ! grep -qE "^\| \`($metric|${metric%_@(bucket|count|sum|max)})\`" docs/METRICS.md; then
      fault "$metric is not in docs/METRICS.md"
    fi
  done < <(metrics_used)
}

# A recorded metric that a rule or a panel uses, and no rule records.
every_recorded_metric_is_recorded() {
  local metric
  while read -r metric; do
    grep -qE "^ *- record: $metric\$" ops/prometheus/rules/*.yml || fault "no rule records $metric"
  done < <(grep -ohE '\b[a-z_]+:keywell_[a-z0-9_]+:[a-z0-9_]+|\bkeywell:[a-z_]+:[a-z0-9_]+' \
    ops/prometheus/rules/*.yml ops/grafana/dashboards/*.json | sort -u)
}

# Grafana makes the windows of rates from the interval between scrapes.
grafana_knows_the_scrape_interval() {
  local scraped told
  scraped=$(sed -n 's/^ *scrape_interval: *//p' ops/prometheus/prometheus.yml)
  told=$(sed -n 's/^ *timeInterval: *//p' ops/grafana/provisioning/datasources/prometheus.yml)
  [ "$scraped" = "$told" ] || fault "Grafana's timeInterval is $told, Prometheus scrapes every $scraped"
}

shopt -s extglob
quietly promtool check config ops/prometheus/prometheus.yml
quietly promtool test rules ops/prometheus/tests/*.yml
quietly amtool check-config ops/alertmanager/alertmanager.yml
runbooks_exist
every_alert_is_tested
every_metric_is_documented
every_recorded_metric_is_recorded
grafana_knows_the_scrape_interval
[ "$FAULTS" -eq 0 ] || exit 1
printf 'Rules, their tests, runbooks and metric names are in order\n'
