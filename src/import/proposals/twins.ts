/** Things that only one project, check or integration can have, and that a source has twice. */
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Project, StoredKey } from '../../domain/project.ts'
import type { StatusPage } from '../../domain/status-page/status-page.ts'

/** A project with what would be made of it. */
export interface ClaimingProject {
  readonly project: Pick<Project, 'id' | 'name' | 'badgeKey'>
  readonly keys: readonly Pick<StoredKey, 'lookup' | 'hint'>[]
  readonly checks: readonly Pick<Check, 'id' | 'name' | 'slug'>[]
  readonly channels: readonly Pick<Channel, 'id' | 'name' | 'kind'>[]
  readonly statusPage: Pick<StatusPage, 'slug'> | null
}

interface Claim {
  /** distinct for each kind of thing */
  readonly value: string
  /** who has it, for people */
  readonly owner: string
  /** what it is, without secrets */
  readonly thing: string
}

/** @returns a sentence for each thing that comes again, which names both and quotes no secret */
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
    ...checks.map((check) => ({
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
