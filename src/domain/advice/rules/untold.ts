/** Untold: if the check went down, nobody would be alerted, or some of its channels would send no alert. */
import type { Mute } from '../../channel/mute.ts'
import { failedWords, muteWords, WHY } from '../../channel/untold.ts'
import { count } from '../../duration.ts'
import { DAY } from '../../units.ts'
import type { Advice, AdvicePart } from '../advice.ts'
import type { AdvisedChannel } from '../facts.ts'
import type { Reading } from '../reading.ts'
import { isEnd } from '../runs.ts'

/** How long all channels must have been failing before this advice is given. An alert is retried for a day. */
export const FAILING = DAY
/** How long some channels must have been failing before this advice is given. The advice is less urgent while other channels still work. */
const PARTLY = 3 * DAY
/** Minimum number of failed messages. A single message may have been rejected because of its content. */
const GIVEN_UP = 2

/**
 * Returns advice if the check would alert nobody. Returns null on the first day of a check that has had no runs, because the user is still
 * setting it up.
 */
export function untold(reading: Reading): Advice | null {
  if (isSetUp(reading)) return null
  const { facts, now } = reading
  if (facts.channels.length === 0) return advice('none', ['This check alerts no one.'])
  return facts.channels.every((channel) => isMute(channel, now))
    ? advice('all', ['Nobody would be alerted: ', ...allWords(facts.channels), '.'])
    : null
}

/** Returns advice if some channels send alerts and others don't. */
export function partlyUntold(reading: Reading): Advice | null {
  if (isSetUp(reading)) return null
  const { facts, now } = reading
  const ready = facts.channels.filter(({ state }) => state === 'ready')
  const mute = facts.channels.filter((channel) => isLongMute(channel, now))
  if (ready.length === 0 || mute.length === 0) return null
  return advice('partly', partlyWords(mute, ready.length, facts.channels.length))
}

function isSetUp({ facts: { log, check }, now }: Reading): boolean {
  return now < check.createdAt + DAY && !log.some(isEnd)
}

function isMute({ state, since }: AdvisedChannel, now: number): boolean {
  return state === 'failing' ? since !== null && now - since >= FAILING : state !== 'ready'
}

function isLongMute({ state, since, givenUp }: AdvisedChannel, now: number): boolean {
  const isLong = since !== null && now - since >= PARTLY
  return isLong && state !== 'ready' && (state !== 'failing' || givenUp >= GIVEN_UP)
}

function advice(variant: string, says: readonly AdvicePart[]): Advice {
  return { kind: 'untold', variant, says, fix: { do: 'ask', about: 'channels' }, otherFixes: [] }
}

/** Returns a phrase such as `both integrations have failed since 12 May 03:00`. */
function allWords(channels: readonly AdvisedChannel[]): readonly AdvicePart[] {
  const { length } = channels
  const why = commonReason(channels)
  if (why !== 'failing') return [muteWords(length, why)]
  const since = Math.max(...channels.map((channel) => channel.since ?? 0))
  return [`${failedWords(length)} since `, { clock: since }]
}

/** @param channels the channels that don't send alerts */
function commonReason([first, ...others]: readonly AdvisedChannel[]): Mute['why'] {
  if (first === undefined || first.state === 'ready') return 'various'
  return others.every(({ state }) => state === first.state) ? first.state : 'various'
}

/** Returns a sentence such as `1 of 3 integrations has failed for 4 days: Ops chat. The other 2 still get its alerts.` */
function partlyWords(mute: readonly AdvisedChannel[], ready: number, all: number): readonly AdvicePart[] {
  const has = mute.length === 1 ? 'has' : 'have'
  const why = commonReason(mute)
  const how = why === 'failing' ? 'failed' : `been ${WHY[why]}`
  const since = Math.max(...mute.map((channel) => channel.since ?? 0))
  const names = mute.flatMap(({ name }, index) => (name === '' ? [] : [index === 0 ? ': ' : ', ', { name }]))
  const whoElse = mute.length + ready === all ? 'The other' : 'Only'
  const rest = ready === 1 ? 'one still gets its alerts' : `${ready} still get its alerts`
  return [
    `${mute.length} of ${count(all, 'integration')} ${has} ${how} for `,
    { lasting: since },
    ...names,
    `. ${whoElse} ${rest}.`,
  ]
}
