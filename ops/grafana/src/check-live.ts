/**
 * Runs every query of the dashboards, and every rule's, against a Prometheus that scrapes a service
 * under load. No query may fail, each has to give a number, and what a rule selects has to exist.
 *
 *     node target/check-live.js URL SCRAPE_SECONDS RANGE_SECONDS
 */
import { panelsOf } from './dashboard.js';
import { hsm } from './hsm.js';
import { keyPool } from './key-pool.js';
import type { KeywellDashboard } from './model.js';
import { Prometheus, type Sample } from './prometheus.js';
import { signing } from './signing.js';
import { Variables } from './variables.js';

/** Selections that are empty while all is well. */
const MAY_BE_EMPTY = [
  /^keywell_sign_failures_total\{reason=~"key-reused\|key-refused"\}$/,
  /^keywell_hsm_seconds_count\{rv!~/,
];

const [url = '', scrape = '', range = ''] = process.argv.slice(2);
const scrapeSeconds = Number(scrape);
const rangeSeconds = Number(range);
if (!(scrapeSeconds > 0 && rangeSeconds > 0)) {
  console.error('check-live needs URL SCRAPE_SECONDS RANGE_SECONDS');
  process.exit(2);
}
const prometheus = new Prometheus(url);
const end = Date.now() / 1000;
let checked = 0;
let faults = 0;

/** Runs a check, and counts it; a fault is told and does not end the others. */
async function check(what: string, query: string, run: () => Promise<string | undefined>) {
  checked++;
  let fault: string | undefined;
  try {
    fault = await run();
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  if (fault !== undefined) {
    faults++;
    console.error(`FAILED: ${what}: ${fault}\n    ${query}`);
  }
}

function withoutNumber(samples: Sample[]): string | undefined {
  if (samples.length === 0) {
    return 'no data';
  }
  return samples.some(({ values }) => values.some(Number.isFinite)) ? undefined : 'no number';
}

async function checkDashboard(dashboard: KeywellDashboard) {
  const variables = new Variables(scrapeSeconds, scrapeSeconds);
  await variables.lookUp(dashboard, prometheus);
  for (const panel of panelsOf(dashboard)) {
    for (const target of panel.targets) {
      const query = variables.substitute(target.expr);
      await check(`${dashboard.title}, "${panel.title}" (${target.refId})`, query, async () =>
        withoutNumber(
          target.instant
            ? await prometheus.instant(query)
            : await prometheus.range(query, end - rangeSeconds, end, scrapeSeconds),
        ),
      );
    }
  }
  for (const { name, ...annotation } of dashboard.annotations?.list ?? []) {
    const query = (annotation as unknown as { expr: string }).expr;
    await check(`${dashboard.title}, marks "${name}"`, query, async () => {
      await prometheus.instant(query);
      return undefined;
    });
  }
}

/** `metric{matchers}` in a query. Recorded metrics have a colon in their names. */
function selectors(query: string): Set<string> {
  const withoutLabelLists = query.replace(/\b(by|on|group_left)\s*\([^)]*\)/g, '');
  return new Set(withoutLabelLists.match(/\b(?:\w+:)?keywell_\w+(?::\w+)?(?:\{[^}]*\})?|\bup\{[^}]*\}/g));
}

async function checkRules() {
  const rules = await prometheus.rules();
  const selected = new Set<string>();
  for (const rule of rules) {
    await check(`rule ${rule.name}`, rule.query, async () => {
      await prometheus.instant(rule.query);
      return rule.health === 'ok' ? undefined : `${rule.health}: ${rule.lastError ?? ''}`;
    });
    selectors(rule.query).forEach(selector => selected.add(selector));
  }
  for (const selector of selected) {
    if (!MAY_BE_EMPTY.some(expression => expression.test(selector))) {
      await check('what a rule selects', selector, async () => {
        const query = `last_over_time(${selector}[${rangeSeconds}s])`;
        return (await prometheus.instant(query)).length === 0 ? 'no such series' : undefined;
      });
    }
  }
  return rules;
}

let panels = 0;
for (const dashboard of [keyPool, signing, hsm]) {
  await checkDashboard(dashboard);
  panels += panelsOf(dashboard).length;
}
const rules = await checkRules();
const alerts = rules.filter(({ type }) => type === 'alerting').length;
console.log(
  `${panels} panels, ${rules.length} rules (${alerts} alerts): ${checked} checks, ${faults} failed`,
);
process.exit(faults === 0 && rules.length > 0 ? 0 : 1);
