/** Reads settings that both services and slices can have in systemd, and parses the lists and sizes in them. */
import { type Unit, YES } from './units.ts'

/** Returns the values of a unit's setting such as `MemoryMax`, in order. */
export type Settings = (name: string) => readonly string[]

/** Returns true if the setting with that name prevents `sh` or `curl` from running. */
export type Barrier = (settings: Settings, name: string) => boolean

export const settingsOf =
  (unit: Unit, section: 'Service' | 'Slice'): Settings =>
  (name) =>
    unit.get(`${section}.${name}`)

export const isSet: Barrier = (settings, name) => settings(name).length > 0
export const isOn: Barrier = (settings, name) => YES.test(settings(name).at(-1) ?? '')

export const wordsOf = (values: readonly string[]) =>
  values.flatMap((value) => value.split(/\s+/)).filter((word) => word !== '')

interface MergedList {
  /** true if words that are not listed are allowed */
  readonly isDenyList: boolean
  readonly named: ReadonlySet<string>
  /** words that a later part of the opposite kind removed */
  readonly removed: ReadonlySet<string>
  allows(word: string): boolean
}

/**
 * Merges lists. The first part decides the kind of the merged list: a deny list if the part begins with `~`, otherwise an allow list. Parts
 * of the opposite kind remove words from the list.
 */
export function mergedList(values: readonly string[]): MergedList {
  const isDenyList = values[0]?.startsWith('~') ?? true
  const named = new Set<string>()
  const removed = new Set<string>()
  for (const value of values) {
    const [to, from] = value.startsWith('~') === isDenyList ? [named, removed] : [removed, named]
    for (const part of wordsOf([value.replace(/^~/, '')])) {
      const word = part.replace(/:.*$/, '')
      to.add(word)
      from.delete(word)
    }
  }
  return { isDenyList, named, removed, allows: (word) => named.has(word) !== isDenyList }
}
