/** The groups that the palette shows for the typed text. */
import { type CheckEntry, type Entry, fitting, type Names } from './entries.ts'
import { wordsIn } from './match.ts'

const CHECKS = 8
/**
 * Maximum number of entries per group while the field is empty. Also the maximum number of commands for a check until Tab shows all of
 * them.
 */
const FEW = 5

export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** Results from the server, in addition to those from the list of names. */
export interface Found {
  /** checks from the server's results */
  readonly checks: readonly CheckEntry[]
  readonly output: readonly Entry[]
}

export interface Typed {
  readonly words: readonly string[]
  /** true if the text starts with `>`, in which case the palette lists only commands */
  readonly isCommands: boolean
}

export function typedIn(text: string): Typed {
  const isCommands = text.trimStart().startsWith('>')
  return { words: wordsIn(isCommands ? text.replace('>', '') : text), isCommands }
}

/** Returns the groups that contain checks. The selected option is in one of these groups. */
export function checkGroups(
  { checks }: Names,
  { words, isCommands }: Typed,
  found: Found,
  visited: readonly string[],
): readonly (Group & { readonly entries: readonly CheckEntry[] })[] {
  if (isCommands) return []
  if (words.length > 0) {
    const known = fitting(checks, words)
    const others = found.checks.filter(({ href }) => !known.some((one) => one.href === href))
    return [{ title: 'Checks', entries: [...known, ...others].slice(0, CHECKS) }]
  }
  const last = visited.flatMap((id) => checks.find((check) => check.id === id) ?? []).slice(0, FEW)
  const problems = checks.filter((check) => 'problem' in check.link.dataset && !last.includes(check))
  return [
    { title: 'Last visited', entries: last },
    { title: 'Needs attention', entries: problems.slice(0, FEW) },
  ]
}

/**
 * Returns the commands for a check.
 * @param isChosen whether the user chose the check; false for the check that the page shows
 * @param isWide whether to list all commands
 */
export function doGroup(
  names: Names,
  { words, isCommands }: Typed,
  check: CheckEntry,
  { isChosen, isWide }: { readonly isChosen: boolean; readonly isWide: boolean },
): Group {
  const all = names.of(check)
  const few = words.length === 0 ? [] : all.slice(0, FEW)
  const entries = isCommands || !isChosen ? fitting(all, words) : isWide ? all : few
  return { title: `Do with ${check.title}`, entries: words.length === 0 && !isChosen && !isCommands ? [] : entries }
}

export function otherGroups(
  { commands, places, tags }: Names,
  { words, isCommands }: Typed,
  { output }: Found,
): readonly Group[] {
  if (isCommands) return [{ title: 'Commands', entries: fitting(commands, words) }]
  if (words.length === 0) return [{ title: 'Commands', entries: [...commands, ...places].slice(0, FEW) }]
  return [
    { title: 'Commands', entries: fitting(commands, words) },
    { title: 'Job output', entries: output },
    { title: 'Go to', entries: fitting([...places, ...tags], words).slice(0, CHECKS) },
  ]
}
