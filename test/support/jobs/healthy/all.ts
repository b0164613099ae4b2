/** All kinds of healthy jobs. */
import type { HealthyKind } from '../kind.ts'
import { DISTURBED } from './disturbed.ts'
import { INTERVAL } from './intervals.ts'
import { IRREGULAR } from './irregular.ts'
import { NIGHTLY } from './nightly.ts'
import { SENDERS } from './senders.ts'

export const HEALTHY: readonly HealthyKind[] = [...NIGHTLY, ...INTERVAL, ...IRREGULAR, ...SENDERS, ...DISTURBED]
