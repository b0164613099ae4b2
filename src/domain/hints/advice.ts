/** What is wrong with the watching of a check, whatever its state: the job may fail, and nobody would hear of it. */
import { earlier, type Instant, isBefore } from '../../lib/time.ts'
import { type MuteChannels, muteOfAll } from '../channel/mute.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { Sentence } from '../words/sentence-parts.ts'
import { type Untold, untold, untoldFrom, untoldSentence } from './untold.ts'
import { type Unwatched, unwatched, unwatchedFrom, unwatchedSentence } from './unwatched.ts'

export type Advice = Untold | Unwatched

/** In the order in which they are said. */
export const ADVICE_KINDS = ['untold', 'unwatched'] as const satisfies readonly Advice['kind'][]
export type AdviceKind = (typeof ADVICE_KINDS)[number]

export const NO_ADVICE: readonly Advice[] = []

/** What an advice of each kind says, in a list. */
export const ADVICE_WORDS: Readonly<Record<AdviceKind, string>> = {
  untold: 'alerts nobody',
  unwatched: 'never pinged',
}

/** In the order of {@link ADVICE_KINDS}, at most one of each kind. @param mute of the project */
export function advise(found: CheckWithChannels, mute: MuteChannels, now: Instant): readonly Advice[] {
  const advice = [untold(found, mute, now), unwatched(found.check, now)].filter((each) => each !== null)
  return advice.length === 0 ? NO_ADVICE : advice
}

/** Whether the same is said, whatever has become of its numbers. */
export function isSameAdvice(a: readonly Advice[], b: readonly Advice[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ kind, variant }, index) => b[index]?.kind === kind && b[index].variant === variant)
  )
}

/** When time alone brings the next advice; null when it brings none. A channel that fails longer is left to the next look. */
export function nextAdviceAt(found: CheckWithChannels, mute: MuteChannels, now: Instant): Instant | null {
  const ahead = (at: Instant | null) => (at !== null && isBefore(now, at) ? at : null)
  const isUntold = found.check.status !== 'paused' && muteOfAll(found.channelIds, mute) !== null
  return earlier(ahead(isUntold ? untoldFrom(found) : null), ahead(unwatchedFrom(found.check)))
}

export function adviceSentence(advice: Advice): Sentence {
  return advice.kind === 'untold' ? untoldSentence(advice) : unwatchedSentence(advice)
}
