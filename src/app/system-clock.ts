/** This machine's clock. */
import { type Clock, Temporal } from '../lib/time.ts'

export const systemClock: Clock = () => Temporal.Now.instant()
