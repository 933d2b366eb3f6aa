/**
 * Writes the dashboards' JSON files, or checks that the committed ones are what the sources give.
 *
 *     node target/generate.js write|check
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hsm } from './hsm.js';
import { keyPool } from './key-pool.js';
import { signing } from './signing.js';

const files = { 'key-pool': keyPool, signing, hsm };
const mode = process.argv[2];
let stale = 0;

for (const [name, dashboard] of Object.entries(files)) {
  const file = new URL(`../dashboards/${name}.json`, import.meta.url);
  const json = JSON.stringify(dashboard, null, 2) + '\n';
  if (mode === 'write') {
    writeFileSync(file, json);
  } else if (mode === 'check') {
    if (readFileSync(file, 'utf8') !== json) {
      console.error(`dashboards/${name}.json is not what the sources give; run: npm run generate`);
      stale++;
    }
  } else {
    console.error('generate: say write or check');
    process.exit(2);
  }
}
if (mode === 'check' && stale === 0) {
  console.log('The dashboards type-check, and are what their sources give');
}
process.exit(stale === 0 ? 0 : 1);
