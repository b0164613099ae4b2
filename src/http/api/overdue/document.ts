/** Builds the OpenAPI 3.1 document of the API of our own. */
import { components } from '../description/components.ts'
import type { Documented, OpenApiDocument } from '../openapi-document.ts'
import { documentPaths } from '../server.openapi.ts'
import { incidentPaths } from './incidents.openapi.ts'
import { OWN_SCHEMAS } from './schemas.ts'
import { silencePaths } from './silences.openapi.ts'

const ROOT = '/api/overdue/v1'

export function ownDocument({ site: { name, links } }: Pick<Documented, 'site'>): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: `${name}: incidents and silences`,
      version: '1',
      description: `What the management API of Healthchecks has no place for; that one is described at \`${links.siteRoot}/api/v3/openapi.json\`. Calls send a key of a project in the header \`X-Api-Key\`. The final slash of a collection's path is optional.`,
    },
    servers: [{ url: links.siteRoot }],
    tags: [
      { name: 'Silences', description: 'For which checks nobody is told of incidents, and until when.' },
      { name: 'Incidents', description: 'What is wrong, who is on it, and what happened.' },
      { name: 'Server', description: 'This document.' },
    ],
    paths: { ...silencePaths(ROOT), ...incidentPaths(ROOT), ...documentPaths(ROOT) },
    components: components(OWN_SCHEMAS),
  }
}
