/**
 * Finds the slices that contain a systemd service. Their limits apply to the service. A slice's name contains the names of its parent
 * slices (systemd.slice(5)).
 */
import { sliceNameOf } from './names.ts'
import type { Unit, Units } from './units.ts'

interface Slices {
  /** the slices for which there are files, innermost first */
  readonly units: readonly Unit[]
  /** slice that the service names but for which there is no file; null if there is none */
  readonly unread: string | null
}

/** Matches names that systemd accepts for a slice. */
const SLICE = /^[\w:.@\\-]{1,249}\.slice$/

/** systemd's default slices, which have no limits. */
const OF_SYSTEMD = /^(?:-|system|user|machine|app|background|session)\.slice$/

/** @param isOfUser true if the service belongs to a user's manager */
export function slicesOf(service: Unit, units: Units, isOfUser: boolean): Slices {
  const named = service.get('Service.Slice').findLast((name) => SLICE.test(name))
  const found = around(named ?? sliceNameOf(service.name, isOfUser)).flatMap((name) => units.get(name) ?? [])
  const isUnread = named !== undefined && !OF_SYSTEMD.test(named) && units.get(named) === undefined
  return { units: found, unread: isUnread ? named : null }
}

/** Returns a slice and its parents. `a-b.slice` is in `a.slice`, which is in `-.slice`. */
function around(name: string): readonly string[] {
  const parts = name.replace(/\.slice$/, '').split('-')
  const names = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('-')}.slice`)
  return [...names.filter((one) => one !== '.slice'), '-.slice']
}
