/** What the checks of a project share, described. */
import { Type } from '../../domain/schema.ts'
import { USUAL, USUAL_OF_LISTS } from './check-paths.ts'
import { API_HEADERS, READ, WRITE } from './components.ts'
import type { Examples } from './examples.ts'
import { json, type Paths, schemaRef } from './parts.ts'

export function projectPaths(root: string, examples: Examples): Paths {
  const tags = ['Project'] as const
  return {
    [`${root}/channels/`]: {
      get: {
        operationId: 'listChannels',
        tags,
        summary: 'List channels',
        description: 'All channels of the project, the oldest first, also those that are disabled.',
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
          ...USUAL,
        },
      },
    },
    [`${root}/badges/`]: {
      get: {
        operationId: 'listBadges',
        tags,
        summary: 'List badges',
        description: 'For each tag in use, and for all checks under `*`. The URLs are signed: they need no key.',
        security: READ,
        responses: {
          200: {
            description: 'URLs by tag.',
            headers: API_HEADERS,
            content: json(
              Type.Object(
                { badges: Type.Record(Type.String(), Type.Unsafe(schemaRef('BadgeUrls'))) },
                { additionalProperties: false },
              ),
              { 'One tag': { badges: examples.badges } },
            ),
          },
          ...USUAL_OF_LISTS,
        },
      },
    },
  }
}
