/** Builds the OpenAPI 3.1 document for Overdue's own API. */
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
      description: `The parts of the API that Healthchecks does not have. The management API is described at \`${links.siteRoot}/api/v3/openapi.json\`. Requests send a key of a project in the header \`X-Api-Key\`. The final slash of a collection's path is optional.`,
    },
    servers: [{ url: links.siteRoot }],
    tags: [
      { name: 'Silences', description: 'Periods in which incidents of some checks alert nobody.' },
      { name: 'Incidents', description: 'Outages of checks, their events, and the people who are working on them.' },
      { name: 'Server', description: 'This document.' },
    ],
    paths: { ...silencePaths(ROOT), ...incidentPaths(ROOT), ...documentPaths(ROOT) },
    components: components(OWN_SCHEMAS),
  }
}
