/** Reads a crontab that was pasted into a page, proposes a check for each job, and writes the crontab with pings for the chosen jobs. */
import { createHash } from 'node:crypto'
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { NAME_LIMIT } from '../../domain/check/fields.ts'
import { SLUG_LIMIT } from '../../domain/check/slug.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import { codePoints } from '../../domain/schema.ts'
import { inSteps } from '../../lib/work/event-loop-yield.ts'
import type { Deps } from '../../services/common/deps.ts'
import { jobOf } from '../proposals/command/job-name.ts'
import { decoded } from '../proposals/crontab/characters.ts'
import { type CrontabPlan, planCrontabInSteps, writeCrontab } from '../proposals/crontab/crontab.ts'
import { type CrontabLayout, readCrontabLine } from '../proposals/crontab/lines.ts'
import type { Pinging } from '../proposals/ping-lines.ts'
import { MAILS_ALREADY, PINGS_ALREADY, pingedChecks } from '../proposals/pinging-already.ts'
import { type ProposedCheck, slugOf } from '../proposals/proposal.ts'
import { findProposals, slugsOf, timingsBySlug } from './proposals.ts'

/** Maximum number of lines. `overdue import crontab` accepts longer crontabs. */
export const PASTED_LINES = 200
/** Duration of a step in milliseconds. Reading a line takes one millisecond, or ten if the line is unusual. */
const STEP_MS = 4

/** A crontab, and the choices of the member who pasted it. */
export interface PastedCrontab {
  readonly text: string
  /** true if each line names a user, as in `/etc/crontab` */
  readonly isOfSystem: boolean
  /** IANA name of the time zone of the cron daemon */
  readonly zone: string
  /** null to choose a grace time for each job */
  readonly graceSeconds: number | null
  readonly pinging: Pinging
  /** beginning of the project's ping URLs, with a trailing slash */
  readonly pingEndpoint: string
  /** ping key for the jobs; null if the project has none, so that no crontab can be written */
  readonly pingKey: string | null
  /** returns the name that the member typed for a job; null if there is none */
  readonly nameOf: (key: string) => string | null
  readonly isChosen: (key: string) => boolean
}

interface Job {
  /** line number, starting at 1 */
  readonly line: number
  /** the schedule as written; or the beginning of the line, if it is not a job */
  readonly schedule: string
  /** name of the program that the job runs */
  readonly program: string
}

export interface NewJob extends Job {
  readonly kind: 'new'
  /** identifies the job when the crontab is pasted again */
  readonly key: string
  readonly isChosen: boolean
  readonly check: ProposedCheck
  /** a sentence about a mistake in the typed name; null if there is none */
  readonly mistake: string | null
  /** sentences about parts of the line that hide a failure or are probably mistakes */
  readonly remarks: readonly string[]
}

/**
 * A job in the crontab. It is `watched` if it already pings a check, or if its check already exists. `check` is null if it is unknown which
 * check the job pings.
 */
export type PastedJob =
  | NewJob
  | (Job & { readonly kind: 'watched'; readonly check: Check | null })
  | (Job & { readonly kind: 'left-out'; readonly reason: string; readonly advice: string | null })

interface WrittenLine {
  /** the line, with its line break */
  readonly text: string
  readonly isChanged: boolean
}

export interface ReadCrontab {
  /** jobs in the order of the lines */
  readonly jobs: readonly PastedJob[]
  /** notes about settings and comments */
  readonly notes: readonly ImportNote[]
  /** true if the crontab contains `CRON_TZ`, which some cron daemons follow and others ignore */
  readonly namesZone: boolean
  /** crontab with the pings of the chosen jobs; null if there is no ping key, or no line changes */
  readonly written: readonly WrittenLine[] | null
}

/** Reads a crontab without changing anything. @throws Refusal `forbidden` */
export async function readPastedCrontab(
  deps: Pick<Deps, 'store' | 'now' | 'eventLoop'>,
  actor: Actor,
  pasted: PastedCrontab,
): Promise<ReadCrontab> {
  requireRight(actor, 'write')
  const { ids, slugs } = pingedChecks(pasted.text)
  const taken = new Set([...slugs, ...(await slugsOf(deps, actor, ids))])
  const here = await timingsBySlug(deps, actor)
  const { text, isOfSystem, zone, graceSeconds, pinging, pingEndpoint } = pasted
  const layout = isOfSystem ? 'system' : 'user'
  const plan = await inSteps(
    deps.eventLoop,
    planCrontabInSteps(Buffer.from(text).toString('latin1'), {
      pinging,
      ...{ layout, isLayoutCertain: isOfSystem, isZoneCertain: true, zone, prefix: '', taken, here, now: deps.now() },
      ...(graceSeconds === null ? {} : { graceSeconds }),
      ...{ pingEndpoint, targetLength: (pasted.pingKey?.length ?? 0) + SLUG_LIMIT + 1 },
    }),
    STEP_MS,
  )
  const jobs = await placeJobs(deps, actor, plan, layout, pasted)
  return {
    jobs: jobs.toSorted((a, b) => a.line - b.line),
    notes: plan.notes.filter(({ subject }) => subject !== 'job' && subject !== 'text in'),
    namesZone: /^[ \t]*CRON_TZ[ \t]*=/m.test(text),
    written: written(plan, jobs, pasted),
  }
}

async function placeJobs(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  plan: CrontabPlan,
  layout: CrontabLayout,
  pasted: PastedCrontab,
): Promise<readonly PastedJob[]> {
  const keys = keysOf(plan.lines)
  const watched: PastedJob[] = []
  const fresh: NewJob[] = []
  for (const [at, { check, stored }] of (await findProposals(deps, actor, plan.checks, '')).entries()) {
    const index = plan.planned[at]?.index ?? 0
    const job = jobAt(plan.lines, index, layout)
    const key = keys[index] ?? ''
    if (stored !== null) watched.push({ ...job, kind: 'watched', check: stored })
    else
      fresh.push({
        ...job,
        kind: 'new',
        key,
        isChosen: pasted.isChosen(key),
        check: withName(check, pasted.nameOf(key)),
        mistake: null,
        remarks: remarksAbout(plan, job),
      })
  }
  return [...watched, ...(await withMistakes(deps, actor, fresh)), ...leftOut(plan, layout)]
}

function remarksAbout({ notes }: CrontabPlan, { line }: Job): readonly string[] {
  const place = `line ${line}`
  return notes
    .filter(({ kind, subject, name }) => kind === 'to-do' && subject === 'job' && name === place)
    .map(({ reason }) => reason)
}

/** Returns the lines that get no check. Some already ping; others contain something that cron or checks do not support. */
function leftOut({ notes, lines }: CrontabPlan, layout: CrontabLayout): readonly PastedJob[] {
  return notes.flatMap(({ kind, name, reason, advice }): PastedJob[] => {
    const line = Number(/^line (\d+)$/.exec(name)?.[1])
    if (kind !== 'left-out' || Number.isNaN(line)) return []
    const job = jobAt(lines, line - 1, layout)
    const isWatched = reason === PINGS_ALREADY || reason === MAILS_ALREADY
    return [isWatched ? { ...job, kind: 'watched', check: null } : { ...job, kind: 'left-out', reason, advice }]
  })
}

/**
 * Returns a key for each line. The key stays the same when lines are added before the line. Equal lines are distinguished by their order.
 */
function keysOf(lines: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const number = (seen.get(line) ?? 0) + 1
    seen.set(line, number)
    return createHash('sha256').update(`${number} ${line}`).digest('hex').slice(0, KEY_LENGTH)
  })
}

const KEY_LENGTH = 12
/** Maximum number of characters to show if a line is not a job. */
const BEGINNING = 60

function jobAt(lines: readonly string[], index: number, layout: CrontabLayout): Job {
  const text = lines[index] ?? ''
  const read = readCrontabLine(text, layout)
  const line = index + 1
  if (read.kind !== 'job') return { line, schedule: decoded(text.trim()).slice(0, BEGINNING), program: '' }
  return { line, schedule: decoded(read.schedule.join(' ')), program: decoded(jobOf(read.command).name) }
}

function withName(check: ProposedCheck, typed: string | null): ProposedCheck {
  const name = decoded(check.name)
  return typed === null || typed === name ? { ...check, name } : { ...check, name: typed, slug: slugOf(typed, '') }
}

/** Adds the mistakes in typed names. If jobs ping by slug, no other check may have the same slug. */
async function withMistakes(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  jobs: readonly NewJob[],
): Promise<readonly NewJob[]> {
  const checks = jobs.filter(({ isChosen }) => isChosen).map(({ check }) => check)
  const stored = await findProposals(deps, actor, checks, '')
  const slugs = [...checks, ...stored.flatMap((one) => one.stored ?? [])].map(({ slug }) => slug)
  const double = new Set(slugs.filter((slug, at) => slugs.indexOf(slug) < at))
  return jobs.map((job) => (job.isChosen ? { ...job, mistake: nameMistake(job.check, double) } : job))
}

function nameMistake({ name, slug }: ProposedCheck, double: ReadonlySet<string>): string | null {
  if (codePoints(name) > NAME_LIMIT) return `This is too long: at most ${NAME_LIMIT} characters.`
  return double.has(slug) ? `Another check has the slug ${slug}. Choose another name.` : null
}

/** Writes the crontab. Adds pings for existing checks that have never received one, because the crontab may not have been installed yet. */
function written(
  { lines, planned }: CrontabPlan,
  jobs: readonly PastedJob[],
  { pinging, pingEndpoint, pingKey }: PastedCrontab,
): readonly WrittenLine[] | null {
  if (pingKey === null) return null
  const slugs = new Map(jobs.map((job) => [job.line - 1, slugToPing(job)]))
  const chosen = planned.flatMap((one) => {
    const slug = slugs.get(one.index) ?? null
    return slug === null ? [] : [{ ...one, slug }]
  })
  if (chosen.length === 0) return null
  const { before, after } = writeCrontab(
    { lines, planned: chosen },
    pinging,
    (slug) => `${pingEndpoint}${pingKey}/${slug}`,
  )
  return after.map((line, index) => ({ text: decoded(line), isChanged: line !== before[index] }))
}

/** Returns the slug that the job's line will ping, or null if the line does not change. */
export function slugToPing(job: PastedJob): string | null {
  if (job.kind === 'new') return job.isChosen ? job.check.slug : null
  return job.kind === 'watched' && job.check?.nPings === 0 ? job.check.slug : null
}
