/** A project of a worker. Each has its own on the server, so every change in it is caused by the worker's own requests. */

import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { confirmUrl, unsubscribeUrl } from '../../../src/domain/mail/links.ts'
import { overdue } from '../../../test/support/served.ts'
import type { Answer } from './answers.ts'
import { type Connection, keepAliveConnection } from './connection.ts'
import type { Lookup } from './template.ts'

/** Number of checks that requests refer to. Further ones are deleted at the next reset. */
const POOL = 12

export interface Server {
  readonly baseUrl: string
  readonly databaseUrl: string
  readonly port: number
  /** the secret that signs links in emails */
  readonly secret: string
  readonly metricsKey: string
}

export type CheckJson = Readonly<Record<string, unknown>> & { readonly uuid: string }

export interface WorkerProject {
  readonly lookup: Lookup
  readonly connection: Connection
  /** Sends a request with the project's read-write key. @param fields the body, for `POST` */
  api(method: string, path: string, fields?: object): Promise<Answer>
  /** Returns the fields of all checks, without those that change with time. */
  state(): Promise<string>
  /** Restores the number of checks: deletes additional ones and replaces deleted ones. */
  reset(): Promise<void>
  /** Strings that must not be in the server's log. */
  readonly secrets: ReadonlySet<string>
}

interface ProjectJson {
  readonly id: string
  readonly api_key: string
  readonly api_key_readonly: string
  readonly ping_key: string
}

const EMPTY = { method_up: 'GET', url_up: '', body_up: '', headers_up: {} }

export async function createWorkerProject(server: Server, name: string): Promise<WorkerProject> {
  const { databaseUrl, baseUrl, secret } = server
  const project = await overdue<ProjectJson>(databaseUrl, 'project', 'create', name)
  const stranger = await overdue<ProjectJson>(databaseUrl, 'project', 'create', `Other than ${name}`)
  const address = `person-${crypto.randomUUID()}@example.org`
  const token = `hooksecret${crypto.randomUUID()}`
  const hook = {
    method_down: 'POST',
    url_down: `http://127.0.0.1:9/${token}`,
    body_down: token,
    headers_down: { Token: token },
  }
  const channel = async (owner: ProjectJson, kind: string, title: string, settings: unknown) => {
    const words = ['--project', owner.id, '--kind', kind, '--name', title, '--settings', JSON.stringify(settings)]
    return (await overdue<{ id: string }>(databaseUrl, 'channel', 'create', ...words)).id
  }
  const channels = [
    await channel(project, 'webhook', 'Hook', { ...hook, ...EMPTY }),
    await channel(project, 'email', 'Mail', { value: address, report: 'daily', reminder: 'hourly' }),
  ]
  const strangerChannel = await channel(stranger, 'webhook', 'Hook', { ...hook, ...EMPTY })

  const connection = keepAliveConnection(server.port)
  const ask = async (key: string, method: string, path: string, fields?: object): Promise<Answer> => {
    const body = Buffer.from(fields === undefined ? '' : JSON.stringify(fields))
    const head = `${method} /api/v3/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n`
    return connection.send(Buffer.concat([Buffer.from(head), body]))
  }
  const api: WorkerProject['api'] = (method, path, fields) => ask(project.api_key, method, path, fields)
  const json = async <Json>(answer: Promise<Answer>): Promise<Json> => {
    const { status, body } = await answer
    if (status >= 300) throw new Error(`the server refused a plain request: ${status} ${body}`)
    return JSON.parse(body.toString())
  }
  const list = async () => (await json<{ checks: CheckJson[] }>(api('GET', 'checks/'))).checks

  const secrets = new Set([
    project.api_key,
    project.api_key_readonly,
    project.ping_key,
    stranger.api_key,
    address,
    token,
  ])
  const pool: CheckJson[] = []
  const add = async () => {
    const slug = `job-${pool.length}`
    const made = await json<CheckJson>(
      api('POST', 'checks/', { name: slug, slug, tags: 'prod db', channels: channels[0] }),
    )
    pool.push(made)
    return made
  }
  const strangerCheck = await json<CheckJson>(ask(stranger.api_key, 'POST', 'checks/', { name: 'theirs' }))
  while (pool.length < POOL) secrets.add((await add()).uuid)
  const { badges } = await json<{ badges: Record<string, { svg: string }> }>(api('GET', 'badges/'))
  const badgePaths = Object.values(badges).map(({ svg }) => svg.slice(`${baseUrl}/badge/`.length, -'.svg'.length))
  const projectBadge = (badges['*']?.svg ?? '').slice(`${baseUrl}/badge/`.length, -'.svg'.length)

  const links = { siteRoot: baseUrl, pingEndpoint: `${baseUrl}/ping/`, checkPages: `${baseUrl}/cloaked/` }
  const mail = channels[1] ?? ''
  const linkPaths = [
    confirmUrl(links, mail, address, secret),
    ...(['alerts', 'report', 'reminder'] as const).map((what) => unsubscribeUrl(links, mail, what, secret)),
  ].map((url) => url.slice(baseUrl.length))
  for (const path of linkPaths) secrets.add(path.split('/').at(-2) ?? '')

  const one = (n: number) => pool[n % POOL] ?? strangerCheck
  const names: Readonly<Record<string, (n: number) => string>> = {
    apikey: () => project.api_key,
    readkey: () => project.api_key_readonly,
    pingkey: () => project.ping_key,
    project: () => project.id,
    strangerkey: () => stranger.api_key,
    strangercheck: () => strangerCheck.uuid,
    strangerchannel: () => strangerChannel,
    wrongkey: () => WRONG_KEY,
    wrongpingkey: () => WRONG_PING_KEY,
    metricskey: () => server.metricsKey,
    channel: (n) => channels[n] ?? '',
    check: (n) => one(n).uuid,
    unique: (n) => uniqueKey(one(n).uuid),
    // The current slug. A check without a slug cannot be pinged by slug.
    slug: (n) => String(one(n).slug || `job-${n}`),
    badge: (n) => String(one(n).badge_url).replace(/^.*\/(.*)\.svg$/, '$1'),
    projectbadge: () => projectBadge,
    tagbadge: (n) => badgePaths[n % badgePaths.length] ?? '',
    link: (n) => linkPaths[n] ?? '',
  }

  return {
    connection,
    api,
    secrets,
    lookup: (name, n) => names[name]?.(n) ?? `no ${name}`,
    async state() {
      const seen = (await list()).map(({ status, next_ping: _next, started: _started, ...rest }) => ({
        ...rest,
        isPaused: status === 'paused',
      }))
      return JSON.stringify(seen)
    },
    async reset() {
      const wanted = new Set(pool.map(({ uuid }) => uuid))
      pool.length = 0
      for (const check of await list()) {
        secrets.add(check.uuid)
        if (wanted.has(check.uuid)) pool.push(check)
        else await api('DELETE', `checks/${check.uuid}`)
      }
      while (pool.length < POOL) secrets.add((await add()).uuid)
    },
  }
}

/** Invalid keys that are recognizable in the log. */
export const WRONG_KEY = 'odw_WrongWrongWrongWrongWrong123'
export const WRONG_PING_KEY = 'wrongwrongwrongwrong12'
