import { MappingType } from '@grafana/schema';
import { dashboard, instance, job } from './dashboard.js';
import { colours, stat, timeSeries } from './panels.js';

const of = 'job="$job", instance=~"$instance"';

/** That the module is set up already is no failure. */
const failed =
  'rv!~"CKR_OK|CKR_CRYPTOKI_ALREADY_INITIALIZED|CKR_USER_ALREADY_LOGGED_IN"';

export const hsm = dashboard(
  {
    uid: 'keywell-hsm',
    title: 'Keywell: HSM',
    description: 'Whether the HSM answers, how fast, and what it refuses.',
  },
  [job, instance],
  [
    {
      height: 5,
      panels: [
        stat({
          title: 'How is each HSM?',
          description:
            'In doubt: a call failed, and the next ones decide. Reopening: sessions, login or keys were lost, and it is being reopened. Down: it failed five times in a row, a call hangs, or it could not be opened. Nothing is signed with one that reopens or is down.',
          unit: 'none',
          series: [
            {
              expr: `sum by (instance, device) (3 * keywell_hsm_state{${of}, state="up"}
                or 2 * keywell_hsm_state{${of}, state="doubtful"}
                or keywell_hsm_state{${of}, state="reopening"}
                or 0 * keywell_hsm_state{${of}, state="down"})`,
              legend: '{{instance}} {{device}}',
            },
          ],
          steps: colours('red', [1, 'orange'], [2, 'yellow'], [3, 'green']),
          mappings: [
            {
              type: MappingType.ValueToText,
              options: {
                '0': { text: 'Down', color: 'red', index: 0 },
                '1': { text: 'Reopening', color: 'orange', index: 1 },
                '2': { text: 'In doubt', color: 'yellow', index: 2 },
                '3': { text: 'Up', color: 'green', index: 3 },
              },
            },
          ],
        }),
        stat({
          title: 'Does a call hang?',
          description:
            'How long the longest call that is under way has been running. Making a key may take seconds, on a slow device ten; 20 are too many.',
          unit: 's',
          series: [
            {
              expr: `max by (instance, device) (keywell_hsm_oldest_call_seconds{${of}})`,
              legend: '{{instance}} {{device}}',
            },
          ],
          steps: colours('green', [10, 'orange'], [20, 'red']),
          decimals: 1,
        }),
        stat({
          title: 'Are used keys destroyed?',
          description:
            'Keys that are still live in the HSM because their destruction failed; each is tried again twice a second. At max-orphans the HSM signs no more.',
          unit: 'suffix: left',
          series: [
            {
              expr: `max by (instance, device) (keywell_pool_orphans{${of}})`,
              legend: '{{instance}} {{device}}',
            },
          ],
          steps: colours('green', [1, 'orange'], [50, 'red']),
        }),
        stat({
          title: 'When did it last do something?',
          description:
            'Since the last call that returned CKR_OK. With a full pool and no requests there is nothing to do, so a long time alone is no fault.',
          unit: 's',
          series: [
            {
              expr: `max by (instance, device) (time() - keywell_hsm_last_success_timestamp_seconds{${of}})`,
              legend: '{{instance}} {{device}}',
            },
          ],
          steps: colours('blue'),
          decimals: 0,
        }),
      ],
    },
    {
      height: 8,
      panels: [
        timeSeries({
          title: 'Which HSM signs?',
          description:
            'Signatures per second, those of proofs included. Several HSMs share the requests by their weight and by how busy they are.',
          unit: 'suffix: signatures/s',
          series: [
            {
              expr: `sum by (instance, device) (rate(keywell_hsm_seconds_count{${of}, function="C_Sign", rv="CKR_OK"}[$__rate_interval]))`,
              legend: '{{instance}} {{device}}',
            },
          ],
          min: 0,
        }),
        timeSeries({
          title: 'Where are the keys?',
          description:
            'Keys loaded in each HSM, ready to sign. One that loses its sessions keeps none.',
          unit: 'suffix: keys',
          series: [
            {
              expr: `sum by (instance, device, key_spec) (keywell_hsm_loaded_keys{${of}})`,
              legend: '{{instance}} {{device}} {{key_spec}}',
            },
          ],
          min: 0,
        }),
      ],
    },
    {
      height: 8,
      panels: [
        timeSeries({
          title: 'What is it asked to do?',
          description:
            'PKCS#11 calls per second, failed ones included. A signature with a key from the pool is C_UnwrapKey (ahead of time), C_SignInit, C_Sign and C_DestroyObject.',
          unit: 'suffix: calls/s',
          series: [
            {
              expr: `sum by (function) (rate(keywell_hsm_seconds_count{${of}}[$__rate_interval]))`,
              legend: '{{function}}',
            },
          ],
          min: 0,
        }),
        timeSeries({
          title: 'Which calls fail?',
          description:
            'Calls per second that did not return CKR_OK, with what they returned. One stored key that cannot be unwrapped is no fault of the device.',
          unit: 'suffix: calls/s',
          series: [
            {
              expr: `sum by (function, rv) (rate(keywell_hsm_seconds_count{${of}, ${failed}}[$__rate_interval]))
                or label_replace(label_replace(vector(0), "function", "none", "", ""), "rv", "CKR_OK", "", "")`,
              legend: '{{function}} {{rv}}',
            },
          ],
          min: 0,
        }),
      ],
    },
    {
      height: 8,
      panels: [
        timeSeries({
          title: 'How long does each function take?',
          description: 'Mean time of the calls that succeeded.',
          unit: 's',
          series: [
            {
              expr: `sum by (function) (rate(keywell_hsm_seconds_sum{${of}, rv="CKR_OK"}[$__rate_interval]))
                / (sum by (function) (rate(keywell_hsm_seconds_count{${of}, rv="CKR_OK"}[$__rate_interval])) > 0)`,
              legend: '{{function}}',
            },
          ],
          logarithmic: true,
        }),
        timeSeries({
          title: 'Is it busy?',
          description:
            'Calls under way, and the calls that were under way on average. Dashed: max-sessions; beyond it calls wait for a session.',
          unit: 'short',
          series: [
            { expr: `sum(keywell_hsm_calls_in_progress{${of}})`, legend: 'at the moment' },
            {
              expr: `sum(rate(keywell_hsm_seconds_sum{${of}}[$__rate_interval]))`,
              legend: 'on average',
            },
            { expr: `sum(keywell_hsm_sessions_limit{${of}})`, legend: 'max-sessions' },
          ],
          min: 0,
          limitSeries: 'max-sessions',
        }),
      ],
    },
  ],
);
