/** A fix that applies a proposed schedule, and its description in words. */
import { inSentence, scheduleWords } from '../../check/schedule-words.ts'
import type { Timing } from '../../check/slots.ts'
import type { Fix } from '../advice.ts'
import type { Proposal } from '../proposal.ts'
import type { Reading } from '../reading.ts'
import { zoneAfterClock } from './clocks.ts'

/** Returns a fix that sets the schedule. It also sets the zone and the grace time if they differ from the current ones. */
export function proposedFix({ facts, isScheduled }: Reading, { timing }: Proposal): Fix {
  const { schedule, tz, graceSeconds } = timing
  const settings = {
    schedule,
    ...(!isScheduled || tz !== facts.check.tz ? { tz } : {}),
    ...(graceSeconds === facts.check.graceSeconds ? {} : { grace: graceSeconds }),
  }
  return { do: 'set', settings }
}

/** Describes a rhythm within a sentence, such as `every hour` or `on weekdays at 02:00 in Berlin`. */
export function rhythmWords(timing: Timing): string {
  const words = inSentence(scheduleWords(timing).words)
  return /\d:\d\d$/.test(words) ? `${words} ${zoneAfterClock(timing.tz)}` : words
}
