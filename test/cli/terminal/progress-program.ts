/** Work that blocks its thread, with progress, for `progress.test.ts`: PATH, and `shown`, `hidden` or `rows`. */
import { appendFileSync } from 'node:fs'
import { createProcessIo } from '../../../src/cli/terminal/process-io.ts'
import { withProgress } from '../../../src/cli/terminal/progress.ts'

const STEP = new Uint8Array(4_000_000)
const STEPS = 20

const [, , path = '', shown] = process.argv
await withProgress(
  shown === 'hidden' ? null : createProcessIo().err,
  async (onWork) => {
    if (shown === 'rows') {
      for (let done = 30_000; done <= 60_000; done += 1_000) {
        onWork({ doing: 'copying', table: 'pings', rows: 60_000, done })
        await Bun.sleep(50)
      }
      return
    }
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
