/** Proposes checks for the jobs of a crontab, and writes a crontab in which these jobs ping. */

import type { ImportNote } from '../../../domain/import/import-note.ts'
import { type ChangedText, linesOf } from '../../../lib/text/line-diff.ts'
import { atOnce } from '../../../lib/work/at-once.ts'
import { jobOf } from '../command/job-name.ts'
import type { Pinging } from '../ping-lines.ts'
import {
  isDailyOrRarer,
  noteOf,
  type Problem,
  type ProposalOptions,
  Proposals,
  type ProposedCheck,
  problemOf,
  timingProblem,
} from '../proposal.ts'
import { fileProblem, lineCharacter, scheduleCharacter } from './characters.ts'
import { commandProblem, limitOf, lineWith, type PingWriting, remarksOn, waitOf } from './commands.ts'
import { CrontabComments, headsUsers } from './comments.ts'
import { inZone, type ReadSchedule, readFields, readScheduleWord } from './cron-fields.ts'
import { foreignProblem, settingProblem, unknownLine } from './foreign.ts'
import { type CronJobLine, type CrontabLayout, readCrontabLine } from './lines.ts'
import { distinctNames, type Namesake } from './namesakes.ts'
import { CrontabSettings } from './settings.ts'
import { layoutProblems } from './users.ts'

export interface CrontabOptions extends ProposalOptions, PingWriting {
  readonly layout: CrontabLayout
  /** true if the file's path determines the layout; false if a user chose the layout, or the layout was not specified */
  readonly isLayoutCertain: boolean
  /** true if `zone` applies to all lines, even to lines below `CRON_TZ` */
  readonly isZoneCertain: boolean
}

interface PlannedLine {
  /** index of the line, starting at 0 */
  readonly index: number
  readonly job: CronJobLine
  readonly shell: string
  readonly slug: string
}

/** A job whose check has no unique name yet. */
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

const DAY = 86_400

/** @param text the file; each character represents one byte, so that every byte is preserved */
export function planCrontab(text: string, options: CrontabOptions): CrontabPlan {
  return atOnce(planCrontabInSteps(text, options))
}

/** Does the same as {@link planCrontab} in steps. Yields after each line, so that a server can do other work between the steps. */
export function* planCrontabInSteps(text: string, options: CrontabOptions): Generator<void, CrontabPlan> {
  const lines = linesOf(text)
  const unreadable = fileProblem(text)
  if (unreadable !== null) return { checks: [], notes: [leftOut('text in', 'line 1', unreadable)], lines, planned: [] }
  const readLines = lines.map((line) => readCrontabLine(line, options.layout))
  const unusable = lineProblems(
    readLines.filter((read) => read.kind === 'job'),
    options.layout,
    options.isLayoutCertain || (options.layout === 'system' && lines.some(headsUsers)),
  )
  const settings = new CrontabSettings(options.isZoneCertain, options.pinging.by !== 'overdue')
  const comments = new CrontabComments()
  const foundLines: FoundLine[] = []
  const notes: ImportNote[] = []
  for (const [index, read] of readLines.entries()) {
    yield
    const place = `line ${index + 1}`
    const line = lines[index] ?? ''
    if (read.kind === 'nothing') notes.push(...comments.read(line, place))
    if (read.kind === 'setting') notes.push(...settingNotes(read, line, settings, place))
    if (read.kind === 'unknown')
      notes.push(leftOut('text in', place, lineCharacter(line) ?? unknownLine(line, PARTS[options.layout])))
    if (read.kind !== 'job') continue
    const title = read.id === null ? comments.titleOf(read.command) : plainId(read.id)
    const problem = unusable.get(read) ?? commandProblem(read, settings, options)
    const found = problem ?? readTiming(read, settings, options)
    if ('reason' in found) {
      notes.push(leftOut('job', place, found))
      continue
    }
    const job = jobOf(read.command)
    const namesake = { ...job, name: title ?? job.name, user: read.user, timing: found.timing }
    foundLines.push({ index, job: read, shell: settings.shell, place, namesake, ...found })
    notes.push(
      ...remarksOn(read, settings, options.pinging).map(({ reason, advice }) =>
        noteOf('to-do', 'job', place, reason, advice),
      ),
    )
  }
  notes.push(...endNotes(lines, options.layout, foundLines.length > 0))
  return { ...(yield* withChecks(foundLines, options)), notes, lines }
}

function* withChecks(
  found: readonly FoundLine[],
  options: CrontabOptions,
): Generator<void, Pick<CrontabPlan, 'checks' | 'planned'>> {
  const proposals = new Proposals(options)
  const names = distinctNames(
    found.map(({ namesake }) => namesake),
    options.prefix,
    options.here ?? new Map(),
  )
  const checks: ProposedCheck[] = []
  for (const [index, { place, timing, delaySeconds, runSeconds, why }] of found.entries()) {
    yield
    const name = names[index] ?? ''
    checks.push(proposals.add({ name, tags: 'cron', isPaused: false, place, timing, delaySeconds, runSeconds, why }))
  }
  const planned = found.map(({ index, job, shell }, at) => ({ index, job, shell, slug: checks[at]?.slug ?? '' }))
  return { checks, planned }
}

/** @param isWritten true if the plan is used to write a new crontab */
function endNotes(lines: readonly string[], layout: CrontabLayout, isWritten: boolean): readonly ImportNote[] {
  const last = lines.at(-1) ?? ''
  if (layout === 'anacron' || last === '' || last.endsWith('\n')) return []
  const place = `line ${lines.length}`
  if (isWritten) return [noteOf('changed', 'end of', place, `${NO_NEWLINE} The crontab with pings has it.`)]
  return [noteOf('to-do', 'end of', place, NO_NEWLINE, 'End the line with a newline.')]
}

const NO_NEWLINE =
  'The last line has no newline at its end: the cron of Debian and Ubuntu ignores the whole file, and most others the line.'

function leftOut(subject: string, place: string, { reason, advice }: Problem): ImportNote {
  return noteOf('left-out', subject, place, reason, advice)
}

const PARTS: Readonly<Record<CrontabLayout, string>> = {
  user: 'five fields, or a word such as @daily, and a command',
  system: 'five fields, or a word such as @daily, a user and a command',
  anacron: 'a period, a delay, a name and a command',
}

/** Returns the id of an anacron job if it is a plain word. anacron accepts any word. */
const plainId = (id: string) => (/^[\w.@+-]+$/.test(id) ? id : null)

function settingNotes(
  { name, value }: { readonly name: string; readonly value: string },
  line: string,
  settings: CrontabSettings,
  place: string,
): readonly ImportNote[] {
  const problem = settingProblem(line)
  return problem === null ? settings.apply(name, value, place) : [leftOut('job', place, problem)]
}

/** Returns reasons why cron does not run lines as intended. All lines are examined to determine whether the crontab has a user column. */
function lineProblems(
  jobs: readonly CronJobLine[],
  layout: CrontabLayout,
  isLayoutCertain: boolean,
): ReadonlyMap<CronJobLine, Problem> {
  const problems = new Map<CronJobLine, Problem>()
  for (const job of jobs) {
    const problem = scheduleCharacter(job) ?? (layout === 'anacron' ? null : foreignProblem(job))
    if (problem !== null) problems.set(job, problem)
  }
  const others = jobs.filter((job) => !problems.has(job))
  return new Map([...problems, ...layoutProblems(others, layout, isLayoutCertain)])
}

/**
 * Writes the crontab with pings. Other lines stay unchanged, except that the last line must end with a newline.
 * @param urlOf returns the ping URL of the check with the given slug
 */
export function writeCrontab(
  { lines, planned }: Pick<CrontabPlan, 'lines' | 'planned'>,
  pinging: Pinging,
  urlOf: (slug: string) => string,
): ChangedText {
  const after = [...lines]
  for (const { index, job, shell, slug } of planned) after[index] = lineWith(job, shell, urlOf(slug), pinging)
  const last = after.at(-1)
  if (planned.length > 0 && last !== undefined && !last.endsWith('\n')) after[after.length - 1] = `${last}\n`
  return { before: lines, after }
}

type ReadTiming = Required<Pick<Parameters<Proposals['add']>[0], 'timing' | 'delaySeconds' | 'runSeconds' | 'why'>>

function readTiming(job: CronJobLine, settings: CrontabSettings, options: CrontabOptions): ReadTiming | Problem {
  const read = options.layout === 'anacron' ? readPeriod(job) : readSchedule(job.schedule)
  if ('problem' in read) return problemOf(read.problem)
  const timing = inZone(read.timing, settings.zone ?? options.zone)
  const problem = timingProblem(timing)
  if (problem !== null) return problemOf(problem)
  const rare = options.layout !== 'anacron' && /\brun-parts\b/.test(job.command) && isDailyOrRarer(timing, options.now)
  const zoned = 'tz' in timing && settings.zoneReason !== null ? [settings.zoneReason] : []
  const parts = rare ? ['if the machine is off, jobs of run-parts may wait a day'] : []
  const wait = waitOf(job, settings)
  const knownWait = wait === Infinity ? 0 : wait
  return {
    timing,
    delaySeconds: read.delaySeconds + settings.randomDelaySeconds + knownWait + (rare ? DAY : 0),
    runSeconds: limitOf(job, settings),
    why: [...read.why, ...zoned, ...parts],
  }
}

function readSchedule(words: readonly string[]): ReadSchedule {
  const [first = ''] = words
  return first.startsWith('@') ? readScheduleWord(first) : readFields(words)
}

const PERIODS: Readonly<Record<string, number>> = { '@daily': 1, '@weekly': 7, '@monthly': 31, '@yearly': 365 }

/** Reads an anacron period. If the machine was off when a job was due, anacron runs the job after the next boot. */
function readPeriod({ schedule: [period = ''], delay }: CronJobLine): ReadSchedule {
  const days = /^\d{1,4}$/.test(period) ? Number(period) : Object.hasOwn(PERIODS, period) ? PERIODS[period] : undefined
  if (days === undefined || !/^\d{1,5}$/.test(delay))
    return { problem: 'Its period is not a number of days, or its delay is not a number of minutes.' }
  return {
    timing: { timeout: days * DAY },
    delaySeconds: DAY + Number(delay) * 60,
    why: ['if the machine is off, anacron waits a day'],
  }
}
