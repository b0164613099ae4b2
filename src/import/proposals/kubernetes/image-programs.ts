/** The programs of an image, as far as the manifest of its container shows them. The wrapper needs a shell and an HTTP client. */

import { begunBy } from '../command/begun-command.ts'
import { shellCommands } from '../command/shell-commands.ts'
import { programOf } from '../command/shell-jobs.ts'

type HttpClient = 'curl' | 'wget'

/** Shells with which the wrapper is tested. An image with another shell may lack `sh`. */
export const WRAPPER_SHELLS = /(?:^|\/)(?:ba|da|a)?sh$/

/**
 * Returns the client that an image has beside a shell; null if nothing shows both. @param words command of the container, with
 * its arguments
 */
export function shownClient(image: string, words: readonly string[]): HttpClient | null {
  return clientOfCommand(words) ?? clientOfImage(image)
}

/** Returns the client of an image. BusyBox, the base of Alpine, has a shell, `wget` and `timeout`. */
function clientOfImage(image: string): HttpClient | null {
  const path = image.replace(/^[^/]*[.:][^/]*\//, '')
  if (/(?:^|\/)curlimages\/curl(?![\w-])/.test(path)) return 'curl'
  return /(?:^|[/:._-])(?:alpine|busybox)(?![a-z])/.test(path) ? 'wget' : null
}

/** Returns the client that a shell line calls, if it does not install programs itself. */
function clientOfCommand(words: readonly string[]): HttpClient | null {
  const begun = begunBy(words)
  if (begun?.kind !== 'line' || begun.place !== null || !WRAPPER_SHELLS.test(begun.by)) return null
  const programs = programsIn(begun.line, DEPTH_LIMIT)
  if (programs.some((name) => INSTALLERS.test(name))) return null
  return (['curl', 'wget'] as const).find((name) => programs.includes(name)) ?? null
}

const INSTALLERS = /^(?:apk|apt|apt-get|microdnf|tdnf|dnf|yum|zypper)$/
/** Limit of nested lines. */
const DEPTH_LIMIT = 5

function programsIn(line: string, depth: number): readonly string[] {
  if (depth === 0) return []
  return shellCommands(line).flatMap((command) => [
    programOf(command),
    ...command.substitutions.flatMap((substitution) => programsIn(substitution.line, depth - 1)),
  ])
}
