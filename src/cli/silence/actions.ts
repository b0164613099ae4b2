/** Implements the `overdue silence` commands. */
import { type Actor, rightOf } from '../../domain/actor.ts'
import { isTag } from '../../domain/check/tags.ts'
import { count } from '../../domain/duration.ts'
import { Refusal } from '../../domain/errors.ts'
import { byName } from '../../domain/incident/words.ts'
import { representSilence } from '../../domain/silence/represent.ts'
import { nextOccurrence, type Silence } from '../../domain/silence/silence.ts'
import { mutedSentence, windowWords } from '../../domain/silence/words.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import type { Instant } from '../../lib/time.ts'
import { findChecks } from '../../services/checks/checks.ts'
import type { Deps } from '../../services/common/deps.ts'
import {
  changeSilence,
  createSilence,
  endSilence,
  listEndedSilences,
  listSilences,
} from '../../services/silences/silences.ts'
import { openChecks } from '../check/find-check.ts'
import type { Context } from '../command.ts'
import { readCount } from '../count-option.ts'
import { openProject } from '../project/open-project.ts'
import { type Cell, shortIds } from '../terminal/screen.ts'
import { optionError, usageError } from '../usage.ts'
import { editedSilence, wantedSilence } from './wanted.ts'

const HEADS = ['CHECKS', 'FROM', 'UNTIL', 'OR EARLIER', 'AGAIN', 'REASON', 'BY', 'ID']
/** Indexes of the columns that a narrow terminal omits first: OR EARLIER, BY, AGAIN and FROM. */
const LEAST_WANTED = [3, 6, 4, 1]

/** Runs `overdue silence list`. */
export async function list({ openDeps, values, print }: Context): Promise<undefined> {
  const limit = readCount(values, 'limit')
  const { deps, actor } = await openProject({ openDeps, values })
  const silences = values.ended === true ? await endedOnes(deps, actor, limit) : await presentOnes(deps, actor, limit)
  const names = await namesOf(deps, actor, silences)
  const ids = shortIds(silences.map(({ id }) => id))
  const rows = silences.map((silence, index) => [...cells(silence, names, deps.now()), ids[index] ?? null])
  print(
    silences.map((silence) => represent(deps, actor, silence)),
    [{ rows: [HEADS, ...rows], leastWanted: LEAST_WANTED }],
  )
}

async function presentOnes(deps: Deps, actor: Actor, limit: number): Promise<readonly Silence[]> {
  return (await listSilences(deps, actor)).slice(0, limit)
}

async function endedOnes(deps: Deps, actor: Actor, limit: number): Promise<readonly Silence[]> {
  const found: Silence[] = []
  for await (const page of listEndedSilences(deps, actor)) {
    found.push(...page)
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

/** Runs `overdue silence create`. */
export async function create(context: Context): Promise<undefined> {
  const { positionals, values, lists, zone, print } = context
  const tags = lists.tag ?? []
  requireScope(positionals.length + tags.length > 0, values.all === true)
  for (const tag of tags) {
    if (!isTag(tag))
      throw optionError(`--tag "${tag}" is not a tag`, 'give one tag per option, and repeat the option for more')
  }
  const { deps, actor, found } = await openChecks(context)
  const match = { checks: found.map(({ check }) => check.id), tags }
  const silence = await createSilence(deps, actor, wantedSilence(values, match, deps.now()))
  const words = await silenceWords(deps, actor, silence, zone())
  print(represent(deps, actor, silence), `${words}\nto end it, run \`overdue silence end ${silence.id}\``)
}

/** Describes the checks and the times of a silence. For a repeated silence, a second line says when it repeats. */
async function silenceWords(deps: Deps, actor: Actor, silence: Silence, tz: string): Promise<string> {
  const now = deps.now()
  const muted = sentenceText(mutedSentence(silence, now), { now, tz, isNamed: true })
  const checks = matchWords(silence, await namesOf(deps, actor, [silence]))
  return `${checks}: ${muted}${silence.window ? `\nagain ${windowWords(silence.window)}` : ''}`
}

/** Runs `overdue silence set`. */
export async function set({ openDeps, values, argument: typed, zone, print }: Context): Promise<undefined> {
  if (CHANGES.every((name) => values[name] === undefined)) {
    throw usageError(
      'say what to change: --from, --for, --until, --schedule, --tz or --reason',
      'see `overdue silence set --help`',
    )
  }
  const { deps, actor } = await openProject({ openDeps, values })
  const { id } = await find(deps, actor, typed)
  const changed = await changeSilence(deps, actor, id, (silence, now) => editedSilence(silence, values, now))
  print(represent(deps, actor, changed), await silenceWords(deps, actor, changed, zone()))
}

const CHANGES = ['from', 'for', 'until', 'schedule', 'tz', 'reason'] as const

/** @throws Refusal `usage` */
function requireScope(isNamed: boolean, isAll: boolean): void {
  const help = 'see `overdue silence create --help`'
  if (!isNamed && !isAll) throw usageError('name checks, give --tag, or silence the whole project with --all', help)
  if (isNamed && isAll) throw usageError('--all is for the whole project: it takes neither checks nor --tag', help)
}

/** Runs `overdue silence end`. */
export async function end({ openDeps, values, argument: typed, print }: Context): Promise<undefined> {
  const { deps, actor } = await openProject({ openDeps, values })
  const { id } = await find(deps, actor, typed)
  const ended = await endSilence(deps, actor, id)
  print(represent(deps, actor, ended), `ended silence ${id}; checks that are still down alert now`)
}

/** Finds an active or planned silence by the first characters of its id. @throws Refusal `silence-not-found`, `silence-ambiguous` */
async function find(deps: Deps, actor: Actor, typed: string): Promise<Silence> {
  const isMeant = ({ id }: Silence) => typed !== '' && id.startsWith(typed.toLowerCase())
  const [silence, other] = (await listSilences(deps, actor)).filter(isMeant)
  const { name: project } = actor.project
  if (silence === undefined) {
    const message = `project "${project}" has no active or planned silence "${typed}"`
    throw new Refusal('silence-not-found', message, { name: typed, project })
  }
  if (other === undefined) return silence
  throw new Refusal('silence-ambiguous', `several silences begin with "${typed}"`, { name: typed })
}

type Names = ReadonlyMap<string, string>

/** Returns the names of the checks to which the silences apply. */
async function namesOf(deps: Deps, actor: Actor, silences: readonly Silence[]): Promise<Names> {
  const ids = new Set(silences.flatMap(({ match }) => match.checks))
  const names = new Map<string, string>()
  for await (const page of findChecks(deps, actor, [...ids])) {
    for (const { check } of page) names.set(check.id, check.name || check.slug || check.id)
  }
  return names
}

function matchWords({ match: { checks, tags } }: Silence, names: Names): string {
  if (checks.length === 0 && tags.length === 0) return 'all checks'
  const named = checks.map((id) => names.get(id) ?? 'a check that is gone')
  const tagged = tags.length === 0 ? [] : [`tagged ${tags.join(' ')}`]
  const first =
    named.length > SHOWN_CHECKS ? [count(named.length, 'check')] : named.length > 0 ? [named.join(', ')] : []
  return [...first, ...tagged].join(', ')
}

const SHOWN_CHECKS = 3

/**
 * Returns the cells of a silence's row. FROM and UNTIL are the times of the current or next occurrence. If the silence has ended, they are
 * its start and end.
 */
function cells(silence: Silence, names: Names, now: Instant): Cell[] {
  const { untilHealthy, window, reason, createdBy } = silence
  const { startsAt, endsAt } = nextOccurrence(silence, now) ?? silence
  const by = createdBy === null ? 'its ping URL' : byName(createdBy)
  const earlier = untilHealthy ? 'when healthy' : null
  const again = window && windowWords(window)
  return [{ name: matchWords(silence, names) }, startsAt, endsAt, earlier, again, reason || null, by]
}

function represent(deps: Deps, actor: Actor, silence: Silence): object {
  return representSilence(silence, rightOf(actor), deps.now())
}
