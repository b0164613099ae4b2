import { byEffort } from '../support/effort.ts'

const STEP = byEffort({ short: 15, full: 1 })

/** Exit statuses from 0 to 255 in steps, because each starts a process. */
export const STATUSES = Array.from({ length: 255 / STEP + 1 }, (_, index) => index * STEP)
