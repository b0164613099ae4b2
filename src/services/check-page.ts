/** Reads all that the page of a check shows. */
import type { Actor } from '../domain/actor.ts'
import type { Channel } from '../domain/alert/channel.ts'
import type { DeliveryEntry } from '../domain/alert/delivery.ts'
import type { CheckView } from '../domain/check/check-view.ts'
import type { Flip } from '../domain/check/flip.ts'
import { type RecentRun, recentRuns } from '../domain/check/recent-runs.ts'
import { stripOf } from '../domain/check/strip.ts'
import { createUpAndDown, type UpAndDown } from '../domain/check/up-and-down.ts'
import type { Instant } from '../lib/time.ts'
import { listChannels } from './channels.ts'
import { viewChecks } from './check-views.ts'
import { getCheckByPublicId } from './checks.ts'
import type { Deps } from './deps.ts'
import { listFlips } from './flips.ts'
import { readLog, type TimedLine } from './log.ts'

export interface CheckPage {
  /** when it was read */
  readonly now: Instant
  readonly view: CheckView
  /** all of the project, in order of creation */
  readonly channels: readonly Channel[]
  /** newest last, 30 at most */
  readonly runs: readonly RecentRun[]
  /** newest first: more than the page shows, so that the runs have their times */
  readonly log: readonly TimedLine[]
  /** newest first, as many as the page may show */
  readonly flips: readonly Flip[]
  readonly upAndDown: UpAndDown
  /** the deliveries of the newest flip that sends alerts; null when there is no such flip */
  readonly told: readonly DeliveryEntry[] | null
}

/** Thirty runs with starts and some log entries between. */
const LOG_READ = 120
const FLIPS_KEPT = 60

/** @param tz IANA name: days begin at its midnights @throws Refusal `not-found` */
export async function readCheckPage(
  deps: Pick<Deps, 'store' | 'now'>,
  actor: Actor,
  publicId: string,
  tz: string,
): Promise<CheckPage> {
  const found = await getCheckByPublicId(deps, actor, publicId)
  const { check } = found
  const now = deps.now()
  const [channels, { entries: log }, [view]] = await Promise.all([
    listChannels(deps, actor),
    readLog(deps, actor, check, { limit: LOG_READ }),
    viewChecks(deps, [found], now),
  ])
  if (!view) throw new Error('a check without a view')
  const { flips, upAndDown } = await readFlips(deps, actor, check, tz, now)
  const pauses = flips.filter(({ newStatus }) => newStatus === 'paused').map(({ createdAt }) => createdAt)
  const marks = stripOf(check, now, view.expected)
  const runs = recentRuns({ check, marks, isDown: view.state === 'down', log, pauses, now })
  return { now, view, channels, runs, log, flips, upAndDown, told: null }
}

/** Only as far back as the page looks. */
async function readFlips(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  check: CheckView['check'],
  tz: string,
  now: Instant,
): Promise<{ readonly flips: readonly Flip[]; readonly upAndDown: UpAndDown }> {
  const tally = createUpAndDown(check, tz, now)
  const flips: Flip[] = []
  for await (const page of listFlips(deps, actor, check, {})) {
    flips.push(...page.slice(0, FLIPS_KEPT - flips.length))
    if (!tally.add(page)) break
  }
  return { flips, upAndDown: tally.result() }
}
