/** The server of the recording in `test/fixtures/healthchecks`, with the recorded answers of its API. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const FIXTURE = join(import.meta.dir, '../fixtures/healthchecks')

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly key?: string
  readonly status: number
  readonly type: string
  readonly json?: unknown
  readonly text?: string | null
  readonly base64?: string
}

const recording = JSON.parse(readFileSync(join(FIXTURE, 'answers.json'), 'utf8'))
export const recorded: readonly {
  readonly badge_key: string
  readonly code: string
  readonly keys: Readonly<Record<string, string>>
  readonly answers: readonly Recorded[]
}[] = recording.projects
/** SECRET_KEY of that server. */
export const SECRET: string = recording.healthchecks.secret_key

/** Returns the recorded answer to a read-write or read-only key; an empty 404 or 401 where none was recorded. */
export function recordedAnswer(request: Request): Response {
  const key = request.headers.get('x-api-key') ?? ''
  const path = new URL(request.url).pathname
  for (const { keys, answers } of recorded) {
    const role = key === keys.api_key ? 'rw' : key === keys.api_key_readonly ? 'ro' : null
    if (role === null) continue
    const answer = answers.find((each) => each.path === path && each.key === role && each.method === 'GET')
    if (answer === undefined) return new Response('', { status: role === 'ro' ? 401 : 404 })
    const { status, json, text, base64 } = answer
    if (json !== undefined) return Response.json(json, { status })
    return new Response(base64 === undefined ? (text ?? '') : Buffer.from(base64, 'base64'), { status })
  }
  return Response.json({ error: 'wrong api key' }, { status: 401 })
}
