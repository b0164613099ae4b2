/** Finds the slices of a systemd service, whose limits apply to it. The name of a slice contains its parent slices (systemd.slice(5)). */
import { sliceNameOf } from './names.ts'
import type { Unit, Units } from './units.ts'

interface Slices {
  /** slices that files describe, innermost first */
  readonly units: readonly Unit[]
  /** slice that the service names but no file describes; null if there is none */
  readonly unread: string | null
}

/** Matches names that systemd accepts for a slice. */
const SLICE = /^[\w:.@\\-]{1,249}\.slice$/

/** Default slices of systemd, which have no limits. */
const OF_SYSTEMD = /^(?:-|system|user|machine|app|background|session)\.slice$/

/** @param isOfUser true if the service belongs to the manager of a user */
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
