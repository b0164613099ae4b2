/** Channels tried out: a message about a check that does not exist, sent now and once. */
import { type Channel, expandGroups, followMove, UNSUBSCRIBED } from '../domain/channel.ts'
import { UserError } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import { type Alert, channelWants, type Transport, type Verdict } from '../transports/transport.ts'
import { testAlert } from './alert.ts'
import { type Composes, findObstacle, type Obstacle } from './channels.ts'
import { askToConfirm, UNCONFIRMED } from './confirmation.ts'
import type { Deps } from './deps.ts'
import { sendAlert } from './send-alert.ts'

type Tests = Composes & Pick<Deps, 'store' | 'carriers' | 'log'>
type Status = 'up' | 'down'

/**
 * Sends a message about a check that does not exist. When it is taken, the channel is used again if it was disabled; a
 * receiver that has moved is followed. Where an address has not been confirmed yet, its owner is asked once more instead.
 * @returns what went wrong; null when the receiver took the message
 * @throws UserError when this version, these settings, this status or the receiver leave nothing to send
 */
export async function testChannel(
  deps: Tests,
  project: Project,
  channel: Channel,
  status: Status,
): Promise<string | null> {
  const transport = deps.transports.get(channel.kind)
  if (!transport) throw new UserError(`this version cannot send to channels of kind ${channel.kind}`)
  if (channel.awaitsConfirmation) return await refuseUnconfirmed(deps, project, channel)
  if (channel.disabledReason === UNSUBSCRIBED) {
    throw new UserError('the receiver has unsubscribed', 'give the channel another address, or make a new one')
  }
  const alert = testAlert(deps, project, channel.id, status)
  if (!channelWants(deps.transports, channel, alert.flip)) {
    const other = status === 'down' ? 'up' : 'down'
    const isOtherWanted = channelWants(deps.transports, channel, { ...alert.flip, newStatus: other })
    const hint = isOtherWanted
      ? `try --status ${other}`
      : 'nor when it goes the other way; `overdue mail test` tries the mail server'
    throw new UserError(`this channel sends nothing when a check goes ${status}`, hint)
  }
  const obstacle = findObstacle(deps, project, channel)
  if (obstacle !== null) throw cannotBeSentTo(obstacle)
  const verdict = await sendTest(deps, transport, alert, channel)
  const error = verdict.kind === 'sent' ? null : verdict.error
  await deps.store.changeChannel(channel.id, (stored) => ({ channel: tested(stored, error) }))
  return error
}

/** A test is sent by this process, so what it lacks itself is what counts. */
function cannotBeSentTo({ reason, setting }: Obstacle): UserError {
  if (setting === null) return new UserError(`the channel cannot be tested: ${reason}`)
  const hint = 'run this command with the same settings as the server'
  return new UserError(`the channel cannot be tested without ${setting} in the environment of this command`, hint)
}

async function refuseUnconfirmed(deps: Tests, project: Project, channel: Channel): Promise<never> {
  const error = await askToConfirm(deps, project, channel)
  const lastError = error ?? UNCONFIRMED
  await deps.store.changeChannel(channel.id, (stored) => ({ channel: { ...stored, lastError } }))
  throw new UserError(UNCONFIRMED, error ?? 'a mail that asks for it was sent there once more')
}

async function sendTest(deps: Tests, transport: Transport, alert: Alert, channel: Channel): Promise<Verdict> {
  const { settings } = channel
  const verdict = await sendAlert(deps, transport, alert, settings)
  if (verdict.kind !== 'retry' || !verdict.moved) return verdict
  const move = { sentWith: settings, fields: verdict.moved }
  const moved = await deps.store.changeChannel(channel.id, (stored) => ({ channel: followMove(stored, move) }))
  return moved ? sendAlert(deps, transport, alert, moved.settings) : verdict
}

/** Whoever has unsubscribed while the message was on its way stays so. */
function tested(channel: Channel, error: string | null): Channel {
  const isUsedAgain = error === null && channel.disabledReason !== UNSUBSCRIBED
  return { ...channel, lastError: error, disabledReason: isUsedAgain ? null : channel.disabledReason }
}

export interface MemberTest {
  readonly channel: Channel
  /** what went wrong, also where there was nothing to send; null when the receiver took the message */
  readonly error: string | null
}

/**
 * The channels that a group stands for, one after another, as {@link testChannel} tests each.
 * @throws UserError for a group that stands for none any more
 */
export async function testMembers(
  deps: Tests,
  project: Project,
  group: Channel,
  status: Status,
): Promise<MemberTest[]> {
  const members = expandGroups([group], await deps.store.listChannels(project.id))
  if (members.length === 0) throw new UserError('the group has no members any more', 'give it others')
  const results: MemberTest[] = []
  for (const channel of members) {
    results.push({ channel, error: await testChannel(deps, project, channel, status).catch(inWords) })
  }
  return results
}

function inWords(error: unknown): string {
  if (!(error instanceof UserError)) throw error
  return error.hint === undefined ? error.message : `${error.message} (${error.hint})`
}
