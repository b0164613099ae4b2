/** Proposes checks for the jobs of a crontab, and writes the crontab with their pings. */
import { type ChangedText, linesOf } from '../../lib/line-diff.ts'
import { inZone, type ReadSchedule, readFields, readScheduleWord } from './cron-fields.ts'
import { foreignProblem } from './crontab-foreign.ts'
import { type CronJobLine, type CrontabLayout, readCrontabLine } from './crontab-lines.ts'
import { CrontabSettings } from './crontab-settings.ts'
import { layoutProblems } from './crontab-users.ts'
import { hiddenStatuses } from './exit-status.ts'
import type { ImportNote } from './import-note.ts'
import { jobOf } from './job-name.ts'
import { distinctNames, type Namesake } from './namesakes.ts'
import { pingingCommand, understandsPings } from './ping-lines.ts'
import { seemsToPing } from './pinging-already.ts'
import {
  isDailyOrRarer,
  noteOf,
  type Problem,
  type ProposalOptions,
  Proposals,
  type ProposedCheck,
  problemOf,
  timingProblem,
} from './proposal.ts'
import { startDelay } from './start-delay.ts'

export interface CrontabOptions extends ProposalOptions {
  readonly layout: CrontabLayout
  /** with its last slash */
  readonly pingEndpoint: string
}

interface PlannedLine {
  /** counted from 0 */
  readonly index: number
  readonly job: CronJobLine
  readonly shell: string
  readonly slug: string
}

/** A job before its check has a name of its own. */
interface FoundLine extends Omit<PlannedLine, 'slug'>, ReadTiming {
  readonly place: string
  readonly namesake: Namesake
}

export interface CrontabPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  readonly lines: readonly string[]
  readonly planned: readonly PlannedLine[]
}

/** Characters of a command that every cron takes. */
const COMMAND_LIMIT = 998
const DAY = 86_400
const MINUTE = 60

/** @param text the bytes of the file, one character each, so that each stays as it is */
export function planCrontab(text: string, options: CrontabOptions): CrontabPlan {
  const lines = linesOf(text)
  const settings = new CrontabSettings()
  const foundLines: FoundLine[] = []
  const notes: ImportNote[] = []
  const readLines = lines.map((line) => readCrontabLine(line, options.layout))
  const misplaced = layoutProblems(
    readLines.filter((read) => read.kind === 'job'),
    options.layout,
  )
  for (const [index, read] of readLines.entries()) {
    const place = `line ${index + 1}`
    if (read.kind === 'setting') notes.push(...settings.apply(read.name, read.value, place))
    if (read.kind === 'unknown')
      notes.push(noteOf('left-out', 'text in', place, 'This is no line of such a crontab.', UNKNOWN))
    if (read.kind !== 'job') continue
    const foreign = options.layout === 'anacron' ? null : foreignProblem(read)
    const problem = foreign ?? misplaced.get(read) ?? commandProblem(read, settings, options)
    const found = problem ?? readTiming(read, settings, options)
    if ('reason' in found) {
      notes.push(noteOf('left-out', 'job', place, found.reason, found.advice))
      continue
    }
    const job = jobOf(read.command)
    const name = read.id !== null && /^[\w.@+-]+$/.test(read.id) ? read.id : job.name
    const namesake = { ...job, name, user: read.user, timing: found.timing }
    foundLines.push({ index, job: read, shell: settings.shell, place, namesake, ...found })
    const remarks = [
      ...(isCutInQuotes(read) ? [CUT_IN_QUOTES] : []),
      ...hiddenStatuses(read.command),
      ...(waitOf(read, settings) === Infinity ? [UNKNOWN_WAIT] : []),
    ]
    notes.push(...remarks.map(({ reason, advice }) => noteOf('to-do', 'job', place, reason, advice)))
  }
  return { ...withChecks(foundLines, options), notes, lines }
}

function withChecks(found: readonly FoundLine[], options: CrontabOptions): Pick<CrontabPlan, 'checks' | 'planned'> {
  const proposals = new Proposals(options)
  const names = distinctNames(
    found.map(({ namesake }) => namesake),
    options.prefix,
    options.here ?? new Map(),
  )
  const checks = found.map(({ place, timing, delaySeconds, why }, index) =>
    proposals.add({ name: names[index] ?? '', tags: 'cron', isPaused: false, place, timing, delaySeconds, why }),
  )
  const planned = found.map(({ index, job, shell }, at) => ({ index, job, shell, slug: checks[at]?.slug ?? '' }))
  return { checks, planned }
}

const QUOTED = /\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs

/** A `%` without a backslash ends the command for cron, also in quotes. */
function isCutInQuotes({ command, tail }: CronJobLine): boolean {
  return tail.startsWith('%') && /['"]/.test(command.replace(QUOTED, ''))
}

const CUT_IN_QUOTES = {
  reason: 'cron ends the command at the first "%", which stands between quotes.',
  advice: 'Write \\% for each % of the command.',
}

/** Seconds that the command itself waits before it runs its job, at most. Less than a minute is in any grace time. */
function waitOf({ command }: CronJobLine, settings: CrontabSettings): number {
  const wait = Math.ceil(startDelay(settings.expanded(command)))
  return wait < MINUTE ? 0 : wait
}

const UNKNOWN_WAIT = {
  reason: 'The command sleeps before it runs its job, and it cannot be read for how long.',
  advice: 'Give the check a grace time that includes that.',
}

const UNKNOWN = 'If the file has a user between schedule and command, say that it is a crontab of the system.'

/** The crontab with pings: other lines keep every byte. @param urlOf the ping URL of the check with a slug */
export function writeCrontab({ lines, planned }: CrontabPlan, urlOf: (slug: string) => string): ChangedText {
  const after = [...lines]
  for (const { index, job, shell, slug } of planned) after[index] = lineWith(job, shell, urlOf(slug))
  return { before: lines, after }
}

function lineWith({ head, command, tail, id }: CronJobLine, shell: string, url: string): string {
  return head + pingingCommand(id === null ? url.replaceAll('%', '\\%') : url, command, shell) + tail
}

function commandProblem(job: CronJobLine, settings: CrontabSettings, { pingEndpoint }: CrontabOptions): Problem | null {
  const { shell } = settings
  if (job.command.length <= COMMAND_LIMIT && pings(settings.expanded(job.command), pingEndpoint))
    return problemOf('The job pings a check already.')
  if (settings.mailsToCheck)
    return problemOf(
      'MAILTO mails the output of the job to a check.',
      'Have another MAILTO above the line to get a check of its own.',
    )
  if (/\r\n?$/.test(job.command + job.tail))
    return problemOf(CARRIAGE_RETURN, 'Save the file with the line ends of Unix.')
  if (!understandsPings(shell)) {
    return problemOf(
      `Its SHELL is none for which pings can be written here.`,
      'Create a check, and ping it from the job.',
    )
  }
  const longest = lineWith({ ...job, head: '', tail: '' }, shell, `${pingEndpoint}${'0'.repeat(36)}`)
  if (longest.length <= COMMAND_LIMIT) return null
  return problemOf(
    `With pings, the command has more than the ${COMMAND_LIMIT} characters that cron takes.`,
    'Put the command into a script.',
  )
}

/** A server may take pings under another path than `/ping/`. */
const pings = (command: string, pingEndpoint: string) => seemsToPing(command) || command.includes(pingEndpoint)

const CARRIAGE_RETURN = 'The line ends with a carriage return, which cron hands to the command.'

type ReadTiming = Pick<Parameters<Proposals['add']>[0], 'timing' | 'delaySeconds' | 'why'>

function readTiming(job: CronJobLine, settings: CrontabSettings, options: CrontabOptions): ReadTiming | Problem {
  const read = options.layout === 'anacron' ? readPeriod(job) : readSchedule(job.schedule)
  if ('problem' in read) return problemOf(read.problem)
  const timing = inZone(read.timing, settings.zone ?? options.zone)
  const problem = timingProblem(timing)
  if (problem !== null) return problemOf(problem)
  const rare = options.layout !== 'anacron' && /\brun-parts\b/.test(job.command) && isDailyOrRarer(timing, options.now)
  const zoned = 'tz' in timing && settings.zone !== null ? ['the zone is that of CRON_TZ'] : []
  const parts = rare ? ['what run-parts starts may wait a day for a machine that is off'] : []
  const wait = waitOf(job, settings)
  const knownWait = wait === Infinity ? 0 : wait
  return {
    timing,
    delaySeconds: read.delaySeconds + settings.randomDelaySeconds + knownWait + (rare ? DAY : 0),
    why: [...read.why, ...zoned, ...parts],
  }
}

function readSchedule(words: readonly string[]): ReadSchedule {
  const [first = ''] = words
  return first.startsWith('@') ? readScheduleWord(first) : readFields(words)
}

const PERIODS: Readonly<Record<string, number>> = { '@daily': 1, '@weekly': 7, '@monthly': 31, '@yearly': 365 }

/** A machine that is off at the time runs the job when it is on again. */
function readPeriod({ schedule: [period = ''], delay }: CronJobLine): ReadSchedule {
  const days = /^\d{1,4}$/.test(period) ? Number(period) : Object.hasOwn(PERIODS, period) ? PERIODS[period] : undefined
  if (days === undefined || !/^\d{1,5}$/.test(delay))
    return { problem: 'Its period is no number of days, or its delay no number of minutes.' }
  return {
    timing: { timeout: days * DAY },
    delaySeconds: DAY + Number(delay) * 60,
    why: ['anacron waits a day for a machine that is off'],
  }
}
