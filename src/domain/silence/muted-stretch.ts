/**
 * Periods when a check is silenced. Pictures of its runs call this "muted". These periods don't affect whether runs are late or missing.
 * All times are milliseconds since 1970.
 */
import { fromMilliseconds } from '../../lib/time.ts'
import { covers } from '../severity.ts'
import type { Stretch } from '../stretch.ts'
import { isHealthySince, matches, nextOccurrence, type Silence, type SilencedCheck } from './silence.ts'

export interface MutedStretch extends Stretch {
  readonly silence: Silence
}

/** Returns the time of the first success after an instant; null if unknown. */
type FirstSuccess = (after: number) => number | null

/**
 * Returns the periods during which silences overlap `within`, oldest first. The periods may overlap each other. The check's current tags
 * decide which silences apply to it.
 */
export function mutedStretches(
  silences: readonly Silence[],
  check: SilencedCheck,
  within: Stretch,
  firstSuccess: FirstSuccess,
): readonly MutedStretch[] {
  return silences
    .filter((silence) => covers(silence.upTo, 'down') && matches(silence, check))
    .flatMap((silence) => stretchesOf(silence, check, within, firstSuccess).map((stretch) => ({ silence, ...stretch })))
    .filter(({ from, until }) => from < until && from < within.until && until > within.from)
    .toSorted((a, b) => a.from - b.from)
}

function stretchesOf(
  silence: Silence,
  check: SilencedCheck,
  within: Stretch,
  firstSuccess: FirstSuccess,
): readonly Stretch[] {
  const { startsAt, endsAt, untilHealthy } = silence
  if (silence.window !== null || endsAt === null) return windowsOf(silence, within)
  const [from, end] = [startsAt.epochMilliseconds, endsAt.epochMilliseconds]
  if (!untilHealthy || !isHealthySince(check, startsAt)) return [{ from, until: end }]
  const healthyAt = firstSuccess(from) ?? check.lastSuccessAt?.epochMilliseconds ?? end
  return [{ from, until: Math.min(end, healthyAt) }]
}

/** Maximum number of a silence's windows in a picture. If there are more, the picture shows an evenly spread selection of them. */
const WINDOWS_SHOWN = 200

/** The windows of each silence in the last picture, which are cached because thousands of checks share them. */
const drawn = new WeakMap<Silence, { readonly within: Stretch; readonly windows: readonly Stretch[] }>()

function windowsOf(silence: Silence, within: Stretch): readonly Stretch[] {
  const known = drawn.get(silence)
  if (known?.within === within) return known.windows
  const windows = windowsWithin(silence, within)
  drawn.set(silence, { within, windows })
  return windows
}

function windowsWithin(silence: Silence, within: Stretch): readonly Stretch[] {
  const all = windowsApart(silence, within, 0)
  const part = Math.ceil((within.until - within.from) / WINDOWS_SHOWN)
  return all.length < WINDOWS_SHOWN ? all : windowsApart(silence, within, part)
}

/** Returns the first window, and each later one that begins at least `apart` milliseconds after the end of the previous window returned. */
function windowsApart(silence: Silence, { from, until }: Stretch, apart: number): readonly Stretch[] {
  const found: Stretch[] = []
  let next = nextOccurrence(silence, fromMilliseconds(from))
  while (next !== null && next.startsAt.epochMilliseconds < until && found.length < WINDOWS_SHOWN) {
    found.push({ from: next.startsAt.epochMilliseconds, until: next.endsAt.epochMilliseconds })
    next = nextOccurrence(silence, next.endsAt.add({ milliseconds: apart }))
  }
  return found
}

/** Indexes silences by check, so that each check doesn't have to be compared with every silence. */
export function silencesByCheck(silences: readonly Silence[]): (checkId: string) => readonly Silence[] {
  const byCheck = new Map<string, Silence[]>()
  for (const silence of silences) {
    for (const id of silence.match.checks) {
      const named = byCheck.get(id)
      if (named) named.push(silence)
      else byCheck.set(id, [silence])
    }
  }
  const others = silences.filter(({ match }) => match.checks.length === 0)
  return (checkId) => {
    const named = byCheck.get(checkId)
    return named ? [...named, ...others] : others
  }
}

/** Merges overlapping periods. The bounds of a period are infinite where it extends beyond `within`. */
export function mergedWithin(stretches: readonly Stretch[], within: Stretch): readonly Stretch[] {
  const merged: { from: number; until: number }[] = []
  for (const { from, until } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.until) last.until = Math.max(last.until, until)
    else merged.push({ from, until })
  }
  return merged.map(({ from, until }) => ({
    from: from <= within.from ? Number.NEGATIVE_INFINITY : from,
    until: until >= within.until ? Number.POSITIVE_INFINITY : until,
  }))
}
