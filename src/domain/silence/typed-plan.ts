/** Planned maintenance as typed by users: a single window with a start and an end, or repeated windows. */
import { type Instant, isBefore } from '../../lib/time.ts'
import { readDay, readDayTime } from '../day-time.ts'
import { isWritable } from '../instant.ts'
import { endOfLastDay, lastDayOf } from './last-day.ts'
import type { SilenceTimes } from './silence.ts'
import { type TimesFault, timesOf } from './times.ts'
import { readTypedWindow, type TypedWindow, typedWindow } from './typed-window.ts'

export const PLAN_KINDS = ['once', 'again'] as const
export type PlanKind = (typeof PLAN_KINDS)[number]

export interface TypedPlan {
  readonly kind: PlanKind
  /** day and time of the start, such as `2026-11-28` and `22:00`, in the reader's time zone */
  readonly startDay: string
  readonly startTime: string
  readonly endDay: string
  readonly endTime: string
  readonly window: TypedWindow
  /** last day on which the repeating window begins; '' if there is none */
  readonly lastDay: string
}

/** One sentence for each invalid field that says what to type instead. */
export interface PlanMistakes {
  readonly start?: string
  readonly end?: string
  readonly lastDay?: string
  readonly window?: Partial<Record<keyof TypedWindow, string>>
}

/** @property times null if there are mistakes */
interface ReadPlan {
  readonly times: SilenceTimes | null
  readonly mistakes: PlanMistakes
}

const NO_TIME = 'Choose a day, and type a time such as 22:00.'
const SATURDAY = 6

/**
 * Returns the plan that the form initially shows: next Saturday from 22:00 to 24:00.
 * @param tz IANA name of the reader's time zone
 */
export function newPlan(now: Instant, tz: string): TypedPlan {
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  const tonight = readDayTime(String(today), '22:00', tz)
  const begin = tonight !== null && isBefore(tonight, now) ? today.add({ days: 1 }) : today
  const saturday = String(begin.add({ days: (SATURDAY - begin.dayOfWeek + 7) % 7 }))
  return {
    kind: 'once',
    ...{ startDay: saturday, startTime: '22:00', endDay: saturday, endTime: '24:00' },
    ...{ window: { from: '', until: '', tz }, lastDay: '' },
  }
}

/**
 * Formats stored times for the form fields.
 * @param tz IANA name of the reader's time zone
 */
export function typedPlan({ startsAt, endsAt, window }: SilenceTimes, now: Instant, tz: string): TypedPlan {
  const fresh = newPlan(now, tz)
  if (window !== null) {
    const lastDay = endsAt === null ? '' : String(lastDayOf(window, endsAt))
    return { ...fresh, kind: 'again', window: typedWindow(window), lastDay }
  }
  const [startDay, startTime] = dayAndTime(startsAt, tz)
  const [endDay, endTime] = dayAndTime(endsAt ?? startsAt, tz)
  return { ...fresh, startDay, startTime, endDay, endTime }
}

function dayAndTime(at: Instant, tz: string): readonly [day: string, time: string] {
  const local = at.toZonedDateTimeISO(tz)
  return [String(local.toPlainDate()), local.toPlainTime().toString({ smallestUnit: 'minute' })]
}

/**
 * Parses a plan's times.
 * @param tz IANA name of the reader's time zone
 * @param stored the times to change, or null for a new plan; fields that still show these times change nothing
 */
export function readPlan(typed: TypedPlan, now: Instant, tz: string, stored: SilenceTimes | null): ReadPlan {
  const shown = stored && typedPlan(stored, now, tz)
  return typed.kind === 'once' ? readOnce(typed, now, tz, stored, shown) : readAgain(typed, now, stored, shown)
}

function readOnce(
  typed: TypedPlan,
  now: Instant,
  tz: string,
  stored: SilenceTimes | null,
  shown: TypedPlan | null,
): ReadPlan {
  const isSameStart = isOnce(shown) && typed.startDay === shown.startDay && typed.startTime === shown.startTime
  const isSameEnd = isOnce(shown) && typed.endDay === shown.endDay && typed.endTime === shown.endTime
  const startsAt = isSameStart && stored ? stored.startsAt : readDayTime(typed.startDay, typed.startTime, tz)
  const endsAt = isSameEnd && stored ? stored.endsAt : readDayTime(typed.endDay, typed.endTime, tz)
  if (startsAt === null || endsAt === null) {
    const mistakes = { ...(startsAt === null && { start: NO_TIME }), ...(endsAt === null && { end: NO_TIME }) }
    return { times: null, mistakes }
  }
  if (!isSameStart && isBefore(startsAt, now)) return { times: null, mistakes: { start: PAST } }
  const times = timesOf({ startsAt, endsAt, untilHealthy: false, window: null }, now)
  if (typeof times === 'string') return { times: null, mistakes: MISTAKES[times] }
  return { times: { ...times, startsAt }, mistakes: {} }
}

function isOnce(shown: TypedPlan | null): shown is TypedPlan {
  return shown?.kind === 'once'
}

function readAgain(typed: TypedPlan, now: Instant, stored: SilenceTimes | null, shown: TypedPlan | null): ReadPlan {
  const { window, mistakes } = readTypedWindow(typed.window, now)
  const day = typed.lastDay.trim()
  const lastDay = readDay(day)
  const isWrongDay = day !== '' && lastDay === null
  if (window === null || isWrongDay) {
    const wrongDay = isWrongDay && { lastDay: 'Choose a day, or leave it empty.' }
    return { times: null, mistakes: { window: mistakes, ...wrongDay } }
  }
  const isRepeated = stored !== null && stored.window !== null
  const isSameEnd = isRepeated && day === shown?.lastDay && isSameWindow(typed.window, shown.window)
  const endsAt = isSameEnd ? stored.endsAt : lastDay && endOfLastDay(window, lastDay)
  const startsAt = isRepeated ? stored.startsAt : null
  const times = timesOf({ startsAt, endsAt, untilHealthy: false, window }, now)
  if (typeof times === 'string') return { times: null, mistakes: AGAIN_MISTAKES[times] ?? MISTAKES[times] }
  if (times.endsAt !== null && !isWritable(times.endsAt)) return { times: null, mistakes: { lastDay: TOO_FAR } }
  return { times: startsAt === null ? times : { ...times, startsAt }, mistakes: {} }
}

function isSameWindow(a: TypedWindow, b: TypedWindow): boolean {
  return a.from === b.from && a.until === b.until && a.tz === b.tz
}

const PAST = 'This is in the past. Choose a later day or time.'
const TOO_LONG = 'This is too long: at most 30 days. Choose an earlier day.'
const TOO_FAR = 'This is too far ahead. Choose a day before 2199, or leave it empty.'
const NO_DAY_LEFT = { lastDay: 'It would not begin by this day. Choose a later one.' }

const MISTAKES: Readonly<Record<TimesFault, PlanMistakes>> = {
  'start-too-far': { start: 'This is too far ahead: at most 365 days. Choose an earlier day.' },
  'end-past': { end: PAST },
  'end-before-start': { end: 'This is not after its start. Choose a later day or time.' },
  'two-ends': {},
  'no-end': { end: NO_TIME },
  'too-long': { end: TOO_LONG },
  'too-long-until-healthy': { end: TOO_LONG },
  'none-left': { window: { from: 'All its dates are in the past. Type a later date.' } },
  'end-before-first': NO_DAY_LEFT,
  'no-pause': { window: { until: 'It would begin again before it ends. Type an earlier end.' } },
}
const AGAIN_MISTAKES: Partial<Record<TimesFault, PlanMistakes>> = {
  'end-past': NO_DAY_LEFT,
  'end-before-start': NO_DAY_LEFT,
}
