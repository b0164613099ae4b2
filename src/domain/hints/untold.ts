/** *Untold*: if the check went down, nobody would hear of it. */

import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import { type Mute, type MuteChannels, muteOfAll } from '../channel/mute.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import type { Sentence } from '../words/sentence-parts.ts'

export type Untold =
  /** it has no channel */
  | { readonly kind: 'untold'; readonly variant: 'none' }
  /** it has channels, and nobody hears through any of them */
  | ({ readonly kind: 'untold'; readonly variant: 'all'; readonly channels: number } & Mute)

/** Whoever creates a check may choose its channels later. */
const SET_UP_SECONDS = 86_400

const NONE: Untold = { kind: 'untold', variant: 'none' }

/** Null for a check that is paused, or still being set up: without a run, on its first day. */
export function untold(found: CheckWithChannels, mute: MuteChannels, now: Instant): Untold | null {
  if (found.check.status === 'paused') return null
  const advice = untoldBy(found.channelIds, mute)
  return advice === null || isBefore(now, untoldFrom(found)) ? null : advice
}

/** Of a check with these channels, whatever else is known of it; null if somebody would hear. */
export function untoldBy(channelIds: readonly string[], mute: MuteChannels): Untold | null {
  if (channelIds.length === 0) return NONE
  const all = muteOfAll(channelIds, mute)
  return all && { kind: 'untold', variant: 'all', channels: channelIds.length, ...all }
}

/** Before this, nothing is said. */
export function untoldFrom({ check: { createdAt, lastPingAt } }: CheckWithChannels): Instant {
  return lastPingAt ?? addSeconds(createdAt, SET_UP_SECONDS)
}

/** `This check alerts no one.` `This check alerts no one: both integrations have failed since 12 May at 03:00.` */
export function untoldSentence(advice: Untold): Sentence {
  if (advice.variant === 'none') return ['This check alerts no one.']
  const { channels, why, since } = advice
  const [which, are, have] = namesOf(channels)
  const lead = `This check alerts no one: ${which}`
  if (since !== null) return [`${lead} ${have} failed since `, { clock: since }, '.']
  return [`${lead} ${are} ${WHY[why]}.`]
}

const WHY: Readonly<Record<Mute['why'], string>> = {
  off: 'off',
  unconfirmed: 'not confirmed',
  failing: 'failing',
  various: 'off, failing or not confirmed',
}

function namesOf(channels: number): readonly [which: string, are: string, have: string] {
  if (channels === 1) return ['its integration', 'is', 'has']
  return [channels === 2 ? 'both integrations' : `all ${channels} integrations`, 'are', 'have']
}
