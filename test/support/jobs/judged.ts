/** Judges the doctor's advice on histories. The doctor examines each history after its first runs, and then at intervals until its end. */
import type { Advice, Fix } from '../../../src/domain/advice/advice.ts'
import { advise } from '../../../src/domain/advice/advise.ts'
import { SeededRandom } from '../seeded-random.ts'
import { factsAt, type History } from './history.ts'
import type { HealthyKind, IllKind, Right } from './kind.ts'
import { SECOND } from './runs.ts'

/** Time from a run to the next look. */
const AFTER_A_RUN = 30 * SECOND
const FIRST_RUNS = 14

interface Look {
  readonly now: number
  readonly advice: readonly Advice[]
}

/** Examines the history. @param later number of looks after those at the first runs */
export function looksAt(history: History, later: number): Look[] {
  return timesOfLooks(history, later).map((now) => ({ now, advice: advise(factsAt(history, now), now) }))
}

function timesOfLooks({ pings, check, until }: History, later: number): number[] {
  const ends = pings.filter(({ kind }) => kind === 'success' || kind === 'fail').slice(0, FIRST_RUNS)
  const first = ends.map(({ at }) => at + AFTER_A_RUN)
  const from = first.at(-1) ?? check.createdAt
  const step = (until - from) / later
  return [...first, ...Array.from({ length: later }, (_, index) => Math.round(from + (index + 1) * step))]
}

/** Advice that is true even for a healthy job: coming clock changes, and checks that were not pinged yet. */
const TRUE_ANYWAY = new Set(['text/clocks', 'unwatched/never', 'unwatched/once'])

function nameOf({ kind, variant }: Advice): string {
  return `${kind}/${variant}`
}

/** Returns the first wrong advice about a healthy job; null without one. */
function wrongOf(history: History, later: number): { readonly look: Look; readonly name: string } | null {
  for (const look of looksAt(history, later)) {
    const wrong = look.advice.map(nameOf).find((name) => !TRUE_ANYWAY.has(name))
    if (wrong !== undefined) return { look, name: wrong }
  }
  return null
}

type Finding = 'found' | 'silent' | `wrong: ${string}`

/** Whether the check shows the right line at some look, and no other line at any. */
function findingOf(history: History, right: Right, later: number): Finding {
  let finding: Finding = 'silent'
  for (const { advice } of looksAt(history, later)) {
    const [shown] = advice
    if (shown === undefined) continue
    if (isRight(shown, right)) finding = 'found'
    else if (!TRUE_ANYWAY.has(nameOf(shown))) return `wrong: ${nameOf(shown)}`
  }
  return finding
}

export function isRight({ kind, fix }: Advice, right: Right): boolean {
  return kind === right.kind && (right.fix === undefined || contains(fix, right.fix))
}

/** Whether the fix contains the known one. It may set further settings. */
function contains(fix: Fix, known: Fix): boolean {
  if (fix.do !== 'set' || known.do !== 'set') return Bun.deepEquals(fix, known)
  return Bun.deepEquals({ ...fix.settings, ...known.settings }, fix.settings)
}

/** Counts each finding of a kind. Each history has a seed of its own, so each can be repeated. */
export function findingsOf(kind: IllKind, seed: number, count: number, later: number): Map<Finding, number> {
  return counted(count, (index) => {
    const history = kind.history(historyRandom(seed, index))
    return findingOf(history, history.right, later)
  })
}

/** Counts each wrong advice about a healthy kind. */
export function wrongsOf(kind: HealthyKind, seed: number, count: number, later: number): Map<string, number> {
  return counted(count, (index) => wrongOf(kind.history(historyRandom(seed, index)), later)?.name ?? null)
}

export function historyRandom(seed: number, index: number): SeededRandom {
  return new SeededRandom((seed + index * 7919) | 0)
}

function counted<Name extends string>(count: number, nameOfIndex: (index: number) => Name | null): Map<Name, number> {
  const counts = new Map<Name, number>()
  for (let index = 0; index < count; index += 1) {
    const name = nameOfIndex(index)
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
