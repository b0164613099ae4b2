/** Shell commands that ping around a job and keep its exit status. */

import { CURL_END, CURL_START, OUTPUT_BYTES, WITH_OUTPUT } from '../../domain/ping/curl.ts'
import { SCRIPT_PATH, shellUrl } from '../../domain/ping/script.ts'
import { quoteForShell } from '../../lib/text/text.ts'

export function startPing(url: string): string {
  return `${CURL_START} ${shellUrl(`${url}/start`)}`
}

/** @param ending literal shell text after the URL, such as `/$s`; empty: success */
export function endPing(url: string, ending: string): string {
  return `${CURL_END} ${shellUrl(url)}${ending}`
}

/** Ways in which a job pings: by the shell script, by the executable, or by lines with `curl`. */
export const PINGING_WAYS = ['overdue-run', 'overdue', 'curl'] as const
export type PingingWay = (typeof PINGING_WAYS)[number]
/** Ways in which pods ping: by the script in the job's container, or by containers with `curl` around it. */
export const POD_WAYS = ['overdue-run', 'curl'] as const satisfies readonly PingingWay[]
export type PodWay = (typeof POD_WAYS)[number]
/** Ways with a wrapper, which reports the start, the output and the exit status. */
export type WrapperWay = Exclude<PingingWay, 'curl'>
export type Pinging = { readonly by: WrapperWay } | ({ readonly by: 'curl' } & Telling)

/** Wrappers, by their paths in the documentation. */
const WRAPPERS: Readonly<Record<WrapperWay, string>> = {
  'overdue-run': SCRIPT_PATH,
  overdue: '/usr/local/bin/overdue run',
}

/** Details that pings report besides the exit status. */
interface Telling {
  readonly hasStart: boolean
  /** true: the last ping has the end of the output as its body */
  readonly hasOutput: boolean
}

/** Returns a shell command that runs the given one and pings. It keeps the output and the exit status, and the pings report that status. */
export function pingingCommand(url: string, command: string, shell: string, pinging: Pinging): string {
  return pinging.by === 'curl'
    ? curlingCommand(url, command, shell, pinging)
    : wrappedCommand(url, command, shell, pinging.by)
}

/** Returns true if a wrapper runs the command itself. Otherwise it runs a shell, and does not get output that the command redirects. */
export const isWrappedBare = (command: string) => isPlain(command) && !BUILTINS.has(firstWord(command))

/** Returns the command with a wrapper. Redirections of a plain command become the wrapper's, which reads the output before them. */
function wrappedCommand(url: string, command: string, shell: string, by: WrapperWay): string {
  const job = isWrappedBare(command) ? command : `${shellPath(shell)} -c ${quoteForShell(command)}`
  return wrapperLine(by, shellUrl(url), job)
}

/**
 * Puts a wrapper before a job.
 * @param target ping URL, quoted for the reader of the line @param job quoted likewise
 */
export function wrapperLine(by: WrapperWay, target: string, job: string): string {
  return [WRAPPERS[by], ...wrapperOptions(target), job].join(' ')
}

/** Returns the arguments between a wrapper and the command of a job. */
export const wrapperOptions = (target: string) => ['--check', target, '--'] as const

/**
 * Returns a command for `sh` that keeps its exit status and reports it in the last ping. The output is printed in any case. To be
 * sent, it goes through a file: a pipe would lose the exit status, and a variable would hold all of it in memory.
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
 * Returns true for a single command of plain words and redirections, which neither absorbs nor skips the text after it. Any other
 * command gets a shell of its own, because it may end with a comment, exit, or run in the background.
 */
function isPlain(command: string): boolean {
  const words = withoutRedirections(command)
  return /^[\w/.][\w/.-]*(?:[ \t]+[\w/.:=,@+-]+)*[ \t]*$/.test(words) && !SHELL_WORDS.has(firstWord(command))
}

const withoutRedirections = (command: string) => command.replaceAll(/(?:\d?>>?|<) ?(?:&\d\b|[\w/.-]+)/g, '').trim()
const firstWord = (command: string) => withoutRedirections(command).split(/\s/)[0] ?? ''

/** Words that change the shell itself, or begin something that ends later. */
const SHELL_WORDS = new Set(
  '. break case cd continue do done elif else esac eval exec exit export fi for function if in return select set shift source then time times trap umask unset until wait while'.split(
    ' ',
  ),
)

/** Commands built into a shell: no program has that name, or it behaves differently. */
const BUILTINS = new Set(
  'alias bg builtin cd chdir command declare dirs disown echo enable fc fg getopts hash help history jobs kill let local mapfile noglob popd print printf pushd pwd read readarray readonly shopt suspend test type typeset ulimit unalias whence'.split(
    ' ',
  ),
)

/** Returns true for shells that understand the result of {@link pingingCommand}. */
export function understandsPings(shell: string): boolean {
  return /(?:^|\/)(?:sh|bash|dash|ash|ksh|mksh|zsh)$/.test(shell)
}
