/** Instances on one PostgreSQL with load on all of them. They are killed at random moments and started again. */

import { signInAdministrator } from '../../../bench/support/administrator.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { type PostgresDatabase, startDatabase } from '../../postgres/support/database.ts'
import { byEffort } from '../../support/effort.ts'
import { createPeople, type People } from '../../support/kills/people.ts'
import { createQuietPeople } from '../../support/kills/quiet-people.ts'
import type { Deadline } from '../../support/kills/violations.ts'
import { type Homeserver, homeserver } from '../../support/receivers.ts'
import { type RestartableServer, restartableServer } from '../../support/restartable-server.ts'
import { SEED } from '../../support/seed.ts'
import { fill } from './filled.ts'
import { BUSY_CHECKS, type SentTo, startLoad } from './load.ts'
import { judge, letGoAndHeal, report, type Verdict } from './verdict.ts'

const CHECKS = byEffort({ short: 2_000, full: 20_000 })
export const KILLS = byEffort({ short: 2, full: 10, long: 200 })
const PINGS_PER_SECOND = 120
/** Checks whose deadline passes around each kill. The load does not ping them. */
export const SILENT_PER_KILL = 30
const LONGEST_DEADLINE_MS = 2_500
const SHORTEST_ROUND_MS = 200
const LONGEST_ROUND_MS = 1_000
/** Longest time in which the other instances run alone. */
const LONGEST_ABSENCE_MS = 500
/** Number of rounds in one of which a second kill hits the instance while it starts. */
const ROUNDS_PER_KILL_IN_START = 4
const LONGEST_START_MS = 400
/** Time to answer of rooms, slow enough that kills interrupt messages. */
const ANSWER_MS = 5
/** Settings of a server in use: statistics follow the tables, which are empty at first. */
const SETTINGS = { autovacuum: 'on', autovacuum_naptime: '2s' }

export interface KillTrial extends Verdict {
  readonly sent: readonly SentTo[]
  /** incidents that were not reported although nothing held them, or that stayed open when all checks were healthy */
  readonly left: readonly string[]
  /** acts of people, see {@link People.done} */
  readonly done: People['done']
}

/**
 * Kills instances, waits until nothing is pending, and prints the results.
 * @param count of instances
 * @param atEnd registers work after the test, even if it fails
 */
export async function killInstances(count: number, atEnd: (work: () => unknown) => void): Promise<KillTrial> {
  const random = new SeededRandom(SEED + count)
  const ofLoad = new SeededRandom(SEED - count)
  const database = await startDatabase({ settings: SETTINGS })
  atEnd(() => database.cluster.remove())
  const homes = homeserver(ANSWER_MS)
  atEnd(() => homes.stop())
  const instances = startable(database, count, homes)
  for (const instance of instances) atEnd(() => instance.stop())
  const [first, ...others] = instances
  if (first === undefined) throw new Error('there is no instance')
  await first.start()
  const filled = await fill(database, 'app', first.baseUrl, CHECKS, homes)
  atEnd(() => filled.close())
  await Promise.all(others.map((instance) => instance.start()))

  const silent = filled.checks.slice(-SILENT_PER_KILL * KILLS)
  const deadlines: Deadline[] = []
  const fallSilent = async (checks: typeof silent) => {
    const at = (Date.now() + random.integer(LONGEST_DEADLINE_MS)) * 1_000
    await filled.moveDeadlines(checks, at)
    deadlines.push(...checks.map(({ id }) => ({ checkId: id, at })))
  }
  let gone: RestartableServer | null = null
  const alive = (chance: SeededRandom) => chance.pick(instances.filter((instance) => instance !== gone)).baseUrl
  const load = startLoad({
    checks: filled.checks.slice(0, -silent.length),
    perSecond: PINGS_PER_SECOND,
    random: ofLoad,
    to: () => alive(ofLoad),
  })
  atEnd(() => load.stop())
  await load.succeed(silent)
  const ofPeople = new SeededRandom(SEED * count)
  const people = createPeople(filled.apiKeys, () => alive(ofPeople))
  const ofQuietPeople = new SeededRandom(SEED * count + 1)
  const quietPeople = createQuietPeople(filled.quietChannels, {
    project: filled.slug,
    cookie: await signInAdministrator(database.url),
    to: () => alive(ofQuietPeople),
  })
  let isOver = false
  const acting = Promise.all([
    people.run(ofPeople, [...filled.checks.slice(0, BUSY_CHECKS), ...silent], () => isOver),
    quietPeople.run(ofQuietPeople, () => isOver),
  ])
  let kills = 0
  let killsInStart = 0
  for (; kills < KILLS; kills += 1) {
    await fallSilent(silent.slice(kills * SILENT_PER_KILL, (kills + 1) * SILENT_PER_KILL))
    await Bun.sleep(SHORTEST_ROUND_MS + random.integer(LONGEST_ROUND_MS - SHORTEST_ROUND_MS))
    const victim = random.pick(instances)
    // Pings of that moment still go to it.
    await victim.kill()
    gone = victim
    await Bun.sleep(random.integer(LONGEST_ABSENCE_MS))
    if (random.integer(ROUNDS_PER_KILL_IN_START - 1) === 0) {
      await killInStart(victim, random.integer(LONGEST_START_MS))
      killsInStart += 1
    }
    await victim.start()
    gone = null
  }
  await Bun.sleep(SHORTEST_ROUND_MS)
  isOver = true
  await acting
  await load.stop()
  const left = await letGoAndHeal(filled, load, people, quietPeople, deadlines.length)
  const { edits } = quietPeople
  const verdict = await judge(filled, load.sent, deadlines, { ...people, edits, kills: kills + killsInStart })
  report(`${count} instances, ${CHECKS} checks`, {
    'kills under load': kills,
    'kills while starting': killsInStart,
    ...verdict.figures,
    ...Object.fromEntries(people.done),
  })
  return { ...verdict, sent: load.sent, left, done: people.done }
}

function startable({ url }: PostgresDatabase, count: number, homes: Homeserver): RestartableServer[] {
  const settings = (index: number) => ({ INSTANCE_NAME: `instance-${index}`, ...homes.settings })
  return Array.from({ length: count }, (_, index) => restartableServer(url, settings(index)))
}

async function killInStart(server: RestartableServer, afterMs: number): Promise<void> {
  const starting = server.start().catch(() => null)
  await Bun.sleep(afterMs)
  await server.kill()
  await starting
}
