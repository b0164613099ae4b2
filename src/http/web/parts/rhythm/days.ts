/** Names for the days in a rhythm plot. */
import type { Column } from '../../../../domain/rhythm-plot/columns.ts'

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' })

/** A day's name. @property words such as `17 Nov` @property weekday such as `Tue` */
interface NamedDay {
  readonly words: string
  readonly weekday: string
  readonly isMonday: boolean
}

export function dayOf({ reading }: Pick<Column, 'reading'>): NamedDay {
  const weekday = WEEKDAY.format(reading)
  return { words: SHORT.format(reading), weekday, isMonday: weekday === WEEKDAYS[0] }
}
