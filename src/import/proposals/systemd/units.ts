/** Parses systemd unit files. Later settings replace or extend earlier ones (systemd.syntax(7)). */
import { dropInFolders, templateOf, withSpecifiers } from './names.ts'
import { rankOf } from './places.ts'

/** A unit file's content and path. The source is a file, or the output of `systemctl cat`. */
export interface UnitFile {
  readonly path: string
  readonly text: string
}

/**
 * Splits the output of `systemctl cat`. Before each file there is a comment that contains the file's path. For a masked unit, a comment
 * contains the unit's name.
 */
export function splitCat(text: string): readonly UnitFile[] {
  const files: { path: string; text: string }[] = []
  for (const line of text.split('\n')) {
    const path = FILE_OF_CAT.exec(line)?.[1] ?? MASKED_IN_CAT.exec(line)?.[1]
    const last = files.at(-1)
    if (path !== undefined) files.push({ path, text: '' })
    else if (last !== undefined) last.text += `${line}\n`
  }
  return files.filter(({ path }) => isUnitPath(path))
}

const TYPE = '(?:automount|device|mount|path|scope|service|slice|socket|swap|target|timer)'
/** Matches the comment before each file. A comment with the path of another kind of file is part of the unit. */
const FILE_OF_CAT = new RegExp(`^# (/\\S+(?:\\.${TYPE}|(?:\\.|/)${TYPE}\\.d/[^/\\s]+\\.conf))$`)
const MASKED_IN_CAT = new RegExp(`^# Unit (\\S+\\.${TYPE}) is masked\\.$`)

const UNIT_PATH =
  /(?:^|\/)(?:([^/]{1,248}\.(?:timer|service|slice))|((?:[^/]{1,248}\.)?(?:timer|service|slice)\.d)\/([^/]+\.conf))$/

export const isUnitPath = (path: string): boolean => UNIT_PATH.test(path)

/** The settings of one file, by section and name. */
type Settings = ReadonlyMap<
  string,
  { readonly values: readonly string[] /** true if earlier values are dropped */; readonly resets: boolean }
>

/** Matches words that systemd reads as true. */
export const YES = /^(?:1|y|yes|t|true|on)$/i

/** A unit. Its settings come from its own file or its template's file, and from its drop-ins. */
export class Unit {
  readonly name: string
  /** false if the unit has only drop-ins */
  readonly hasOwnFile: boolean
  readonly #files: readonly Settings[]

  constructor(name: string, own: Settings | undefined, dropIns: readonly Settings[]) {
    this.name = name
    this.hasOwnFile = own !== undefined
    this.#files = own === undefined ? dropIns : [own, ...dropIns]
  }

  /** False if the unit's file is empty, which masks the unit. */
  get hasSettings(): boolean {
    return this.#files.some(({ size }) => size > 0)
  }

  /** Returns the values of a setting, in order. @param key such as `Timer.OnCalendar` */
  get(key: string): readonly string[] {
    return this.written(key).map((value) => withSpecifiers(value, this.name))
  }

  /** Returns the values of a setting as written in the files, without replacing specifiers. */
  written(key: string): readonly string[] {
    const from = this.#files.findLastIndex((file) => file.get(listOf(key))?.resets)
    return this.#files.slice(Math.max(from, 0)).flatMap((file) => file.get(key)?.values ?? [])
  }

  /** Returns the last value of a setting. */
  last(key: string): string | undefined {
    return this.get(key).at(-1)
  }

  isOn(key: string): boolean {
    return YES.test(this.last(key) ?? '')
  }

  /** Returns the names of a section's settings that have a value. */
  namesOf(section: string): readonly string[] {
    const keys = new Set(this.#files.flatMap((file) => [...file.keys()]))
    return [...keys]
      .filter((key) => key.startsWith(`${section}.`) && this.get(key).length > 0)
      .map((key) => key.slice(section.length + 1))
  }

  /** Returns all values in a section. */
  textsOf(section: string): readonly string[] {
    return this.namesOf(section).flatMap((name) => this.get(`${section}.${name}`))
  }
}

/** The known units of one manager. */
export class Units {
  /** files that are not used because another file has the same name; files with the same content are omitted */
  readonly replaced: readonly { readonly path: string; readonly by: string }[]
  readonly #files = new Map<string, Settings>()
  /** names of drop-ins, by directory, such as `a.timer.d` */
  readonly #dropIns = new Map<string, string[]>()
  readonly #wanted: Set<string>

  /** @param linked names of units that have links in directories such as `timers.target.wants` */
  constructor(files: readonly UnitFile[], linked: Iterable<string> = []) {
    this.#wanted = new Set(linked)
    const replaced: { path: string; by: string }[] = []
    for (const [key, group] of Map.groupBy(files, ({ path }) => fileKey(path))) {
      const [taken, ...others] = group.toSorted((a, b) => rankOf(a.path) - rankOf(b.path))
      if (!taken || key === null) continue
      replaced.push(
        ...others
          .filter(({ text }) => text.trimEnd() !== taken.text.trimEnd())
          .map(({ path }) => ({ path, by: taken.path })),
      )
      const settings = isMask(taken) ? MASK : readSettings(taken.text)
      this.#files.set(key, settings)
      for (const name of wantedBy(settings)) this.#wanted.add(name)
      const [folder, dropIn] = key.split('/') as [string, string?]
      if (dropIn === undefined) continue
      const known = this.#dropIns.get(folder)
      if (known === undefined) this.#dropIns.set(folder, [dropIn])
      else known.push(dropIn)
    }
    this.replaced = replaced
  }

  /** Returns the templates and timers that have their own files or drop-ins, sorted by name. */
  timers(): readonly string[] {
    const names = [...this.#files.keys(), ...this.#dropIns.keys()].map((key) => key.replace(/\.d$/, ''))
    return [...new Set(names)].filter((name) => /[^-]\.timer$/.test(name)).sort()
  }

  /** Returns true if the unit, once enabled, starts at each boot, or if another unit starts it. */
  isStarted(unit: Unit): boolean {
    return (
      ['WantedBy', 'RequiredBy', 'UpheldBy'].some((name) => unit.get(`Install.${name}`).length > 0) ||
      this.#wanted.has(unit.name)
    )
  }

  /** @returns undefined if no file describes the unit */
  get(name: string): Unit | undefined {
    const template = templateOf(name)
    const own = this.#files.get(name) ?? (template === null ? undefined : this.#files.get(template))
    if (own === undefined && !this.#dropIns.has(`${name}.d`)) return undefined
    return new Unit(name, own, own === MASK ? [] : this.#dropInsOf(name))
  }

  /** Returns a unit for which there is no known file. It has the drop-ins that apply to all units of its type. */
  added(name: string): Unit {
    return new Unit(name, undefined, this.#dropInsOf(name))
  }

  /** Returns drop-ins, sorted by name. If several have the same name, the drop-in in the first directory is used. */
  #dropInsOf(name: string): readonly Settings[] {
    const byName = new Map<string, Settings>()
    for (const folder of dropInFolders(name).toReversed()) {
      for (const dropIn of this.#dropIns.get(folder) ?? []) {
        const settings = this.#files.get(`${folder}/${dropIn}`)
        if (settings !== undefined) byName.set(dropIn, settings)
      }
    }
    return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, settings]) => settings)
  }
}

/** Returns the names of the units that are started together with the unit that has these settings. */
function wantedBy(settings: Settings): readonly string[] {
  const names = ['Wants', 'Requires', 'BindsTo', 'Upholds'].flatMap(
    (name) => settings.get(`Unit.${name}`)?.values ?? [],
  )
  return names.flatMap((value) => value.split(/\s+/))
}

/**
 * Returns a key such as `a.timer` or `a.timer.d/10.conf`. If several files have the same key, systemd uses only one of them. Returns null
 * for other kinds of files.
 */
function fileKey(path: string): string | null {
  const [, unit, folder, dropIn] = UNIT_PATH.exec(path) ?? []
  return unit ?? (folder === undefined ? null : `${folder}/${dropIn}`)
}

/** Settings of an empty file or a link to `/dev/null`. systemd never starts such a unit, even if its drop-ins contain settings. */
const MASK: Settings = new Map()

const isMask = ({ path, text }: UnitFile) => text.trim() === '' && !path.endsWith('.conf')

/** Settings that each set several other settings. */
const SHORTHANDS: Readonly<Record<string, readonly string[]>> = {
  'Service.TimeoutSec': ['Service.TimeoutStartSec', 'Service.TimeoutStopSec'],
}

/** Settings that have different names but form one list. An empty value for any of these settings resets the list. */
const LISTS = [
  ['Timer.On', /^Timer\.On(?:Calendar|(?:Active|Boot|Startup|UnitActive|UnitInactive)Sec)$/],
  ['Unit.Condition', /^Unit\.Condition/],
  ['Unit.Assert', /^Unit\.Assert/],
] as const

/** Returns the key of the list that a setting belongs to, such as `Timer.On`. Returns the setting's own key if it belongs to no list. */
const listOf = (key: string): string => LISTS.find(([, names]) => names.test(key))?.[0] ?? key

/** Returns true for settings whose value is a time span. systemd rejects an empty time span and keeps the previous value. */
const isSpan = (setting: string) => setting.endsWith('Sec') && listOf(setting) === setting

function readSettings(text: string): Settings {
  const settings = new Map<string, { values: string[]; resets: boolean }>()
  let section = ''
  for (const line of joinedLines(text)) {
    const header = /^\[([^\]]+)\]$/.exec(line)?.[1]
    if (header !== undefined) section = header
    const [, name, value] = /^([A-Za-z]\w*)\s*=\s*(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    for (const key of SHORTHANDS[`${section}.${name}`] ?? [`${section}.${name}`]) {
      const known = settings.get(key)
      if (value === '') reset(settings, key)
      else if (known === undefined) settings.set(key, { values: [value], resets: false })
      else known.values.push(value)
    }
  }
  return settings
}

function reset(settings: Map<string, { values: string[]; resets: boolean }>, key: string): void {
  if (isSpan(key)) return
  const list = listOf(key)
  for (const [other, { values }] of settings) if (listOf(other) === list) values.length = 0
  settings.set(list, { values: [], resets: true })
}

/** Joins each line that ends with a backslash to the next line. Returns the lines without comments. */
function joinedLines(text: string): readonly string[] {
  const lines: string[] = []
  let begun = ''
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line)) continue
    if (line.endsWith('\\')) begun += `${line.slice(0, -1)} `
    else {
      lines.push((begun + line).trim())
      begun = ''
    }
  }
  return [...lines, begun.trim()].filter((line) => line !== '')
}
