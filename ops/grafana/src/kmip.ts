import { openConnections, turnedAway } from './connections.js';
import type { Row } from './dashboard.js';
import { colours, stat, timeSeries } from './panels.js';

const of = 'job="$job"';

/** Where no instance listens for KMIP clients. */
const off = 'KMIP is off';

export const kmip: Row[] = [
  {
    height: 5,
    panels: [
      stat({
        title: 'Are key pairs ready?',
        description:
          'Pairs of the pool, those that instances have claimed ahead included. Red: none, so that clients wait until one is made, one after the other.',
        unit: 'suffix: pairs',
        series: [
          {
            expr: `max by (key_spec) (keywell_kmip_pairs{${of}, tier="stored"})
              + sum by (key_spec) (keywell_kmip_pairs{${of}, tier="claimed"})`,
            legend: '{{key_spec}}',
          },
        ],
        steps: colours('red', [1, 'orange'], [100, 'green']),
        noValue: off,
      }),
      stat({
        title: 'Does anything fail by our fault?',
        description:
          'Operations of the last five minutes that failed because of the HSM, the database or a defect. The log has the reason.',
        unit: 'short',
        series: [
          {
            expr: `sum(increase(keywell_kmip_operations_total{${of}, result="failed"}[5m]))`,
            legend: 'failed',
          },
        ],
        steps: colours('green', [0.5, 'orange'], [10, 'red']),
        decimals: 0,
        noValue: off,
      }),
      turnedAway('keywell_kmip', off),
    ],
  },
  {
    height: 8,
    panels: [
      timeSeries({
        title: 'What do clients ask for?',
        description:
          'Operations per second, by what became of them. "none" is a message that was refused as a whole.',
        unit: 'suffix: operations/s',
        series: [
          {
            expr: `sum by (operation, result) (rate(keywell_kmip_operations_total{${of}}[$__rate_interval])
              and keywell_kmip_operations_total{${of}} > 0)`,
            legend: '{{operation}} {{result}}',
          },
        ],
        min: 0,
      }),
      timeSeries({
        title: 'How long does it take?',
        description:
          'Mean time of an operation, without reading the request and sending the answer.',
        unit: 's',
        series: [
          {
            expr: `sum by (operation) (rate(keywell_kmip_seconds_sum{${of}}[$__rate_interval]))
              / (sum by (operation) (rate(keywell_kmip_seconds_count{${of}}[$__rate_interval])) > 0)`,
            legend: '{{operation}}',
          },
        ],
        logarithmic: true,
      }),
    ],
  },
  {
    height: 8,
    panels: [
      timeSeries({
        title: 'What drains the pairs, and what fills them?',
        description:
          'Pairs per second: given to clients from the pool, generated for it, and made while a client waited.',
        unit: 'suffix: pairs/s',
        series: [
          {
            expr: `sum by (key_spec) (rate(keywell_kmip_pairs_taken_total{${of}}[$__rate_interval]))`,
            legend: '{{key_spec}} to clients',
          },
          {
            expr: `sum by (key_spec) (rate(keywell_kmip_pairs_generated_total{${of}}[$__rate_interval]))`,
            legend: '{{key_spec}} generated',
          },
          {
            expr: `sum by (key_spec) (rate(keywell_kmip_pairs_made_total{${of}}[$__rate_interval]))`,
            legend: '{{key_spec}} made while a client waited',
          },
        ],
        min: 0,
      }),
      openConnections('keywell_kmip'),
    ],
  },
];
