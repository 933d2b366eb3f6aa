import { MappingType } from '@grafana/schema';
import { dashboard, job, keySpec } from './dashboard.js';
import { barGauge, colours, stat, stateTimeline, timeSeries } from './panels.js';

const of = 'job="$job", key_spec=~"$key_spec"';

/** Longer than anybody looks ahead, and drawn as this: "not at all" is infinite. */
const LONG_SECONDS = 6 * 3600;

const forever = [
  {
    type: MappingType.RangeToText as const,
    options: {
      from: LONG_SECONDS,
      to: null,
      result: { text: 'not soon', color: 'green', index: 0 },
    },
  },
];

export const keyPool = dashboard(
  {
    uid: 'keywell-key-pool',
    title: 'Keywell: Key pool',
    description: 'Whether there are keys for the requests to come.',
  },
  [job, keySpec],
  [
    {
      height: 5,
      panels: [
        stat({
          title: 'Will the pool run dry?',
          description:
            'Time until the last key is used, at the drain of the last seconds; of several instances the shortest. ' +
            'Orange below 30 minutes, red below 5. "Not soon": keys do not become fewer, or last for more than 6 hours.',
          unit: 'dtdurations',
          series: [
            {
              expr: `clamp_max(min by (key_spec) (keywell_pool_empty_seconds{${of}}), ${LONG_SECONDS})`,
              legend: '{{key_spec}}',
            },
          ],
          steps: colours('red', [300, 'orange'], [1800, 'green']),
          mappings: forever,
        }),
        barGauge({
          title: 'How full is the pool?',
          description:
            'Stored keys as a share of max-stored. The generator fills up to 100 % while nobody signs.',
          unit: 'percentunit',
          series: [
            { expr: `job_key_spec:keywell_pool_filled:ratio{${of}}`, legend: '{{key_spec}}' },
          ],
          steps: colours('red', [0.1, 'orange'], [0.5, 'green']),
          max: 1,
        }),
        stat({
          title: 'Did requests find no key made ahead?',
          description:
            'Requests in the last hour that found no loaded key in time: they had to wait until one was made, or were refused.',
          unit: 'short',
          series: [
            {
              expr: `sum by (key_spec) (increase(keywell_pool_missed_leases_total{${of}}[1h]))`,
              legend: '{{key_spec}}',
            },
          ],
          steps: colours('green', [0.5, 'orange'], [100, 'red']),
          decimals: 0,
        }),
      ],
    },
    {
      height: 8,
      panels: [
        timeSeries({
          title: 'How many keys are stored?',
          description:
            'Keys in the database, wrapped; all instances of the job see the same ones. Dashed: max-stored.',
          unit: 'short',
          series: [
            {
              expr: `max by (key_spec) (keywell_pool_keys{${of}, tier="stored"})`,
              legend: '{{key_spec}}',
            },
            {
              expr: `max by (key_spec) (keywell_pool_capacity_keys{${of}, tier="stored"})`,
              legend: '{{key_spec}} at most',
            },
          ],
          min: 0,
          limitSeries: 'at most',
        }),
        timeSeries({
          title: 'How many are loaded and ready to sign?',
          description:
            'Keys live in the HSMs, all instances together. Below low-water a batch is loaded: this falls for long only if the store is empty, or loading is too slow.',
          unit: 'short',
          series: [
            {
              expr: `sum by (key_spec) (keywell_pool_keys{${of}, tier="loaded"})`,
              legend: '{{key_spec}}',
            },
            {
              expr: `sum by (key_spec) (keywell_pool_low_water_keys{${of}})`,
              legend: '{{key_spec}} low-water',
            },
          ],
          min: 0,
          limitSeries: 'low-water',
        }),
      ],
    },
    {
      height: 8,
      panels: [
        timeSeries({
          title: 'What drains it, and what fills it?',
          description:
            'Keys per second: given to requests, generated for the store, and generated for one request because there was none. Signing goes first, so the pool fills in quiet times only.',
          unit: 'suffix: keys/s',
          series: [
            {
              expr: `sum by (key_spec) (rate(keywell_keys_leased_total{${of}}[$__rate_interval]))`,
              legend: '{{key_spec}} to requests',
            },
            {
              expr: `sum by (key_spec) (rate(keywell_keys_generated_total{${of}}[$__rate_interval]))`,
              legend: '{{key_spec}} generated',
            },
            {
              expr: `sum by (key_spec) (rate(keywell_keys_on_the_fly_total{${of}}[$__rate_interval]))`,
              legend: '{{key_spec}} generated for one request',
            },
          ],
          min: 0,
        }),
        timeSeries({
          title: 'When is it empty, when is it full?',
          description:
            'Time until the last key is used, and until max-stored is reached, at the rates of the moment. Drawn up to 6 hours, which also stands for "never". Dashed: 30 and 5 minutes.',
          unit: 's',
          series: [
            {
              expr: `clamp_max(min by (key_spec) (keywell_pool_empty_seconds{${of}}), ${LONG_SECONDS})`,
              legend: '{{key_spec}} empty in',
            },
            {
              expr: `clamp_max(max by (key_spec) (keywell_pool_full_seconds{${of}}), ${LONG_SECONDS})`,
              legend: '{{key_spec}} full in',
            },
          ],
          limits: colours('transparent', [300, 'red'], [1800, 'orange']),
          min: 0,
          max: LONG_SECONDS,
        }),
      ],
    },
    {
      height: 6,
      panels: [
        stateTimeline({
          title: 'What does the generator do?',
          description:
            'Generator threads by what they do. Working: makes a key. Paused: signing goes first. Full: nothing to do. Failing: tries again after 1 to 30 seconds; look at the HSM. Distrusted: the HSM does not take back what it wrapped, so nothing of it is stored. Stopped: as in mode on-the-fly, or while the service stops.',
          unit: 'suffix: threads',
          series: [
            { expr: 'sum by (state) (keywell_generator_threads{job="$job"})', legend: '{{state}}' },
          ],
          steps: colours('transparent', [0.5, 'blue']),
          exceptions: {
            failing: colours('transparent', [0.5, 'red']),
            distrusted: colours('transparent', [0.5, 'red']),
          },
        }),
      ],
    },
  ],
);
