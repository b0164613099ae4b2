/** Random histories of a check, its silences and its incidents, and a model that acts every minute. */
import fc from 'fast-check'
import type { Silence } from '../../../src/domain/silence/silence.ts'
import { RID_A } from '../../support/builders.ts'
import { ANN, BOB, ToldCheck, time } from './told-check.ts'

type Doing =
  | { readonly kind: 'up' | 'down' | 'pause' }
  | {
      readonly kind: 'silence'
      readonly delay: number
      readonly minutes: number
      readonly untilHealthy: boolean
      /** minutes between two windows of the silence; null: the silence does not repeat */
      readonly every: number | null
      readonly isOther: boolean
      readonly upTo: 'warning' | 'down'
    }
  | { readonly kind: 'unsilence'; readonly index: number }
  | { readonly kind: 'take'; readonly isAnn: boolean; readonly minutes: number | null; readonly takesOver: boolean }
  | { readonly kind: 'hand back' }

/** Minutes since the start, in order. */
export type Action = Doing & { readonly at: number }

const doings: fc.Arbitrary<Doing> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<Doing>({ kind: 'up' }, { kind: 'down' }, { kind: 'down' }, { kind: 'pause' }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('silence' as const),
      delay: fc.integer({ min: 0, max: 20 }),
      minutes: fc.integer({ min: 1, max: 60 }),
      untilHealthy: fc.boolean(),
      every: fc.constantFrom(null, null, 10, 30),
      isOther: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
      upTo: fc.constantFrom('down', 'down', 'down', 'warning'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unsilence' as const), index: fc.nat({ max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      isAnn: fc.boolean(),
      minutes: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 3 }),
      takesOver: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Doing>({ kind: 'hand back' }) },
)

export const actions: fc.Arbitrary<Action[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 15 }), doings), { maxLength: 40, size: 'max' })
  .map((given) => {
    let at = 1
    return given.map(([delta, doing]) => {
      at += delta
      return { ...doing, at }
    })
  })

const END = 1_000

function silenceOf(action: Extract<Action, { kind: 'silence' }>): Partial<Silence> {
  const { at, delay, minutes, untilHealthy, every, isOther, upTo } = action
  const startsAt = time(at + delay)
  const match = isOther ? { match: { checks: [RID_A], tags: [] } } : {}
  const once = { startsAt, endsAt: time(at + delay + minutes), untilHealthy, upTo, ...match }
  if (every === null) return once
  const window = { schedule: `*/${every} * * * *`, tz: 'UTC', seconds: lengthOf(every) * 60 }
  return { ...once, endsAt: time(at + delay + AGAIN * minutes), untilHealthy: false, window }
}

/** A window holds for a third of its time, in a stretch of time that is so much longer than a silence would be. */
const AGAIN = 3

function lengthOf(every: number): number {
  return Math.ceil(every / 3)
}

export function played(given: readonly Action[]): ToldCheck {
  const it = new ToldCheck()
  for (const action of given) {
    const { at } = action
    if (action.kind === 'silence') it.silence(silenceOf(action), at)
    else if (action.kind === 'unsilence') it.unsilence(at, action.index)
    else if (action.kind === 'hand back') it.handBack(at)
    else if (action.kind === 'take') {
      const { isAnn, minutes, takesOver } = action
      it.take(at, { by: isAnn ? ANN : BOB, takesOver, ...(minutes === null ? {} : { until: at + minutes }) })
    } else it[action.kind](at)
  }
  return it.until(END)
}

interface ModelSilence {
  readonly from: number
  until: number
  readonly isAbout: boolean
  readonly untilHealthy: boolean
  readonly every: number | null
}

/** A model in plain numbers. It looks for the first minute at which a check is down and nothing holds the alert. */
class Model {
  readonly told: string[] = []
  #status: 'up' | 'down' | 'pause' = 'up'
  #isTold = false
  #lastSuccess = 0
  #taken: { readonly isAnn: boolean; readonly until: number } | null = null
  readonly #silences: ModelSilence[] = []

  minute(now: number): void {
    if (this.#taken && this.#taken.until <= now) this.#taken = null
    this.#ask(now)
  }

  act(action: Action): void {
    this.#change(action)
    this.#ask(action.at)
  }

  #ask(now: number): void {
    if (this.#status !== 'down' || this.#isTold || this.#taken) return
    const isHeld = this.#silences.some(
      ({ from, until, isAbout, untilHealthy, every }) =>
        isAbout &&
        from <= now &&
        now < until &&
        !(untilHealthy && this.#lastSuccess > from) &&
        (every === null || now % every < lengthOf(every)),
    )
    if (isHeld) return
    this.#isTold = true
    this.told.push(`down ${now}`)
  }

  #change(action: Action): void {
    const { at } = action
    if (action.kind === 'up') this.#recover(at)
    else if (action.kind === 'down' || action.kind === 'pause') this.#become(action.kind)
    else if (action.kind === 'silence') {
      const { delay, minutes, every, isOther, upTo } = action
      const from = at + delay
      const until = from + (every === null ? minutes : AGAIN * minutes)
      const isAbout = !isOther && upTo === 'down'
      this.#silences.push({ from, until, untilHealthy: every === null && action.untilHealthy, isAbout, every })
    } else if (action.kind === 'unsilence') {
      const silence = this.#silences[action.index]
      if (silence) silence.until = Math.min(silence.until, at)
    } else if (action.kind === 'take') this.#take(action)
    else this.#taken = null
  }

  #recover(at: number): void {
    this.#lastSuccess = at
    if (this.#isTold) this.told.push(`up ${at}`)
    this.#become('up')
  }

  #take({ at, isAnn, minutes, takesOver }: Extract<Action, { kind: 'take' }>): void {
    if (this.#status !== 'down' || (this.#taken && this.#taken.isAnn !== isAnn && !takesOver)) return
    this.#taken = { isAnn, until: minutes === null ? Infinity : at + minutes }
  }

  #become(status: 'up' | 'down' | 'pause'): void {
    if (status === this.#status) return
    this.#status = status
    this.#isTold = false
    this.#taken = null
  }
}

export function foreseen(given: readonly Action[]): readonly string[] {
  const model = new Model()
  for (let now = 0, next = 0; now <= END; now++) {
    model.minute(now)
    for (let action = given[next]; action?.at === now; action = given[++next]) model.act(action)
  }
  return model.told
}
