/** Labels for advice and fixes in lists and on buttons, and the note shown after a fix. */
import { durationWords } from '../../lib/time-words.ts'
import { inSentence, lowerCased, scheduleWords } from '../check/schedule-words.ts'
import { periodInWords } from '../duration.ts'
import { scheduleKind } from '../schedule/schedule.ts'
import type { Advice, Fix, FixedSettings, FixQuestion, FixText } from './advice.ts'
import { DOUBT_WORDS } from './doubt.ts'

/** Returns the label of the button that applies a fix, such as `Set the zone to UTC`, `Add a run id` or `Look at the rules`. */
export function fixLabel(fix: Fix): string {
  switch (fix.do) {
    case 'set':
      return settingsLabel(fix.settings)
    case 'resume':
      return 'Resume'
    case 'text':
      return TEXT_LABELS[fix.text]
    case 'ask':
      return QUESTION_LABELS[fix.about]
  }
}

/** Returns the label of a fix for a different explanation of the same facts, such as `It runs daily at 04:00` or `It takes that long`. */
export function readingLabel(fix: Fix): string {
  if (fix.do !== 'set') return fixLabel(fix)
  const { schedule, tz, grace } = fix.settings
  if (schedule !== undefined) return `It runs ${inSentence(wordsOf(schedule))}${zonePart(tz)}`
  if (tz === undefined && grace !== undefined) return 'It takes that long'
  return fixLabel(fix)
}

const TEXT_LABELS: Readonly<Record<FixText, string>> = {
  'ping-line': 'Show the line for the job',
  'fail-status': 'Send a failure instead',
  'own-check': 'Give each its own check',
  'post-line': 'Ping by POST',
  lock: 'Add a lock',
  rid: 'Add a run id',
  'exit-status': 'Send the exit status',
}

const QUESTION_LABELS: Readonly<Record<FixQuestion, string>> = {
  channels: 'Choose who is alerted',
  rules: 'Look at the rules',
  schedule: 'Look at the schedule',
  clocks: 'Choose another time',
  'did-it-run': 'Look at the last runs',
  failures: 'Compare the outputs',
  slower: 'Look at the last runs',
  twins: 'Look at the checks',
}

function settingsLabel(settings: FixedSettings): string {
  const { schedule, timeout, tz, grace, methods } = settings
  const gracePart = grace === undefined ? '' : `, grace ${durationWords(grace)}`
  if (schedule !== undefined) return `Set to ${lowerCased(wordsOf(schedule))}${zonePart(tz)}${gracePart}`
  if (timeout !== undefined) return `Expect a run every ${spanWords(timeout)}${gracePart}`
  if (tz !== undefined) return `Set the zone to ${zoneWords(tz)}${gracePart}`
  if (grace !== undefined) return `Set grace to ${durationWords(grace)}`
  return methods === 'POST' ? 'Accept only POST' : 'Accept all methods'
}

/** Returns the note shown after a fix, such as `Zone set to UTC.` or `Period set to 5 minutes, grace to 10 min.` */
export function fixedWords({ schedule, timeout, tz, grace, methods }: FixedSettings): string {
  const set = [
    ...(schedule === undefined ? [] : [`schedule set to ${lowerCased(wordsOf(schedule))}`]),
    ...(timeout === undefined ? [] : [`period set to ${periodInWords(timeout)}`]),
    ...(tz === undefined ? [] : [`zone set to ${zoneWords(tz)}`]),
    ...(grace === undefined ? [] : [`grace set to ${durationWords(grace)}`]),
    ...(methods === undefined ? [] : [methods === 'POST' ? 'only POST counts' : 'all methods count']),
  ].join(', ')
  return `${set.charAt(0).toUpperCase()}${set.slice(1)}.`
}

/** Summarizes advice in a few words for a label in a list, such as `runs in another time zone`. */
export function adviceWords({ kind, variant }: Pick<Advice, 'kind' | 'variant'>): string {
  return VARIANT_WORDS[`${kind} ${variant}`] ?? KIND_WORDS[kind]
}

const KIND_WORDS: Readonly<Record<Advice['kind'], string>> = {
  untold: DOUBT_WORDS.untold,
  unwatched: 'not monitored',
  ignored: 'pings do not count',
  senders: 'others ping it too',
  overlap: 'runs overlap',
  text: 'the schedule may be wrong',
  zone: 'runs in another time zone',
  time: 'runs at another time',
  rare: 'runs less often',
  often: 'runs more often',
  grace: 'grace is too short',
  hollow: 'may not do its work',
  flapping: 'fails again and again',
  slow: 'takes longer than before',
  lax: 'grace is too long',
  twins: 'one job pings two checks',
}

/** Summaries of variants for which the summary of their kind would be misleading. */
const VARIANT_WORDS: Readonly<Record<string, string>> = {
  'untold partly': 'an integration alerts no one',
  'unwatched never': DOUBT_WORDS.unwatched,
  'text clocks': 'the clocks change soon',
  'text ended': 'no further run is due',
  'text seldom': 'hardly ever due',
}

function wordsOf(schedule: string): string {
  const { words, expression } = scheduleWords({ kind: scheduleKind(schedule), timeoutSeconds: 0, schedule, tz: 'UTC' })
  return expression ?? words
}

/** Formats a period for use after "every", such as `5 min` or `hour`. */
function spanWords(seconds: number): string {
  return EVERY[seconds] ?? durationWords(seconds)
}

const EVERY: Readonly<Record<number, string>> = { 60: 'minute', 3600: 'hour', 86400: 'day', 604800: 'week' }

/** Returns the text that names a time zone after a schedule. */
function zonePart(tz: string | undefined): string {
  return tz === undefined ? '' : `, zone ${zoneWords(tz)}`
}

function zoneWords(tz: string): string {
  return tz.replaceAll('_', ' ')
}
