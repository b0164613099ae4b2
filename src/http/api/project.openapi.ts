/** OpenAPI description of a project's channels and badges. */
import { Type } from '../../domain/schema.ts'
import { API_HEADERS, KEY_ERRORS, LIST_ERRORS, READ, WRITE } from './description/components.ts'
import type { Examples } from './description/examples.ts'
import { json, type Paths, schemaRef } from './description/parts.ts'

export function projectPaths(root: string, examples: Examples): Paths {
  const tags = ['Project'] as const
  return {
    [`${root}/channels/`]: {
      get: {
        operationId: 'listChannels',
        tags,
        summary: 'List channels',
        description: 'Lists all channels of the project, oldest first, including disabled ones.',
        security: WRITE,
        responses: {
          200: {
            description: 'The channels.',
            headers: API_HEADERS,
            content: json(
              Type.Object({ channels: Type.Array(Type.Unsafe(schemaRef('Channel'))) }, { additionalProperties: false }),
              { 'One channel': { channels: examples.channels } },
            ),
          },
          ...KEY_ERRORS,
        },
      },
    },
    [`${root}/badges/`]: {
      get: {
        operationId: 'listBadges',
        tags,
        summary: 'List badges',
        description:
          'Lists badge URLs for each used tag, and for all checks under `*`. The URLs are signed and need no key.',
        security: READ,
        responses: {
          200: {
            description: 'Badge URLs, by tag.',
            headers: API_HEADERS,
            content: json(
              Type.Object(
                { badges: Type.Record(Type.String(), Type.Unsafe(schemaRef('BadgeUrls'))) },
                { additionalProperties: false },
              ),
              { 'One tag': { badges: examples.badges } },
            ),
          },
          ...LIST_ERRORS,
        },
      },
    },
  }
}
