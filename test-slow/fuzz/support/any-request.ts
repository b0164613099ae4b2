/** Generates requests to every endpoint of the server. */
import fc, { type Arbitrary } from 'fast-check'
import {
  type Access,
  anyIsVerified,
  type GeneratedRequest,
  generatedRequest,
  headers,
  hostilePart,
  inTarget,
  isChunked,
  type Kind,
  methodFor,
  queryOf,
  varied,
} from './generated-request.ts'
import { jsonBody } from './json-text.ts'

const POOL = 12

const check = fc.integer({ min: 0, max: POOL - 1 }).map((n) => `{{check:${n}}}`)
const uniqueKey = fc.integer({ min: 0, max: POOL - 1 }).map((n) => `{{unique:${n}}}`)
const noCheck = fc.oneof(
  hostilePart,
  fc.constantFrom(
    '00000000-0000-4000-8000-000000000000',
    'A'.repeat(40),
    '{{project}}',
    '0'.repeat(36),
    '{{strangercheck}}',
  ),
)

interface Key {
  readonly access: Access
  readonly headers: readonly [string, string][]
  /** key in the body; '' for none */
  readonly inBody: string
}

const inHeader = (access: Access, value: string): Key => ({ access, headers: [['X-Api-Key', value]], inBody: '' })

const key: Arbitrary<Key> = fc.oneof(
  { weight: 24, arbitrary: fc.constant(inHeader('write', '{{apikey}}')) },
  { weight: 4, arbitrary: fc.constant(inHeader('read', '{{readkey}}')) },
  { weight: 2, arbitrary: fc.constant<Key>({ access: 'write', headers: [], inBody: '{{apikey}}' }) },
  { weight: 1, arbitrary: fc.constant<Key>({ access: 'read', headers: [], inBody: '{{readkey}}' }) },
  { weight: 1, arbitrary: fc.constant<Key>({ access: 'none', headers: [], inBody: '' }) },
  {
    weight: 4,
    arbitrary: fc
      .oneof(
        hostilePart,
        fc.constantFrom('', '{{wrongkey}}', '{{pingkey}}', '{{project}}', '{{apikey}}x', '{{apikey}}, {{apikey}}'),
        fc.constantFrom('{{long:32}}', '{{long:5000}}', 'odw_', '%'.repeat(32), "' OR ''='"),
      )
      .map((value) => inHeader('none', value)),
  },
)
const strangersKey = inHeader('stranger', '{{strangerkey}}')

interface Endpoint {
  readonly path: string
  readonly usual: string
}

const version = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('v1', 'v2', 'v3') },
  { weight: 1, arbitrary: fc.constantFrom('v0', 'v4', 'V3', 'v', 'v3.0', 'v03') },
)

const endpoint = (weight: number, usual: string, ...parts: (string | Arbitrary<string>)[]) => ({
  weight,
  arbitrary: fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts): Endpoint => ({ path: texts.join('/'), usual })),
})

const flipsQuery = queryOf({
  seconds: fc.constantFrom('0', '60', '31536000', '31536001', '-1', '1e3', '6_0', '1.0', '%2060', ''),
  start: fc.constantFrom('0', '1700000000', '10000000000', '10000000001', '-0'),
  end: fc.constantFrom('0', '1700000000', '99999999999', ''),
})
const listQuery = queryOf({
  tag: fc.constantFrom('prod', 'db', '', 'a%20b'),
  slug: fc.constantFrom('new-1', '', '{{slug:1}}'),
})
const logNumber = fc.oneof(
  fc.integer({ min: 0, max: 200 }).map(String),
  hostilePart,
  fc.constantFrom('-1', '9'.repeat(16), '1.5', '01'),
)

const collections = fc.oneof(
  endpoint(6, 'POST', fc.constantFrom('checks/', 'checks')),
  endpoint(
    2,
    'GET',
    listQuery.map((query) => `checks/${query}`),
  ),
  endpoint(1, 'GET', fc.constantFrom('channels/', 'channels', 'badges/', 'badges')),
)
const oneCheck = fc.oneof(
  endpoint(8, 'POST', 'checks', check),
  endpoint(3, 'GET', 'checks', fc.oneof(check, uniqueKey)),
  endpoint(1, 'DELETE', 'checks', check),
  endpoint(2, 'POST', 'checks', check, fc.constantFrom('pause', 'resume', 'pause/', 'resume/')),
  endpoint(1, 'GET', 'checks', check, fc.constantFrom('pings/', 'pings')),
  endpoint(2, 'GET', 'checks', check, 'pings', logNumber, fc.constantFrom('body', 'body/')),
  endpoint(
    2,
    'GET',
    'checks',
    fc.oneof(check, uniqueKey),
    flipsQuery.map((query) => `flips/${query}`),
  ),
  endpoint(2, 'GET', 'checks', noCheck),
  endpoint(1, 'POST', 'checks', noCheck),
  endpoint(1, 'GET', 'checks', noCheck, fc.constantFrom('pings/', 'flips/', 'pause', 'pings/1/body')),
)
const beside = fc.oneof(
  endpoint(2, 'GET', fc.constantFrom('status/', 'status', 'metrics/', 'metrics')),
  endpoint(2, 'POST', 'notifications', noCheck, 'status'),
  endpoint(2, 'GET', hostilePart),
  endpoint(2, 'GET', hostilePart, hostilePart),
)

function apiRequest(endpoints: Arbitrary<Endpoint>, keys: Arbitrary<Key>): Arbitrary<GeneratedRequest> {
  return fc
    .tuple(variedEndpoint(endpoints), version, keys, headers, isChunked, anyIsVerified)
    .chain(([{ path, usual }, prefix, { access, headers: keyHeaders, inBody }, more, chunks, look]) =>
      fc
        .tuple(
          methodFor(usual),
          usual === 'POST' || inBody !== ''
            ? jsonBody(inBody)
            : fc.oneof({ weight: 9, arbitrary: fc.constant('') }, jsonBody('')),
        )
        .map(([method, body]) =>
          generatedRequest('api', method, `/api/${prefix}/${path}`, {
            access,
            headers: [...keyHeaders, ...more],
            body,
            isChunked: chunks,
            isVerified: look,
          }),
        ),
    )
}

function variedEndpoint(endpoints: Arbitrary<Endpoint>): Arbitrary<Endpoint> {
  // `varied` changes paths with a leading slash.
  return fc.oneof(
    { weight: 15, arbitrary: endpoints },
    {
      weight: 1,
      arbitrary: endpoints.chain(({ path, usual }) =>
        varied(fc.constant(`/${path}`)).map((text) => ({ path: text.replace(/^\//, ''), usual })),
      ),
    },
  )
}

const apiRequests: Arbitrary<GeneratedRequest> = fc.oneof(
  { weight: 6, arbitrary: apiRequest(collections, key) },
  { weight: 12, arbitrary: apiRequest(oneCheck, key) },
  {
    weight: 1,
    arbitrary: apiRequest(oneCheck, fc.constant(strangersKey)).filter(
      ({ target }) => !target.includes('strangercheck'),
    ),
  },
  { weight: 2, arbitrary: apiRequest(beside, key) },
)

const action = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom('', '/start', '/fail', '/log', '/0', '/1', '/255') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/', '/256', '/00', '/-1', '/999999999999', '/START', '/start/', '/success', '//'),
  },
  { weight: 1, arbitrary: hostilePart.map((part) => `/${part}`) },
)
const slug = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: POOL - 1 }).map((n) => `{{slug:${n}}}`) },
  { weight: 2, arbitrary: fc.constantFrom('new-1', 'new-2', 'unknown', 'UPPER', '{{long:500}}') },
  { weight: 1, arbitrary: hostilePart },
)
const pinged = fc.oneof(
  { weight: 12, arbitrary: check },
  { weight: 6, arbitrary: slug.map((name) => `{{pingkey}}/${name}`) },
  { weight: 1, arbitrary: slug.map((name) => `{{wrongpingkey}}/${name}`) },
  { weight: 1, arbitrary: noCheck.filter((part) => part !== '{{strangercheck}}') },
  { weight: 1, arbitrary: check.map((id) => `${id}/{{slug:0}}`) },
)
const rid = fc.constantFrom(
  'c0ffee00-0000-4000-8000-000000000001',
  'C0FFEE00-0000-4000-8000-000000000001',
  'c0ffee00000040008000000000000001',
  'x',
  '',
)
const pingBody = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
  { weight: 4, arbitrary: hostilePart },
  {
    weight: 2,
    arbitrary: fc.constantFrom('OK', 'done', 'FAILED', '{{long:9999}}', '{{long:10000}}', '{{long:10001}}'),
  },
)
/** Bodies around and above the size limit. Rare, since each costs as much as a thousand other requests. */
const hugeBody = fc.constantFrom('{{long:100000}}', '{{long:2621440}}', '{{long:2621441}}', '{{long:4000000}}')

const pingPath = fc
  .tuple(pinged, action, queryOf({ rid, create: fc.constantFrom('1', '0', '', 'true') }))
  .map(([name, tail, query]) => `/ping/${name}${tail}${query}`)

const pingRequests: Arbitrary<GeneratedRequest> = fc
  .tuple(
    varied(pingPath),
    methodFor('POST').chain((method) => (method === 'POST' ? fc.constantFrom('GET', 'POST') : fc.constant(method))),
    fc.oneof({ weight: 999, arbitrary: pingBody }, { weight: 1, arbitrary: hugeBody }),
    headers,
    isChunked,
    anyIsVerified,
  )
  .map(([target, method, body, more, chunks, isVerified]) =>
    generatedRequest('ping', method, target, { headers: more, body, isChunked: chunks, isVerified }),
  )

function reading(kind: Kind, target: Arbitrary<string>, usual = 'GET'): Arbitrary<GeneratedRequest> {
  return fc
    .tuple(varied(target), methodFor(usual), headers, hostilePart, isChunked, anyIsVerified)
    .map(([path, method, more, text, chunks, isVerified]) => {
      const body = method === 'GET' || method === 'HEAD' ? '' : text
      return generatedRequest(kind, method, path, { headers: more, body, isChunked: chunks && body !== '', isVerified })
    })
}

const format = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('svg', 'json', 'shields') },
  { weight: 1, arbitrary: hostilePart },
)
const badgePath = fc.oneof(
  fc
    .tuple(fc.constantFrom('2', '3', '1', '99'), fc.integer({ min: 0, max: POOL - 1 }), format)
    .map(([states, n, end]) => `/b/${states}/{{badge:${n}}}.${end}`),
  fc
    .tuple(fc.constantFrom('{{projectbadge}}', '{{projectbadge}}-2', '{{tagbadge:0}}', '{{tagbadge:1}}'), format)
    .map(([start, end]) => `/badge/${start}.${end}`),
  fc.tuple(hostilePart, hostilePart, format).map(([one, two, end]) => `/badge/${one}/${two}.${end}`),
  fc.tuple(hostilePart, format).map(([name, end]) => `/b/3/${name}.${end}`),
)

const metricsPath = fc.oneof(
  fc.constantFrom('/metrics', '/projects/{{project}}/metrics', '/projects/{{project}}/metrics/{{readkey}}'),
  fc.constantFrom('/projects/{{project}}/checks/metrics/{{readkey}}', '/projects/{{project}}/metrics/{{apikey}}'),
  fc.constantFrom('/projects/{{project}}/metrics/{{strangerkey}}', '/projects/{{check:0}}/metrics'),
  hostilePart.map((part) => `/projects/${part}/metrics`),
  hostilePart.map((part) => `/projects/{{project}}/metrics/${part}`),
)
const metricsKey: Arbitrary<[string, string][]> = fc.constantFrom(
  [],
  [['X-Metrics-Key', '{{metricskey}}']],
  [['Authorization', 'Bearer {{metricskey}}']],
  [['Authorization', 'Bearer {{readkey}}']],
  [['Authorization', 'Bearer {{wrongkey}}']],
  [['X-Metrics-Key', '{{wrongkey}}']],
)
const metricsRequests = fc
  .tuple(reading('metrics', metricsPath), metricsKey)
  .map(([request, keyHeaders]) => ({ ...request, headers: [...keyHeaders, ...request.headers] }))

const mailLink = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 3 }).map((n) => `{{link:${n}}}`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.oneof(fc.constant('{{channel:1}}'), noCheck),
        fc.constantFrom('verify', 'unsub', 'unsub/report', 'unsub/reminder', 'unsub/x'),
        hostilePart,
      )
      .map(([id, what, token]) => `/integrations/${id}/${what}/${token}/`),
  },
)

/** Paths of pages. The API reference and the documents are rare, since each has half a megabyte. */
const pagePath = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom('/healthz', '/readyz', '/', '//', '/favicon.ico', '/robots.txt', '/api', '/ping'),
  },
  { weight: 5, arbitrary: fc.array(hostilePart, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`) },
  { weight: 1, arbitrary: fc.constantFrom('{{long:8000}}').map((part) => `/${inTarget(part)}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/docs/api', '/api/v1/openapi.json', '/api/v2/openapi.json', '/api/v3/openapi.json'),
  },
)

export const anyRequest: Arbitrary<GeneratedRequest> = fc.oneof(
  { weight: 42, arbitrary: apiRequests },
  { weight: 38, arbitrary: pingRequests },
  { weight: 8, arbitrary: reading('badge', badgePath) },
  { weight: 4, arbitrary: metricsRequests },
  { weight: 4, arbitrary: reading('mail link', mailLink) },
  { weight: 4, arbitrary: reading('page', pagePath) },
)
