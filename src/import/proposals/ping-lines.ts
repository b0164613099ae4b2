/** Writes shell commands that ping before and after a job, and that preserve the job's exit status. */

import { CURL_END, CURL_START, OUTPUT_BYTES, WITH_OUTPUT } from '../../domain/ping/curl.ts'
import { SCRIPT_PATH, shellUrl } from '../../domain/ping/script.ts'
import { quoteForShell } from '../../lib/text/text.ts'

export function startPing(url: string): string {
  return `${CURL_START} ${shellUrl(`${url}/start`)}`
}

/** @param ending literal shell text after the URL, such as `/$s`; '' for a success */
export function endPing(url: string, ending: string): string {
  return `${CURL_END} ${shellUrl(url)}${ending}`
}

/** Programs with which a job can ping: the shell script, the executable, or `curl`. */
export const PINGING_WAYS = ['overdue-run', 'overdue', 'curl'] as const
export type PingingWay = (typeof PINGING_WAYS)[number]
/** Programs with which pods can ping: the script in the job's container, or `curl` in additional containers. */
export const POD_WAYS = ['overdue-run', 'curl'] as const satisfies readonly PingingWay[]
export type PodWay = (typeof POD_WAYS)[number]
/** Wrappers, which report the start, the output and the exit status. */
export type WrapperWay = Exclude<PingingWay, 'curl'>
export type Pinging = { readonly by: WrapperWay } | ({ readonly by: 'curl' } & Telling)

/** Paths at which the documentation installs the wrappers. */
const WRAPPERS: Readonly<Record<WrapperWay, string>> = {
  'overdue-run': SCRIPT_PATH,
  overdue: '/usr/local/bin/overdue run',
}

/** Details that pings report in addition to the exit status. */
interface Telling {
  readonly hasStart: boolean
  /** true if the last ping's body is the end of the output */
  readonly hasOutput: boolean
}

/**
 * Returns a shell command that runs the given command and pings. The output and the exit status stay the same, and the last ping reports
 * the exit status.
 */
export function pingingCommand(url: string, command: string, shell: string, pinging: Pinging): string {
  return pinging.by === 'curl'
    ? curlingCommand(url, command, shell, pinging)
    : wrappedCommand(url, command, shell, pinging.by)
}

/**
 * Returns true if a wrapper can run the command directly. Otherwise the wrapper runs a shell, and does not receive output that the command
 * redirects.
 */
export const isWrappedBare = (command: string) => isPlain(command) && !BUILTINS.has(firstWord(command))

/** Puts a wrapper before the command. Redirections of a plain command then apply to the wrapper, which receives the output first. */
function wrappedCommand(url: string, command: string, shell: string, by: WrapperWay): string {
  const job = isWrappedBare(command) ? command : `${shellPath(shell)} -c ${quoteForShell(command)}`
  return wrapperLine(by, shellUrl(url), job)
}

/**
 * Puts a wrapper before a job.
 * @param target ping URL, quoted for the program that parses the line @param job command of the job, quoted in the same way
 */
export function wrapperLine(by: WrapperWay, target: string, job: string): string {
  return [WRAPPERS[by], ...wrapperOptions(target), job].join(' ')
}

/** Returns the arguments between a wrapper and the job's command. */
export const wrapperOptions = (target: string) => ['--check', target, '--'] as const

/**
 * Returns a command for `sh` that preserves the exit status and reports it in the last ping. The output is always printed. Output to send
 * with the ping is first stored in a file, because a pipe would lose the exit status and a variable would keep all output in memory.
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
 * Returns true for a single command that consists of plain words and redirections. Text can be appended to such a command. Any other
 * command needs a separate shell, because it may end with a comment, exit, or run in the background.
 */
function isPlain(command: string): boolean {
  const words = withoutRedirections(command)
  return /^[\w/.][\w/.-]*(?:[ \t]+[\w/.:=,@+-]+)*[ \t]*$/.test(words) && !SHELL_WORDS.has(firstWord(command))
}

const withoutRedirections = (command: string) => command.replaceAll(/(?:\d?>>?|<) ?(?:&\d\b|[\w/.-]+)/g, '').trim()
const firstWord = (command: string) => withoutRedirections(command).split(/\s/)[0] ?? ''

/** Keywords that change the shell itself, or begin a compound command. */
const SHELL_WORDS = new Set(
  '. break case cd continue do done elif else esac eval exec exit export fi for function if in return select set shift source then time times trap umask unset until wait while'.split(
    ' ',
  ),
)

/** Shell built-ins that exist only in the shell, or whose program of the same name behaves differently. */
const BUILTINS = new Set(
  'alias bg builtin cd chdir command declare dirs disown echo enable fc fg getopts hash help history jobs kill let local mapfile noglob popd print printf pushd pwd read readarray readonly shopt suspend test type typeset ulimit unalias whence'.split(
    ' ',
  ),
)

/** Returns true for shells that understand the result of {@link pingingCommand}. */
export function understandsPings(shell: string): boolean {
  return /(?:^|\/)(?:sh|bash|dash|ash|ksh|mksh|zsh)$/.test(shell)
}
