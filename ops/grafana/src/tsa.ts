import type { Row } from './dashboard.js';
import { colours, stat, timeSeries } from './panels.js';

const of = 'job="$job"';

/** Where no instance makes time stamps. */
const off = 'Time stamps are off';

export const tsa: Row[] = [
  {
    height: 8,
    panels: [
      stat({
        title: 'Is a clock in doubt?',
        description:
          'Instances that make no time stamps, because their clock has jumped or time servers do not confirm it.',
        unit: 'short',
        series: [
          {
            expr: `count(keywell_clock_trusted{${of}}) - sum(keywell_clock_trusted{${of}})`,
            legend: 'in doubt',
          },
        ],
        steps: colours('green', [0.5, 'red']),
        decimals: 0,
        noValue: off,
      }),
      timeSeries({
        title: 'What becomes of requests for time stamps?',
        description: 'By result. What is wrong with a request is named as RFC 3161 does.',
        unit: 'suffix: requests/s',
        series: [
          {
            expr: `sum by (result) (rate(keywell_time_stamps_total{${of}}[$__rate_interval]))`,
            legend: '{{result}}',
          },
        ],
        min: 0,
      }),
    ],
  },
];
