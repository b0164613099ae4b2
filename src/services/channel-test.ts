/** Tests channels: sends one message about a check that does not exist. */
import { type Actor, requireRight } from '../domain/actor.ts'
import { type Channel, expandGroups, followMove, UNSUBSCRIBED } from '../domain/alert/channel.ts'
import type { Obstacle } from '../domain/alert/channel-state.ts'
import { keptError, PRIVATE_ADDRESS_REFUSED } from '../domain/alert/delivery.ts'
import { Refusal } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import { type Alert, channelWants, type Transport, type Verdict } from '../transports/transport.ts'
import { type ComposeDeps, findObstacle } from './channels.ts'
import { testAlert } from './courier/alert.ts'
import { sendAlert } from './courier/send-alert.ts'
import type { Deps } from './deps.ts'
import { askToConfirm, UNCONFIRMED } from './mail/confirmation.ts'

export type TestDeps = ComposeDeps & Pick<Deps, 'store' | 'carriers' | 'log'>
type Status = 'up' | 'down'

/**
 * Sends a test message. Success re-enables a disabled channel. If the receiver has moved, the message follows it. If the
 * address is not confirmed, its owner gets another confirmation email instead. What is due to this process's own settings, such
 * as a private address that it may not call, is not kept as the channel's error: the server may have other settings.
 * @returns what went wrong; null when the receiver accepted the message
 * @throws Refusal when the channel cannot be sent to, or sends nothing for this status
 */
export async function testChannel(
  deps: TestDeps,
  actor: Actor,
  channel: Channel,
  status: Status,
): Promise<string | null> {
  requireRight(actor, 'read', channel)
  const { project } = actor
  const transport = deps.transports.get(channel.kind)
  if (!transport) {
    const message = `this version cannot send to channels of kind ${channel.kind}`
    throw new Refusal('channel-kind-unsupported', message, { kind: channel.kind })
  }
  if (channel.awaitsConfirmation) return await refuseUnconfirmed(deps, project, channel)
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
  const verdict = await sendTest(deps, transport, alert, channel)
  const error = verdict.kind === 'sent' ? null : verdict.error
  if (error?.includes(PRIVATE_ADDRESS_REFUSED)) return error
  await deps.store.changeChannel(channel.id, (stored) => ({ channel: tested(stored, error) }))
  return error
}

/** This process sends the test, so only its own settings count. */
function cannotBeSentTo({ reason, setting }: Obstacle): Refusal {
  const what = setting === null ? `: ${reason}` : ` without ${setting}`
  return new Refusal('channel-unusable', `the channel cannot be tested${what}`, { setting })
}

async function refuseUnconfirmed(deps: TestDeps, project: Project, channel: Channel): Promise<never> {
  const error = await askToConfirm(deps, project, channel)
  const lastError = error ?? UNCONFIRMED
  if (deps.operator.EMAIL_HOST) {
    await deps.store.changeChannel(channel.id, (stored) => ({ channel: { ...stored, lastError } }))
  }
  throw new Refusal('channel-unconfirmed', UNCONFIRMED, { mailError: error })
}

async function sendTest(deps: TestDeps, transport: Transport, alert: Alert, channel: Channel): Promise<Verdict> {
  const { settings } = channel
  const { verdict } = await sendAlert(deps, transport, alert, settings)
  if (verdict.kind !== 'retry' || !verdict.moved) return verdict
  const move = { sentWith: settings, fields: verdict.moved }
  const moved = await deps.store.changeChannel(channel.id, (stored) => ({ channel: followMove(stored, move) }))
  return moved ? (await sendAlert(deps, transport, alert, moved.settings)).verdict : verdict
}

/** A receiver that unsubscribes while the message is sent stays unsubscribed. */
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
  /** what went wrong, a refusal if nothing was sent; null when the receiver accepted the message */
  readonly error: string | Refusal | null
}

/**
 * Tests the members of a group one after another, as {@link testChannel} does.
 * @throws Refusal `group-empty` when the group no longer has members
 */
export async function testMembers(deps: TestDeps, actor: Actor, group: Channel, status: Status): Promise<MemberTest[]> {
  requireRight(actor, 'read', group)
  const members = expandGroups([group], await deps.store.listChannels(actor.project.id))
  if (members.length === 0) throw new Refusal('group-empty', 'the group no longer has members')
  const results: MemberTest[] = []
  for (const channel of members) {
    results.push({ channel, error: await testChannel(deps, actor, channel, status).catch(asRefusal) })
  }
  return results
}

function asRefusal(error: unknown): Refusal {
  if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
  return error
}
