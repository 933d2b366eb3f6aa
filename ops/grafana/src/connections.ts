/** What the ports that have a listener of their own have in common. */
import type { KeywellPanel } from './model.js';
import { colours, stat, timeSeries } from './panels.js';

const of = 'job="$job"';

/** @param noValue shown where no instance listens */
export function turnedAway(prefix: string, noValue: string): KeywellPanel {
  return stat({
    title: 'Is anybody turned away?',
    description:
      'Connections of the last five minutes that were closed at once, because max-connections were open.',
    unit: 'short',
    series: [
      {
        expr: `sum(increase(${prefix}_connections_refused_total{${of}}[5m]))`,
        legend: 'closed',
      },
    ],
    steps: colours('green', [0.5, 'orange'], [10, 'red']),
    decimals: 0,
    noValue,
  });
}

export function openConnections(prefix: string): KeywellPanel {
  return timeSeries({
    title: 'How many connections are open?',
    description: 'Of all instances together. Dashed: max-connections.',
    unit: 'short',
    series: [
      { expr: `sum(${prefix}_connections_open{${of}})`, legend: 'open' },
      { expr: `sum(${prefix}_connections_limit{${of}})`, legend: 'max-connections' },
    ],
    min: 0,
    limitSeries: 'max-connections',
  });
}
