/** Searches checks, ping bodies and integrations in all projects that a person is allowed to see. */

import { type Actor, may, type Operator, type Person } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import { type ShownState, showCheck } from '../../domain/check/shown-check.ts'
import { compareEntries, type ListEntry, listEntry } from '../../domain/list/check-list.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import { type ExcerptPart, excerptOf } from '../../domain/search/excerpt.ts'
import { matchesWords, mayMatch, type SearchQuery, type WordPattern, wordPattern } from '../../domain/search/query.ts'
import { scoped, scopeOf } from '../../domain/search/scope.ts'
import { type Instant, isBefore } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { PingBegin, PingHit, PingHits, SearchedIds } from '../../store/store.ts'
import { listChannels } from '../channels/channels.ts'
import { listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { textOf, wordsIn } from '../pings/ping-text.ts'
import { listActors } from '../projects/members.ts'

export interface FoundCheck {
  readonly actor: Actor
  readonly check: Check
  readonly state: ShownState
}

export interface FoundPing extends Pick<PingHit, 'n' | 'receivedAt' | 'kind'> {
  readonly actor: Actor
  readonly check: Check
  readonly excerpt: readonly ExcerptPart[]
}

export interface FoundChannel {
  readonly actor: Actor
  readonly channel: Channel
}

export interface SearchAnswer {
  /** checks that are down or late, and then the others by name */
  readonly checks: readonly FoundCheck[]
  /** newest first */
  readonly pings: readonly FoundPing[]
  readonly channels: readonly FoundChannel[]
  /** true for each kind that has more results than are listed */
  readonly hasMore: { readonly checks: boolean; readonly pings: boolean; readonly channels: boolean }
  /** number of checks and number of pings that were searched */
  readonly searched: { readonly checks: number; readonly pings: number }
  /**
   * time since which pings are not indexed yet, rounded to a minute; null if all pings are indexed, except those of the last few seconds
   */
  readonly unreadSince: Instant | null
  /** projects whose earlier pings are being reindexed */
  readonly reread: readonly Actor[]
  /** projects whose pings are not searched */
  readonly unsearched: readonly Actor[]
}

type SearchDeps = Pick<Deps, 'store' | 'now' | 'eventLoop' | 'budget'>

const CHECKS_SHOWN = 20
const PINGS_SHOWN = 50
const CHANNELS_SHOWN = 20
/** Maximum number of pings per read. A read takes a few milliseconds. */
const MOST_AT_ONCE = 1_000
/** Number of bodies per read. A body may have up to 64 KiB. */
const BODIES_AT_ONCE = 10
/** Maximum number of characters to search in a check's name, tags, slug and description. */
const CHARACTERS = 5_000
/** Seconds within which pings are normally indexed. Shorter delays are not reported. */
const USUAL_SECONDS = 10

/** @param query a query that contains at least one word */
export async function search(deps: SearchDeps, reader: Person | Operator, query: SearchQuery): Promise<SearchAnswer> {
  const actors = new Map((await listActors(deps, reader)).map((actor) => [actor.project.id, actor]))
  const now = deps.now()
  const found = new Findings(query, now)
  for (const actor of actors.values()) await searchProject(deps, actor, query, found)
  const { unreadSince, reread } = await deps.store.search.readProgress()
  const pings = await readPings(deps, actors, query, found.pings)
  return {
    checks: found.bestChecks(),
    pings: pings.slice(0, PINGS_SHOWN),
    channels: found.channels.slice(0, CHANNELS_SHOWN),
    hasMore: {
      checks: found.checks.length > CHECKS_SHOWN,
      pings: found.pings.length > PINGS_SHOWN,
      channels: found.channels.length > CHANNELS_SHOWN,
    },
    searched: found.searched,
    unreadSince:
      unreadSince && isBefore(unreadSince, now.subtract({ seconds: USUAL_SECONDS })) ? minuteOf(unreadSince) : null,
    reread: [...actors.values()].filter(({ project }) => project.isSearched && reread.has(project.id)),
    unsearched: [...actors.values()].filter(({ project }) => !project.isSearched),
  }
}

/**
 * Rounds a ping's time to the minute. The ping may belong to a project that the person is not allowed to see, so its exact time must not be
 * revealed.
 */
function minuteOf(at: Instant): Instant {
  return at.round({ smallestUnit: 'minute', roundingMode: 'floor' })
}

/** Collects the results from all projects. */
class Findings {
  readonly checks: { readonly entry: ListEntry; readonly found: FoundCheck }[] = []
  readonly channels: FoundChannel[] = []
  readonly searched = { checks: 0, pings: 0 }
  /** matches, newest first, including one more than is shown */
  pings: readonly (PingHit & { readonly projectId: string })[] = []

  constructor(
    readonly query: SearchQuery,
    readonly now: Instant,
  ) {}

  addCheck(actor: Actor, check: Check): void {
    const shown = showCheck(check, this.now)
    this.checks.push({
      entry: listEntry(check, { ...shown, advice: null }, shown.expected, 'name'),
      found: { actor, check, state: shown.state },
    })
  }

  addPings(projectId: string, hits: readonly PingHit[]): void {
    const all = [...this.pings, ...hits.map((hit) => ({ ...hit, projectId }))]
    this.pings = all.toSorted((a, b) => b.id - a.id).slice(0, PINGS_SHOWN + 1)
  }

  /** Returns the id of the oldest ping that will be shown. */
  oldestShown(): number {
    return this.pings[PINGS_SHOWN]?.id ?? 0
  }

  bestChecks(): readonly FoundCheck[] {
    const compare = compareEntries({ sort: 'name', isReversed: false })
    const inOrder = this.checks.toSorted((a, b) => compare(a.entry, b.entry))
    return inOrder.slice(0, CHECKS_SHOWN).map(({ found }) => found)
  }
}

async function searchProject(deps: SearchDeps, actor: Actor, query: SearchQuery, found: Findings): Promise<void> {
  const { project } = actor
  const canWrite = may(actor, 'write')
  const pattern = wordPattern(query, canWrite)
  const scopes = new Set<string>()
  for await (const page of listChecks(deps, actor, {})) {
    for (const { check } of page) {
      await deps.budget.available()
      found.searched.checks += 1
      if (matchesCheck(check, query, pattern, canWrite)) found.addCheck(actor, check)
      if (!project.isSearched || check.nPings === 0) continue
      found.searched.pings += Math.min(check.nPings, project.pingLogLimit)
      scopes.add(scopeOf(check))
    }
  }
  if (pattern === null) return
  for (const scope of scopes) await searchScope(deps, project.id, scoped(pattern, scope), found)
  if (!canWrite) return
  for (const channel of await listChannels(deps, actor)) {
    if (matchesWords(wordsIn(`${channel.name} ${channel.kind}`), pattern)) found.channels.push({ actor, channel })
  }
}

/**
 * Searches a project's pings. Many entries may still have to be removed by retention, so each step examines more entries than it
 * returns.
 */
async function searchScope(deps: SearchDeps, projectId: string, pattern: WordPattern, found: Findings): Promise<void> {
  let below: number | null = Number.MAX_SAFE_INTEGER
  let count = 0
  for (
    let limit = PINGS_SHOWN + 1;
    below !== null && count <= PINGS_SHOWN;
    limit = Math.min(10 * limit, MOST_AT_ONCE)
  ) {
    const ids: SearchedIds = { above: found.oldestShown(), below }
    const next: PingHits = await deps.store.search.findPings(projectId, pattern, ids, limit)
    if (next.hits.length > 0) found.addPings(projectId, next.hits)
    count += next.hits.length
    below = next.below
  }
}

/** Returns true if a check matches. The UUID is searched only if the person is allowed to know it. */
function matchesCheck(check: Check, query: SearchQuery, pattern: WordPattern | null, knowsId: boolean): boolean {
  const text = query.text.toLowerCase()
  if (check.publicId === text || (knowsId && check.id === text)) return true
  if (pattern === null) return false
  const words = [check.name, check.tags, check.slug, check.desc].join('\n').slice(0, CHARACTERS)
  return mayMatch(words, pattern) && matchesWords(wordsIn(words), pattern)
}

/** Reads pings. Skips pings that have been removed in the meantime. */
async function readPings(
  deps: SearchDeps,
  actors: ReadonlyMap<string, Actor>,
  query: SearchQuery,
  hits: Findings['pings'],
): Promise<readonly FoundPing[]> {
  const shown = hits.slice(0, PINGS_SHOWN)
  const checks = new Map<string, Check>()
  const ids = [...new Set(shown.map(({ checkId }) => checkId))]
  for (const { check } of await deps.store.checks.findMany(ids)) checks.set(check.id, check)
  const pings: FoundPing[] = []
  for (const some of inBatches(shown, BODIES_AT_ONCE)) {
    const begins = await deps.store.search.findHitBegins(some)
    for (const [index, { projectId, checkId, n, receivedAt, kind }] of some.entries()) {
      const [actor, check, begin] = [actors.get(projectId), checks.get(checkId), begins[index]]
      if (!actor || !begin || check?.projectId !== projectId) continue
      const excerpt = await readExcerpt(deps, actor, query, begin)
      if (excerpt !== null) pings.push({ actor, check, n, receivedAt, kind, excerpt })
    }
  }
  return pings
}

async function readExcerpt(
  { eventLoop, budget }: SearchDeps,
  actor: Actor,
  query: SearchQuery,
  begin: PingBegin,
): Promise<readonly ExcerptPart[] | null> {
  const canWrite = may(actor, 'write')
  const pattern = wordPattern(query, canWrite)
  if (pattern === null) return null
  const text = await textOf(begin, eventLoop)
  await budget.available()
  if (canWrite) return excerptOf(text, pattern)
  // Indexed words may be part of a truncated secret, because earlier versions did not drop truncated words.
  const shown = withoutPingSecrets(text)
  return matchesWords(wordsIn(shown), pattern) ? excerptOf(shown, pattern) : null
}
