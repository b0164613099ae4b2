/** Parameters in API paths. The server responds with 404 if a value does not match. */
import { defineFormat, Text } from '../../../domain/schema.ts'
import { isUuid } from '../../../lib/secrets/uuid.ts'

defineFormat('uuid', isUuid)

/** Regular expression that matches a UUID. */
export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Returns the schema for a lowercase UUID. */
export function uuid(description: string) {
  return Text({ pattern: `^${UUID}$`, format: 'uuid', description })
}

export const CheckUuid = uuid('UUID of the check.')

/**
 * Schema of a unique key. Real unique keys have 40 hexadecimal digits. Like Healthchecks, the schema accepts all ASCII characters from `A`
 * to `z`.
 */
export const CheckUniqueKey = Text({ pattern: '^[A-z0-9]{40}$' })

export const PingNumber = Text({ pattern: '^\\d{1,15}$' })
