/** Describes silences in words. Pages say "muted" where the API says "silenced". */
import { type Instant, isBefore } from '../../lib/time.ts'
import { periodInWords } from '../duration.ts'
import { describe } from '../schedule/schedule.ts'
import { quoteAtEnd, type Sentence } from '../words/sentence-parts.ts'
import type { Hidden } from './hidden-runs.ts'
import type { MaintenanceWindow } from './maintenance-window.ts'
import { nextOccurrence, type Silence, type SilenceTimes } from './silence.ts'

/**
 * Returns a sentence such as `Muted until tomorrow 08:00.` or `Muted until healthy, 24 Nov 08:00 at the latest: ‘The new disk arrives on
 * Monday.’` For a silence that has not begun yet, returns one such as `Muted from 28 Nov 22:00 until 29 Nov 00:00.`
 */
export function mutedSentence(silence: SilenceTimes & Pick<Silence, 'reason'>, now: Instant): Sentence {
  const { reason } = silence
  return [...mutedWords(silence, now), ...(reason === '' ? ['.'] : [': ', ...quoteAtEnd(reason)])]
}

function mutedWords(silence: SilenceTimes, now: Instant): Sentence {
  const next = nextOccurrence(silence, now)
  if (next === null) return ['No longer muted']
  const from: Sentence = isBefore(now, next.startsAt) ? ['from ', { clock: next.startsAt }, ' '] : []
  const end: Sentence = silence.untilHealthy
    ? ['healthy, ', { clock: next.endsAt }, ' at the latest']
    : [{ clock: next.endsAt }]
  return ['Muted ', ...from, 'until ', ...end]
}

/** Describes a window, such as `at 22:00 on Saturday (Europe/Riga), for 2 hours`. */
export function windowWords({ schedule, tz, seconds }: MaintenanceWindow): string {
  return `${scheduleText(schedule, tz)}, for ${periodInWords(seconds)}`
}

function scheduleText(schedule: string, tz: string): string {
  try {
    const words = describe(schedule, tz)
    return words.charAt(0).toLowerCase() + words.slice(1)
  } catch {
    return `${schedule} (${tz})`
  }
}

/**
 * Describes what a window hides. Returns the words before and after the names of checks, as in `Every run of db-backup falls into this
 * window: if one fails, nobody is alerted until the window ends.`
 */
export function hiddenWords(hidden: Hidden): readonly [before: string, after: string] {
  return hidden === 'runs'
    ? ['Every run of', `falls into this window: ${UNTOLD.runs}`]
    : ['The grace time of', `always ends in this window: ${UNTOLD.deadlines}`]
}

const UNTOLD: Readonly<Record<Hidden, string>> = {
  runs: 'if one fails, nobody is alerted until the window ends.',
  deadlines: 'if a run is missing, nobody is alerted until the window ends.',
}

/** Says which of a check's runs or deadlines are hidden by planned maintenance, without mentioning the check's name. */
export function hidingSentence({ window }: SilenceTimes, hidden: Hidden): string {
  const begin = hidden === 'runs' ? 'Every run falls into' : 'The grace time always ends in'
  return `${begin} planned maintenance${window === null ? '' : `, ${windowWords(window)}`}: ${UNTOLD[hidden]}`
}

/**
 * Returns words that can follow "by", such as `silence ‘upgrade’` or `a silence`.
 * @param silence null if it was deleted
 */
export function silenceName(silence: Pick<Silence, 'reason'> | null): Sentence {
  return silence === null || silence.reason === '' ? ['a silence'] : ['silence ', { quote: silence.reason }]
}
