/** Whether a check that was read again is as it was known. */
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { Temporal } from '../../lib/time.ts'

export function isSameCheck(a: CheckWithChannels, b: CheckWithChannels): boolean {
  const [before, after] = [Object.entries(a.check), new Map(Object.entries(b.check))]
  return (
    before.every(([field, value]) => isSame(value, after.get(field))) &&
    a.channelIds.length === b.channelIds.length &&
    a.channelIds.every((id, index) => id === b.channelIds[index])
  )
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Temporal.Instant && b instanceof Temporal.Instant) return a.equals(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return a === b
}
