/** The OpenAPI 3.1 document of one version of the API, with the ping endpoint. Made anew at each call. */
import { type ApiVersion, type FlipsForm, flipsForm, type Links } from '../../domain/representation.ts'
import { badgePaths } from './badge-paths.ts'
import { checkPaths } from './check-paths.ts'
import { components } from './components.ts'
import { createExamples } from './examples.ts'
import { logPaths } from './log-paths.ts'
import type { Paths } from './parts.ts'
import { pingPaths } from './ping-paths.ts'
import { projectPaths } from './project-paths.ts'
import { serverPaths } from './server-paths.ts'

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
  /** its name and addresses */
  readonly site: { readonly name: string; readonly links: Links }
  /** how v3 lists flips */
  readonly v3Flips: FlipsForm
}

const OLDER: Readonly<Record<1 | 2, string>> = {
  1: 'A check with a run under way has the status `started`; flips are wrapped in an object; a `name` that is sent also makes the slug.',
  2: 'Flips are wrapped in an object, and a `name` that is sent also makes the slug.',
}

const STARTED_IN_1 = 'in version 1 a check with a run under way has the status `started`.'
/** By the form of its flips. */
const NEWEST: Readonly<Record<FlipsForm, string>> = {
  array: `This is version 3, the newest. Versions 1 and 2 are the same but for three things: there, flips are wrapped in an object (\`{"flips": […]}\`) and a \`name\` that is sent also makes the slug; and ${STARTED_IN_1}`,
  object: `This is version 3, the newest. Versions 1 and 2 are the same but for two things: there, a \`name\` that is sent also makes the slug; and ${STARTED_IN_1}`,
}

export function openApiDocument(version: ApiVersion, { site, v3Flips }: Documented): OpenApiDocument {
  const { links, name } = site
  const form = flipsForm(version, v3Flips)
  const root = `/api/v${version}`
  const examples = createExamples(version, links, form)
  const slugNote =
    version === 3 ? 'The slug is never made from the name.' : 'A name makes the slug too, unless that is sent as well.'
  return {
    openapi: '3.1.1',
    info: {
      title: `${name}: management API v${version} and pings`,
      version: String(version),
      description: `What is here begins with a key of a project, in the header \`X-Api-Key\`; pings and badges need none. ${version === 3 ? NEWEST[form] : OLDER[version]} Paths of collections are served with and without the final slash.`,
    },
    servers: [{ url: links.siteRoot }],
    tags: [
      { name: 'Checks', description: 'The jobs that are watched.' },
      {
        name: 'Pings',
        description: `What a job calls; nothing but the URL is secret. They begin with \`${links.pingEndpoint}\`.`,
      },
      { name: 'Log', description: 'What has happened to a check.' },
      { name: 'Project', description: 'What the checks of a project share.' },
      { name: 'Badges', description: 'Status for the public, as images or JSON.' },
      { name: 'Server', description: 'What probes, scrapers and programs ask the server itself.' },
    ],
    paths: {
      ...checkPaths(root, examples, slugNote),
      ...logPaths(root, examples),
      ...projectPaths(root, examples),
      ...pingPaths(),
      ...badgePaths(examples),
      ...serverPaths(root),
    },
    components: components(version, form),
  }
}
