/** Creates silences from pages, and lists silences with the names of their checks. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Match, Silence, SilenceTimes } from '../../domain/silence/silence.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { findChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { createSilence, listSilences } from './silences.ts'

/** Maximum number of checks that one silence can name. */
const NAMED_AT_ONCE = 100
/** Maximum number of checks that one form submission can silence by name. */
export const SILENCED_AT_ONCE = 500

/** The checks that are silenced. */
export interface SilenceScope extends Match {
  /**
   * true if the user chose the entire project; otherwise, an empty scope does not silence any checks, because all of the named checks may
   * have been deleted
   */
  readonly isProject: boolean
}

/**
 * Silences the checks in a scope. If many checks are named, this creates several silences. If an error occurs, the silences that were
 * already created are kept.
 * @throws Refusal `not-found` if the scope is empty; `silences-full`
 */
export async function silenceChecks(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  { checks: ids, tags, isProject }: SilenceScope,
  times: SilenceTimes,
  reason: string,
): Promise<void> {
  requireRight(actor, 'write')
  const common = { ...times, upTo: 'down', reason } as const
  if (ids.length === 0) {
    if (tags.length === 0 && !isProject) throw new Refusal('not-found', 'not found')
    await createSilence(deps, actor, { ...common, match: { checks: [], tags } })
    return
  }
  for (const checks of inBatches(ids, NAMED_AT_ONCE)) {
    await createSilence(deps, actor, { ...common, match: { checks, tags } })
  }
}

/** A silence, and the first few checks that it names. */
export interface NamedSilence {
  readonly silence: Silence
  readonly checks: readonly Check[]
}

/** Maximum number of named checks to read per silence. */
const CHECKS_NAMED = 3

/** A project's first silences. */
export interface NamedSilences {
  readonly first: readonly NamedSilence[]
  /** number of silences that are not listed */
  readonly rest: number
}

/** Maximum number of silences to read with their checks. */
const NAMED_SILENCES = 100

/** Returns active and planned silences, sorted by when they end. */
export async function listNamedSilences(deps: Pick<Deps, 'store' | 'now'>, actor: Actor): Promise<NamedSilences> {
  const all = await listSilences(deps, actor)
  const first = await nameSilences(deps, actor, all.slice(0, NAMED_SILENCES))
  return { first, rest: all.length - first.length }
}

/** Returns the project's silences with the checks that they name. */
export async function nameSilences(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  silences: readonly Silence[],
): Promise<readonly NamedSilence[]> {
  const ids = silences.flatMap(({ match }) => match.checks.slice(0, CHECKS_NAMED))
  const found = new Map<string, Check>()
  for await (const page of findChecks(deps, actor, [...new Set(ids)])) {
    for (const { check } of page) found.set(check.id, check)
  }
  return silences.map((silence) => ({
    silence,
    checks: silence.match.checks.slice(0, CHECKS_NAMED).flatMap((id) => found.get(id) ?? []),
  }))
}
