/** Checks answers against the OpenAPI document of the server that gave them, with a validator from outside the program. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isSchedule } from '../../src/domain/check/fields.ts'
import type { ApiVersion } from '../../src/domain/check/representation.ts'
import { readGivenTiming, type TimingTexts } from '../../src/domain/ping/given-timing.ts'
import { canonicalTimeZone } from '../../src/domain/schedule/time-zones.ts'
import type { Answer, Method, Operation, PathItem, Reference } from '../../src/http/api/description/parts.ts'
import type { OpenApiDocument } from '../../src/http/api/openapi-document.ts'

interface Given {
  readonly method: string
  /** request target, with or without a query */
  readonly target: string
  readonly status: number
  /** values by lower-case name */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface Described {
  readonly document: OpenApiDocument
  /** Returns the operation for a request; null when it is not described. */
  find(method: string, target: string): Operation | null
  /** Lists differences of an answer from the document. */
  problems(given: Given): string[]
  /** Lists differences of a value from the schema. */
  misfits(schema: object, value: unknown): string[]
}

/** @param text the document as it was served */
export function described(text: string): Described {
  const document: OpenApiDocument = JSON.parse(text)
  const misfits = createValidator(document)
  const templates = Object.keys(document.paths)
    .map((path) => ({ path, pattern: patternOf(path), parameters: path.split('{').length }))
    // OpenAPI 3.1, 4.8.8.2: paths without parameters take precedence.
    .sort((a, b) => a.parameters - b.parameters)
  const itemFor = (target: string) => {
    // `%63` and `c` are equivalent (RFC 3986, 6.2.2.2).
    const path = target.replace(/[?#].*$/s, '').replace(/%(?:[46][1-9a-f]|[57][0-9a])/gi, decodeURIComponent)
    const template = templates.find(({ pattern }) => pattern.test(path))
    return template ? (document.paths[template.path] ?? null) : null
  }
  const find = (method: string, target: string): Operation | null =>
    itemFor(target)?.[method.toLowerCase() as Method] ?? null

  return {
    document,
    find,
    misfits,
    problems(given) {
      const item = itemFor(given.target)
      if (item === null) return given.status === 404 ? [] : [`${given.status} from an undescribed path`]
      const operation = find(given.method, given.target) ?? saidInWords(given, item)
      if (operation) return answerProblems(operation, given)
      return undescribedMethodProblems(given, Object.keys(item))
    },
  }

  function answerProblems({ operationId, responses }: Operation, given: Given): string[] {
    const described = responses[String(given.status)]
    if (!described) return [`${operationId}: ${given.status} is not described`]
    const { content = {}, headers = {} } = resolved(described, document)
    const type = (given.headers.get('content-type') ?? '').replace(/;.*$/, '')
    const missing = Object.keys(headers)
      .filter((name) => !MAY_BE_ABSENT.includes(name) && !given.headers.has(name.toLowerCase()))
      .map((name) => `${operationId}: ${given.status} without ${name}`)
    if (given.body === '' || Object.keys(content).length === 0) {
      const isEmpty = given.body === '' || given.method === 'HEAD'
      return isEmpty ? missing : [...missing, `${operationId}: ${given.status} with a body that is not described`]
    }
    const media = content[type]
    if (!media) return [...missing, `${operationId}: ${given.status} as "${type}", which is not described`]
    const value: unknown = type === 'application/json' ? JSON.parse(given.body) : given.body
    return [...missing, ...misfits(media.schema, value).map((problem) => `${operationId}: ${given.status} ${problem}`)]
  }
}

/** Finds operations that the document describes in text only. */
function saidInWords({ method, target }: Given, item: PathItem): Operation | undefined {
  if (target.startsWith('/ping/')) return item.post
  const isListedByPost = method === 'POST' && /\/(?:pings|flips)(?:\?|$)/.test(target)
  return isListedByPost ? item.get : undefined
}

/** Most tests have no rate limit, and the limit of bodies can be turned off. */
const MAY_BE_ABSENT = ['RateLimit', 'RateLimit-Policy', 'Ping-Body-Limit']

/** Checks a preflight, or a 405 that lists the allowed methods. */
function undescribedMethodProblems({ method, status, headers }: Given, methods: readonly string[]): string[] {
  if (status === 404) return []
  if (method === 'OPTIONS' && (status === 204 || status === 200)) return []
  if (status !== 405) return [`${status} to ${method}, which is not described`]
  const allowed = (headers.get('allow') ?? '').toLowerCase().split(', ')
  // The allowed methods of a check depend on whether it is named by UUID or unique key.
  return methods.some((name) => allowed.includes(name)) ? [] : [`405 that allows ${allowed} instead of ${methods}`]
}

function resolved(answer: Answer | Reference, { components }: OpenApiDocument): Answer {
  if (!('$ref' in answer)) return answer
  const found = components.responses[answer.$ref.replace('#/components/responses/', '')]
  if (!found) throw new Error(`${answer.$ref} does not exist`)
  return found
}

/** Paths that end with a slash in the document are also served without it, and a check's ping URL also with one. */
function patternOf(template: string): RegExp {
  const parts = template.split(/\{\w+\}/).map((part) => RegExp.escape(part))
  const end = template.endsWith('/') ? '?' : template === '/ping/{uuid}' ? '/?' : ''
  return new RegExp(`^${parts.join('[^/]+?')}${end}$`, 'u')
}

function createValidator(document: OpenApiDocument): Described['misfits'] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('schedule', isSchedule)
  ajv.addFormat('timezone', (name) => canonicalTimeZone(name) !== null)
  ajv.addFormat('channels', true)
  ajv.addFormat('span', (grace) => isTiming({ schedule: null, tz: null, grace }))
  ajv.addFormat('span-or-schedule', (schedule) => isTiming({ schedule, tz: null, grace: null }))
  ajv.addFormat('ping-time', true)
  const root = { $id: 'document', components: document.components }
  ajv.addSchema(root)
  const compiled = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }
}

function isTiming(texts: TimingTexts): boolean {
  return typeof readGivenTiming(texts) !== 'string'
}

/** Converts a response to the parameter of `problems`. */
export async function givenBy(
  method: string,
  target: string,
  response: Pick<Response, 'status' | 'text'> & { readonly headers: Iterable<readonly [string, string]> },
): Promise<Given> {
  const headers = new Map([...response.headers].map(([name, value]) => [name.toLowerCase(), value] as const))
  return { method, target, status: response.status, headers, body: await response.text() }
}

/** Returns the path of an API's document. @param version of the Healthchecks API; `own`: our own API */
export function documentPath(version: ApiVersion | 'own'): string {
  return version === 'own' ? '/api/overdue/v1/openapi.json' : `/api/v${version}/openapi.json`
}
