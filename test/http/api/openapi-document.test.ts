import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { CheckSpec } from '../../../src/domain/check/check.ts'
import { firstProblem, type TSchema } from '../../../src/domain/schema.ts'
import type { MediaType, Operation } from '../../../src/http/api/description/parts.ts'
import { PreviewSpec } from '../../../src/http/api/preview.ts'
import { createClientReader } from '../../../src/http/client.ts'
import { createHttp } from '../../../src/http/index.ts'
import { pageRoutes } from '../../../src/http/web/routes.ts'
import { AdminImport } from '../../../src/import/engine/admin-import.ts'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
import { LongReads } from '../../../src/services/common/long-reads.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { RefusedNotes } from '../../../src/services/pings/refused-signals.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import { type Described, described, documentPath } from '../../support/described.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const VERSIONS = [1, 2, 3] as const
type Version = (typeof VERSIONS)[number] | 'own'

let t: TestApp
const texts = new Map<Version, string>()
const documents = new Map<Version, Described>()
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT: 'https://overdue.example.org', SITE_NAME: 'Watch' } })
  for (const version of [...VERSIONS, 'own'] as const) {
    const text = await (await t.call('GET', documentPath(version))).text()
    texts.set(version, text)
    documents.set(version, described(text))
  }
})
afterAll(() => t.close())

function read(version: Version): Described {
  const document = documents.get(version)
  if (!document) throw new Error('the document was not read')
  return document
}

interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const operationsOf = ({ document }: Pick<Described, 'document'>): Placed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** Lists every schema that has an example, with that example. */
function shown({
  document,
}: Described): { readonly place: string; readonly schema: object; readonly value: unknown }[] {
  const inContent = (place: string, content: Readonly<Record<string, MediaType>> = {}) =>
    Object.values(content).flatMap(({ schema, examples = {} }) =>
      Object.values(examples).map(({ summary, value }) => ({ place: `${place}: ${summary}`, schema, value })),
    )
  const inOperations = operationsOf({ document }).flatMap(({ operation }) => {
    const { operationId, parameters = [], requestBody, responses } = operation
    return [
      ...parameters.flatMap(({ name, schema, examples }) =>
        Object.values(examples).map(({ value }) => ({ place: `${operationId} ${name}`, schema, value })),
      ),
      ...inContent(operationId, requestBody?.content),
      ...Object.entries(responses).flatMap(([status, answer]) =>
        '$ref' in answer ? [] : inContent(`${operationId} ${status}`, answer.content),
      ),
    ]
  })
  const { responses, headers } = document.components
  return [
    ...inOperations,
    ...Object.entries(responses).flatMap(([name, { content }]) => inContent(name, content)),
    ...Object.entries(headers).map(([place, { schema, example }]) => ({ place, schema, value: example })),
  ]
}

describe.each([...VERSIONS])('the document of version %i', (version: Version) => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(texts.get(version) ?? ''))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('shows only examples that fit their schemas', () => {
    const examples = shown(read(version))
    expect(examples.length).toBeGreaterThan(200)
    const wrong = examples.flatMap(({ place, schema, value }) =>
      read(version)
        .misfits(schema, value)
        .map((problem) => `${place}: ${problem}`),
    )
    expect(wrong).toEqual([])
  })

  test('has no broken references', () => {
    const { document } = read(version)
    const references = [...(texts.get(version) ?? '').matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    const components: Record<string, object> = { ...document.components }
    const broken = references.filter(([, kind = '', name = '']) => !Object.hasOwn(components[kind] ?? {}, name))
    expect(references.length).toBeGreaterThan(100)
    expect(broken).toEqual([])
  })

  test('gives every operation a unique id, a summary, a description, known keys and all its path parameters', () => {
    const operations = operationsOf(read(version))
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const schemes = Object.keys(read(version).document.components.securitySchemes)
    for (const { path, operation } of operations) {
      expect(operation.summary).not.toBe('')
      expect(operation.description).not.toBe('')
      expect(operation.security.flatMap((each) => Object.keys(each)).filter((name) => !schemes.includes(name))).toEqual(
        [],
      )
      const named = (operation.parameters ?? []).filter((each) => each.in === 'path').map(({ name }) => `{${name}}`)
      expect(named).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
  })

  test('links only to existing operations, with parameters that they have', () => {
    const operations = operationsOf(read(version)).map(({ operation }) => operation)
    const links = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((answer) => ('links' in answer ? Object.values(answer.links ?? {}) : [])),
    )
    expect(links.length).toBeGreaterThan(5)
    for (const { operationId, parameters } of links) {
      const target = operations.find((operation) => operation.operationId === operationId)
      expect((target?.parameters ?? []).map(({ name }) => name)).toContain(Object.keys(parameters)[0] ?? '')
    }
  })

  test('names this server and its pages', () => {
    const { info, servers, tags } = read(version).document
    expect(servers).toEqual([{ url: 'https://overdue.example.org' }])
    expect(info).toMatchObject({ title: `Watch: management API v${version} and pings`, version: String(version) })
    expect(JSON.stringify(tags)).toContain('https://overdue.example.org/ping/')
  })
})

describe('the document of the API of our own', () => {
  test('is valid OpenAPI 3.1, with examples that fit and no broken references', async () => {
    expect(await new Validator().validate(JSON.parse(texts.get('own') ?? ''))).toEqual({ valid: true })
    const wrong = shown(read('own')).flatMap(({ place, schema, value }) =>
      read('own')
        .misfits(schema, value)
        .map((problem) => `${place}: ${problem}`),
    )
    expect(wrong).toEqual([])
    const references = [...(texts.get('own') ?? '').matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    const components: Record<string, object> = { ...read('own').document.components }
    expect(references.filter(([, kind = '', name = '']) => !Object.hasOwn(components[kind] ?? {}, name))).toEqual([])
    expect(read('own').document.info).toMatchObject({ title: 'Watch: incidents and silences', version: '1' })
  })
})

describe('routes and descriptions', () => {
  /** Routes for every method and many paths, which are described one by one. */
  const WILDCARDS = ['/ping/*', '/badge/*', '/b/*']
  /** Fallback for encoded paths. */
  const FALLBACK = '/*'

  /** Returns the pages for people, which a table of their own describes. */
  const pages = () => {
    const { deps } = t.app
    const limit = createRateLimit(deps.now, 0)
    const own = {
      publicLimit: limit,
      longReads: new LongReads(deps.store),
      adminImport: new AdminImport(t.app.deps),
      backups: null,
      remoteUserHeader: null,
    }
    return pageRoutes({ ...deps, ...own, pings: createPingReceiver(deps) }).map(({ path }) => path)
  }

  function routes(): { readonly method: string; readonly path: string }[] {
    const { deps } = t.app
    const http = createHttp({
      ...deps,
      pings: createPingReceiver(deps),
      refusedNotes: new RefusedNotes(deps),
      clients: createClientReader([]),
      rateLimit: createRateLimit(deps.now, 0),
      publicLimit: createRateLimit(deps.now, 0),
      longReads: new LongReads(deps.store),
      adminImport: new AdminImport(t.app.deps),
      backups: null,
      remoteUserHeader: null,
      readiness: createReadiness(deps),
      isDraining: () => false,
    })
    return http.routes.map(({ method, path }) => ({ method, path }))
  }

  const withoutSlash = (path: string) => path.replace(/(.)\/$/, '$1')
  const shape = (path: string) => withoutSlash(path).replace(/\{\w+\}|:\w+/g, '{}')

  const descriptions = () => [...VERSIONS, 'own' as const].flatMap((version) => operationsOf(read(version)))

  test('match: every route has its operations', () => {
    const known = descriptions()
    const noApi = [...pages(), FALLBACK]
    const missing = routes()
      // Described in words, for clients that follow the redirect of Healthchecks.
      .filter(({ method, path }) => !(method === 'POST' && /\/(?:pings|flips)$/.test(path)))
      .filter(({ path }) => !WILDCARDS.includes(path) && !noApi.includes(path))
      .filter(({ method, path }) => {
        const here = known.filter((each) => shape(each.path) === shape(path))
        return method === 'ALL' ? here.length === 0 : !here.some((each) => each.method === method)
      })
    expect(missing).toEqual([])
  })

  test('match: every operation has its route', () => {
    const mounted = routes()
    const missing = descriptions().filter(({ method, path }) => {
      const isBelowWildcard = WILDCARDS.some((wildcard) => path.startsWith(wildcard.slice(0, -1)))
      const here = mounted.filter((route) => shape(route.path) === shape(path))
      return !isBelowWildcard && !here.some((route) => route.method === method || route.method === 'ALL')
    })
    expect(missing).toEqual([])
  })

  test('match: every exception in this test is still a route', () => {
    const paths = routes().map(({ path }) => path)
    expect([...WILDCARDS, ...pages(), FALLBACK].filter((path) => !paths.includes(path))).toEqual([])
  })
})

describe('the body of a request', () => {
  test('is described by what validates it, with the limits of each field', () => {
    const { misfits, document } = read(3)
    const spec = document.components.schemas.CheckSpec ?? {}
    expect(
      misfits(spec, { timeout: 60, name: '😀'.repeat(100), slug: 'a-b_c', unique: ['name'], tz: 'Europe/Riga' }),
    ).toEqual([])
    for (const wrong of [
      { timeout: 59 },
      { name: '😀'.repeat(101) },
      { slug: 'A' },
      { unique: ['uuid'] },
      { tz: 'Mars/Phobos' },
      { schedule: 'now and then' },
      { methods: 'GET' },
      { manual_resume: null },
    ]) {
      expect(misfits(spec, wrong)).not.toEqual([])
    }
  })

  test.each([
    ['CheckSpec', CheckSpec],
    ['PreviewSpec', PreviewSpec],
  ])(
    '%s: each of its texts has a format, or a pattern that no text with U+0000 fits, and the server takes none',
    (name, schema) => {
      const members: Record<string, TSchema> = read(3).document.components.schemas[name]?.properties
      const texts = Object.entries(members).filter(([, { type, items = {} }]) => [type, items.type].includes('string'))
      expect(texts.length).toBeGreaterThan(3)
      for (const [member, { type, format, pattern, items }] of texts) {
        for (const text of ['\u0000', 'a\u0000', '\u0000\n', 'a\n\u0000b']) {
          const hasFormat = (format ?? items?.format) !== undefined
          const fits = !hasFormat && new RegExp(pattern ?? items?.pattern ?? '', 'u').test(text)
          expect([member, fits]).toEqual([member, false])
          expect([member, firstProblem(schema, { [member]: type === 'array' ? [text] : text })]).not.toEqual([
            member,
            null,
          ])
        }
      }
    },
  )

  test('takes all other characters where the server does', () => {
    const { misfits, document } = read(3)
    const texts = ['name', 'tags', 'desc', 'start_kw', 'success_kw', 'failure_kw', 'subject', 'subject_fail']
    for (const text of ['', '\u0001\t\r\n\u2028', '\ufffe\ud83d\ude00', '^[^\\x00]*$', 'x00']) {
      const body = Object.fromEntries(texts.map((member) => [member, text]))
      expect(firstProblem(CheckSpec, body)).toBeNull()
      expect(misfits(document.components.schemas.CheckSpec ?? {}, body)).toEqual([])
    }
  })

  test('may have unknown fields, so that a client can send back what it has read', () => {
    const { misfits, document } = read(3)
    expect(misfits(document.components.schemas.CheckSpec ?? {}, { uuid: 'x', status: 5, api_key: 'odw_' })).toEqual([])
  })
})

describe('versions differ', () => {
  const statuses = (version: Version) => read(version).document.components.schemas.Check?.properties?.status?.enum

  test('in the status of a run under way, and in the form of flips', () => {
    expect(statuses(1)).toContain('started')
    expect(statuses(2)).not.toContain('started')
    expect(statuses(3)).not.toContain('started')
    const flips = [{ timestamp: '2026-03-28T02:00:00+00:00', up: 0 }]
    const schema = { $ref: '#/components/schemas/Flips' }
    for (const version of [1, 2] as const) {
      expect(read(version).misfits(schema, { flips })).toEqual([])
      expect(read(version).misfits(schema, flips)).not.toEqual([])
    }
    expect(read(3).misfits(schema, flips)).toEqual([])
    expect(read(3).misfits(schema, { flips })).not.toEqual([])
  })
})

test('with API_V3_FLIPS=object, version 3 also wraps flips, and its document says so', async () => {
  const app = await testApp({ env: { API_V3_FLIPS: 'object' } })
  const text = await (await app.call('GET', documentPath(3))).text()
  const page = await (await app.call('GET', '/docs/api')).text()
  await app.close()
  const { document, misfits } = described(text)
  const schema = { $ref: '#/components/schemas/Flips' }
  expect(misfits(schema, { flips: [] })).toEqual([])
  expect(misfits(schema, [])).not.toEqual([])
  const answer = document.paths['/api/v3/checks/{id}/flips/']?.get?.responses[200]
  expect(JSON.stringify(answer)).toContain('"value":{"flips":[')
  expect(document.info.description).toContain('Versions 1 and 2 differ in two ways')
  expect(page).toContain('Versions 1 and 2 differ in two ways')
})

test('every described 503 has a Retry-After', () => {
  const { document } = read(3)
  const answers = operationsOf({ document }).flatMap(({ path, method, operation }) => {
    const answer = operation.responses[503]
    // Probes repeat by themselves. Some answers to HEAD refer to those to GET.
    const isElsewhere =
      path === '/healthz' ||
      path === '/readyz' ||
      (answer && 'description' in answer && answer.description === 'Same as `GET`, without content.')
    return answer && !isElsewhere ? [{ place: `${method} ${path}`, answer }] : []
  })
  expect(answers.length).toBeGreaterThan(20)
  const silent = answers.filter(({ answer }) => {
    const whole = '$ref' in answer ? document.components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer
    return !Object.keys(whole?.headers ?? {}).includes('Retry-After')
  })
  expect(silent.map(({ place }) => place)).toEqual([])
})
