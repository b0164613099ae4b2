/** Slices of systemd: groups of units whose limits apply to each unit in them. The name shows the slices around one (systemd.slice(5)). */
import { sliceNameOf } from './names.ts'
import type { Unit, Units } from './units.ts'

interface Slices {
  /** units with files, from the innermost on */
  readonly units: readonly Unit[]
  /** slice that the service names but no file describes; null: none */
  readonly unread: string | null
}

/** Matches names that systemd accepts for a slice. */
const SLICE = /^[\w:.@\\-]{1,249}\.slice$/

/** Slices of systemd itself, without limits. */
const OF_SYSTEMD = /^(?:-|system|user|machine|app|background|session)\.slice$/

/** @param isOfUser true: the service belongs to a user's manager */
export function slicesOf(service: Unit, units: Units, isOfUser: boolean): Slices {
  const named = service.get('Service.Slice').findLast((name) => SLICE.test(name))
  const found = around(named ?? sliceNameOf(service.name, isOfUser)).flatMap((name) => units.get(name) ?? [])
  const isUnread = named !== undefined && !OF_SYSTEMD.test(named) && units.get(named) === undefined
  return { units: found, unread: isUnread ? named : null }
}

/** Returns the slices around one: `a-b.slice` is in `a.slice`, and that is in `-.slice`. */
function around(name: string): readonly string[] {
  const parts = name.replace(/\.slice$/, '').split('-')
  const names = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('-')}.slice`)
  return [...names.filter((one) => one !== '.slice'), '-.slice']
}
