/** Tests channels by sending one message about a check that does not exist. */

import { type Actor, requireRight } from '../../domain/actor.ts'
import { keptError, PRIVATE_ADDRESS_REFUSED } from '../../domain/alert/delivery.ts'
import { type Channel, expandGroups, followMove, UNSUBSCRIBED } from '../../domain/channel/channel.ts'
import type { Obstacle } from '../../domain/channel/channel-state.ts'
import { settingWords } from '../../domain/channel/setting-words.ts'
import { Refusal } from '../../domain/errors.ts'
import { UNCONFIRMED } from '../../domain/mail/mail-channel.ts'
import { mailChannelOf } from '../../domain/mail/mailing.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { type Conclusion, channelWants } from '../../transports/transport.ts'
import { countTest } from '../common/asked-mail.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { testAlert } from '../courier/alert.ts'
import { type Prepared, prepare } from '../courier/prepare.ts'
import { type Exchange, recordCarriers } from '../courier/recorded-carriers.ts'
import { sendAlert } from '../courier/send-alert.ts'
import { type ComposeDeps, findObstacle } from './channel-validity.ts'
import { askToConfirm, countConfirmation } from './confirmation.ts'

type TestDeps = ComposeDeps & Pick<Deps, 'store' | 'carriers' | 'stopwatch' | 'log' | 'mailboxLimits'>
type Status = 'up' | 'down'

/** The result of a test, including the requests that were sent and the receiver's answers. */
interface TestedChannel {
  /** the error; null if the receiver accepted the test message */
  readonly error: string | null
  /** requests and answers, oldest first, without secrets */
  readonly exchanges: readonly Exchange[]
}

/**
 * Tests a channel like {@link inspectChannel}, but for read-only members: the result omits the exchanges, because they would reveal the
 * settings.
 * @returns the error; null if the receiver accepted the message
 */
export async function testChannel(
  deps: TestDeps,
  actor: Actor,
  channel: Channel,
  status: Status,
): Promise<string | null> {
  requireRight(actor, 'read', channel)
  return (await tryChannel(deps, actor, channel, status)).error
}

/**
 * Sends a test message. If the message is accepted, a disabled channel is re-enabled. If the receiver reports that it has moved, its new address is stored and the message is sent there. If an email address is not
 * confirmed, its owner gets another confirmation email instead. An error caused by this process's settings, such as a forbidden private
 * address, is not stored as the channel's error, because the server may have different settings.
 * @throws Refusal if the channel cannot be used, or sends nothing for this status; `over-limit` if too many emails were sent to an address
 * whose owner has not agreed to them
 */
export async function inspectChannel(
  deps: TestDeps,
  actor: Actor,
  channel: Channel,
  status: Status,
): Promise<TestedChannel> {
  requireRight(actor, 'write', channel)
  return tryChannel(deps, actor, channel, status)
}

async function tryChannel(deps: TestDeps, actor: Actor, channel: Channel, status: Status): Promise<TestedChannel> {
  const { project } = actor
  const transport = deps.transports.get(channel.kind)
  if (!transport) {
    const message = `this version cannot send to channels of kind ${channel.kind}`
    throw new Refusal('channel-kind-unsupported', message, { kind: channel.kind })
  }
  if (channel.awaitsConfirmation) return await refuseUnconfirmed(deps, actor, channel)
  if (channel.disabledReason === UNSUBSCRIBED) {
    throw new Refusal('channel-unsubscribed', 'the receiver has unsubscribed')
  }
  const alert = testAlert(deps, project, channel.id, status)
  if (!channelWants(deps.transports, channel, alert.flip)) {
    const other = status === 'down' ? 'up' : 'down'
    const isOtherWanted = channelWants(deps.transports, channel, { ...alert.flip, newStatus: other })
    const message = `this channel sends nothing when a check goes ${status}`
    throw new Refusal('channel-not-notified', message, { otherStatus: isOtherWanted ? other : null })
  }
  const obstacle = findObstacle(deps, actor, channel)
  if (obstacle !== null) throw cannotBeSentTo(obstacle)
  const address = mailChannelOf(channel)?.address
  if (address !== undefined) countTest(deps, address)
  const prepared = prepare(transport, channel, alert)
  const { carriers, exchanges } = recordCarriers(deps, prepared)
  const conclusion = await sendTest({ ...deps, carriers }, channel.id, prepared)
  const error = conclusion.kind === 'sent' ? null : conclusion.error
  if (error?.includes(PRIVATE_ADDRESS_REFUSED)) return { error, exchanges }
  const writes = deps.store.by(authorOf(deps, actor.by))
  await writes.channels.change(channel.id, (stored) => ({ channel: tested(stored, error) }))
  return { error, exchanges }
}

/** Returns the refusal for an obstacle. The settings of this process are the ones that matter, because it sends the test message. */
function cannotBeSentTo({ reason, setting }: Obstacle): Refusal {
  const what = setting === null ? `: ${reason}` : ` without ${settingWords(setting).gives}`
  return new Refusal('channel-unusable', `the channel cannot be tested${what}`, { setting })
}

async function refuseUnconfirmed(deps: TestDeps, actor: Actor, channel: Channel): Promise<never> {
  countConfirmation(deps, actor, channel)
  const error = await askToConfirm(deps, actor.project, channel)
  const lastError = error ?? UNCONFIRMED
  if (deps.operator.EMAIL_HOST) {
    await deps.store.channels.change(channel.id, (stored) => ({ channel: { ...stored, lastError } }))
  }
  throw new Refusal('channel-unconfirmed', UNCONFIRMED, { mailError: error })
}

async function sendTest(deps: TestDeps, channelId: string, prepared: Prepared): Promise<Conclusion> {
  const { conclusion } = await sendAlert(deps, prepared)
  if (conclusion.kind !== 'retry' || !conclusion.moved) return conclusion
  const { transport, settings, alert } = prepared
  const move = { sentWith: settings, fields: conclusion.moved }
  const moved = await deps.store.channels.change(channelId, (stored) => ({ channel: followMove(stored, move) }))
  return moved ? (await sendAlert(deps, prepare(transport, moved, alert))).conclusion : conclusion
}

/** Returns the channel after a test. If the receiver unsubscribed during the test, the channel stays unsubscribed. */
function tested(channel: Channel, error: string | null): Channel {
  const isUsedAgain = error === null && channel.disabledReason !== UNSUBSCRIBED
  return {
    ...channel,
    lastError: error && keptError(error),
    disabledReason: isUsedAgain ? null : channel.disabledReason,
  }
}

export interface MemberTest {
  readonly channel: Channel
  /** the error, or the refusal if nothing was sent; null if the receiver accepted the message */
  readonly error: string | Refusal | null
}

/**
 * Tests a group's members like {@link testChannel}, ten at a time.
 * @throws Refusal `group-empty` if the group no longer has any members
 */
export async function testMembers(deps: TestDeps, actor: Actor, group: Channel, status: Status): Promise<MemberTest[]> {
  const test = async (member: Channel) => ({ error: await testChannel(deps, actor, member, status), exchanges: [] })
  return ofMembers(deps, actor, group, test)
}

interface InspectedMember extends MemberTest {
  /** see {@link TestedChannel} */
  readonly exchanges: readonly Exchange[]
}

/** Like {@link testMembers}, but also returns each member's exchanges. @throws Refusal `group-empty` */
export async function inspectMembers(
  deps: TestDeps,
  actor: Actor,
  group: Channel,
  status: Status,
): Promise<InspectedMember[]> {
  requireRight(actor, 'write', group)
  return ofMembers(deps, actor, group, (member) => inspectChannel(deps, actor, member, status))
}

async function ofMembers(
  deps: TestDeps,
  actor: Actor,
  group: Channel,
  test: (member: Channel) => Promise<TestedChannel>,
): Promise<InspectedMember[]> {
  requireRight(actor, 'read', group)
  const members = expandGroups([group], await deps.store.channels.list(actor.project.id))
  if (members.length === 0) throw new Refusal('group-empty', 'the group no longer has members')
  const results: InspectedMember[] = []
  for (const some of inBatches(members, TESTED_AT_ONCE)) {
    const tested = some.map(async (channel) => ({ channel, ...(await test(channel).catch(asRefusal)) }))
    results.push(...(await Promise.all(tested)))
  }
  return results
}

/** Number of members to test simultaneously. A receiver that does not answer delays the next batch by 30 seconds. */
const TESTED_AT_ONCE = 10

function asRefusal(error: unknown): Pick<InspectedMember, 'error' | 'exchanges'> {
  if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
  return { error, exchanges: [] }
}
