/** The part of Prometheus' HTTP API that is needed to run queries. */

export interface Sample {
  labels: Record<string, string>;
  values: number[];
}

export interface Rule {
  name: string;
  query: string;
  type: 'alerting' | 'recording';
  health: string;
  lastError?: string;
}

interface Answer {
  status: 'success' | 'error';
  error?: string;
  warnings?: string[];
  data: unknown;
}

interface VectorOrMatrix {
  resultType: string;
  result: {
    metric: Record<string, string>;
    value?: [number, string];
    values?: [number, string][];
  }[];
}

export class Prometheus {
  constructor(private readonly url: string) {}

  /** The values of this moment. Throws an error with Prometheus' own words if the query is bad. */
  async instant(query: string): Promise<Sample[]> {
    return samples(await this.get('query', { query }));
  }

  /** The values from `start` to `end` (seconds since 1970), `step` seconds apart. */
  async range(query: string, start: number, end: number, step: number): Promise<Sample[]> {
    const times = { start: String(start), end: String(end), step: String(step) };
    return samples(await this.get('query_range', { query, ...times }));
  }

  /** The values that a label has among the series that a selector matches. */
  async labelValues(selector: string, label: string): Promise<string[]> {
    return (await this.get(`label/${label}/values`, { 'match[]': selector })) as string[];
  }

  async rules(): Promise<Rule[]> {
    const { groups } = (await this.get('rules', {})) as { groups: { rules: Rule[] }[] };
    return groups.flatMap(group => group.rules);
  }

  private async get(path: string, parameters: Record<string, string>): Promise<unknown> {
    const address = `${this.url}/api/v1/${path}?${new URLSearchParams(parameters)}`;
    const answer = (await (await fetch(address)).json()) as Answer;
    if (answer.status !== 'success') {
      throw new Error(answer.error ?? 'no reason given');
    }
    if (answer.warnings !== undefined && answer.warnings.length > 0) {
      throw new Error(`warnings: ${answer.warnings.join('; ')}`);
    }
    return answer.data;
  }
}

function samples(data: unknown): Sample[] {
  return (data as VectorOrMatrix).result.map(({ metric, value, values }) => ({
    labels: metric,
    values: (values ?? (value === undefined ? [] : [value])).map(([, text]) => number(text)),
  }));
}

function number(text: string): number {
  return text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
}
