/** Reads projects from a running Healthchecks server over its API. */
import type { HttpReader } from '../../domain/carrier/http-exchange.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedCheck, ImportSource } from '../../domain/import/import-source.ts'
import type { Clock } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { type ApiClient, createApiClient } from './client.ts'
import { toLog } from './log.ts'
import { type ReadProject, readListed, readProject } from './project.ts'

export interface HealthchecksApiOptions {
  /** URL of the server as typed; it may be the URL of the start page, or of any path below `/api/` */
  readonly url: string
  /** read-write keys, one per project */
  readonly apiKeys: readonly string[]
  /** names of the projects, in the order of the keys; missing names are derived from the host */
  readonly names: readonly string[]
  readonly read: HttpReader
  /** Waits, and rejects when the import is stopped. */
  readonly wait: (seconds: number) => Promise<void>
  readonly now: Clock
  /** Called with the number of checks read so far. */
  readonly onCheck?: (done: number, of: number) => void
}

/** Number of bodies to request at once. Each needs a separate request. */
const BODIES_AT_ONCE = 4
/** Number of pings per page. Their bodies are in memory at the same time. */
const PAGE = 20

/** @throws Refusal if the address is invalid, a key does not permit reading everything, or the server is not Healthchecks */
export async function openHealthchecksApi(options: HealthchecksApiOptions): Promise<ImportSource> {
  const root = rootOf(options.url)
  const read: ReadProject[] = []
  const clients = new Map<string, ApiClient>()
  for (const [index, key] of options.apiKeys.entries()) {
    const keyName = `API key ${index + 1}`
    const number = options.apiKeys.length > 1 ? ` ${index + 1}` : ''
    const client = createApiClient({ ...options, root, key, keyName })
    const project = await readProject(client, {
      ...options,
      host: root.host,
      key,
      keyName,
      name: options.names[index] ?? `${root.host.slice(0, 150)}${number}`,
    })
    refuseTwins(read, project, keyName)
    read.push(project)
    for (const check of project.project.checks) clients.set(check.id, client)
  }
  return sourceOf(root, read, clients)
}

/** Returns the server's address. The text may also be the API's address, or have a trailing slash. */
function rootOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Refusal('api-foreign', 'the address of the server does not begin with https:// or http://', {
      host: '',
    })
  }
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/api(?:\/.*)?$/, '').replace(/\/+$/, '')
  return url
}

function refuseTwins(read: readonly ReadProject[], { project }: ReadProject, keyName: string): void {
  const twin = read.findIndex((other) => other.project.id === project.id)
  if (twin < 0) return
  throw new Refusal(
    'invalid',
    `API key ${twin + 1} and ${keyName} belong to the same project: give one key of each project`,
  )
}

function sourceOf(root: URL, read: readonly ReadProject[], clients: ReadonlyMap<string, ApiClient>): ImportSource {
  const flips = new Map(read.flatMap((each) => [...each.flips]))
  const projectOf = new Map(read.flatMap(({ project }) => project.checks.map(({ id }) => [id, project.name] as const)))
  const notes: ImportNote[] = read.flatMap((each) => each.notes)
  return {
    kind: 'healthchecks-api',
    name: root.host,
    accounts: [],
    projects: read.map(({ project }) => project),
    notes,
    async *pings(check, after) {
      const client = clients.get(check.id)
      if (client === undefined) return
      const lost = { bodies: 0 }
      yield* readPages(client, check, after, lost)
      if (lost.bodies === 0) return
      const reason = `The server did not give the bodies of ${lost.bodies} of its pings, which are imported without them.`
      const [name, project] = [check.name || 'unnamed', projectOf.get(check.id) ?? null]
      notes.push({ kind: 'left-out', subject: 'body', name, project, reason, advice: null })
    },
    async *flips(check, after) {
      const rest = (flips.get(check.id) ?? []).filter(({ n }) => n > after)
      if (rest.length > 0) yield rest
    },
    async *alerts() {},
    countPings: async () => read.reduce((sum, { pings }) => sum + pings, 0),
    close: async () => {},
  }
}

/** Reads the log in pages. The next import reads the pings that arrived after the check was read. */
async function* readPages(client: ApiClient, { id, nPings }: ImportedCheck, after: number, lost: { bodies: number }) {
  const listed = toLog(id, await readListed(client, id)).filter(({ ping: { n } }) => n > after && n <= nPings)
  const withBody = async ({ ping, hasBodyUrl }: (typeof listed)[number]) => {
    if (!hasBodyUrl) return ping
    const body = await client.bytes(`checks/${id}/pings/${ping.n}/body`)
    if (body === null) lost.bodies += 1
    return { ...ping, body: body === null || body.length === 0 ? null : body }
  }
  for (const page of inBatches(listed, PAGE)) {
    const pings = []
    for (const some of inBatches(page, BODIES_AT_ONCE)) pings.push(...(await Promise.all(some.map(withBody))))
    yield pings
  }
}
