/**
 * Stretches in which a check is silenced, for pictures of its runs, which say "muted". Runs are judged in them as always. All times are
 * milliseconds since 1970.
 */
import { covers } from '../severity.ts'
import type { Stretch } from '../stretch.ts'
import { isHealthySince, matches, type Silence, type SilencedCheck } from './silence.ts'

export interface MutedStretch extends Stretch {
  readonly silence: Silence
}

/** Returns the time of the first success after a moment; null: unknown. */
type FirstSuccess = (after: number) => number | null

/**
 * Returns the stretches of silences that overlap a stretch, oldest first. They may overlap each other. The present tags of the check decide
 * which silences match it.
 */
export function mutedStretches(
  silences: readonly Silence[],
  check: SilencedCheck,
  within: Stretch,
  firstSuccess: FirstSuccess,
): readonly MutedStretch[] {
  return silences
    .filter((silence) => covers(silence.upTo, 'down') && matches(silence, check))
    .map((silence) => ({
      silence,
      from: silence.startsAt.epochMilliseconds,
      until: endOf(silence, check, firstSuccess),
    }))
    .filter(({ from, until }) => from < until && from < within.until && until > within.from)
    .toSorted((a, b) => a.from - b.from)
}

function endOf({ startsAt, endsAt, untilHealthy }: Silence, check: SilencedCheck, firstSuccess: FirstSuccess): number {
  const end = endsAt.epochMilliseconds
  if (!untilHealthy || !isHealthySince(check, startsAt)) return end
  const healthyAt = firstSuccess(startsAt.epochMilliseconds) ?? check.lastSuccessAt?.epochMilliseconds ?? end
  return Math.min(end, healthyAt)
}

/** Indexes silences by the checks that they name, so that no silence has to be matched against each check. */
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

/** Merges overlapping stretches, within a stretch; infinite where one extends beyond it. */
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
