/** Channels: stored with settings that their transport accepts, and listed. */
import { CHANNEL_KINDS, CHANNEL_NAME_LIMIT, type Channel, isChannelKind } from '../domain/channel.ts'
import { UserError } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import { codePoints, firstProblem } from '../domain/schema.ts'
import type { Deps } from './deps.ts'

export interface ChannelRequest {
  readonly kind: string
  readonly name: string
  readonly settings: unknown
}

export function listChannels({ store }: Pick<Deps, 'store'>, project: Project): Promise<Channel[]> {
  return store.listChannels(project.id)
}

/** @throws UserError when the kind is unknown, the name too long, or the transport cannot work with the settings */
export async function createChannel(
  { store, now, random, transports }: Pick<Deps, 'store' | 'now' | 'random' | 'transports'>,
  project: Project,
  { kind, name, settings }: ChannelRequest,
): Promise<Channel> {
  if (!isChannelKind(kind)) throw new UserError(`unknown kind "${kind}"`, `use one of: ${CHANNEL_KINDS.join(', ')}`)
  if (codePoints(name) > CHANNEL_NAME_LIMIT) {
    throw new UserError(`the name is too long`, `use at most ${CHANNEL_NAME_LIMIT} characters`)
  }
  const transport = transports.get(kind)
  const problem = transport ? firstProblem(transport.settings, settings) : null
  if (problem) {
    throw new UserError(
      `the settings of a ${kind} channel are not right: ${problem.path || 'the value'} is ${problem.violation}`,
      `see docs/channels.md for the fields of each kind`,
    )
  }
  const channel: Channel = {
    id: random.uuid(),
    projectId: project.id,
    name,
    kind,
    settings,
    createdAt: now(),
    disabledReason: null,
    lastError: null,
  }
  await store.createChannel(channel)
  return channel
}
