/** Replays a recorded case against a running server, step by step, up to the first step that differs. */
import { type Capture, type Case, type CaseRequest, type Json, pointer, type Step } from './case.ts'
import { readJson, responseDifferences } from './match-response.ts'
import { fill, fillAll, MissingVariable, type Variables } from './template.ts'
import { exchange, type WireRequest, type WireResponse } from './wire.ts'

const AGENT = 'conformance-replay/1'

/** Checks an answer in addition to the recorded expectation. @returns one line for each problem */
export type Inspect = (request: WireRequest, response: WireResponse) => string[]

/** @returns one line for each difference; empty when all steps match the recording */
export async function runCase(baseUrl: string, item: Case, given: Variables, inspect?: Inspect): Promise<string[]> {
  const variables: Record<string, string> = { ...given }
  for (const [index, step] of item.steps.entries()) {
    const { request } = step
    if (step.setup !== undefined) return [`step ${index + 1}: needs its clock wound: ${step.setup}`]
    if (step.sleep !== undefined) await Bun.sleep(step.sleep * 1000)
    if (request === undefined) continue
    const differences = await runStep(baseUrl, step, request, variables, inspect)
    if (differences.length > 0) {
      return differences.map((line) => `step ${index + 1} ${request.method} ${request.path}: ${line}`)
    }
  }
  return []
}

/** Runs a step, and adds its captured values to `variables`. */
async function runStep(
  baseUrl: string,
  step: Step,
  request: CaseRequest,
  variables: Record<string, string>,
  inspect: Inspect = () => [],
): Promise<string[]> {
  try {
    const built = build(request, variables)
    let response = await send(baseUrl, built)
    for (let done = 1; done < (step.repeat ?? 1); done++) response = await send(baseUrl, built)
    const captured = captureAll(step.capture ?? {}, response, variables)
    const differences = step.expect === undefined ? [] : responseDifferences(step.expect, response, variables)
    return [...differences, ...captured, ...inspect(built, response)]
  } catch (error) {
    if (error instanceof MissingVariable) return [error.message]
    return [`no answer: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function build(request: CaseRequest, variables: Variables): WireRequest {
  const headers = new Map([['User-Agent', AGENT]])
  if (request.json !== undefined) headers.set('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    for (const known of headers.keys()) if (known.toLowerCase() === name.toLowerCase()) headers.delete(known)
    if (value !== null) headers.set(name, fill(value, variables))
  }
  const body = bodyOf(request, variables)
  return { method: request.method, target: fill(request.path, variables), headers: [...headers], body }
}

function bodyOf(request: CaseRequest, variables: Variables): Uint8Array | null {
  if (request.json !== undefined) return Buffer.from(JSON.stringify(fillAll(request.json, variables)))
  if (request.body !== undefined) return Buffer.from(fill(request.body, variables))
  if (request.body_hex !== undefined) return Buffer.from(request.body_hex, 'hex')
  const repeat = request.body_repeat
  return repeat === undefined ? null : Buffer.from(repeat.text.repeat(repeat.times))
}

/** Sends a request. The path is appended to that of the base URL; a whole URL from an answer loses its origin. */
function send(baseUrl: string, request: WireRequest): Promise<WireResponse> {
  const { host, pathname } = new URL(baseUrl)
  const whole = /^https?:\/\/[^/?#]*(.*)$/s.exec(request.target)
  const target = whole?.[1] ?? pathname.replace(/\/$/, '') + request.target
  return exchange(host, { ...request, target })
}

function captureAll(
  captures: Readonly<Record<string, Capture>>,
  response: WireResponse,
  variables: Record<string, string>,
): string[] {
  return Object.entries(captures).flatMap(([variable, capture]) => {
    const value = captured(capture, response)
    if (value === null) return [`could not capture ${variable} by ${JSON.stringify(capture)}`]
    variables[variable] = value
    return []
  })
}

function captured(capture: Capture, response: WireResponse): string | null {
  if (typeof capture === 'object') {
    const source = captured(capture.from, response)
    return source === null ? null : (new RegExp(capture.regex).exec(source)?.[1] ?? null)
  }
  if (!capture.startsWith('/')) return new RegExp(capture).exec(response.body.toString('utf8'))?.[1] ?? null
  const document = readJson(response.body)
  const found = document === undefined ? undefined : pointer(document, capture)
  if (found === undefined) return null
  return typeof found === 'string' ? found : JSON.stringify(found)
}

/** Deletes every check of both projects, so that no case sees the checks of another. */
export async function wipe(baseUrl: string, variables: Variables): Promise<void> {
  for (const project of ['A', 'B']) {
    const headers = { 'X-Api-Key': `{{${project}.api_key}}` }
    const list = await send(baseUrl, build({ method: 'GET', path: '/api/v3/checks/', headers }, variables))
    const checks: Json | undefined = pointer(readJson(list.body) ?? null, '/checks')
    if (!Array.isArray(checks))
      throw new Error(`the checks of ${project} cannot be listed: ${list.status} ${list.body}`)
    for (const check of checks) {
      const path = `/api/v3/checks/${pointer(check, '/uuid')}`
      const answer = await send(baseUrl, build({ method: 'DELETE', path, headers }, variables))
      if (answer.status !== 200) throw new Error(`DELETE ${path} answered ${answer.status} ${answer.body}`)
    }
  }
}
