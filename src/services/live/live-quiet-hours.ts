/** The quiet hours of a watched project's integrations. Detects when quiet hours begin or end. */
import type { QuietHours } from '../../domain/channel/quiet-hours.ts'
import { occurrenceFrom, turnAfter } from '../../domain/silence/maintenance-window.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

export class LiveQuietHours {
  readonly #projectId: string
  #all: readonly QuietHours[] = []
  #next = Number.POSITIVE_INFINITY

  constructor(projectId: string) {
    this.#projectId = projectId
  }

  /** The next time at which quiet hours begin or end, in milliseconds since the UNIX epoch. */
  get next(): number {
    return this.#next
  }

  async read({ store }: Pick<Deps, 'store'>, at: Instant): Promise<void> {
    const channels = await store.channels.list(this.#projectId)
    this.#all = channels.flatMap(({ quietHours }) => quietHours ?? [])
    this.#setNext(at)
  }

  /** Returns true if quiet hours have begun or ended since the last call. @param at the current time */
  passTime(at: Instant): boolean {
    if (this.#next > at.epochMilliseconds) return false
    this.#setNext(at)
    return true
  }

  #setNext(at: Instant): void {
    this.#next = Math.min(...this.#all.map((quiet) => turnAfter(occurrenceFrom(quiet, at), at)))
  }
}
