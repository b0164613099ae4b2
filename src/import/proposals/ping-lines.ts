/** Commands of shells that ping around a job, and keep its exit status. */

import { CURL_END, CURL_START, OUTPUT_BYTES, WITH_OUTPUT } from '../../domain/ping/curl.ts'
import { SCRIPT_PATH, shellUrl } from '../../domain/ping/script.ts'
import { quoteForShell } from '../../lib/text/text.ts'

export function startPing(url: string): string {
  return `${CURL_START} ${shellUrl(`${url}/start`)}`
}

/** @param ending literal text of a shell that follows the URL, such as `/$s`; empty: success */
export function endPing(url: string, ending: string): string {
  return `${CURL_END} ${shellUrl(url)}${ending}`
}

/** How a job pings: by the shell script, by the executable, or by lines with `curl`. */
export const PINGING_WAYS = ['overdue-run', 'overdue', 'curl'] as const
export type PingingWay = (typeof PINGING_WAYS)[number]
/** The ways in which pods ping: by the script in the container of the job, or by containers with `curl` around it. */
export const POD_WAYS = ['overdue-run', 'curl'] as const satisfies readonly PingingWay[]
export type PodWay = (typeof POD_WAYS)[number]
/** A wrapper tells the start, the output and the exit status. */
export type WrapperWay = Exclude<PingingWay, 'curl'>
export type Pinging = { readonly by: WrapperWay } | ({ readonly by: 'curl' } & Telling)

/** Wrappers by the paths that docs install them at. */
const WRAPPERS: Readonly<Record<WrapperWay, string>> = {
  'overdue-run': SCRIPT_PATH,
  overdue: '/usr/local/bin/overdue run',
}

/** What pings tell of a job besides its exit status. */
interface Telling {
  readonly hasStart: boolean
  /** true: the end of its output is the body of the last ping */
  readonly hasOutput: boolean
}

/** The command for a shell, with its own output and exit status, which pings tell. */
export function pingingCommand(url: string, command: string, shell: string, pinging: Pinging): string {
  return pinging.by === 'curl'
    ? curlingCommand(url, command, shell, pinging)
    : wrappedCommand(url, command, shell, pinging.by)
}

/** True if a wrapper runs the command itself; else it runs a shell, and what the command redirects does not reach the wrapper. */
export const isWrappedBare = (command: string) => isPlain(command) && !BUILTINS.has(firstWord(command))

/** Redirections of a plain command become those of the wrapper, which reads the output before they do. */
function wrappedCommand(url: string, command: string, shell: string, by: WrapperWay): string {
  const job = isWrappedBare(command) ? command : `${shellPath(shell)} -c ${quoteForShell(command)}`
  return wrapperLine(by, shellUrl(url), job)
}

/**
 * A job with a wrapper before it.
 * @param target the ping URL, quoted for what reads the line. @param job quoted likewise
 */
export function wrapperLine(by: WrapperWay, target: string, job: string): string {
  return [WRAPPERS[by], ...wrapperOptions(target), job].join(' ')
}

/** The words between a wrapper and the command of a job. */
export const wrapperOptions = (target: string) => ['--check', target, '--'] as const

/**
 * The command for `sh`, with its own exit status, which the last ping tells. Its output is printed in both cases; to be sent it goes
 * through a file, for a pipe would lose the exit status, and a variable would hold all of it in memory.
 */
function curlingCommand(url: string, command: string, shell: string, { hasStart, hasOutput }: Telling): string {
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
  const words = withoutRedirections(command)
  return /^[\w/.][\w/.-]*(?:[ \t]+[\w/.:=,@+-]+)*[ \t]*$/.test(words) && !SHELL_WORDS.has(firstWord(command))
}

const withoutRedirections = (command: string) => command.replaceAll(/(?:\d?>>?|<) ?(?:&\d\b|[\w/.-]+)/g, '').trim()
const firstWord = (command: string) => withoutRedirections(command).split(/\s/)[0] ?? ''

/** They change the shell itself, or begin something that ends later. */
const SHELL_WORDS = new Set(
  '. break case cd continue do done elif else esac eval exec exit export fi for function if in return select set shift source then time times trap umask unset until wait while'.split(
    ' ',
  ),
)

/** Commands that a shell has itself: there is no program of that name, or it behaves otherwise. */
const BUILTINS = new Set(
  'alias bg builtin cd chdir command declare dirs disown echo enable fc fg getopts hash help history jobs kill let local mapfile noglob popd print printf pushd pwd read readarray readonly shopt suspend test type typeset ulimit unalias whence'.split(
    ' ',
  ),
)

/** True for shells that understand what {@link pingingCommand} writes. */
export function understandsPings(shell: string): boolean {
  return /(?:^|\/)(?:sh|bash|dash|ash|ksh|mksh|zsh)$/.test(shell)
}
