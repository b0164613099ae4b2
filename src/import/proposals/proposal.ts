/**
 * Checks that are proposed for the jobs of another scheduler, which has no log of them. `ping-lines.ts` says what makes the jobs ping,
 * `pinging-already.ts` and `check-variables.ts` which of them do already. Each scheduler has its commands in `cli/import/proposals/`.
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

/** Either a period in seconds, or a cron or OnCalendar expression in a zone. */
export type ProposedTiming =
  | { readonly timeout: number }
  | { readonly schedule: string /** IANA name */; readonly tz: string }

export function isSameTiming(a: ProposedTiming, b: ProposedTiming): boolean {
  if ('timeout' in a || 'timeout' in b) return 'timeout' in a && 'timeout' in b && a.timeout === b.timeout
  return a.schedule === b.schedule && a.tz === b.tz
}

export interface ProposedCheck {
  readonly name: string
  /** distinct among the proposed ones; it finds the check again when the same file is imported later */
  readonly slug: string
  readonly tags: string
  readonly timing: ProposedTiming
  readonly graceSeconds: number
  /** true: its job is suspended, so the check is created paused */
  readonly isPaused: boolean
  /** where the job was found: `line 5` */
  readonly place: string
  /** why its timing is so: sentences without the final stop */
  readonly why: readonly string[]
}

/** A job as a parser found it, before its check has a name of its own. */
interface FoundJob extends Omit<ProposedCheck, 'slug' | 'graceSeconds' | 'why'> {
  /** how much later than planned the scheduler may start the job, in seconds */
  readonly delaySeconds: number
  /** how long a run may take until its scheduler ends it, in seconds; left out: no limit is known */
  readonly runSeconds?: number
  readonly why: readonly string[]
}

export interface ProposalOptions {
  /** where this server takes pings: a URL with its last slash, which need not end in `/ping/` */
  readonly pingEndpoint: string
  /** of schedules that name none: IANA name */
  readonly zone: string
  /** how people set another one, in words; left out: nothing is said */
  readonly zoneHint?: string
  /** put before names and slugs, such as the name of a host; empty: nothing */
  readonly prefix: string
  /** of all checks, without what a late start and a time limit add; left out: the gap between two runs, see {@link usualGrace} */
  readonly graceSeconds?: number
  /** slugs of checks that other jobs of the file ping already */
  readonly taken: ReadonlySet<string>
  /** timings of the checks that are there, by slug; left out: none are known */
  readonly here?: ReadonlyMap<string, ProposedTiming>
  /** when the file is read: the gaps between runs are measured from then on */
  readonly now: Instant
}

/** Why no check is proposed for a job. */
export interface Problem {
  /** a sentence */
  readonly reason: string
  /** a sentence; null: nothing can be done */
  readonly advice: string | null
}

export const problemOf = (reason: string, advice: string | null = null): Problem => ({ reason, advice })

const SPAN_MIN = 60
const SPAN_MAX = 31_536_000
export const SCHEDULE_LIMIT = 100
const GRACE_MIN = 300
const GRACE_USUAL = 3_600
/** A week of a job that runs daily. */
const RUNS_MEASURED = 10
/** One that spring makes an hour shorter. */
const SHORTEST_DAY = 82_800

/** @param place where it stands: `line 5`. @param reason a sentence. @param advice a sentence; null: nothing can be done */
export function noteOf(
  kind: ImportNoteKind,
  subject: string,
  place: string,
  reason: string,
  advice: string | null = null,
) {
  return { kind, subject, name: place, project: null, reason, advice } satisfies ImportNote
}

/** Why the timing cannot be that of a check, as a sentence; null: it can. */
export function timingProblem(timing: ProposedTiming): string | null {
  if ('timeout' in timing) {
    if (Number.isFinite(timing.timeout) && timing.timeout >= SPAN_MIN && timing.timeout <= SPAN_MAX) return null
    return 'The period of a check is 60 seconds to 365 days.'
  }
  if (timing.schedule.length > SCHEDULE_LIMIT) return `A schedule has at most ${SCHEDULE_LIMIT} characters.`
  if (!isTimeZone(timing.tz)) return 'The time zone is not an IANA name such as Europe/Riga.'
  return scheduleError(timing.schedule)?.message ?? null
}

/** Gives names of their own to jobs whose timing is valid; a job of the same name gets a number. */
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
    const late = delaySeconds > 0 ? [`the grace time has ${spanInWords(delaySeconds)} for a late start`] : []
    const long = runSeconds > 0 ? [`the grace time has ${spanInWords(runSeconds)} for a run, its time limit`] : []
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

/** `backup.py` gives `backup-py`; a name without letters and digits gives `job`. */
export function slugOf(given: string, prefix: string): string {
  return slugify(nameWithPrefix(given, prefix).replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')) || 'job'
}

/** `backup-py` gives `backup-py-2`. */
function numberedSlug(base: string, number: number): string {
  const tail = number === 1 ? '' : `-${number}`
  return base.slice(0, SLUG_LIMIT - tail.length) + tail
}

/**
 * The gap between two runs, but at least 5 minutes and at most an hour. An hour bridges what the changes of the clock in
 * spring and autumn move.
 */
function usualGrace(timing: ProposedTiming, now: Instant): number {
  return Math.min(Math.max(shortestGap(timing, now), GRACE_MIN), GRACE_USUAL)
}

/** True for a job that waits a day or longer between any two runs. */
export function isDailyOrRarer(timing: ProposedTiming, now: Instant): boolean {
  return shortestGap(timing, now) >= SHORTEST_DAY
}

/** The shortest time between two of the next runs, in seconds. */
export function shortestGap(timing: ProposedTiming, now: Instant): number {
  if ('timeout' in timing) return timing.timeout
  const runs = preview(timing.schedule, timing.tz, now, RUNS_MEASURED).map(({ epochMilliseconds }) => epochMilliseconds)
  return Math.min(...runs.slice(1).map((run, index) => (run - (runs[index] ?? run)) / 1000))
}
