/** Creates the two projects of the recorded cases, A and B, with the command line. */
import type { Served } from '../support/served.ts'
import type { JsonObject } from './case.ts'
import type { Variables } from './template.ts'

interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: string
}

interface Project {
  readonly id: string
  readonly api_key: string
  readonly api_key_readonly: string
  readonly ping_key: string
}

/** Names of channels in cases: `{{A.one.id}}`, `{{A.blank.id}}`, … */
type Role = 'one' | 'two' | 'blank' | 'dup1' | 'dup2'

interface Plan {
  readonly role: Role
  readonly kind: string
  readonly name: string
  readonly settings: JsonObject
}

/** Settings with an address on which nothing listens: a conformance run must not send anything out of the machine. */
const webhook = {
  method_down: 'GET',
  url_down: 'http://127.0.0.1:9/',
  body_down: '',
  headers_down: {},
  method_up: 'GET',
  url_up: '',
  body_up: '',
  headers_up: {},
}
const email = { value: 'ops@example.org', up: true, down: true }
const sms = { value: '+15550100', up: false, down: true }

/** Channels by project. B's first channel has the name of A's, so that cases notice a lookup in the wrong project. */
const PLANS: Readonly<Record<'A' | 'B', readonly Plan[]>> = {
  A: [
    { role: 'one', kind: 'email', name: 'Ops email', settings: email },
    { role: 'blank', kind: 'webhook', name: '', settings: webhook },
    { role: 'dup1', kind: 'sms', name: 'Pager', settings: sms },
    { role: 'dup2', kind: 'webhook', name: 'Pager', settings: webhook },
  ],
  B: [
    { role: 'one', kind: 'email', name: 'Ops email', settings: email },
    { role: 'two', kind: 'webhook', name: 'B hook', settings: webhook },
  ],
}

/** @returns the variables that every case starts with */
export async function provision(served: Served): Promise<Variables> {
  const a = await provisionProject(served, 'A')
  const b = await provisionProject(served, 'B')
  return { base_url: served.baseUrl.replace(/\/$/, ''), ...a, ...b }
}

async function provisionProject({ overdue }: Served, letter: 'A' | 'B'): Promise<Variables> {
  const project = await overdue<Project>('project', 'create', `Conformance ${letter}`)
  const variables: Record<string, string> = {
    [`${letter}.api_key`]: project.api_key,
    [`${letter}.ro`]: project.api_key_readonly,
    [`${letter}.ping_key`]: project.ping_key,
  }
  // One after the other: cases expect channels in the order of their creation.
  for (const plan of PLANS[letter]) {
    const options = ['--project', project.id, '--kind', plan.kind, '--name', plan.name]
    const settings = ['--settings', JSON.stringify(plan.settings)]
    const channel = await overdue<Channel>('channel', 'create', ...options, ...settings)
    for (const key of ['id', 'name', 'kind'] as const) variables[`${letter}.${plan.role}.${key}`] = channel[key]
  }
  return variables
}
