/** Slices of systemd: groups of units whose limits hold for each unit in them. The name says in which others one is (systemd.slice(5)). */
import { sliceNameOf } from './names.ts'
import type { Unit, Units } from './units.ts'

interface Slices {
  /** of which files tell something, from the innermost on */
  readonly units: readonly Unit[]
  /** the slice that the service names although no file tells of it; null: none */
  readonly unread: string | null
}

/** What systemd takes as the name of a slice. */
const SLICE = /^[\w:.@\\-]{1,249}\.slice$/

/** Those that systemd brings itself, without limits. */
const OF_SYSTEMD = /^(?:-|system|user|machine|app|background|session)\.slice$/

/** @param isOfUser true: of a service of a user's manager */
export function slicesOf(service: Unit, units: Units, isOfUser: boolean): Slices {
  const named = service.get('Service.Slice').findLast((name) => SLICE.test(name))
  const found = around(named ?? sliceNameOf(service.name, isOfUser)).flatMap((name) => units.get(name) ?? [])
  const isUnread = named !== undefined && !OF_SYSTEMD.test(named) && units.get(named) === undefined
  return { units: found, unread: isUnread ? named : null }
}

/** `a-b.slice` is in `a.slice`, and that is in `-.slice`. */
function around(name: string): readonly string[] {
  const parts = name.replace(/\.slice$/, '').split('-')
  const names = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('-')}.slice`)
  return [...names.filter((one) => one !== '.slice'), '-.slice']
}
