/** Grafana's variables, as far as Keywell's dashboards use them. */
import type { VariableModel } from '@grafana/schema';
import type { KeywellDashboard } from './model.js';
import type { Prometheus } from './prometheus.js';

export class Variables {
  private readonly values = new Map<string, string>();

  /** @param scrapeSeconds the interval that the data source is told (its `timeInterval`) */
  constructor(scrapeSeconds: number, stepSeconds: number) {
    // As Grafana has it: long enough for rate() to see at least three intervals between scrapes.
    const rate = Math.max(stepSeconds + scrapeSeconds, 4 * scrapeSeconds);
    this.values.set('__rate_interval', `${rate}s`);
    this.values.set('__interval', `${stepSeconds}s`);
  }

  /** Looks up what the dashboard's variables are at first: the first value, or all of them. */
  async lookUp(dashboard: KeywellDashboard, prometheus: Prometheus): Promise<void> {
    for (const variable of dashboard.templating?.list ?? []) {
      if (variable.type === 'query') {
        this.values.set(variable.name, await this.firstValue(variable, prometheus));
      }
    }
  }

  private async firstValue(variable: VariableModel, prometheus: Prometheus): Promise<string> {
    const { query } = variable.query as { query: string };
    const [, selector, label] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
    if (selector === undefined || label === undefined) {
      throw new Error(`variable ${variable.name}: cannot read ${query}`);
    }
    const found = await prometheus.labelValues(this.substitute(selector), label);
    if (found[0] === undefined) {
      throw new Error(`variable ${variable.name} has no values: ${query}`);
    }
    return variable.includeAll ? `(${found.map(escape).join('|')})` : found[0];
  }

  /** Replaces `$name` and `${name}`; throws if one is not known. */
  substitute(query: string): string {
    return query.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      const value = this.values.get(name);
      if (value === undefined) {
        throw new Error(`unknown variable ${name} in ${query}`);
      }
      return value;
    });
  }
}

/** For a regular expression within a quoted string. */
function escape(value: string): string {
  return value.replace(/[\\^$*+?.()|[\]{}]/g, '\\\\$&');
}
