/** The setting of kinds that only need the receiver's secret URL. */
import { Text } from '../../domain/schema.ts'

export function WebhookUrl(description: string) {
  return Text({
    title: 'Webhook URL',
    description,
    maxLength: 1000,
    pattern: '^https?://[^\\s/]\\S*$',
    means: 'a URL such as https://example.org/hook',
    isSecret: true,
    isAddress: true,
  })
}
