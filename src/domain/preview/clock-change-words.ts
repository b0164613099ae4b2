/** Describes a clock change and its effect on a schedule. */
import { enumerate, monthNames } from '../schedule/describe.ts'

/** A change of a time zone's UTC offset. */
export interface Transition {
  /** milliseconds since 1970 */
  readonly at: number
  /** local times just before and just after the change, encoded as milliseconds since 1970 as if the zone were UTC */
  readonly before: number
  readonly after: number
}

export type ClockEffect = 'untouched' | 'skipped' | 'moved' | 'repeated'

/** The times of a schedule that a clock change skips or repeats. */
interface TouchedTimes {
  /** local times, encoded as in {@link Transition} */
  readonly times: readonly number[]
  /** true if some times are not in `times` */
  readonly isMore: boolean
  /** true if the change does not affect the time between runs */
  readonly keepsRhythm: boolean
}

/**
 * Describes a clock change in two sentences.
 * @param timeZone name of the zone to mention; null if it is the zone that readers expect
 */
export function clockChangeWords(
  transition: Transition,
  effect: ClockEffect,
  touched: TouchedTimes,
  timeZone: string | null,
): string {
  const { before, after } = transition
  const direction = after > before ? 'forward' : 'back'
  const [day, dayAfter] = [dateOf(lastDay(transition)), dateOf(after)]
  const elsewhere = day === dayAfter ? '' : ` on ${dayAfter}`
  const zone = timeZone === null ? '' : ` in ${timeZone}`
  const change = `On ${day} clocks${zone} go ${direction} from ${clockBefore(transition)} to ${clockOf(after)}${elsewhere}.`
  return `${change} ${effectWords(transition, effect, touched)}`
}

function effectWords(transition: Transition, effect: ClockEffect, touched: TouchedTimes): string {
  const between = `between ${rangeWords(transition)}`
  const { times, isMore, keepsRhythm } = touched
  if (times.length === 0) return `No run is expected ${between}.`
  if (keepsRhythm) return 'The time between runs stays the same.'
  const isOne = times.length === 1 && !isMore
  const runs = `The ${isOne ? 'run' : 'runs'} ${isMore ? between : `at ${enumerate(times.map(clockOf))}`}`
  const changed = clockOf(transition.after)
  switch (effect) {
    case 'untouched':
      return `${runs} ${isOne ? 'happens' : 'happen'} once, the first time that clocks show ${isOne ? 'it' : 'them'}.`
    case 'skipped':
      return `${runs} ${isOne ? 'does' : 'do'} not happen that day.`
    case 'moved':
      return isOne ? `${runs} moves to ${changed} that day.` : `${runs} become one run at ${changed} that day.`
    case 'repeated':
      return `${runs} ${isOne ? 'happens' : 'happen'} twice that day.`
  }
}

function rangeWords(transition: Transition): string {
  const range = [clockBefore(transition), clockOf(transition.after)]
  return (transition.after > transition.before ? range : range.reverse()).join(' and ')
}

/** Returns the local time just before a change, such as `03:00`, or `24:00` if clocks go back at midnight. */
export function clockBefore(transition: Transition): string {
  const clock = clockOf(transition.before)
  return clock === '00:00' && transition.after < transition.before ? '24:00' : clock
}

/** Formats the time of day of an encoded local time, such as `03:00`. */
export function clockOf(reading: number): string {
  return new Date(reading).toISOString().slice(11, 16)
}

function lastDay({ before, after }: Transition): number {
  return after > before ? before : before - 1
}

/** Formats the date of an encoded local time, such as `28 March 2027`. */
function dateOf(reading: number): string {
  const date = new Date(reading)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
