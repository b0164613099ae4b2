/** Lists of checks that were sent, as far as they are remembered to answer from. */
import { earlier, type Instant, isBefore } from '../../domain/time.ts'
import type { ChecksRevision as Revision } from '../../services/checks.ts'

/** A check as JSON text. */
export interface Member {
  readonly checkId: string
  readonly text: string
  /** when time changes the status that is shown; null when it changes none */
  readonly until: Instant | null
}

/** A list that was sent to its end. */
export interface SentList {
  readonly tag: string
  readonly revision: Revision
  /**
   * @param changed checks of the project that may have changed
   * @returns those of this list that are not as they were sent, or may not be; none when it is still the same list
   */
  staleAt(now: Instant, changed: readonly string[]): readonly string[]
}

export const ENCLOSING = { open: '{"checks":[', close: ']}' }

/**
 * A list member by member: when a few checks have changed since, only those are read and written again. It never grows or
 * shrinks: when a check is made, edited or deleted, another list takes its place.
 */
export class KeptList implements SentList {
  readonly tag: string
  readonly revision: Revision
  /** when the statuses were worked out: they say nothing of earlier times, as after a clock was put back */
  readonly #since: Instant
  readonly #members: readonly Member[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #until: Instant | null
  #body: Uint8Array | null = null

  /** @param positions of the members by check, where they are known already */
  constructor(
    tag: string,
    revision: Revision,
    since: Instant,
    members: readonly Member[],
    positions: ReadonlyMap<string, number> = new Map(members.map(({ checkId }, index) => [checkId, index])),
  ) {
    this.tag = tag
    this.revision = revision
    this.#since = since
    this.#members = members
    this.#positions = positions
    this.#until = members.reduce<Instant | null>((until, member) => earlier(until, member.until), null)
  }

  /** The whole answer; made once, for all who ask. */
  get body(): Uint8Array {
    this.#body ??= new TextEncoder().encode(ENCLOSING.open + textOf(this.#members) + ENCLOSING.close)
    return this.#body
  }

  staleAt(now: Instant, changed: readonly string[]): string[] {
    if (isBefore(now, this.#since)) return this.#members.map(({ checkId }) => checkId)
    const stale = new Set(changed.filter((checkId) => this.#positions.has(checkId)))
    if (isOver(this.#until, now)) {
      for (const { checkId, until } of this.#members) if (isOver(until, now)) stale.add(checkId)
    }
    return [...stale]
  }

  /** The list with members in the place of those they have become of. */
  with(tag: string, revision: Revision, since: Instant, fresh: readonly Member[]): KeptList {
    const members = [...this.#members]
    for (const member of fresh) {
      const position = this.#positions.get(member.checkId)
      if (position !== undefined) members[position] = member
    }
    return new KeptList(tag, revision, since, members, this.#positions)
  }
}

/** Of a list that is too long to be kept: enough to know it again while nothing has changed in its project. */
export class LongList implements SentList {
  readonly tag: string
  readonly revision: Revision
  readonly #since: Instant
  readonly #until: Instant | null

  constructor(tag: string, revision: Revision, since: Instant, until: Instant | null) {
    this.tag = tag
    this.revision = revision
    this.#since = since
    this.#until = until
  }

  staleAt(now: Instant, changed: readonly string[]): readonly string[] {
    const isSame = changed.length === 0 && !isBefore(now, this.#since) && !isOver(this.#until, now)
    return isSame ? [] : ['any']
  }
}

function isOver(until: Instant | null, now: Instant): boolean {
  return until !== null && !isBefore(now, until)
}

/** Members one after the other, as they stand in the list. */
export function textOf(members: readonly Member[]): string {
  return members.map(({ text }) => text).join(',')
}
