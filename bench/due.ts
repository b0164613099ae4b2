/** Many checks with the same deadline: measures how long it takes until the database has the last flip. */
import { Database } from 'bun:sqlite'
import { systemClock } from '../src/app/system-clock.ts'
import { addSeconds, type Instant, isBefore, toMicroseconds } from '../src/lib/time.ts'
import type { Bench } from './support/bench.ts'
import { median, progress, whole } from './support/figures.ts'
import { GRACE_SECONDS, TIMEOUT_SECONDS } from './support/model.ts'
import { databaseFile, prepareDatabase } from './support/prepare.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Row } from './support/table.ts'

/** From the start of a round to the deadline. The database is created and the server started in this time. */
const LEAD_SECONDS = 8
/** The server must be up by so much earlier. */
const QUIET_SECONDS = 1
const POLL_EVERY_MS = 5
const GIVE_UP_MS = 60_000

export async function measureDue(bench: Bench): Promise<Row[]> {
  const { due, rounds } = bench.options
  const halves: number[] = []
  const lasts: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const delays = await oneRound(bench.newDirectory(), due)
    halves.push(median(delays))
    lasts.push(Math.max(...delays))
    progress(
      `round ${round}  median flip after ${whole(median(delays))} ms, last after ${whole(Math.max(...delays))} ms`,
    )
  }
  return [
    {
      what: `from the deadline to the flip, ${whole(due)} checks due at the same instant`,
      figures: [
        { name: 'median flip', values: halves, digits: 0, unit: ' ms' },
        { name: 'last flip', values: lasts, digits: 0, unit: ' ms' },
      ],
      ratio: null,
      aim: due === 10_000 ? below(lasts, 1000, 'last', ' ms') : null,
    },
  ]
}

/** @returns for each check the milliseconds from the deadline until its flip was first seen */
async function oneRound(directory: string, count: number): Promise<number[]> {
  const deadline = addSeconds(systemClock(), LEAD_SECONDS)
  await prepareDatabase(directory, count, addSeconds(deadline, -TIMEOUT_SECONDS - GRACE_SECONDS))
  const app = await startApp(directory)
  if (!isBefore(addSeconds(systemClock(), QUIET_SECONDS), deadline)) {
    throw new Error(`the server was not up in time for the deadline of ${count} checks: set a lower number with --due`)
  }
  const delays = await watchFlips(databaseFile(directory), deadline, count)
  await stopServer(app)
  return delays
}

async function watchFlips(file: string, deadline: Instant, count: number): Promise<number[]> {
  const connection = new Database(file, { readonly: true })
  // A flip has the time of its deadline, so the index on that time finds these flips only.
  const look = connection.query<{ flips: number }, [number]>('SELECT count(*) AS flips FROM flips WHERE created_at = ?')
  const delays: number[] = []
  while (delays.length < count) {
    await Bun.sleep(POLL_EVERY_MS)
    const flips = look.get(toMicroseconds(deadline))?.flips ?? 0
    const delay = Date.now() - deadline.epochMilliseconds
    if (delay > GIVE_UP_MS) throw new Error(`${flips} of ${count} checks went down in ${GIVE_UP_MS / 1000} s`)
    while (delays.length < flips) delays.push(delay)
  }
  connection.close()
  return delays
}
