/** The next changes of a zone's clocks, and what a schedule does then. */
import type { Instant } from '../../lib/time.ts'
import type { Timing } from '../check/slots.ts'

export interface ClockChange {
  readonly at: Instant
  /** what clocks show when it happens: `03:00` */
  readonly before: string
  /** what they show from then on: `04:00` */
  readonly after: string
  readonly isForward: boolean
  readonly effect: 'untouched' | 'skipped' | 'moved' | 'repeated'
  /** `On 28 March 2027 clocks go forward from 03:00 to 04:00. The run at 03:30 is at 04:00 that day.` */
  readonly words: string
}

export function clockChanges(_timing: Timing, _from: Instant, _count = 2): readonly ClockChange[] {
  return []
}
