/** Determines from a container's manifest which programs its image contains. The wrapper needs a shell and an HTTP client. */

import { begunBy } from '../command/begun-command.ts'
import { shellCommands } from '../command/shell-commands.ts'
import { programOf } from '../command/shell-jobs.ts'

type HttpClient = 'curl' | 'wget'

/** Matches shells with which the wrapper is tested. An image with another shell may lack `sh`. */
export const WRAPPER_SHELLS = /(?:^|\/)(?:ba|da|a)?sh$/

/**
 * Returns the image's HTTP client. Returns null unless the manifest shows that the image has a shell and an HTTP client. @param words the
 * container's command and its arguments
 */
export function shownClient(image: string, words: readonly string[]): HttpClient | null {
  return clientOfCommand(words) ?? clientOfImage(image)
}

/** Returns the HTTP client of a known image. BusyBox, on which Alpine is based, has a shell, `wget` and `timeout`. */
function clientOfImage(image: string): HttpClient | null {
  const path = image.replace(/^[^/]*[.:][^/]*\//, '')
  if (/(?:^|\/)curlimages\/curl(?![\w-])/.test(path)) return 'curl'
  return /(?:^|[/:._-])(?:alpine|busybox)(?![a-z])/.test(path) ? 'wget' : null
}

/** Returns the HTTP client that a shell line calls. Returns null if the line installs programs itself. */
function clientOfCommand(words: readonly string[]): HttpClient | null {
  const begun = begunBy(words)
  if (begun?.kind !== 'line' || begun.place !== null || !WRAPPER_SHELLS.test(begun.by)) return null
  const programs = programsIn(begun.line, DEPTH_LIMIT)
  if (programs.some((name) => INSTALLERS.test(name))) return null
  return (['curl', 'wget'] as const).find((name) => programs.includes(name)) ?? null
}

const INSTALLERS = /^(?:apk|apt|apt-get|microdnf|tdnf|dnf|yum|zypper)$/
/** Maximum number of nested lines. */
const DEPTH_LIMIT = 5

function programsIn(line: string, depth: number): readonly string[] {
  if (depth === 0) return []
  return shellCommands(line).flatMap((command) => [
    programOf(command),
    ...command.substitutions.flatMap((substitution) => programsIn(substitution.line, depth - 1)),
  ])
}
