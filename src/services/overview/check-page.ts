/** Reads all data for a check's page. */
import { type Actor, may } from '../../domain/actor.ts'
import type { DeliveryEntry } from '../../domain/alert/delivery.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { type Untold, untoldBy } from '../../domain/channel/untold.ts'
import type { Check } from '../../domain/check/check.ts'
import { type Flip, sendsAlerts } from '../../domain/check/flip.ts'
import type { CheckView } from '../../domain/list/check-view.ts'
import { type RecentRun, recentRuns } from '../../domain/log/recent-runs.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import type { PlotView, RhythmPlot, TooFewRuns } from '../../domain/rhythm-plot/rhythm-plot.ts'
import { stripOf } from '../../domain/run/strip.ts'
import { createUpAndDown, type UpAndDown, upAndDownCalendar } from '../../domain/run/up-and-down.ts'
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { Outage } from '../../store/store.ts'
import { type AdviceDeps, type CheckAdvice, readCheckAdvice } from '../advice/check-advice.ts'
import { whoWasTold } from '../alerts/deliveries.ts'
import { listChannels } from '../channels/channels.ts'
import { type MuteDeps, readMuteChannels } from '../channels/mute-channels.ts'
import { viewChecks } from '../checks/check-views.ts'
import { getCheckByPublicId } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { type CheckStanding, readStanding } from '../incidents/standing.ts'
import { type FailedOutput, findFailedOutput } from '../pings/failed-output.ts'
import { listFlips } from '../pings/flips.ts'
import { readLog, type TimedLine } from '../pings/log.ts'
import { findHiding, type Hiding } from '../silences/planned.ts'
import { readRhythm } from './rhythm.ts'
import { type ReadRun, readRunList } from './run-list.ts'

export interface CheckPage {
  /** when the page was read */
  readonly now: Instant
  readonly view: CheckView
  readonly advice: CheckAdvice
  /** all of the project's channels, in order of creation */
  readonly channels: readonly Channel[]
  /** why no one would be alerted if the check went down; null if someone would be, or if the check is paused and can't go down */
  readonly untold: Untold | null
  /** the last outage of the Overdue server, if it ended less than a day ago */
  readonly outage: Outage | null
  /** results of the last runs, at most 30, oldest first */
  readonly runs: readonly RecentRun[]
  /** details of the runs, newest first */
  readonly listed: readonly ReadRun[]
  /** newest first */
  readonly pings: readonly Pick<
    TimedLine,
    'n' | 'kind' | 'receivedAt' | 'occurredAt' | 'exitStatus' | 'scheme' | 'ua' | 'remoteAddr'
  >[]
  /** as many flips as the page may need, newest first */
  readonly flips: readonly Flip[]
  readonly upAndDown: UpAndDown
  /** deliveries for the newest flip that triggers alerts; null if there is no such flip */
  readonly told: readonly DeliveryEntry[] | null
  readonly standing: CheckStanding
  /** the planned silence that hides all of the check's runs or all of its deadlines; null if there is none */
  readonly hiding: Hiding | null
  /** output of the newest run, compared with the last successful run; null unless the newest run failed */
  readonly failedOutput: FailedOutput | null
  /** rhythm plot; null if the page does not show one */
  readonly rhythm: RhythmPlot | TooFewRuns | null
}

export interface RhythmView extends Omit<PlotView, 'tz'> {
  /** time zone for the times in the plot */
  readonly zone: 'check' | 'utc' | 'reader'
}

/** Returns the time zone for the plot. A check with a period has no time zone of its own. */
function zoneOf({ kind, tz }: Check, { zone }: RhythmView, readerTz: string): string {
  if (zone === 'utc') return 'UTC'
  return zone === 'reader' || kind === 'simple' ? readerTz : tz
}

/** Number of pings to read. This is enough for thirty runs that each send a start and a few log entries. */
const PINGS_READ = 120
const FLIPS_KEPT = 1_000
/** How long an outage is displayed after it has ended, in seconds. */
const OUTAGE_SHOWN_SECONDS = 86_400
/** Maximum number of flips to read. If a check has more flips, its earlier days are displayed as unknown. */
const FLIPS_COUNTED = 10_000

/**
 * Reads the data for a check's page.
 * @param tz IANA name of the zone in which days begin
 * @param rhythm how to display the rhythm; null to omit it
 * @throws Refusal `not-found`
 */
export async function readCheckPage(
  deps: AdviceDeps & MuteDeps & Pick<Deps, 'pingBodyLimit'>,
  actor: Actor,
  publicId: string,
  tz: string,
  rhythm: RhythmView | null,
): Promise<CheckPage> {
  const found = await getCheckByPublicId(deps, actor, publicId)
  const { check } = found
  const now = deps.now()
  const advice = await readCheckAdvice(deps, actor, check)
  const shownAdvice = new Map(advice.first && [[check.id, advice.first.advice]])
  const [channels, mute, outage, { entries: pings }, [view], { flips, upAndDown }, standing, hiding] =
    await Promise.all([
      listChannels(deps, actor),
      readMuteChannels(deps, actor, now),
      deps.store.server.findOutage(),
      readLog(deps, actor, check, { limit: PINGS_READ }),
      viewChecks(deps, [found], now, shownAdvice),
      readFlips(deps, actor, check, tz, now),
      readStanding(deps, actor, check),
      findHiding(deps, actor, check),
    ])
  if (!view) throw new Error('a check without a view')
  const alerting = flips.find(sendsAlerts)
  const [told, failedOutput] = await Promise.all([
    alerting ? whoWasTold(deps, actor, [alerting]) : null,
    findFailedOutput(deps, check, pings, may(actor, 'write')),
  ])
  const plot =
    rhythm && (await readRhythm(deps, actor, check, flips, { ...rhythm, tz: zoneOf(check, rhythm, tz) }, now))
  const pauses = flips.filter(({ newStatus }) => newStatus === 'paused').map(({ createdAt }) => createdAt)
  const marks = stripOf(check, now, view.expected)
  const isGivenUp = view.state === 'down' && check.lastStartAt === null
  const runs = recentRuns({ check, marks, isGivenUp, log: pings, pauses, now })
  const listed = await readRunList(deps, actor, check, { pings, flips }, now)
  return forActor(actor, {
    now,
    view,
    advice,
    channels,
    untold: check.status === 'paused' ? null : untoldBy(view.channelIds, mute),
    outage: outage && isBefore(now, addSeconds(outage.until, OUTAGE_SHOWN_SECONDS)) ? outage : null,
    runs,
    listed,
    pings,
    flips,
    upAndDown,
    told,
    standing,
    hiding,
    failedOutput,
    rhythm: plot,
  })
}

/** Reads flips, but only as far back as the page displays them. */
async function readFlips(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  tz: string,
  now: Instant,
): Promise<Pick<CheckPage, 'flips' | 'upAndDown'>> {
  const tally = createUpAndDown(check, upAndDownCalendar(tz, now), now)
  const flips: Flip[] = []
  let counted = 0
  for await (const page of listFlips(deps, actor, check, {})) {
    flips.push(...page.slice(0, FLIPS_KEPT - flips.length))
    if (!tally.add(page)) break
    counted += page.length
    const last = page.at(-1)
    if (counted >= FLIPS_COUNTED && last) return { flips, upAndDown: tally.result(last.createdAt) }
  }
  return { flips, upAndDown: tally.result() }
}

/** Removes ping URLs and keys for read-only members. Jobs may print their ping URL, and members may paste ping URLs into text fields. */
function forActor(actor: Actor, page: CheckPage): CheckPage {
  if (may(actor, 'write')) return page
  const { view, told } = page
  const { check } = view
  const hidden = (text: string | null) => text && withoutPingSecrets(text)
  return {
    ...page,
    view: { ...view, check: { ...check, desc: withoutPingSecrets(check.desc) } },
    told: told?.map((entry) => ({ ...entry, error: hidden(entry.error) })) ?? null,
  }
}
