/** Reads the advice that pages show for checks: the first stored advice that is not hidden. */
import type { Advice } from '../../domain/advice/advice.ts'
import { spokenAdvice } from '../../domain/advice/stored-advice.ts'
import type { Instant } from '../../lib/time.ts'
import type { StoredAdvice } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

/** Advice, keyed by check id. */
export type ShownAdvice = ReadonlyMap<string, Advice>

export const NO_ADVICE: ShownAdvice = new Map()

/** Reads the advice on all of a project's checks. The caller must already have verified that the actor may read them. */
export async function readShownAdvice(
  { store }: Pick<Deps, 'store'>,
  projectId: string,
  now: Instant,
): Promise<ShownAdvice> {
  const shown = new Map<string, Advice>()
  for await (const page of readPages((after) => store.advice.list(projectId, after))) addShown(shown, page, now)
  return shown
}

/** Reads the advice on a few checks. The caller must already have verified that the actor may read them. */
export async function findShownAdvice(
  { store }: Pick<Deps, 'store'>,
  checkIds: readonly string[],
  now: Instant,
): Promise<ShownAdvice> {
  const shown = new Map<string, Advice>()
  const found = await store.advice.findMany(checkIds)
  addShown(
    shown,
    found.filter((each) => each !== null),
    now,
  )
  return shown
}

/** Counts a project's checks that pages show advice for. */
export async function countAdvised({ store }: Pick<Deps, 'store'>, projectId: string): Promise<number> {
  const byKind = await store.advice.count(projectId)
  return [...byKind.values()].reduce((sum, number) => sum + number, 0)
}

function addShown(shown: Map<string, Advice>, stored: readonly StoredAdvice[], now: Instant): void {
  for (const one of stored) {
    const [first] = spokenAdvice(one, now.epochMilliseconds)
    if (first) shown.set(one.checkId, first)
  }
}
