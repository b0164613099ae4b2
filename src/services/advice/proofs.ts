/** Reads the rhythms that a page shows next to advice. A rhythm is computed from a check's stored daily counts, never from its log. */
import type { AdviceKind } from '../../domain/advice/advice.ts'
import type { Check } from '../../domain/check/check.ts'
import { timingOf } from '../../domain/preview/schedule-preview.ts'
import { type RhythmProof, rhythmProof } from '../../domain/rhythm-plot/proof.ts'
import { oldestDay } from '../../domain/run/count-days.ts'
import { zoneInUse } from '../../domain/run/slots-by-day.ts'
import { mutedStretches, silencesByCheck } from '../../domain/silence/muted-stretch.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import { addSeconds, type Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { Deps } from '../common/deps.ts'

/** Kinds of advice that a rhythm can illustrate. They concern the times or durations of runs. */
const SHOWN_BY_RHYTHM: ReadonlySet<AdviceKind> = new Set([
  ...(['senders', 'overlap', 'zone', 'time', 'rare', 'often', 'grace'] as const),
  ...(['hollow', 'flapping', 'slow', 'lax', 'twins'] as const),
])

export function isShownByRhythm(kind: AdviceKind): boolean {
  return SHOWN_BY_RHYTHM.has(kind)
}

/** @property changedAt when the check's timing last changed, in milliseconds since 1970 */
interface Timed {
  readonly check: Check
  readonly changedAt: number
}

const READ_AT_ONCE = 10
/** Thirteen weeks, plus the incomplete first and last days. */
const PROVEN_SECONDS = 93 * 86_400

/** Returns when the displayed rhythms start. */
export function provenSince(now: Instant): Instant {
  return addSeconds(now, -PROVEN_SECONDS)
}

/**
 * Returns the rhythms of checks, keyed by check id. Checks with too few runs do not have a rhythm.
 * @param silences the project's silences since {@link provenSince}
 */
export async function readProofs(
  { store, eventLoop }: Pick<Deps, 'store' | 'eventLoop'>,
  timed: readonly Timed[],
  silences: readonly Silence[],
  now: Instant,
): Promise<ReadonlyMap<string, RhythmProof>> {
  const proofs = new Map<string, RhythmProof>()
  const silencesOf = silencesByCheck(silences)
  const within = { from: provenSince(now).epochMilliseconds, until: now.epochMilliseconds }
  for (const some of inBatches(timed, READ_AT_ONCE)) {
    const ids = some.map(({ check }) => check.id)
    const days = await eventLoop.step(() => store.checkDays.list(ids, oldestDay('UTC', now)))
    for (const { check, changedAt } of some) {
      const of = days.get(check.id) ?? []
      const ms = now.epochMilliseconds
      const timing = { ...timingOf(check), tz: zoneInUse(check.tz, ms), since: changedAt }
      const proof = await eventLoop.step(async () => {
        // Individual runs are not stored. A silence that lasts until the check is healthy is therefore assumed to end at the last success.
        const muted = mutedStretches(silencesOf(check.id), check, within, () => null)
        return rhythmProof(timing, of, muted, ms)
      })
      if (proof !== null) proofs.set(check.id, proof)
    }
  }
  return proofs
}
