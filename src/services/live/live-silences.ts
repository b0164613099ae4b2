/** A watched project's silences. Detects when a silence begins or ends and checks are muted or unmuted. */
import { turnAfter } from '../../domain/silence/maintenance-window.ts'
import { matches, nextOccurrence, type Silence, type SilencedCheck } from '../../domain/silence/silence.ts'
import { addSeconds, type Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

/**
 * How long ended silences are kept in memory, in seconds. A page that was disconnected for longer shows an ended silence until the
 * check changes.
 */
const KEPT_SECONDS = 86_400

export class LiveSilences {
  readonly #projectId: string
  #ofPeople: readonly Silence[] = []
  /** silences requested by ping URL, by check id; a check has at most one */
  readonly #ofPings = new Map<string, Silence>()
  #next = Number.POSITIVE_INFINITY

  constructor(projectId: string) {
    this.#projectId = projectId
  }

  /** The next time at which any silence begins or ends, in milliseconds since the UNIX epoch. */
  get next(): number {
    return this.#next
  }

  async readAll({ store }: Pick<Deps, 'store'>, at: Instant): Promise<void> {
    const silences = await store.silences.list(this.#projectId, addSeconds(at, -KEPT_SECONDS))
    this.#ofPings.clear()
    this.#put(silences, at)
  }

  /** Reads the silences that members created, and the silences that were requested through these checks' ping URLs. */
  async read({ store }: Pick<Deps, 'store'>, checkIds: readonly string[], at: Instant): Promise<void> {
    const projectId = this.#projectId
    const checks = checkIds.map((id) => ({ id, projectId }))
    const silences = await store.silences.listOf(checks, addSeconds(at, -KEPT_SECONDS))
    for (const id of checkIds) this.#ofPings.delete(id)
    this.#put(silences, at)
  }

  passTime(at: Instant): void {
    this.#next = Number.POSITIVE_INFINITY
    for (const silence of this.#all()) this.#next = Math.min(this.#next, nextTurn(silence, at))
  }

  /** Returns the ids of checks with a silence that has begun or ended since the given time. @param at the current time */
  turnedSince(since: Instant, at: Instant, checks: Iterable<SilencedCheck>): string[] {
    const hasTurned = (silence: Silence) => nextTurn(silence, since) <= at.epochMilliseconds
    const turned = this.#ofPeople.filter(hasTurned)
    const asked = new Set<string>()
    for (const [id, silence] of this.#ofPings) if (hasTurned(silence)) asked.add(id)
    if (turned.length === 0 && asked.size === 0) return []
    return Array.from(checks)
      .filter((check) => asked.has(check.id) || turned.some((silence) => matches(silence, check)))
      .map(({ id }) => id)
  }

  #put(silences: readonly Silence[], at: Instant): void {
    this.#ofPeople = silences.filter(({ createdBy }) => createdBy !== null)
    for (const silence of silences) {
      if (silence.createdBy === null) for (const id of silence.match.checks) this.#ofPings.set(id, silence)
    }
    this.passTime(at)
  }

  *#all(): Iterable<Silence> {
    yield* this.#ofPeople
    yield* this.#ofPings.values()
  }
}

/** Returns when a silence next begins or ends, in milliseconds since the UNIX epoch; infinity if the silence has ended for good. */
function nextTurn(silence: Silence, after: Instant): number {
  return turnAfter(nextOccurrence(silence, after), after)
}
