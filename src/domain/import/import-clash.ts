/** Clashes: unique values of an imported project, check or channel that are already in use on this server or occur twice in the import. */
import type { Channel } from '../channel/channel.ts'
import type { Check } from '../check/check.ts'
import type { Project, StoredKey } from '../project.ts'
import type { Silence } from '../silence/silence.ts'
import type { StatusPage } from '../status-page/status-page.ts'

const CLASH_KINDS = [
  'project',
  'project-name',
  'badge-key',
  'key',
  'check',
  'channel',
  'silence',
  'status-page',
] as const
export type ClashKind = (typeof CLASH_KINDS)[number]

/** A sentence for each kind of clash. The sentences never contain the value, because it may be a secret. */
export const CLASH_SENTENCES: Readonly<Record<ClashKind, string>> = {
  project: 'this server already has a project with its id',
  'project-name': 'another project already has its name',
  'badge-key': 'another project already has its badge key',
  key: 'one of its keys already belongs to a project',
  check: 'one of its checks already exists',
  channel: 'one of its integrations already exists',
  silence: 'one of its silences already exists',
  'status-page': 'the address of its status page is already in use',
}

/** A project and its unique values. */
export interface ClaimingProject {
  readonly project: Pick<Project, 'id' | 'name' | 'badgeKey'>
  readonly keys: readonly Pick<StoredKey, 'lookup' | 'hint'>[]
  readonly checks: readonly { readonly check: Pick<Check, 'id' | 'name' | 'slug'> }[]
  readonly channels: readonly Pick<Channel, 'id' | 'name' | 'kind'>[]
  readonly silences: readonly Pick<Silence, 'id'>[]
  readonly statusPage: Pick<StatusPage, 'slug'> | null
}

interface Claim {
  /** the value preceded by its kind, such as `check 5f0c…`, so that values of different kinds never match */
  readonly value: string
  /** description of the object that has the value */
  readonly owner: string
  /** description of the value, without secrets */
  readonly thing: string
}

/** @returns a sentence for each value that occurs twice in one source; the sentence names both objects but does not contain a secret */
export function findTwins(projects: readonly ClaimingProject[]): string[] {
  const owners = new Map<string, string>()
  const twins: string[] = []
  for (const { value, owner, thing } of projects.flatMap(claimsOf)) {
    const first = owners.get(value)
    if (first === undefined) owners.set(value, owner)
    else twins.push(`${first} and ${owner} have the same ${thing}: change or remove one of them in the source`)
  }
  return twins
}

function claimsOf({ project, keys, checks, channels, statusPage }: ClaimingProject): Claim[] {
  const { id, name, badgeKey } = project
  const owner = `project "${name}"`
  return [
    { value: `project ${id}`, owner, thing: 'id' },
    { value: `name ${name}`, owner, thing: 'name' },
    { value: `badges ${badgeKey}`, owner, thing: 'badge key' },
    ...keys.map(({ lookup, hint }) => ({ value: `key ${lookup}`, owner, thing: `key "${hint}…"` })),
    ...checks.map(({ check }) => ({
      value: `check ${check.id}`,
      owner: `check "${check.name || check.slug || 'unnamed'}" of ${owner}`,
      thing: 'UUID',
    })),
    ...channels.map((channel) => ({
      value: `channel ${channel.id}`,
      owner: `integration "${channel.name || channel.kind}" of ${owner}`,
      thing: 'id',
    })),
    ...(statusPage === null
      ? []
      : [{ value: `page ${statusPage.slug}`, owner: `the status page of ${owner}`, thing: 'address' }]),
  ]
}
