/** Silences checks as pages ask for it, and lists silences by what they silence. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Match, Silence, SilenceWindow } from '../../domain/silence/silence.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { findChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { createSilence, listSilences } from './silences.ts'

/** Checks that one silence names. */
const NAMED_AT_ONCE = 100
/** Checks that one form silences by their names. */
export const SILENCED_AT_ONCE = 500

/** Which checks are to be silenced. */
export interface SilenceScope extends Match {
  /** asked for in so many words: no check may be left of those that were named */
  readonly isProject: boolean
}

/**
 * Silences the checks of a scope: many that are named by several silences. An error leaves those that were made before it.
 * @throws Refusal `not-found` for a scope that names nothing; `silences-full`
 */
export async function silenceChecks(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  { checks: ids, tags, isProject }: SilenceScope,
  window: SilenceWindow,
  reason: string,
): Promise<void> {
  requireRight(actor, 'write')
  const common = { ...window, upTo: 'down', reason } as const
  if (ids.length === 0) {
    if (tags.length === 0 && !isProject) throw new Refusal('not-found', 'not found')
    await createSilence(deps, actor, { ...common, match: { checks: [], tags } })
    return
  }
  for (const checks of inBatches(ids, NAMED_AT_ONCE)) {
    await createSilence(deps, actor, { ...common, match: { checks, tags } })
  }
}

/** A silence with the first of the checks that it names. */
export interface NamedSilence {
  readonly silence: Silence
  readonly checks: readonly Check[]
}

/** Names no more. */
const CHECKS_NAMED = 3

/** The first of the silences of a project. */
export interface NamedSilences {
  readonly first: readonly NamedSilence[]
  /** how many there are after these */
  readonly rest: number
}

/** Silences with the checks that they name. */
const NAMED_SILENCES = 100

/** Those that have not ended, the first to end first. */
export async function listNamedSilences(deps: Pick<Deps, 'store' | 'now'>, actor: Actor): Promise<NamedSilences> {
  const all = await listSilences(deps, actor)
  const silences = all.slice(0, NAMED_SILENCES)
  const ids = silences.flatMap(({ match }) => match.checks.slice(0, CHECKS_NAMED))
  const found = new Map<string, Check>()
  for await (const page of findChecks(deps, actor, [...new Set(ids)])) {
    for (const { check } of page) found.set(check.id, check)
  }
  const first = silences.map((silence) => ({
    silence,
    checks: silence.match.checks.slice(0, CHECKS_NAMED).flatMap((id) => found.get(id) ?? []),
  }))
  return { first, rest: all.length - first.length }
}
