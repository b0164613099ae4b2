/** Detects that the package runner that started this process has exited. `cli/terminal/package-runners.ts` explains why. */
import { readFileSync } from 'node:fs'
import { type Ancestor, launchersOf } from './package-runners.ts'

const LOOK_EVERY_MS = 1_000
const MAX_ANCESTORS = 10

/**
 * Checks in /proc, once a second, that each launcher process is still the parent of the next one. This check works only on Linux.
 * @param script the package script that runs this process; null if there is none
 * @param onEnd called once, when a launcher has exited
 */
export function watchLauncher(script: string | null, onEnd: () => void): void {
  const launchers = script === null ? [] : launchersOf(listAncestors(), script)
  if (launchers.length === 0) return
  const isWhole = () => launchers.every(({ pid }, index) => parentOf(launchers[index - 1]?.pid ?? 'self') === pid)
  const timer = setInterval(() => {
    if (isWhole()) return
    clearInterval(timer)
    onEnd()
  }, LOOK_EVERY_MS)
  timer.unref()
}

function listAncestors(): Ancestor[] {
  const ancestors: Ancestor[] = []
  let pid = parentOf('self')
  while (pid !== null && pid > 0 && ancestors.length < MAX_ANCESTORS) {
    ancestors.push({ pid, words: read(pid, 'cmdline')?.split('\0').filter(Boolean) ?? [] })
    pid = parentOf(pid)
  }
  return ancestors
}

/** @returns null if the process has exited, or on systems without /proc */
function parentOf(pid: number | 'self'): number | null {
  // The preceding field, the process name, is in parentheses and may contain any character.
  const parent = /^\S+ (\d+)/.exec(read(pid, 'stat')?.replace(/^.*\) /s, '') ?? '')?.[1]
  return parent === undefined ? null : Number(parent)
}

function read(pid: number | 'self', file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
