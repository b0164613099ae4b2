/** Reads the data from which a check's advice is derived. Bodies are read only if their last lines may matter. */
import { type AdvisedPing, type Away, ENTRIES_READ, type Facts, type OtherCheck } from '../../domain/advice/facts.ts'
import { mayBeHollow } from '../../domain/advice/rules/hollow.ts'
import { mayHaveTwins } from '../../domain/advice/rules/twins.ts'
import { isEnd } from '../../domain/advice/runs.ts'
import { refusedStatus } from '../../domain/cause/refused.ts'
import { lastLine } from '../../domain/cause/trouble.ts'
import type { Check } from '../../domain/check/check.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { certainRuns } from '../../domain/log/runs.ts'
import type { IgnoringRule } from '../../domain/ping/classify.ts'
import { happenedAt } from '../../domain/ping/occurred-at.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import type { LogLine, StoredAdvice } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { LOOK_BACK } from '../pings/pings.ts'
import type { Surroundings } from './surroundings.ts'

type FactsDeps = Pick<Deps, 'store'>

export interface ReadFacts {
  readonly facts: Facts
  /** all log entries that were read, oldest first; includes more entries than the facts if many pings arrived since the last examination */
  readonly log: readonly AdvisedPing[]
  /** number of entries that arrived since the last examination */
  readonly fresh: number
  /** number of the newest entry; 0 if there is none */
  readonly newestN: number
}

/** @param stored the stored result of the last examination */
export async function readFacts(
  { store }: FactsDeps,
  { check, channelIds }: CheckWithChannels,
  around: Surroundings,
  stored: Pick<StoredAdvice, 'lookedN' | 'changedAt'>,
  now: Instant,
): Promise<ReadFacts> {
  const { pingLogLimit } = around.project
  const wanted = Math.min(pingLogLimit, Math.max(ENTRIES_READ, check.nPings - stored.lookedN))
  const lines = await readLines(store, check, wanted)
  const newestN = Math.max(check.nPings, lines.at(-1)?.n ?? 0)
  const pings = lines.filter(({ n }) => n > newestN - pingLogLimit).slice(-wanted)
  const log = await withLastLines(store, check, pings)
  const newest = log.slice(-ENTRIES_READ).toSorted((a, b) => a.at - b.at)
  // A ping that was delivered late may have an earlier time than the oldest entry.
  const from = log.length === 0 ? null : Math.min(...log.map(({ at }) => at))
  const { away, pausedAt } = await readAway(store, check, from, now)
  const { kind, timeoutSeconds, schedule, tz, graceSeconds, manualResume, methods, createdAt } = check
  const facts: Facts = {
    check: {
      ...{ kind, timeoutSeconds, schedule, tz, graceSeconds, manualResume, methods },
      ...{
        isPaused: check.status === 'paused',
        pausedAt,
        createdAt: createdAt.epochMilliseconds,
        wasPinged: newestN > 0,
      },
      // The clock may have been set back since then.
      changedAt: Math.min(stored.changedAt, now.epochMilliseconds),
    },
    log: newest,
    away,
    held: await readHeld(store, check, newest, now),
    siblingZones: siblingZones(check, around),
    accountZone: around.zones.owner,
    channels: around.channelsOf(channelIds),
    refused: await readRefused(store, check, newest, now),
    others: await readOthers(store, check, around, newest),
  }
  return { facts, log, fresh: pings.filter(({ n }) => n > stored.lookedN).length, newestN }
}

interface ReadPing extends AdvisedPing {
  readonly n: number
}

/** Returns log lines, with the oldest first. */
async function readLines(store: Deps['store'], check: Check, wanted: number): Promise<readonly ReadPing[]> {
  const read = (await store.pings.readLog(check.id, null, wanted + LOOK_BACK, 0)).toReversed()
  const durations = certainRuns(read, check.graceSeconds)
  return read.map((line) => toPing(line, durations.get(line.n) ?? null))
}

const IGNORED = { 'no-keyword': 'keyword', method: 'method', pause: 'paused' } as const satisfies Readonly<
  Record<IgnoringRule, AdvisedPing['ignoredBy']>
>

function toPing(line: LogLine, microseconds: number | null) {
  const { n, kind, rid, remoteAddr, ua, method, ignoredBy } = line
  return {
    n,
    at: happenedAt(line).epochMilliseconds,
    kind,
    duration: microseconds === null ? null : microseconds / 1_000_000,
    runId: rid,
    sender: remoteAddr,
    userAgent: ua,
    method,
    ignoredBy: ignoredBy && IGNORED[ignoredBy],
    lastLine: null,
  } satisfies ReadPing
}

/**
 * Reads the last lines of the two newest successes. If they suggest that the job did nothing, also reads the last lines of all other
 * successes.
 */
async function withLastLines(
  store: Deps['store'],
  check: Check,
  pings: readonly ReadPing[],
): Promise<readonly AdvisedPing[]> {
  const newest = pings.filter(({ kind }) => kind === 'success').slice(-2)
  const lines = await readLastLines(store, check, newest)
  const [one, two] = newest.map(({ n }) => lines.get(n) ?? null)
  const all = mayBeHollow(one ?? null, two ?? null)
    ? await readLastLines(store, check, pings.slice(-ENTRIES_READ).filter(isEnd))
    : lines
  return pings.map(({ n, ...ping }) => ({ ...ping, lastLine: all.get(n) ?? null }))
}

async function readLastLines(
  store: Deps['store'],
  check: Check,
  pings: readonly ReadPing[],
): Promise<ReadonlyMap<number, string | null>> {
  if (pings.length === 0) return new Map()
  const ends = await store.pings.readBodyEnds(
    check.id,
    pings.map(({ n }) => n),
  )
  // The last line of an email is not useful.
  return new Map(ends.map((end) => [end.n, end.scheme === 'email' ? null : lastLine(end)]))
}

/**
 * Returns the check's pauses, each of which ends when the check was resumed, and the server's last outage.
 * @param from time of the oldest log entry
 */
async function readAway(
  store: Deps['store'],
  check: Check,
  from: number | null,
  now: Instant,
): Promise<{ readonly away: readonly Away[]; readonly pausedAt: number | null }> {
  const { items } = await store.flips.list(
    check.id,
    from === null ? {} : { from: Temporal.Instant.fromEpochMilliseconds(from) },
    null,
  )
  const flips = items.toReversed()
  const ended = flips.flatMap(({ newStatus, createdAt }, index): Away[] => {
    const until = flips[index + 1]?.createdAt
    return newStatus === 'paused' && until
      ? [{ why: 'pause', from: createdAt.epochMilliseconds, until: until.epochMilliseconds }]
      : []
  })
  const pausedAt = check.status === 'paused' ? await readPausedAt(store, check) : null
  const running: readonly Away[] =
    pausedAt === null ? [] : [{ why: 'pause', from: pausedAt, until: now.epochMilliseconds }]
  const outage = await store.server.findOutage()
  const outages: readonly Away[] = outage
    ? [{ why: 'outage', from: outage.from.epochMilliseconds, until: outage.until.epochMilliseconds }]
    : []
  return { away: [...ended, ...running, ...outages].toSorted((a, b) => a.from - b.from), pausedAt }
}

/** Maximum number of incidents to read. No advice rule considers more runs than this. */
const HELD_READ = 20

/** Reads the periods during which incidents were held back. These periods matter only if the job has failed recently. */
async function readHeld(
  store: Deps['store'],
  { id }: Check,
  log: readonly AdvisedPing[],
  now: Instant,
): Promise<Facts['held']> {
  if (!log.some(({ kind }) => kind === 'fail')) return []
  const incidents = (await store.incidents.list(id, null, HELD_READ)).toReversed()
  return incidents
    .filter(({ told }) => told === null)
    .map(({ openedAt, resolvedAt }) => ({
      from: openedAt.epochMilliseconds,
      until: (resolvedAt ?? now).epochMilliseconds,
    }))
}

/**
 * Returns the start of the current pause, which may be earlier than the oldest log entry. Returns null if the check was paused when it was
 * imported.
 */
async function readPausedAt(store: Deps['store'], { id }: Check): Promise<number | null> {
  return (await store.flips.listSwitches([id])).get(id)?.epochMilliseconds ?? null
}

/** Maximum number of checks in the same time zone to read. Fifty checks are as much evidence as a thousand. */
const SIBLINGS_OF_ZONE = 50

function siblingZones(check: Check, { zones: { schedules } }: Surroundings): readonly string[] {
  return [...schedules].flatMap(([tz, count]) => {
    const others = check.kind !== 'simple' && check.tz === tz ? count - 1 : count
    return Array.from({ length: Math.min(others, SIBLINGS_OF_ZONE) }, () => tz)
  })
}

async function readRefused(
  store: Deps['store'],
  check: Check,
  log: readonly AdvisedPing[],
  now: Instant,
): Promise<Facts['refused']> {
  const refused = (await store.uncounted.listRefused([check.id], now)).get(check.id)
  const status = refused && refusedStatus(refused.lastTail)
  if (!refused || status === null || status === undefined) return null
  const counted = log.findLast((ping) => isEnd(ping) || ping.kind === 'start')?.at ?? 0
  const at = refused.lastAt.epochMilliseconds
  return at > counted ? { count: refused.n, tail: status, at } : null
}

/** Number of log entries to read from another check. This is enough for ten runs, each with a start, a message and an end. */
const OTHER_ENTRIES = 30

async function readOthers(
  store: Deps['store'],
  check: Check,
  around: Surroundings,
  log: readonly AdvisedPing[],
): Promise<readonly OtherCheck[]> {
  if (!mayHaveTwins(check, log)) return []
  const others: OtherCheck[] = []
  const times = log.map(({ at }) => at)
  for (const { checkId, name } of around.pingedAbout(times, check.id)) {
    const lines = await store.pings.readLog(checkId, null, OTHER_ENTRIES, 0)
    others.push({ name, log: lines.toReversed().map((line) => toPing(line, null)) })
  }
  return others
}
