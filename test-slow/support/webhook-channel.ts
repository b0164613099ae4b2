import { overdue } from '../../test/support/served.ts'
import { webhook } from '../../test/support/store-builders.ts'

/** A secret, with which every message has the id of its delivery in the header `webhook-id`. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/**
 * Creates a webhook channel that sends alerts of both directions to one URL.
 * @returns the id of the channel
 */
export async function createWebhook(databaseUrl: string, projectId: string, url: string, name = ''): Promise<string> {
  const settings = JSON.stringify({ ...webhook(url, url), secret: SECRET })
  const words = ['--project', projectId, '--kind', 'webhook', '--name', name, '--settings', settings]
  return (await overdue<{ id: string }>(databaseUrl, 'channel', 'create', ...words)).id
}
