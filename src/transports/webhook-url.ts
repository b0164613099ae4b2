/** The setting of kinds that need no more than the secret URL which the receiver made for us. */
import { Text } from '../domain/schema.ts'

export function WebhookUrl(description: string) {
  return Text({ title: 'Webhook URL', description, maxLength: 1000, pattern: '^https?://[^\\s/]\\S*$' })
}
