/** Commands of shells that ping around a job, and keep its exit status. */

import { CURL_END, CURL_START, OUTPUT_BYTES, WITH_OUTPUT } from '../../domain/ping/curl.ts'
import { quoteForShell } from '../../lib/text/text.ts'

export function startPing(url: string): string {
  return `${CURL_START} ${shellUrl(`${url}/start`)}`
}

/** @param ending literal text of a shell that follows the URL, such as `/$s`; empty: success */
export function endPing(url: string, ending: string): string {
  return `${CURL_END} ${shellUrl(url)}${ending}`
}

/** Bare, if no shell reads anything into it. */
function shellUrl(url: string): string {
  return /^[\w:/.~@+,-]+$/.test(url) ? url : quoteForShell(url)
}

/** What pings tell of a job besides its exit status. */
export interface Telling {
  readonly hasStart: boolean
  /** true: the end of its output is the body of the last ping */
  readonly hasOutput: boolean
}

/**
 * The command for `sh`, with its own exit status, which the last ping tells. Its output is printed in both cases; to be sent it goes
 * through a file, for a pipe would lose the exit status, and a variable would hold all of it in memory.
 */
export function pingingCommand(url: string, command: string, shell: string, { hasStart, hasOutput }: Telling): string {
  const job = isPlain(command) ? command : `${shellPath(shell)} -c ${quoteForShell(command)}`
  const start = hasStart ? `${startPing(url)}; ` : ''
  if (!hasOutput) return `${start}${job}; s=$?; ${endPing(url, '/$s')}; exit $s`
  const end = `tail -c ${OUTPUT_BYTES} "$_log" | ${CURL_END} ${WITH_OUTPUT} ${shellUrl(url)}/$s`
  return `${start}_log=$(mktemp); { ${job}; } >"\${_log:-/dev/null}" 2>&1; s=$?; cat "$_log"; ${end}; rm -f "$_log"; exit $s`
}

const shellPath = (path: string) => (/^[\w/.-]+$/.test(path) ? path : quoteForShell(path))

/**
 * True for one command with plain words and redirections: what follows it can neither become part of it nor be left out by it. Any
 * other goes into a shell of its own, for it may end with a comment, exit, or run in the background.
 */
function isPlain(command: string): boolean {
  const words = command.replaceAll(/(?:\d?>>?|<) ?(?:&\d\b|[\w/.-]+)/g, '')
  return (
    /^[\w/.-]+(?:[ \t]+[\w/.:=,@+-]+)*[ \t]*$/.test(words.trim()) && !SHELL_WORDS.has(words.trim().split(/\s/)[0] ?? '')
  )
}

/** They change the shell itself, or begin something that ends later. */
const SHELL_WORDS = new Set(
  '. break case cd continue do done elif else esac eval exec exit export fi for function if in return select set shift source then time times trap umask unset until wait while'.split(
    ' ',
  ),
)

/** True for shells that understand what {@link pingingCommand} writes. */
export function understandsPings(shell: string): boolean {
  return /(?:^|\/)(?:sh|bash|dash|ash|ksh|mksh|zsh)$/.test(shell)
}
