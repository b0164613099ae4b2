/**
 * A check and its incidents, changed in the same way as the store does: by flips, by people and silences, and by looks when they are due.
 */
import type { By } from '../../../src/domain/author.ts'
import type { StoredStatus } from '../../../src/domain/check/check.ts'
import { type Advanced, advance, type Telling } from '../../../src/domain/incident/advance.ts'
import type { IncidentEvent } from '../../../src/domain/incident/event.ts'
import { followFlip } from '../../../src/domain/incident/follow.ts'
import type { World } from '../../../src/domain/incident/hold.ts'
import { type Incident, openIncident } from '../../../src/domain/incident/incident.ts'
import { acknowledge, handBack, type NotTaken } from '../../../src/domain/incident/take.ts'
import { endSilence, type Silence, type SilencedCheck } from '../../../src/domain/silence/silence.ts'
import { addSeconds, earlier, type Instant, isBefore, microsecondsBetween } from '../../../src/lib/time.ts'
import { aCheck, aFlip, aSilence, at } from '../../support/builders.ts'

const START = at('00:00')

/** Parses the instant `0:10`, or so many minutes after the start. */
export function time(text: string | number): Instant {
  if (typeof text === 'number') return addSeconds(START, text * 60)
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return addSeconds(START, (hours * 60 + minutes) * 60)
}

function clock(instant: Instant): string {
  const minutes = microsecondsBetween(START, instant) / 60_000_000
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

export const ANN: By = { kind: 'person', accountId: 'a', name: 'ann@example.org' }
export const BOB: By = { kind: 'person', accountId: 'b', name: 'bob@example.org' }

/** A check that has been up since a success at 0:00. Its actions must be in chronological order. */
export class ToldCheck {
  readonly tellings: (Telling & { readonly at: Instant })[] = []
  readonly events: IncidentEvent[] = []
  /** state after each action and each look */
  readonly seen: { readonly open: Incident | null; readonly now: Instant }[] = []
  looks = 0
  /** number of looks that a new or ended silence requested */
  wakes = 0
  open: Incident | null = null
  /** incidents that have ended */
  readonly ended: Incident[] = []
  #check: SilencedCheck & { readonly status: StoredStatus }
  #silences: Silence[] = []
  #n = 0

  constructor(tags = '') {
    this.#check = aCheck({ status: 'up', lastSuccessAt: START, tags })
  }

  /** The alerts, such as `DOWN 0:10, UP 0:40`. */
  get told(): string {
    return this.tellings.map((telling) => `${telling.news.toUpperCase()} ${clock(telling.at)}`).join(', ')
  }

  /** Holds with their ends, and releases, such as `held 1:00, released`. */
  get holds(): string {
    const words = this.events.map((event) => (event.kind === 'held' ? `held ${clock(event.until)}` : event.kind))
    return words.join(', ')
  }

  down(when: string | number): this {
    return this.#at(when, (now) => {
      if (this.open?.severity === 'warning') this.#raise(this.open, now)
      else this.#flip('down', now)
    })
  }

  /** Sends a success, so that the check is up. */
  up(when: string | number): this {
    return this.#at(when, (now) => {
      this.#check = { ...this.#check, lastSuccessAt: now }
      if (this.#check.status !== 'up') this.#flip('up', now)
    })
  }

  pause(when: string | number): this {
    return this.#at(when, (now) => this.#flip('paused', now))
  }

  /** Opens a warning, as future checks that warn will do. */
  warning(when: string | number): this {
    return this.#at(when, (now) => {
      const flip = aFlip({ n: ++this.#n, createdAt: now })
      this.#take(advance({ ...openIncident(flip), severity: 'warning' }, this.#world, now), now)
    })
  }

  /** Creates a silence at `when`, by default at its start. */
  silence(given: Partial<Silence>, when?: string | number): this {
    const silence = aSilence({ id: `s${this.#silences.length}`, ...given })
    return this.#at(when ?? clock(silence.startsAt), () => {
      this.#silences = [...this.#silences, silence]
    })
  }

  unsilence(when: string | number, index = 0): this {
    return this.#at(when, (now) => {
      this.#silences = this.#silences.map((silence, place) => (place === index ? endSilence(silence, now) : silence))
    })
  }

  take(when: string | number, given: { by?: By; until?: string | number; takesOver?: boolean } = {}): this {
    const { by = ANN, until, takesOver = false } = given
    const taking = { by, note: '', until: until === undefined ? null : time(until), takesOver }
    return this.#at(when, (now) => {
      if (this.open) this.#take(acknowledge(this.open, taking, this.#world, now), now)
    })
  }

  handBack(when: string | number, by: By = ANN): this {
    return this.#at(when, (now) => {
      if (this.open) this.#take(handBack(this.open, by, this.#world, now), now)
    })
  }

  /** Lets time pass. */
  until(when: string | number): this {
    return this.#at(when, () => {})
  }

  get #world(): World {
    return { check: this.#check, silences: this.#silences }
  }

  #at(when: string | number, action: (now: Instant) => void): this {
    const now = time(when)
    this.#lookUntil(now)
    const before = this.#silences
    action(now)
    // If a silence was created or ended, an incident without an alert must be examined.
    if (this.open?.told === null && this.#silences !== before) {
      this.wakes++
      this.open = { ...this.open, nextLookAt: earlier(this.open.nextLookAt, now) }
      this.#lookUntil(now)
    }
    this.seen.push({ open: this.open, now })
    return this
  }

  #lookUntil(now: Instant): void {
    for (let due = this.open?.nextLookAt; this.open && due && !isBefore(now, due); due = this.open.nextLookAt) {
      this.looks++
      this.#take(advance(this.open, this.#world, due), due)
      if (this.open.nextLookAt?.equals(due)) throw new Error(`looked at ${clock(due)} again and again`)
      this.seen.push({ open: this.open, now: due })
    }
  }

  #flip(newStatus: StoredStatus, now: Instant): void {
    if (newStatus === this.#check.status) return
    const flip = aFlip({ n: ++this.#n, createdAt: now, oldStatus: this.#check.status, newStatus, reason: '' })
    this.#check = { ...this.#check, status: newStatus }
    const { ended, opened, tellings, events } = followFlip(this.open, flip, this.#world, now)
    if (ended) this.ended.push(ended)
    this.open = opened
    this.#write(tellings, events, now)
  }

  #raise(open: Incident, now: Instant): void {
    this.#check = { ...this.#check, status: 'down' }
    this.#take(advance({ ...open, severity: 'down' }, this.#world, now), now)
  }

  #take(done: Advanced | NotTaken, now: Instant): void {
    if ('refused' in done) return
    this.open = done.incident
    this.#write(done.tellings, done.events, now)
  }

  #write(tellings: readonly Telling[], events: readonly IncidentEvent[], now: Instant): void {
    this.#n += events.length
    this.events.push(...events)
    this.tellings.push(...tellings.map((telling) => ({ ...telling, at: now })))
  }
}
