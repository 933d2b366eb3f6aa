import type { Row } from './dashboard.js';
import { colours, stat, timeSeries } from './panels.js';

const of = 'job="$job"';

/** Where no instance makes lists. */
const off = 'Lists are off';

export const crl: Row[] = [
  {
    height: 6,
    panels: [
      stat({
        title: 'Can lists of revoked certificates be signed?',
        description: 'Lists that are due, and that an instance could not sign when it last tried.',
        unit: 'suffix: lists unsigned',
        series: [{ expr: `sum(keywell_crl_unsigned_lists{${of}})`, legend: 'unsigned' }],
        steps: colours('green', [0.5, 'red']),
        decimals: 0,
        noValue: off,
      }),
      stat({
        title: 'When is the first list out of date?',
        description:
          'Lists are made again after half of their time. Validators reject certificates whose list is out of date.',
        unit: 's',
        series: [
          {
            expr: `min(keywell_crl_next_update_timestamp_seconds{${of}}) - time()`,
            legend: 'left',
          },
        ],
        steps: colours('red', [3600, 'green']),
        noValue: off,
      }),
    ],
  },
  {
    height: 8,
    panels: [
      timeSeries({
        title: 'What do OCSP requests get?',
        description:
          'Certificates asked about, by status, and requests without an answer, by failure. Caches in front answer others.',
        unit: 'suffix: answers/s',
        series: [
          {
            expr: `sum by (result) (rate(keywell_ocsp_answers_total{${of}}[$__rate_interval]))`,
            legend: '{{result}}',
          },
        ],
        min: 0,
      }),
    ],
  },
];
