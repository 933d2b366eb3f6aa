import type { Row } from './dashboard.js';
import { colours, stat, timeSeries } from './panels.js';

const of = 'job="$job"';

/** Where no instance takes requests from a broker. */
const off = 'JMS is off';

export const jms: Row[] = [
  {
    height: 5,
    panels: [
      stat({
        title: 'Are requests taken from the broker?',
        description:
          'For how long some instance has taken none from some queue. They wait at the broker, or other instances take them. 0: all queues are served.',
        unit: 's',
        series: [
          { expr: `max(keywell_jms_outage_seconds{${of}})`, legend: 'none taken for' },
        ],
        steps: colours('green', [0.001, 'orange'], [60, 'red']),
        noValue: off,
      }),
      stat({
        title: 'Does anything fail by our fault?',
        description:
          'Requests of the last five minutes that were answered with a failure of this service. The log has the reason.',
        unit: 'short',
        series: [
          {
            expr: `sum(increase(keywell_jms_requests_total{${of}, result=~"internal|interrupted"}[5m]))`,
            legend: 'failed',
          },
        ],
        steps: colours('green', [0.5, 'orange'], [10, 'red']),
        decimals: 0,
        noValue: off,
      }),
      stat({
        title: 'Is anything refused unread?',
        description:
          'Messages of the last five minutes that went to the dead-letter queue: no request, or not protected as the queue demands.',
        unit: 'short',
        series: [
          {
            expr: `sum(increase(keywell_jms_dead_letters_total{${of}}[5m]))`,
            legend: 'moved',
          },
        ],
        steps: colours('green', [0.5, 'orange']),
        decimals: 0,
        noValue: off,
      }),
    ],
  },
  {
    height: 8,
    panels: [
      timeSeries({
        title: 'What becomes of requests?',
        description:
          'Answered requests per second, by result. "back to the broker": messages that it delivers again, because they wait for a key, a place or a part that is away.',
        unit: 'suffix: messages/s',
        series: [
          {
            expr: `sum by (result) (rate(keywell_jms_requests_total{${of}}[$__rate_interval]))`,
            legend: '{{result}}',
          },
          {
            expr: `sum(rate(keywell_jms_returned_total{${of}}[$__rate_interval]))`,
            legend: 'back to the broker',
          },
        ],
        min: 0,
      }),
      timeSeries({
        title: 'Why do messages go to the dead-letter queue?',
        description: 'Messages per second, by reason.',
        unit: 'suffix: messages/s',
        series: [
          {
            expr: `sum by (reason) (rate(keywell_jms_dead_letters_total{${of}}[$__rate_interval]))`,
            legend: '{{reason}}',
          },
        ],
        min: 0,
      }),
      timeSeries({
        title: 'How many consumers take requests?',
        description: 'Of each instance, for all queues together.',
        unit: 'short',
        series: [
          { expr: `keywell_jms_consumers{${of}}`, legend: '{{instance}}' },
        ],
        min: 0,
      }),
    ],
  },
];
