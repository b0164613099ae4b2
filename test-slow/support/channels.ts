/** Channels that alert the receivers of a test. */
import { overdue } from '../../test/support/served.ts'
import { webhook } from '../../test/support/store-builders.ts'

/** A secret, with which every message has the id of its delivery in the header `webhook-id`. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/**
 * Creates a webhook channel that sends alerts of both directions to one URL.
 * @returns the id of the channel
 */
export function createWebhook(databaseUrl: string, projectId: string, url: string, name = ''): Promise<string> {
  return create(databaseUrl, projectId, ['webhook', '--name', name], { ...webhook(url, url), secret: SECRET })
}

/** Creates a channel that sends alerts to a room of a Matrix homeserver. @returns the id of the channel */
export function createRoom(databaseUrl: string, projectId: string, room: string): Promise<string> {
  return create(databaseUrl, projectId, ['matrix'], room)
}

async function create(
  databaseUrl: string,
  projectId: string,
  words: readonly string[],
  settings: unknown,
): Promise<string> {
  const all = ['--project', projectId, '--settings', JSON.stringify(settings), '--kind', ...words]
  return (await overdue<{ id: string }>(databaseUrl, 'channel', 'create', ...all)).id
}
