/** Many checks of one channel with the same deadline: the time until the database has the last flip, and the delay of pings beside that. */
import { Database } from 'bun:sqlite'
import { systemClock } from '../src/app/system-clock.ts'
import { addSeconds, type Instant, isBefore, toMicroseconds } from '../src/lib/time.ts'
import type { Deps } from '../src/services/common/deps.ts'
import { getProject } from '../src/services/projects/projects.ts'
import { aSilence } from '../test/support/builders.ts'
import { anAuthor } from '../test/support/store-builders.ts'
import { assignChannel } from './support/assign-channel.ts'
import type { Bench } from './support/bench.ts'
import { median, progress, whole } from './support/figures.ts'
import { GRACE_SECONDS, TIMEOUT_SECONDS, withDeps } from './support/model.ts'
import { longestPing, warmUp } from './support/pinging.ts'
import { databaseFile, databaseUrl, prepareDatabase } from './support/prepare.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Row } from './support/table.ts'

/** Time from the start of a round to the deadline, in which the database is created and the server started. */
const LEAD_SECONDS = 15
/** Time before the deadline at which the server must be up. */
const QUIET_SECONDS = 1
const POLL_EVERY_MS = 5
const GIVE_UP_MS = 60_000
const LAST_FLIP_MS = 1_000
const SILENCED_TAG = 'silenced'
const SILENCED_SECONDS = 3_600

export async function measureDue(bench: Bench): Promise<Row[]> {
  const { due, rounds } = bench.options
  const found = new Map(SETTINGS.map((setting): [Setting, Round[]] => [setting, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [setting, results] of found) {
      const result = await oneRound(bench.newDirectory(), due, setting)
      results.push(result)
      const { half, last, longest } = result
      progress(
        `round ${round}${setting.words}  median flip after ${whole(half)} ms, last after ${whole(last)} ms, longest ping ${whole(longest)} ms`,
      )
    }
  }
  return [...found].map(([{ words }, results]) => {
    const of = (figure: keyof Round) => results.map((one) => one[figure])
    return {
      what: `from the deadline to the flip, ${whole(due)} checks of one integration due at the same instant${words}`,
      figures: [
        { name: 'median flip', values: of('half'), digits: 0, unit: ' ms' },
        { name: 'last flip', values: of('last'), digits: 0, unit: ' ms' },
        { name: 'longest ping', values: of('longest'), digits: 0, unit: ' ms' },
      ],
      ratio: null,
      aim: due === 10_000 ? below(of('last'), LAST_FLIP_MS, 'last', ' ms') : null,
    }
  })
}

interface Setting {
  readonly isHalfSilenced: boolean
  readonly words: string
}

const SETTINGS: readonly Setting[] = [
  { isHalfSilenced: false, words: '' },
  { isHalfSilenced: true, words: ', half of them under a silence' },
]

/** Results of a round, in milliseconds. */
interface Round {
  /** time from the deadline until half of the flips were seen */
  readonly half: number
  /** time from the deadline until the last flip was seen */
  readonly last: number
  /** duration of the longest ping of another check, from before the deadline until the last flip */
  readonly longest: number
}

async function oneRound(directory: string, count: number, { isHalfSilenced }: Setting): Promise<Round> {
  const deadline = addSeconds(systemClock(), LEAD_SECONDS)
  const pingedAt = addSeconds(deadline, -TIMEOUT_SECONDS - GRACE_SECONDS)
  const { paths } = await prepareDatabase(directory, count + 1, pingedAt)
  await withDeps(databaseUrl(directory), async (deps) => {
    await assignChannel(deps, directory, pingedAt)
    if (isHalfSilenced) await silenceHalf(deps, directory)
  })
  const app = await startApp(directory)
  if (!isBefore(addSeconds(systemClock(), QUIET_SECONDS), deadline)) {
    throw new Error(`the server was not up in time for the deadline of ${count} checks: set a lower number with --due`)
  }
  const url = `http://127.0.0.1:${app.port}${paths[0]}`
  await warmUp(url)
  let delays: number[] = []
  const longest = await longestPing(url, async () => {
    delays = await watchFlips(databaseFile(directory), deadline, count)
  })
  await stopServer(app)
  return { half: median(delays), last: Math.max(...delays), longest }
}

/** Gives half of the checks a tag that is silenced. */
async function silenceHalf(deps: Deps, directory: string): Promise<void> {
  using database = new Database(databaseFile(directory))
  database.run(`UPDATE checks SET tags = tags || ' ${SILENCED_TAG}' WHERE counter_id % 2 = 0`)
  const project = await getProject(deps, 'bench')
  const endsAt = addSeconds(deps.now(), SILENCED_SECONDS)
  const silence = aSilence({
    projectId: project.id,
    match: { checks: [], tags: [SILENCED_TAG] },
    startsAt: deps.now(),
    endsAt,
    createdBy: { kind: 'command', accountId: null, name: '' },
  })
  await deps.store.by(anAuthor()).silences.create(silence, deps.now())
}

/** @returns for each check the milliseconds from the deadline until its flip was first seen */
async function watchFlips(file: string, deadline: Instant, count: number): Promise<number[]> {
  const connection = new Database(file, { readonly: true })
  // A flip has the time of its deadline, so the index on that time finds these flips only.
  const look = connection.query<{ flips: number }, [number]>(
    'SELECT count(*) AS flips FROM events WHERE created_at = ?',
  )
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
