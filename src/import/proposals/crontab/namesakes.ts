/**
 * Distinguishes jobs with the same name by their properties instead of their order, so that a repeated import finds the same check for each
 * job.
 */
import { lowerCased } from '../../../domain/check/schedule-words.ts'
import { spanInWords } from '../../../domain/duration.ts'
import { describe } from '../../../domain/schedule/schedule.ts'
import { isInterpreter } from '../command/interpreters.ts'
import type { NamedJob } from '../command/job-name.ts'
import { lastComponent } from '../command/plain-path.ts'
import { isSameTiming, type ProposedTiming, slugOf } from '../proposal.ts'

export interface Namesake extends NamedJob {
  /** user that runs the job; null for the crontab's owner */
  readonly user: string | null
  readonly timing: ProposedTiming
}

/**
 * Returns a name for each job, in the order of the jobs. Unique names do not change. If several jobs have the same name, a difference
 * between them is added in parentheses, as in `backup.sh (shop)`. They keep the same name if no difference may be shown. @param here
 * timings of existing checks, by slug; they let a job keep its check
 */
export function distinctNames(
  jobs: readonly Namesake[],
  prefix: string,
  here: ReadonlyMap<string, ProposedTiming>,
): readonly string[] {
  const groups = Map.groupBy(jobs, ({ name }) => slugOf(name, prefix))
  const names = new Map([...groups.values()].flatMap((alike) => [...namesIn(alike, prefix, here)]))
  return jobs.map((job) => names.get(job) ?? job.name)
}

/** @param alike jobs that have the same name */
function namesIn(
  alike: readonly Namesake[],
  prefix: string,
  here: ReadonlyMap<string, ProposedTiming>,
): ReadonlyMap<Namesake, string> {
  const names = new Map(
    told(alike.map((job) => ({ job, details: alike.length > 1 ? detailsOf(job) : [], chosen: [] }))),
  )
  const isChanged = alike.length === 1 && here.has(slugOf(alike[0]?.name ?? '', prefix))
  if (here.size === 0 || isChanged || alike.length > ALIKE_LIMIT) return names
  const kept = keptNames(names, prefix, here)
  const isKept = new Set(kept.values())
  for (const [job, name] of names) {
    const free = isKept.has(name) ? (possibleNames(job).find((other) => !isKept.has(other)) ?? name) : name
    names.set(job, kept.get(job) ?? free)
  }
  return names
}

/** Maximum number of jobs with the same name, because all possible names of these jobs are compared. No real crontab has more. */
const ALIKE_LIMIT = 200

interface Candidate {
  readonly job: Namesake
  /** remaining details, most distinctive first */
  readonly details: readonly (string | null)[]
  /** details that distinguish the job from the others */
  readonly chosen: readonly string[]
}

function told(candidates: readonly Candidate[]): [Namesake, string][] {
  const isTold = candidates.length < 2 || candidates[0]?.details.length === 0
  if (isTold) return candidates.map(({ job, chosen }) => [job, nameWith(job, chosen)])
  const groups = [...Map.groupBy(candidates, ({ details: [detail] }) => detail ?? null)]
  return groups.flatMap(([detail, alike]) => {
    const more = detail === null || groups.length === 1 ? [] : [detail]
    return told(
      alike.map(({ job, details, chosen }) => ({ job, details: details.slice(1), chosen: [...chosen, ...more] })),
    )
  })
}

const nameWith = ({ name }: Namesake, chosen: readonly string[]) =>
  chosen.length === 0 ? name : `${name} (${chosen.join(', ')})`

/**
 * Returns the names of existing checks for the jobs that keep them. A job keeps a check's name if it is the only job with that timing to
 * which the check could belong.
 * @param names names that the jobs would otherwise get
 */
function keptNames(
  names: ReadonlyMap<Namesake, string>,
  prefix: string,
  here: ReadonlyMap<string, ProposedTiming>,
): ReadonlyMap<Namesake, string> {
  const isOf = (name: string, { timing }: Namesake) => {
    const known = here.get(slugOf(name, prefix))
    return known !== undefined && isSameTiming(known, timing)
  }
  const kept = new Map([...names].filter(([job, name]) => isOf(name, job)))
  const taken = new Set(kept.values())
  const numbers = [...names.keys()].slice(1).map((_, index) => index + 2)
  const others = [...names.keys()].flatMap((job) => {
    if (kept.has(job)) return []
    const possible = [...possibleNames(job), ...numbers.map((number) => `${job.name} ${number}`)]
    const [name, ...more] = possible.filter((one) => !taken.has(one) && isOf(one, job))
    return name === undefined || more.length > 0 ? [] : [{ job, name }]
  })
  for (const { job, name } of others)
    if (others.filter((other) => other.name === name).length === 1) kept.set(job, name)
  return kept
}

function possibleNames(job: Namesake): readonly string[] {
  let choices: readonly (readonly string[])[] = [[]]
  for (const detail of detailsOf(job))
    if (detail !== null) choices = [...choices, ...choices.map((chosen) => [...chosen, detail])]
  return [...new Set(choices.map((chosen) => nameWith(job, chosen)))]
}

/** Returns a job's details, without words that may be passwords. */
function detailsOf({ words, folder, place, user, timing }: Namesake): readonly (string | null)[] {
  return [
    words.slice(1).find((word) => TASKS.test(word)) ?? null,
    placeIn(place ?? ''),
    folderOf(words, folder),
    words.slice(1).reduce<string | null>((file, word) => file ?? fileIn(word), null),
    user,
    timesOf(timing),
  ]
}

/** Describes a timing in words, such as `at 03:00 every day`. */
function timesOf(timing: ProposedTiming): string {
  if ('timeout' in timing) return `every ${spanInWords(timing.timeout)}`
  const words = describe(timing.schedule, 'UTC').replace(/ \(UTC\)$/, '')
  return words.length > TIMES_LIMIT ? timing.schedule : lowerCased(words)
}

/** Maximum length of a timing's description, in characters. If the description is longer, the schedule itself is used. */
const TIMES_LIMIT = 60
/** Matches words that say what a program does. */
const TASKS =
  /^(?:archive|backup|build|check|clean|cleanup|collect|compact|copy|create|cron|daily|deploy|dump|export|fetch|forget|full|hourly|import|incremental|index|list|maintenance|monthly|optimi[sz]e|process|prune|pull|purge|push|rebuild|refresh|reindex|reload|renew|report|restart|restore|rotate|run|scan|scrub|send|snapshot|start|status|stop|sync|test|trim|update|upgrade|vacuum|verify|weekly|yearly)$/
/** Matches names of directories that usually contain many kinds of programs. */
const USUAL_FOLDERS = /^(?:s?bin|scripts?|current|cron|jobs|tools|usr|local|opt|lib)$/
/** Matches prefixes of paths. No password has such a prefix. */
const ROOTS = /^(?:\/(?:backups?|data|etc|home|media|mnt|opt|root|srv|usr|var)|~)\/./
const FILE_ENDING = /\w\.(?:cfg|conf|env|ini|json|list|sql|toml|txt|ya?ml)$/

/** Returns the directory that contains the program or script, or the directory to which the line changes. */
function folderOf(words: readonly string[], wentTo: string | null): string | null {
  const [program = '', ...args] = words
  const path = isInterpreter(lastComponent(program) ?? '') ? args.find((word) => word.includes('/')) : program
  return ownFolder(path ?? '') ?? ownFolder(`${wentTo ?? ''}/`)
}

/** Returns the name of the directory that belongs to the job, such as `shop` for `/srv/shop/bin/run`. */
function ownFolder(path: string): string | null {
  if (!/^(?:~|\$\w+|\.{1,2}|[\w.@+-]+)?\/[\w.@+/-]*$/.test(path)) return null
  const folders = path.split('/').slice(0, -1)
  return folders.findLast((folder) => /^\w/.test(folder) && !USUAL_FOLDERS.test(folder)) ?? null
}

/** Returns a short name for a place, such as `web1` for `app@web1`, and `dump` for `ghcr.io/x/dump:1.2`. */
function placeIn(place: string): string | null {
  return lastComponent(place)?.replace(/^.*@/, '').replace(/:.*$/, '') || null
}

/** Returns the file name in a word that is a path, or a long option with a path as its value. */
function fileIn(word: string): string | null {
  const path = word.replace(/^--(?!.*(?:key|pass|secret|token))[a-z-]+=/, '')
  if (path.startsWith('-') || path.includes('://') || !(ROOTS.test(path) || FILE_ENDING.test(path))) return null
  return /\.(?:lock|log|pid)$/.test(path) ? null : lastComponent(path)
}
