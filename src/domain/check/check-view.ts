/** A check as pages show it at an instant. */
import type { Instant } from '../../lib/time.ts'
import type { Advice } from '../advice/advice.ts'
import type { CheckWithChannels } from './representation.ts'
import type { ShownState } from './shown.ts'
import type { Trouble } from './trouble.ts'

export interface CheckView extends CheckWithChannels {
  readonly state: ShownState
  /** when the next success is expected, in the past for a check that is late; null unless the stored status is up */
  readonly expected: Instant | null
  /** null unless the check is shown as down */
  readonly trouble: Trouble | null
  readonly advice: readonly Advice[]
}
