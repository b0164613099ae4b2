/** The shape of the tree: neighbours, the size of folders, and parts of pages. */
import { dirname } from 'node:path/posix'
import type { Scanned } from '../source-scan.ts'
import type { Violation } from './rooms.ts'

/** Most files directly in a folder: people find a file by reading a list of names. */
const FOLDER_LIMIT = 20

export function crowdViolations(files: readonly Scanned[]): Violation[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  return [...folders]
    .filter(([, { length }]) => length > FOLDER_LIMIT)
    .map(([folder, { length }]) => {
      const rule = `${length} files lie directly in it: give those of one noun a folder of their own`
      return { file: folder, found: `more than ${FOLDER_LIMIT} files`, rule }
    })
}

/** Reports each circle of neighbours once, by an import that closes it. Neighbours are the files and folders in one folder. */
export function circleViolations(files: readonly Scanned[]): Violation[] {
  const arrows = arrowsBetween(files)
  const finished = new Set<string>()
  const violations: Violation[] = []
  const visit = (place: string, trail: readonly string[]): void => {
    for (const [next, { file, found }] of arrows.get(place) ?? []) {
      const begin = trail.indexOf(next)
      if (begin >= 0) {
        const rule = `neighbours import each other one way: ${[...trail.slice(begin), next].join(' → ')}`
        violations.push({ file, found, rule })
      } else if (!finished.has(next)) visit(next, [...trail, next])
    }
    finished.add(place)
  }
  for (const place of arrows.keys()) if (!finished.has(place)) visit(place, [place])
  return violations
}

type Arrows = Map<string, Map<string, Pick<Violation, 'file' | 'found'>>>

/** Lists the neighbours that each place imports, with the first import of each. A style sheet is no neighbour: it imports nothing. */
function arrowsBetween(files: readonly Scanned[]): Arrows {
  const paths = new Set(files.map(({ path }) => path))
  const arrows: Arrows = new Map()
  for (const { path, files: imported } of files) {
    for (const target of imported.filter((target) => paths.has(target) && target !== path)) {
      const [from, to] = neighbours(path, target)
      const next = arrows.get(from) ?? new Map()
      if (!next.has(to)) next.set(to, { file: path, found: `import of ${target}` })
      arrows.set(from, next)
    }
  }
  return arrows
}

/** Returns the two entries that contain the files in their innermost common folder. */
function neighbours(a: string, b: string): readonly [string, string] {
  const [one, other] = [a.split('/'), b.split('/')]
  const depth = one.findIndex((name, index) => name !== other[index]) + 1
  return [one.slice(0, depth).join('/'), other.slice(0, depth).join('/')]
}

const PAGES = 'http/web/pages/'
const PARTS = 'http/web/parts/'

/** Reports parts that belong to one page, or to the layout alone. Users of another part count as the pages of that part. */
export function partViolations(files: readonly Scanned[]): Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const users = new Map(files.filter(({ path }) => path.startsWith(PARTS)).map(({ path }) => [path, new Set<string>()]))
  const note = (part: string, user: string): void => {
    if (users.get(part)?.has(user) !== false) return
    users.get(part)?.add(user)
    for (const next of byPath.get(part)?.files ?? []) note(next, user)
  }
  for (const { path, files: imported } of files) {
    if (!path.startsWith(PARTS)) for (const target of imported) note(target, userOf(path))
  }
  return [...users]
    .filter(([, { size }]) => size < 2)
    .map(([file, names]) => {
      const found = `used by ${[...names].join() || 'nothing'}`
      return { file, found, rule: 'a part is for several pages: what only one uses lies beside it' }
    })
}

/** Returns the folder or file of a page, such as `http/web/pages/checks`; otherwise a place such as `http/web/layout`. */
function userOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith(PAGES) ? 4 : 3)
    .join('/')
}
