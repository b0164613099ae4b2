/**
 * Proposes checks for the jobs of another scheduler. `ping-lines.ts` makes the jobs ping; `pinging-already.ts` and `check-variables.ts`
 * recognize jobs that already ping. The commands for each scheduler are in `cli/import/proposals/`.
 */
import { NAME_LIMIT } from '../../domain/check/fields.ts'
import { SLUG_LIMIT, slugify } from '../../domain/check/slug.ts'
import { spanInWords } from '../../domain/duration.ts'
import type { ImportNote, ImportNoteKind } from '../../domain/import/import-note.ts'
import { preview } from '../../domain/schedule/schedule.ts'
import { isTimeZone } from '../../domain/schedule/time-zones.ts'
import { scheduleError, writtenSchedule } from '../../domain/schedule/typed/typed-schedule.ts'
import { Numbering } from '../../lib/text/numbering.ts'
import { oneLine, storable, within } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'

/** A period in seconds, or a cron or OnCalendar expression with a time zone. */
export type ProposedTiming =
  | { readonly timeout: number }
  | { readonly schedule: string /** IANA name */; readonly tz: string }

export function isSameTiming(a: ProposedTiming, b: ProposedTiming): boolean {
  if ('timeout' in a || 'timeout' in b) return 'timeout' in a && 'timeout' in b && a.timeout === b.timeout
  return a.schedule === b.schedule && a.tz === b.tz
}

export interface ProposedCheck {
  readonly name: string
  /** unique among the proposed checks; a later import of the same file finds the check by its slug */
  readonly slug: string
  readonly tags: string
  readonly timing: ProposedTiming
  readonly graceSeconds: number
  /** true if the job is suspended, so that the check is created paused */
  readonly isPaused: boolean
  /** place of the job, such as `line 5` */
  readonly place: string
  /** reasons why this timing was chosen, as sentences without the final full stop */
  readonly why: readonly string[]
}

/** A job that a parser found. Its check has no unique name yet. */
interface FoundJob extends Omit<ProposedCheck, 'slug' | 'graceSeconds' | 'why'> {
  /** maximum delay, in seconds, with which the scheduler starts the job */
  readonly delaySeconds: number
  /** seconds after which the scheduler stops a run; omitted if no limit is known */
  readonly runSeconds?: number
  readonly why: readonly string[]
}

export interface ProposalOptions {
  /** beginning of the ping URLs on this server, with a trailing slash; it need not end with `/ping/` */
  readonly pingEndpoint: string
  /** IANA name of the time zone for schedules without a zone */
  readonly zone: string
  /** text that says how to set another time zone; omitted if there is no hint */
  readonly zoneHint?: string
  /** prefix of names and slugs, such as a host name; may be empty */
  readonly prefix: string
  /**
   * grace time of all checks, in seconds, before additions for late starts and time limits; if omitted, the gap between two runs is used,
   * see {@link usualGrace}
   */
  readonly graceSeconds?: number
  /** slugs of checks that other jobs in the file already ping */
  readonly taken: ReadonlySet<string>
  /** timings of existing checks, by slug; omitted if none are known */
  readonly here?: ReadonlyMap<string, ProposedTiming>
  /** time at which the file is read; gaps are measured between the runs after it */
  readonly now: Instant
}

/** The reason why no check is proposed for a job. */
export interface Problem {
  /** a sentence that gives the reason */
  readonly reason: string
  /** a sentence; null if the user can do nothing */
  readonly advice: string | null
}

export const problemOf = (reason: string, advice: string | null = null): Problem => ({ reason, advice })

const SPAN_MIN = 60
const SPAN_MAX = 31_536_000
export const SCHEDULE_LIMIT = 100
const GRACE_MIN = 300
const GRACE_USUAL = 3_600
/** Number of runs to measure. For a daily job, this is more than a week. */
const RUNS_MEASURED = 10
/** Length of a 23-hour day in seconds. Clocks are set forward on such a day. */
const SHORTEST_DAY = 82_800

/** @param place such as `line 5` @param reason a sentence @param advice a sentence; null if the user can do nothing */
export function noteOf(
  kind: ImportNoteKind,
  subject: string,
  place: string,
  reason: string,
  advice: string | null = null,
) {
  return { kind, subject, name: place, project: null, reason, advice } satisfies ImportNote
}

/** Returns a sentence that says why a check cannot have the timing, or null if it can. */
export function timingProblem(timing: ProposedTiming): string | null {
  if ('timeout' in timing) {
    if (Number.isFinite(timing.timeout) && timing.timeout >= SPAN_MIN && timing.timeout <= SPAN_MAX) return null
    return 'The period of a check is 60 seconds to 365 days.'
  }
  if (timing.schedule.length > SCHEDULE_LIMIT) return `A schedule has at most ${SCHEDULE_LIMIT} characters.`
  if (!isTimeZone(timing.tz)) return 'The time zone is not an IANA name such as Europe/Riga.'
  return scheduleError(timing.schedule)?.message ?? null
}

/** Collects jobs with valid timings and gives them unique names. Adds a number to repeated names. */
export class Proposals {
  readonly #options: ProposalOptions
  readonly #slugs: Set<string>
  readonly #numbering = new Numbering(SLUG_LIMIT)

  constructor(options: ProposalOptions) {
    this.#options = options
    this.#slugs = new Set(options.taken)
  }

  add(job: FoundJob): ProposedCheck {
    const { delaySeconds, runSeconds = 0, why, timing: found, ...rest } = job
    const timing = 'timeout' in found ? found : { ...found, schedule: writtenSchedule(found.schedule) }
    const usual = this.#options.graceSeconds ?? usualGrace(timing, this.#options.now)
    const graceSeconds = Math.min(usual + delaySeconds + runSeconds, SPAN_MAX)
    const late = delaySeconds > 0 ? [`the grace time includes ${spanInWords(delaySeconds)} for a late start`] : []
    const long = runSeconds > 0 ? [`the grace time includes ${spanInWords(runSeconds)} for a run, its time limit`] : []
    return { ...rest, ...this.#nameOf(job.name), timing, graceSeconds, why: [...why, ...late, ...long] }
  }

  #nameOf(given: string): Pick<ProposedCheck, 'name' | 'slug'> {
    const { prefix } = this.#options
    const name = nameWithPrefix(given, prefix)
    const base = slugOf(given, prefix)
    const number = this.#numbering.next(base, (number) => !this.#slugs.has(numberedSlug(base, number)))
    const slug = numberedSlug(base, number)
    this.#slugs.add(slug)
    const ending = number === 1 ? '' : ` ${number}`
    return { name: `${within(name, NAME_LIMIT - ending.length - 1)}${ending}`, slug }
  }
}

const nameWithPrefix = (given: string, prefix: string) =>
  oneLine(storable(prefix === '' ? given : `${prefix} ${given}`))

/** Converts a name to a slug. `backup.py` becomes `backup-py`; a name without letters and digits becomes `job`. */
export function slugOf(given: string, prefix: string): string {
  return slugify(nameWithPrefix(given, prefix).replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')) || 'job'
}

/** Adds a number to a slug, so that `backup-py` becomes `backup-py-2`. */
function numberedSlug(base: string, number: number): string {
  const tail = number === 1 ? '' : `-${number}`
  return base.slice(0, SLUG_LIMIT - tail.length) + tail
}

/**
 * Returns the gap between two runs, but at least 5 minutes and at most an hour. An hour allows for the clock changes in spring and autumn.
 */
function usualGrace(timing: ProposedTiming, now: Instant): number {
  return Math.min(Math.max(shortestGap(timing, now), GRACE_MIN), GRACE_USUAL)
}

/** Returns true if there is always a day or more between two runs. */
export function isDailyOrRarer(timing: ProposedTiming, now: Instant): boolean {
  return shortestGap(timing, now) >= SHORTEST_DAY
}

/** Returns the shortest gap between two consecutive runs among the next runs, in seconds. */
export function shortestGap(timing: ProposedTiming, now: Instant): number {
  if ('timeout' in timing) return timing.timeout
  const runs = preview(timing.schedule, timing.tz, now, RUNS_MEASURED).map(({ epochMilliseconds }) => epochMilliseconds)
  return Math.min(...runs.slice(1).map((run, index) => (run - (runs[index] ?? run)) / 1000))
}
