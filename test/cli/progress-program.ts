/** Work that blocks its thread, with progress, for `progress.test.ts`: PATH, and `shown` or `hidden`. */
import { appendFileSync } from 'node:fs'
import { withProgress } from '../../src/cli/progress.ts'

const STEP = new Uint8Array(4_000_000)
const STEPS = 20

const [, , path = '', shown] = process.argv
await withProgress(
  shown === 'shown',
  async (onWork) => {
    onWork({ doing: 'copying', path: '/data/o.db', bytes: STEPS * STEP.length, grows: path })
    for (let step = 0; step < STEPS; step++) {
      appendFileSync(path, STEP)
      Bun.sleepSync(100)
    }
    onWork({ doing: 'checking', path, bytes: STEPS * STEP.length, grows: null })
    Bun.sleepSync(1_500)
  },
  0,
)
process.stdout.write('done\n')
