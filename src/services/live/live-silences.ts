/** The silences of a watched project: which checks time alone has muted, or mutes no longer. */
import { matches, type Silence, type SilencedCheck } from '../../domain/silence/silence.ts'
import { addSeconds, type Instant, isAtOrAfter, isBefore } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

/** A page that was away for longer shows a mute that has ended until its check changes. */
const KEPT_SECONDS = 86_400

export class LiveSilences {
  readonly #projectId: string
  #silences: readonly Silence[] = []
  #next = Number.POSITIVE_INFINITY

  constructor(projectId: string) {
    this.#projectId = projectId
  }

  /** The first time at which one begins or ends, in milliseconds since the UNIX epoch. */
  get next(): number {
    return this.#next
  }

  async read({ store }: Pick<Deps, 'store'>, at: Instant): Promise<void> {
    this.#silences = await store.silences.list(this.#projectId, addSeconds(at, -KEPT_SECONDS))
    this.passTime(at)
  }

  passTime(at: Instant): void {
    const turns = this.#silences.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    const coming = turns.filter((turn) => isBefore(at, turn)).map(({ epochMilliseconds }) => epochMilliseconds)
    this.#next = coming.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  }

  /** Ids of the checks that a silence is about which has begun or ended since then. @param at now */
  turnedSince(since: Instant, at: Instant, checks: Iterable<SilencedCheck>): string[] {
    const isPast = (turn: Instant) => isBefore(since, turn) && isAtOrAfter(at, turn)
    const turned = this.#silences.filter(({ startsAt, endsAt }) => isPast(startsAt) || isPast(endsAt))
    if (turned.length === 0) return []
    return Array.from(checks)
      .filter((check) => turned.some((silence) => matches(silence, check)))
      .map(({ id }) => id)
  }
}
