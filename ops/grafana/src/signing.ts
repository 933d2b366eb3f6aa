import { MappingType } from '@grafana/schema';
import { dashboard, job } from './dashboard.js';
import { crl } from './crl.js';
import { jms } from './jms.js';
import { kmip } from './kmip.js';
import { colours, stat, timeSeries } from './panels.js';
import { tsa } from './tsa.js';
import { xks } from './xks.js';

const requests = 'keywell_sign_request_seconds';

function percentile(share: number): string {
  return `histogram_quantile(${share}, sum by (le) (
    rate(${requests}_bucket{job="$job", outcome=~"signed|expired"}[$__rate_interval])))`;
}

export const signing = dashboard(
  {
    uid: 'keywell-signing',
    title: 'Keywell: Signing',
    description: 'Whether requests are answered in time, and which part is to blame if not.',
  },
  [job],
  [
    {
      height: 5,
      panels: [
        stat({
          title: 'Are answers in time?',
          description:
            'Share of the requests of the last five minutes that were signed within the limit of the hour: 300 ms, at the peak 3,000 ms. It is exact. 99 % have to be.',
          unit: 'percentunit',
          series: [
            {
              expr: '1 - 0.01 * job:keywell_sign_budget_burn:ratio5m{job="$job"}',
              legend: 'in time',
            },
          ],
          steps: colours('red', [0.99, 'orange'], [0.995, 'green']),
          decimals: 2,
          noValue: 'no requests',
        }),
        stat({
          title: 'Which limit holds now?',
          description:
            'It is the peak while more than 25 requests per second arrive (keywell:peak_requests_per_second:limit in the rules), and five minutes longer.',
          unit: 'none',
          series: [{ expr: 'job:keywell_peak:bool{job="$job"}', legend: 'peak' }],
          steps: colours('blue', [1, 'purple']),
          mappings: [
            {
              type: MappingType.ValueToText,
              options: {
                '0': { text: 'Normal: 300 ms', color: 'blue', index: 0 },
                '1': { text: 'Peak: 3,000 ms', color: 'purple', index: 1 },
              },
            },
          ],
        }),
        stat({
          title: 'Is anybody turned away?',
          description:
            'Share of the requests of the last five minutes that were refused, failed or expired. The plot below tells why.',
          unit: 'percentunit',
          series: [
            {
              expr: `(sum(rate(keywell_sign_refused_total{job="$job"}[5m]))
                + sum(rate(keywell_sign_total{job="$job", outcome!="signed"}[5m])))
                / (sum(rate(keywell_sign_requests_total{job="$job"}[5m])) > 0) or vector(0)`,
              legend: 'without a signature',
            },
          ],
          steps: colours('green', [0.001, 'orange'], [0.01, 'red']),
          decimals: 1,
        }),
      ],
    },
    {
      height: 8,
      panels: [
        timeSeries({
          title: 'How do requests end, and why without a signature?',
          description:
            'Requests per second by their end: signed, expired (the deadline passed before a key had signed), refused with the limit that was met, failed with the reason.',
          unit: 'reqps',
          series: [
            {
              expr: 'sum by (outcome) (rate(keywell_sign_total{job="$job", outcome!="failed"}[$__rate_interval]))',
              legend: '{{outcome}}',
            },
            {
              expr: 'sum by (limit) (rate(keywell_sign_refused_total{job="$job"}[$__rate_interval]))',
              legend: 'refused: {{limit}}',
            },
            {
              expr: `sum by (reason) (rate(keywell_sign_failures_total{job="$job"}[$__rate_interval]) > 0)
                or label_replace(vector(0), "reason", "none", "", "")`,
              legend: 'failed: {{reason}}',
            },
          ],
          min: 0,
        }),
        timeSeries({
          title: 'How long do requests take?',
          description:
            'From receipt to the durable outcome, queueing included. Estimated within the bounds of the histogram, so good for the course, not for the limit; the share above is exact. Dashed: 300 and 3,000 ms.',
          unit: 's',
          series: [
            { expr: percentile(0.5), legend: 'half of them, at most' },
            { expr: percentile(0.95), legend: '95 %' },
            { expr: percentile(0.99), legend: '99 %' },
          ],
          limits: colours('transparent', [0.3, 'orange'], [3, 'red']),
          logarithmic: true,
        }),
      ],
    },
    {
      height: 8,
      panels: [
        timeSeries({
          title: 'Which stage takes the time?',
          description:
            'Mean time in each stage, in its order; together it is the mean time of a request. queue: too many requests for the sign threads. key: the pool. sign, destroy: the HSM. certify: the CA, whose key is in the HSM as well. accept, record: the database.',
          unit: 's',
          series: ['accept', 'queue', 'key', 'sign', 'certify', 'destroy', 'record'].map(stage => ({
            // Stages that are not reached count as 0: what is drawn adds up to a request.
            expr: `sum(rate(keywell_sign_seconds_sum{job="$job", stage="${stage}"}[$__rate_interval]))
              / (sum(rate(${requests}_count{job="$job"}[$__rate_interval])) > 0)`,
            legend: stage,
          })),
          stacked: true,
          min: 0,
        }),
        timeSeries({
          title: 'Does the queue fill?',
          description:
            'Places taken in the sign queues, and requests accepted whose outcome is not on record. Dashed: queue-limit; beyond it requests are refused.',
          unit: 'short',
          series: [
            { expr: 'sum(keywell_sign_queue_length{job="$job"})', legend: 'in the queue' },
            { expr: 'sum(keywell_sign_in_progress{job="$job"})', legend: 'in progress' },
            { expr: 'sum(keywell_sign_queue_limit{job="$job"})', legend: 'queue-limit' },
          ],
          min: 0,
          limitSeries: 'queue-limit',
        }),
      ],
    },
    {
      height: 7,
      panels: [
        timeSeries({
          title: 'How fast is the budget of slow answers spent?',
          description:
            'One answer in 100 may be slow. 1 (dashed) is just that; 100 means that every answer is. By the limit that holds at the time.',
          unit: 'suffix: times',
          series: [
            {
              expr: 'job:keywell_sign_budget_burn:ratio5m{job="$job"}',
              legend: 'last five minutes',
            },
            { expr: 'job:keywell_sign_budget_burn:ratio1h{job="$job"}', legend: 'last hour' },
          ],
          limits: colours('transparent', [1, 'red']),
          min: 0,
        }),
      ],
    },
    {
      height: 7,
      panels: [
        timeSeries({
          title: 'Does the log keep up, and do its witnesses?',
          description:
            'Entries of the log that no checkpoint has, and entries that too few witnesses have cosigned. 0 without a log. One instance signs and offers for all, so the least that any of them sees counts.',
          unit: 'suffix: entries',
          series: [
            { expr: 'min(keywell_log_unsigned_entries{job="$job"})', legend: 'not signed' },
            { expr: 'min(keywell_log_unwitnessed_entries{job="$job"})', legend: 'not cosigned' },
          ],
          min: 0,
        }),
        timeSeries({
          title: 'How long does the log wait for its witnesses?',
          description:
            'How long the oldest entry has waited for enough cosignatures. A round is due every five seconds. Dashed: 60 s; beyond it readiness fails, if a quorum is set.',
          unit: 's',
          series: [
            {
              expr: 'min(keywell_log_unwitnessed_seconds{job="$job"})',
              legend: 'the oldest entry',
            },
          ],
          limits: colours('transparent', [60, 'red']),
          min: 0,
        }),
        timeSeries({
          title: 'For how many months are there partitions?',
          description:
            'Coming months that have a partition for their records, counted hourly. Fewer than three (dashed): nobody adds them any more.',
          unit: 'suffix: months',
          series: [
            { expr: 'min(keywell_record_months_ahead{job="$job"})', legend: 'months ahead' },
          ],
          limits: colours('red', [3, 'transparent']),
          min: 0,
        }),
      ],
    },
  ],
  { title: 'KMIP', rows: kmip },
  { title: 'External key store', rows: xks },
  { title: 'Requests over a broker', rows: jms },
  { title: 'Time stamps', rows: tsa },
  { title: 'Revocation', rows: crl },
);
