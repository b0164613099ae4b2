/** Formats advice as a sentence for a particular reader. */
import { type Instant, Temporal } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import type { Check } from '../check/check.ts'
import type { Sentence, SentencePart } from '../words/sentence-parts.ts'
import { sentenceText, type TextZone } from '../words/sentence-text.ts'
import type { Advice, AdvicePart } from './advice.ts'

/** @param isEditor false: the reader may not change the check, so senders' addresses are omitted */
export function adviceSentence({ says }: Pick<Advice, 'says'>, isEditor: boolean): Sentence {
  return says.flatMap((part) => {
    if (typeof part === 'string') return [part]
    if ('toEditors' in part) return isEditor ? adviceSentence({ says: part.toEditors }, isEditor) : []
    return [sentencePart(part)]
  })
}

/**
 * Returns the sentence as plain text, for readers who may change the check.
 * @param check the check that the advice is about
 */
export function adviceText(advice: Advice, check: Pick<Check, 'kind' | 'tz'>, now: Instant): string {
  return sentenceText(adviceSentence(advice, true), checkZone(check, now))
}

/**
 * Returns the time zone of the check's schedule, for text whose times are not shown in an account's time zone. UTC if the check has no
 * schedule, or its zone is no longer in the time zone data.
 */
export function checkZone({ kind, tz }: Pick<Check, 'kind' | 'tz'>, now: Instant): TextZone {
  return { now, tz: (kind === 'simple' ? undefined : knownZone(tz)) ?? 'UTC', isNamed: true }
}

function sentencePart(part: Exclude<AdvicePart, string | { readonly toEditors: unknown }>): SentencePart {
  if ('at' in part) return { at: Temporal.Instant.fromEpochMilliseconds(part.at) }
  if ('clock' in part) return { clock: Temporal.Instant.fromEpochMilliseconds(part.clock) }
  if ('lasting' in part) return { lasting: Temporal.Instant.fromEpochMilliseconds(part.lasting) }
  return part
}
