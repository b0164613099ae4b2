/** The line in a morning mail about checks that have no row. */
import type { Check } from '../check/check.ts'
import type { NightRow } from '../night/row.ts'
import { DAY } from '../units.ts'

export interface PausedCheck {
  readonly name: string
  /** milliseconds since 1970 */
  readonly since: number
}

interface Rest {
  /** number of checks that ran as expected */
  readonly ran: number
  /** true: no check has a row, so the night's sentence already states the number of checks that `ran` */
  readonly isFirst: boolean
  readonly notDue: readonly Pick<Check, 'status'>[]
  readonly paused: readonly PausedCheck[]
  readonly neverPinged: readonly string[]
  /** names of projects whose checks could not be read */
  readonly unread: readonly string[]
  /** milliseconds since 1970 */
  readonly now: number
}

/** Minimum length of a pause that the mail mentions. Users are likely to remember shorter pauses. */
export const LONG_PAUSE = 7 * DAY
/** Maximum number of names to list. Users would not read longer lists. */
const NAMED = 5

/**
 * Returns sentences such as `16 others ran as expected. 9 were not due, 2 of them because they are paused: Staging for 15 days, CRM for 65
 * days.`
 */
export function restWords(rest: Rest): string {
  const { ran, isFirst, neverPinged, unread } = rest
  return [
    !isFirst && ran > 0 ? `${counted(ran)} ${ran === 1 ? 'other' : 'others'} ran as expected.` : '',
    notDueWords(rest),
    neverPinged.length > 0 ? `${listed(neverPinged)} ${neverPinged.length === 1 ? 'was' : 'were'} never pinged.` : '',
    unread.length > 0 ? `The checks of ${listed(unread)} could not be read.` : '',
  ]
    .filter((words) => words !== '')
    .join(' ')
}

function notDueWords({ notDue, paused, now }: Rest): string {
  if (notDue.length === 0) return ''
  const count = notDue.filter(({ status }) => status === 'paused').length
  const long = paused
    .filter(({ since }) => now - since >= LONG_PAUSE)
    .toSorted((a, b) => a.since - b.since)
    .map(({ name, since }) => `${name} for ${Math.floor((now - since) / DAY)} days`)
  const why = `because ${count === 1 ? 'it is' : 'they are'} paused`
  const some = count === notDue.length ? ` ${why}` : count > 0 ? `, ${counted(count)} of them ${why}` : ''
  return `${counted(notDue.length)} ${notDue.length === 1 ? 'was' : 'were'} not due${some}${long.length > 0 ? `: ${listed(long)}` : ''}.`
}

/** Whether a check has never been pinged. */
export function waitsForPing({ check }: Pick<NightRow, 'check'>): boolean {
  return check.status === 'new' && check.nPings === 0
}

/** Returns a list such as `A, B and C` or `A, B, C, D, E and 4 more`. */
function listed(names: readonly string[]): string {
  const rest = names.length - NAMED
  const shown = rest > 0 ? [...names.slice(0, NAMED), `${counted(rest)} more`] : names
  const last = shown.at(-1) ?? ''
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`
}

function counted(count: number): string {
  return count.toLocaleString('en')
}
