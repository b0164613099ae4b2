/** Reads unit files of systemd: sections of settings, of which later ones replace or extend earlier ones (systemd.syntax(7)). */

/** A file with its path, or a part of what `systemctl cat` prints. */
export interface UnitFile {
  readonly path: string
  readonly text: string
}

/** By section and name: the values in their order. An empty value has removed those before it. */
export type Unit = ReadonlyMap<string, readonly string[]>

/** What `systemctl cat` prints has a comment with the path before each file. */
export function splitCat(text: string): readonly UnitFile[] {
  const files: { path: string; text: string }[] = []
  for (const line of text.split('\n')) {
    const path = /^# (\/\S+\.(?:timer|service|conf))$/.exec(line)?.[1]
    const last = files.at(-1)
    if (path !== undefined) files.push({ path, text: '' })
    else if (last !== undefined) last.text += `${line}\n`
  }
  return files
}

/** `backup.timer` of `/etc/systemd/system/backup.timer.d/10-zone.conf` too; null for a file of another kind. */
export function unitName(path: string): string | null {
  return /([^/]+\.(?:timer|service))(?:\.d\/[^/]+\.conf)?$/.exec(path)?.[1] ?? null
}

interface ReadUnits {
  readonly units: ReadonlyMap<string, Unit>
  /** files that say something else than the one of the same name that counts */
  readonly replaced: readonly { readonly path: string; readonly by: string }[]
}

/** A unit from its own file and then its drop-ins, by their names. A unit whose file is empty has no settings: it is masked. */
export function readUnits(files: readonly UnitFile[]): ReadUnits {
  const units = new Map<string, Map<string, string[]>>()
  const masked = new Set<string>()
  const replaced: { path: string; by: string }[] = []
  const alike = [...Map.groupBy(files, ({ path }) => fileKey(path))].sort(([a], [b]) => compareKeys(a, b))
  for (const [, group] of alike) {
    const [taken, ...others] = group.toSorted((a, b) => rankOf(a.path) - rankOf(b.path))
    const name = taken && unitName(taken.path)
    if (!taken || !name || masked.has(name)) continue
    replaced.push(...others.filter(({ text }) => text !== taken.text).map(({ path }) => ({ path, by: taken.path })))
    const unit = units.get(name) ?? new Map<string, string[]>()
    units.set(name, unit)
    readInto(unit, taken.text)
    if (!isDropIn(taken.path) && taken.text.trim() === '') masked.add(name)
  }
  return { units, replaced }
}

/** Where systemd looks for a file, in the order in which the first one found counts (systemd.unit(5)). */
const PLACES = ['.config', 'etc', 'run', '.local/share', 'usr/local/lib', 'usr/lib', 'lib']
const PLACE = new RegExp(`(?:^|/)(${PLACES.map((place) => place.replace('.', '\\.')).join('|')})/systemd/`)

/** Files of other places come last, in the order in which they are given. */
function rankOf(path: string): number {
  const place = PLACE.exec(path)?.[1]
  return place === undefined ? PLACES.length : PLACES.indexOf(place)
}

const isDropIn = (path: string) => path.endsWith('.conf')

/** The same for files of which systemd takes one only: `a.timer`, `a.timer.d/10.conf`. */
function fileKey(path: string): string {
  return path
    .split('/')
    .slice(isDropIn(path) ? -2 : -1)
    .join('/')
}

/** Units first, then drop-ins by their names. */
function compareKeys(a: string, b: string): number {
  const [first, second] = [a, b].map((key) => key.split('/').at(-1) ?? '') as [string, string]
  return Number(isDropIn(a)) - Number(isDropIn(b)) || (first < second ? -1 : Number(first > second))
}

function readInto(unit: Map<string, string[]>, text: string): void {
  let section = ''
  for (const line of joinedLines(text)) {
    const header = /^\[([^\]]+)\]$/.exec(line)?.[1]
    if (header !== undefined) section = header
    const [, name, value] = /^([A-Za-z]\w*)\s*=\s*(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const key = `${section}.${name}`
    const values = unit.get(key)
    if (value === '') unit.set(key, [])
    else if (values === undefined) unit.set(key, [value])
    else values.push(value)
  }
}

/** Without comments; a backslash at the end joins a line with the next one. */
function joinedLines(text: string): readonly string[] {
  const lines: string[] = []
  let begun = ''
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line)) continue
    if (line.endsWith('\\')) begun += `${line.slice(0, -1)} `
    else {
      lines.push((begun + line).trim())
      begun = ''
    }
  }
  return [...lines, begun.trim()].filter((line) => line !== '')
}

const UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [1e-6, 'us usec µs μs'],
      [1e-3, 'ms msec'],
      [1, ' s sec second seconds'],
      [60, 'm min minute minutes'],
      [3_600, 'h hr hour hours'],
      [86_400, 'd day days'],
      [604_800, 'w week weeks'],
      [2_629_800, 'M month months'],
      [31_557_600, 'y year years'],
    ] as const
  ).flatMap(([seconds, names]) => names.split(' ').map((name) => [name, seconds])),
)

/** `1h 30min` in seconds (systemd.time(7)); null for what is none. */
export function readSpanOfSystemd(text: string): number | null {
  const parts = [...text.matchAll(/\s*(\d+(?:\.\d+)?)\s*([a-zA-Zµμ]*)/gy)]
  const read = parts.reduce((length, [part]) => length + part.length, 0)
  if (parts.length === 0 || text.slice(read).trim() !== '') return null
  let seconds = 0
  for (const [, amount, unit = ''] of parts) {
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
    if (size === undefined) return null
    seconds += Number(amount) * size
  }
  return seconds
}
