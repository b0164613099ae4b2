/** Determines whether a check's alerts would reach nobody, based on its channels. */
import type { Sentence } from '../words/sentence-parts.ts'
import { type Mute, type MuteChannels, muteOfAll } from './mute.ts'

export type Untold =
  /** no channel is assigned to the check */
  | { readonly variant: 'none' }
  /** channels are assigned to the check, but all of them are mute */
  | ({ readonly variant: 'all'; readonly channels: number } & Mute)

const NONE: Untold = { variant: 'none' }

/** Returns why an alert would reach nobody, or null if it would reach at least one receiver. */
export function untoldBy(channelIds: readonly string[], mute: MuteChannels): Untold | null {
  if (channelIds.length === 0) return NONE
  const all = muteOfAll(channelIds, mute)
  return all && { variant: 'all', channels: channelIds.length, ...all }
}

/**
 * Returns a sentence such as `This check alerts no one.` or `This check alerts no one: both integrations have failed since 12 May at
 * 03:00.`
 */
export function untoldSentence(untold: Untold): Sentence {
  if (untold.variant === 'none') return ['This check alerts no one.']
  const { channels, why, since } = untold
  const lead = 'This check alerts no one: '
  if (since !== null) return [`${lead}${failedWords(channels)} since `, { clock: since }, '.']
  return [`${lead}${muteWords(channels, why)}.`]
}

/** Returns a phrase such as `both integrations have failed`. */
export function failedWords(channels: number): string {
  const [which, , have] = namesOf(channels)
  return `${which} ${have} failed`
}

/** Returns a phrase such as `both integrations are off`. */
export function muteWords(channels: number, why: Mute['why']): string {
  const [which, are] = namesOf(channels)
  return `${which} ${are} ${WHY[why]}`
}

export const WHY: Readonly<Record<Mute['why'], string>> = {
  off: 'off',
  unconfirmed: 'not confirmed',
  failing: 'failing',
  various: 'off, failing or not confirmed',
}

function namesOf(channels: number): readonly [which: string, are: string, have: string] {
  if (channels === 1) return ['its integration', 'is', 'has']
  return [channels === 2 ? 'both integrations' : `all ${channels} integrations`, 'are', 'have']
}
