/** Rereads a watched project's checks, and updates the known state. */
import type { Advice } from '../../domain/advice/advice.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { Temporal } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { FOUND_AT_ONCE } from '../checks/checks.ts'
import { findShownAdvice, readShownAdvice } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'
import type { LiveChecks } from './live-checks.ts'

type Needs = Pick<Deps, 'store' | 'now'>

/** The results of rereading checks. */
export interface Reread {
  /** checks that were updated */
  readonly changed: readonly string[]
  /** ids of checks that are no longer in the project, which the caller removes */
  readonly gone: Iterable<string>
}

/** @param isEnded returns true if the remaining checks are no longer needed */
export async function readAll(
  { store, now }: Needs,
  projectId: string,
  checks: LiveChecks,
  isEnded: () => boolean,
): Promise<Reread> {
  const gone = new Set(Array.from(checks.entries(), ([id]) => id))
  const changed: string[] = []
  const advice = await readShownAdvice({ store }, projectId, now())
  for await (const page of readPages((after) => store.checks.list(projectId, {}, after))) {
    if (isEnded()) return { changed, gone: [] }
    for (const found of page) {
      const { id } = found.check
      gone.delete(id)
      const known = checks.get(id)
      const shown = advice.get(id) ?? null
      if (known && isSameCheck(known.found, found) && isSameAdvice(known.advice, shown)) continue
      changed.push(id)
      checks.put(found, shown, now())
    }
  }
  return { changed, gone }
}

export async function readSome(
  { store, now }: Needs,
  projectId: string,
  checks: LiveChecks,
  ids: readonly string[],
): Promise<Reread> {
  const gone = new Set(ids)
  const changed: string[] = []
  for (const some of inBatches(ids, FOUND_AT_ONCE)) {
    const advice = await findShownAdvice({ store }, some, now())
    for (const found of await store.checks.findMany(some)) {
      const { check } = found
      if (check.projectId !== projectId) continue
      gone.delete(check.id)
      changed.push(check.id)
      checks.put(found, advice.get(check.id) ?? null, now())
    }
  }
  return { changed, gone }
}

/** Returns true if two pieces of advice are the same apart from the numbers in them. */
function isSameAdvice(a: Advice | null, b: Advice | null): boolean {
  return a?.kind === b?.kind && a?.variant === b?.variant
}

/** Returns true if a check is unchanged after rereading it. */
function isSameCheck(a: CheckWithChannels, b: CheckWithChannels): boolean {
  const [before, after] = [Object.entries(a.check), new Map(Object.entries(b.check))]
  return (
    before.every(([field, value]) => isSame(value, after.get(field))) &&
    a.channelIds.length === b.channelIds.length &&
    a.channelIds.every((id, index) => id === b.channelIds[index])
  )
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Temporal.Instant && b instanceof Temporal.Instant) return a.equals(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return a === b
}
