import { openConnections, turnedAway } from './connections.js';
import type { Row } from './dashboard.js';
import { colours, stat, timeSeries } from './panels.js';

const of = 'job="$job"';

/** Where no instance is an external key store. */
const off = 'XKS is off';

export const xks: Row[] = [
  {
    height: 5,
    panels: [
      stat({
        title: 'Does anything fail by our fault?',
        description:
          'Requests of the last five minutes that failed because of the HSM, the database or a defect, or had no result in time. The log has the reason.',
        unit: 'short',
        series: [
          {
            expr: `sum(increase(keywell_xks_requests_total{${of}, result=~"InternalException|DependencyTimeoutException"}[5m]))`,
            legend: 'failed',
          },
        ],
        steps: colours('green', [0.5, 'orange'], [10, 'red']),
        decimals: 0,
        noValue: off,
      }),
      stat({
        title: 'Is the credentials file in effect?',
        description:
          'For how long the file has been unusable at any instance: what was changed in it has no effect there. 0: it is in effect.',
        unit: 's',
        series: [
          {
            expr: `max(keywell_xks_credentials_unusable_seconds{${of}})`,
            legend: 'unusable for',
          },
        ],
        steps: colours('green', [0.001, 'red']),
        noValue: off,
      }),
      turnedAway('keywell_xks', off),
    ],
  },
  {
    height: 8,
    panels: [
      timeSeries({
        title: 'What do clients ask for?',
        description:
          'Requests per second, by the error that they got. "none" is a path where nothing is served, or what is no request.',
        unit: 'suffix: requests/s',
        series: [
          {
            expr: `sum by (operation, result) (rate(keywell_xks_requests_total{${of}}[$__rate_interval])
              and keywell_xks_requests_total{${of}} > 0)`,
            legend: '{{operation}} {{result}}',
          },
        ],
        min: 0,
      }),
      timeSeries({
        title: 'How long does it take?',
        description:
          'Mean time from the first byte of a request to its answer. Dashed: 250 ms, after which KMS has given up.',
        unit: 's',
        series: [
          {
            expr: `sum by (operation) (rate(keywell_xks_seconds_sum{${of}}[$__rate_interval]))
              / (sum by (operation) (rate(keywell_xks_seconds_count{${of}}[$__rate_interval])) > 0)`,
            legend: '{{operation}}',
          },
        ],
        limits: colours('transparent', [0.25, 'red']),
        logarithmic: true,
      }),
    ],
  },
  {
    height: 8,
    panels: [
      timeSeries({
        title: 'How many calls are in each HSM?',
        description:
          'Encryptions and decryptions at this moment, of all instances together. Dashed: calls-per-hsm; calls that hang stay below it.',
        unit: 'short',
        series: [
          { expr: `sum by (device) (keywell_xks_hsm_calls{${of}})`, legend: '{{device}}' },
          { expr: `max(sum by (device) (keywell_xks_hsm_calls_limit{${of}}))`, legend: 'calls-per-hsm' },
        ],
        min: 0,
        limitSeries: 'calls-per-hsm',
      }),
      openConnections('keywell_xks'),
    ],
  },
];
