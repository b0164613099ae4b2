/** Recorded answers of a Healthchecks server, compared with our answers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RecordedAnswer {
  readonly method: string
  readonly path: string
  /** key of the project; `bearer ro` is sent as Prometheus does. Missing: none */
  readonly key?: 'rw' | 'ro' | 'bearer ro'
  /** the key itself, if it is not one of the project's */
  readonly api_key?: string
  readonly send?: string
  readonly status: number
  readonly type: string
  readonly json?: Json
  /** null for a standard error page */
  readonly text?: string | null
  readonly base64?: string
}

export interface RecordedProject {
  readonly code: string
  readonly name: string
  readonly owner: string
  readonly badge_key: string
  readonly keys: Readonly<Record<'api_key' | 'api_key_readonly' | 'ping_key', string | null>>
  readonly answers: readonly RecordedAnswer[]
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export const RECORDING: {
  readonly now: string
  readonly healthchecks: { readonly site_root: string; readonly site_name: string; readonly secret_key: string }
  readonly users: readonly { readonly email: string; readonly password: string; readonly superuser: boolean }[]
  readonly revoked_keys: readonly string[]
  readonly projects: readonly RecordedProject[]
  readonly pings_after: readonly RecordedAnswer[]
} = JSON.parse(readFileSync(join(import.meta.dir, '../../fixtures/healthchecks/answers.json'), 'utf8'))

/** Sorts lists that are sets, because the recorded order is that of the other server's tables. */
export function inOrder(json: Json, name = ''): Json {
  if (Array.isArray(json)) {
    const items = json.map((item) => inOrder(item))
    // Pings and flips have an order.
    if (name === 'pings' || name === 'flips') return items
    return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (json === null || typeof json !== 'object') return json
  const members = Object.entries(json).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([member, value]) => [member, inOrder(value, member)]))
}
