/** Caches check lists, so that they can be reused the next time the same list is requested. */
import { earlier, type Instant, isBefore } from '../../../lib/time.ts'
import type { ChecksRevision as Revision } from '../../../services/checks/checks.ts'

/** A check, serialized as JSON. */
export interface Member {
  readonly checkId: string
  readonly text: string
  /** time at which the displayed status will change if no ping arrives; null if it will not change */
  readonly until: Instant | null
}

/** A check list that was sent to a client in full. */
export interface SentList {
  readonly tag: string
  readonly revision: Revision
  /**
   * @param changed the project's checks that may have changed
   * @returns the checks in this list that may have changed since it was sent; empty if the list is unchanged
   */
  staleAt(now: Instant, changed: readonly string[]): readonly string[]
}

export const ENCLOSING = { open: '{"checks":[', close: ']}' }

/**
 * A list with the JSON of its members, so that only changed checks have to be reread. The set of checks is fixed: when a check is created,
 * edited or deleted, a new list replaces this one.
 */
export class KeptList implements SentList {
  readonly tag: string
  readonly revision: Revision
  /** time at which the statuses were computed. They are not valid for earlier times, which occur if the clock is set back */
  readonly #since: Instant
  readonly #members: readonly Member[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #until: Instant | null
  #body: Uint8Array | null = null

  /** @param positions index of each check's member in the list */
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

  /** The complete response, built on first use. */
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

  /** Returns a copy of the list in which each fresh member replaces the old one for the same check. */
  with(tag: string, revision: Revision, since: Instant, fresh: readonly Member[]): KeptList {
    const members = [...this.#members]
    for (const member of fresh) {
      const position = this.#positions.get(member.checkId)
      if (position !== undefined) members[position] = member
    }
    return new KeptList(tag, revision, since, members, this.#positions)
  }
}

/** A list that is too long to cache. It only records whether anything in its project has changed since it was sent. */
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

/** Joins the members' JSON with commas. */
export function textOf(members: readonly Member[]): string {
  return members.map(({ text }) => text).join(',')
}
