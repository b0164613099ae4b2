/** Compares the records of senders and receivers with the database, and prints the results. */
import { TRY_AGAIN } from '../../support/client.ts'
import {
  brokenHolds,
  leftOpen,
  leftUntold,
  wrongDeliveries,
  wrongIncidents,
  wrongNotes,
} from '../../support/kills/incidents.ts'
import type { People } from '../../support/kills/people.ts'
import { isCancelled, judgeQuietHours } from '../../support/kills/quiet-hours.ts'
import type { QuietPeople } from '../../support/kills/quiet-people.ts'
import {
  brokenChains,
  type Deadline,
  wrongArrivals,
  wrongFlips,
  wrongOrder,
  wrongPings,
} from '../../support/kills/violations.ts'
import { countRepeats, hastyRepeats, wrongSequence } from './arrivals.ts'
import type { Filled } from './filled.ts'
import type { Load, SentTo } from './load.ts'
import { readLeft, readLongest, readSnapshot } from './snapshot.ts'

/** A delivery that a kill interrupted is due again after ten seconds, so this long without progress is a failure. */
const STUCK_AFTER_MS = 40_000
const POLL_EVERY_MS = 200
const MOST_VIOLATIONS = 20
/** The answer to a ping that a sender may repeat. */
export const REFUSED = `503 ${TRY_AGAIN}`

/** Waits until nothing is pending, or nothing changes any more; what is still pending then shows up as a violation. */
export async function untilNothingIsPending({ sql }: Pick<Filled, 'sql'>, deadlines: number): Promise<void> {
  let left = await readLeft(sql, deadlines)
  for (let movedAt = performance.now(); left > 0 && performance.now() - movedAt < STUCK_AFTER_MS; ) {
    await Bun.sleep(POLL_EVERY_MS)
    const now = await readLeft(sql, deadlines)
    if (now !== left) movedAt = performance.now()
    left = now
  }
}

/** The acts of people during the run. */
interface Acts extends Pick<People, 'silencedAt' | 'notes'>, Pick<QuietPeople, 'edits'> {
  /** number of killed instances, each of which may have interrupted a message to each room */
  readonly kills: number
}

const NOBODY: Acts = { silencedAt: new Map(), notes: [], edits: [], kills: 0 }
/** Time for which recoveries wait for the end of quiet hours. */
const HELD_MS = 1_000

/**
 * Ends everything that holds alerts, and then every problem. The load must have stopped.
 * @param deadlines number of checks that must time out
 * @returns a sentence for each incident that was not reported, or that stays open
 */
export async function letGoAndHeal(
  filled: Pick<Filled, 'sql' | 'projectId'>,
  load: Load,
  people: People,
  quietPeople: QuietPeople,
  deadlines: number,
): Promise<string[]> {
  const { sql, projectId } = filled
  await people.letGo()
  await quietPeople.letEnd()
  await untilNothingIsPending(filled, deadlines)
  const found = await readSnapshot(sql, projectId)
  const untold = leftUntold(found, Date.now() * 1_000)
  await quietPeople.during(async () => {
    await load.succeed(found.checks.filter(({ status }) => status === 'down'))
    await Bun.sleep(HELD_MS)
  })
  await untilNothingIsPending(filled, deadlines)
  return first(untold, leftOpen(await readSnapshot(sql, projectId)))
}

export interface Verdict {
  /** a sentence for each broken promise, by promise; at most twenty each */
  readonly violations: {
    readonly pings: readonly string[]
    readonly flips: readonly string[]
    readonly incidents: readonly string[]
    readonly deliveries: readonly string[]
    readonly quiet: readonly string[]
  }
  readonly figures: Readonly<Record<string, number>>
}

/** Judges the run. Call it when no more pings are in progress, and nothing is pending. */
export async function judge(
  { sql, projectId, received }: Pick<Filled, 'sql' | 'projectId' | 'received'>,
  sent: readonly SentTo[],
  deadlines: readonly Deadline[] = [],
  { silencedAt, notes, edits, kills }: Acts = NOBODY,
): Promise<Verdict> {
  const found = await readSnapshot(sql, projectId)
  const longestMs = await readLongest(sql)
  const limits = { isOver: true, mostInterrupted: kills }
  const { arrivals, interrupted, most, violations: quiet } = judgeQuietHours(received(), edits, found, limits)
  const logged = new Set(found.pings.map(({ agent }) => agent))
  const unanswered = sent.filter(({ answeredAt }) => answeredAt === null)
  return {
    violations: {
      pings: first(wrongPings(sent, found), wrongOrder(sent, found)),
      flips: first(brokenChains(found), wrongFlips(deadlines, found, true)),
      incidents: first(wrongIncidents(found), brokenHolds(found, { sent, silencedAt }), wrongNotes(notes, found)),
      deliveries: first(
        wrongDeliveries(found),
        wrongArrivals(arrivals, found, { isOver: true }),
        wrongSequence(arrivals, found),
        hastyRepeats(arrivals),
      ),
      quiet: first(quiet),
    },
    figures: {
      'pings sent': sent.length,
      acknowledged: sent.length - unanswered.length,
      'refused with 503': sent.filter(({ answer }) => answer === REFUSED).length,
      'acknowledged and lost': sent.filter(({ answeredAt, agent }) => answeredAt !== null && !logged.has(agent)).length,
      'in a log without an answer': unanswered.filter(({ agent }) => logged.has(agent)).length,
      flips: found.flips.length,
      incidents: found.incidents.length,
      'incidents told': found.incidents.filter(({ toldAt }) => toldAt !== null).length,
      'flips by silence': found.flips.filter(({ reason }) => reason === 'timeout').length,
      deliveries: found.deliveries.length,
      'deliveries not told': found.deliveries.filter(({ state }) => state !== 'sent').length,
      'deliveries that waited for the end of quiet hours': found.deliveries.filter(
        ({ heldUntil }) => heldUntil !== null,
      ).length,
      'deliveries cancelled by quiet hours': found.deliveries.filter(isCancelled).length,
      'alerts in a message, at most': most,
      'messages sent again with other alerts': interrupted.length,
      'edits of quiet hours': edits.length,
      'deliveries repeated under their id': countRepeats(arrivals),
      'ms from a deadline to its flip, at most': longestMs,
    },
  }
}

function first(...sentences: readonly (readonly string[])[]): string[] {
  return sentences.flatMap((of) => of.slice(0, MOST_VIOLATIONS))
}

/** Prints a line for each figure. */
export function report(title: string, figures: Readonly<Record<string, number | string>>): void {
  const lines = Object.entries(figures).map(([name, value]) => `  ${String(value).padStart(8)} ${name}`)
  process.stdout.write(`${[title, ...lines].join('\n')}\n`)
}
