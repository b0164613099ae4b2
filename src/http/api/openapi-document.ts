/** Builds the OpenAPI 3.1 document for one version of the API. The document includes pings, badges and the server's own endpoints. */
import { type ApiVersion, type FlipsForm, flipsForm, type Links } from '../../domain/check/representation.ts'
import { badgePaths } from './badges.openapi.ts'
import { checkPaths } from './checks.openapi.ts'
import { components } from './description/components.ts'
import { createExamples } from './description/examples.ts'
import type { Paths } from './description/parts.ts'
import { schemas } from './description/schemas.ts'
import { logPaths } from './log.openapi.ts'
import { pingPaths } from './ping.openapi.ts'
import { previewPaths } from './preview.openapi.ts'
import { projectPaths } from './project.openapi.ts'
import { serverPaths } from './server.openapi.ts'

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Paths
  readonly components: ReturnType<typeof components>
}

/** The server that a document describes. */
export interface Documented {
  /** the server's name and URLs */
  readonly site: { readonly name: string; readonly links: Links }
  /** the form in which version 3 lists flips */
  readonly v3Flips: FlipsForm
}

const OLDER: Readonly<Record<1 | 2, string>> = {
  1: 'Flips are wrapped in an object. If a request contains `name`, it also sets the slug. A check whose job is running has the status `started`.',
  2: 'Flips are wrapped in an object. If a request contains `name`, it also sets the slug.',
}

const OTHER_CHANGES =
  'a given `name` also sets the slug, and in version 1 a check with a run under way has the status `started`.'

const NEWEST: Readonly<Record<FlipsForm, string>> = {
  array: `This is version 3, the newest. Versions 1 and 2 differ in three ways: flips are wrapped in an object (\`{"flips": […]}\`), ${OTHER_CHANGES}`,
  object: `This is version 3, the newest. Versions 1 and 2 differ in two ways: ${OTHER_CHANGES}`,
}

export function openApiDocument(version: ApiVersion, { site, v3Flips }: Documented): OpenApiDocument {
  const { links, name } = site
  const form = flipsForm(version, v3Flips)
  const root = `/api/v${version}`
  const examples = createExamples(version, links, form)
  const slugNote =
    version === 3 ? 'The name never sets the slug.' : '`name` also sets the slug, unless `slug` is given too.'
  return {
    openapi: '3.1.1',
    info: {
      title: `${name}: management API v${version} and pings`,
      version: String(version),
      description: `Requests send a key of a project in the header \`X-Api-Key\`; pings and badges need no key. ${version === 3 ? NEWEST[form] : OLDER[version]} The final slash of a collection's path is optional.`,
    },
    servers: [{ url: links.siteRoot }],
    tags: [
      { name: 'Checks', description: 'The jobs that the server watches.' },
      {
        name: 'Pings',
        description: `The URLs that jobs request. They begin with \`${links.pingEndpoint}\` and need no key: the URL itself is the secret.`,
      },
      { name: 'Log', description: 'Pings and status changes of a check.' },
      { name: 'Project', description: 'Channels and badges of a project.' },
      { name: 'Badges', description: 'Public status, as images or JSON.' },
      { name: 'Server', description: 'Health, metrics and other endpoints of the server itself.' },
    ],
    paths: {
      ...checkPaths(root, examples, slugNote),
      ...previewPaths(root),
      ...logPaths(root, examples),
      ...projectPaths(root, examples),
      ...pingPaths(),
      ...badgePaths(examples),
      ...serverPaths(root),
    },
    components: components(schemas(version, form)),
  }
}
