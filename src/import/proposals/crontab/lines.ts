/** Reads the lines of a crontab. */

/**
 * The layout of job lines. `user` has five fields and a command; `system` also has a user before the command; `anacron` has a period in
 * days, a delay in minutes, a name and a command.
 */
export type CrontabLayout = 'user' | 'system' | 'anacron'

export interface CronJobLine {
  readonly kind: 'job'
  /** a word such as `@daily`, five fields, or an anacron period */
  readonly schedule: readonly string[]
  /** user that runs the job in a system crontab; null in other layouts */
  readonly user: string | null
  /** anacron's delay, in minutes */
  readonly delay: string
  /** the job's name in an anacrontab; null for cron */
  readonly id: string | null
  /** unchanged text before the command */
  readonly head: string
  /** the command, unchanged, without the part that cron passes to the command as standard input */
  readonly command: string
  /** the command's standard input and the `%` before it, and the line break */
  readonly tail: string
}

type CrontabLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'setting'; readonly name: string; readonly value: string }
  | { readonly kind: 'unknown' }
  | CronJobLine

const SETTING = /^[ \t]*(?:"([^"]*)"|'([^']*)'|([A-Za-z_]\w*))[ \t]*=(.*)$/s
/** Matches options that OpenBSD's cron allows before a command. */
const FLAGS = /^(?:-[nqs]+[ \t]+)+/

/** Matches text that a shell does not expand, including the quotes around it. */
export const QUOTED = /\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs

/** @param line the line, including its line break */
export function readCrontabLine(line: string, layout: CrontabLayout): CrontabLine {
  const text = line.replace(/\r?\n$/, '')
  if (/^[ \t]*(?:#|$)/.test(text)) return { kind: 'nothing' }
  const setting = SETTING.exec(text)
  if (setting !== null) {
    const [, double, single, bare] = setting
    return { kind: 'setting', name: double ?? single ?? bare ?? '', value: unquoted(trimmed(setting[4] ?? '')) }
  }
  return layout === 'anacron' ? readAnacron(line) : readJob(line, layout)
}

/**
 * Trims whitespace at both ends. A regular expression would be slow, because it would try to match each run of spaces from every position.
 */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text[start])) start += 1
  while (start < end && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

const isBlank = (char: string | undefined) => char === ' ' || char === '\t'

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value
}

function readJob(line: string, layout: CrontabLayout): CrontabLine {
  const column = layout === 'system' ? '([^ \\t\\n]+)[ \\t]+' : '()'
  const pattern = new RegExp(`^([ \\t]*-?)(@[^ \\t\\n]+|[^ \\t\\n@]\\S*(?:[ \\t]+\\S+){4})([ \\t]+${column})(.*)$`, 's')
  const [, before, schedule, between, user, rest] = pattern.exec(line) ?? []
  if (before === undefined || schedule === undefined || between === undefined || rest === undefined)
    return { kind: 'unknown' }
  const flags = FLAGS.exec(rest)?.[0] ?? ''
  const end = endOfCommand(rest)
  const command = rest.slice(flags.length, end)
  if (command.trim() === '') return { kind: 'unknown' }
  return {
    kind: 'job',
    schedule: schedule.split(/[ \t]+/),
    user: user || null,
    delay: '0',
    id: null,
    head: before + schedule + between + flags,
    command,
    tail: rest.slice(end),
  }
}

function readAnacron(line: string): CrontabLine {
  const [, head, period, delay, id, command, tail] =
    /^([ \t]*(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]+)(\S[^\n]*)(\n?)$/.exec(line) ?? []
  if (!head || !period || !delay || !id || !command || tail === undefined) return { kind: 'unknown' }
  return { kind: 'job', schedule: [period], user: null, delay, id, head, command, tail }
}

/** Returns the position of the first `%` without a backslash, or of the line break. */
function endOfCommand(text: string): number {
  const found = /^(?:\\[^\n]|[^%\n\\]|\\(?=\n|$))*/.exec(text)
  return found?.[0].length ?? text.length
}
