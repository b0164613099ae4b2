/** Converts the names, members and limits of Healthchecks' projects. */

import { isMore, type Role } from '../../domain/account/role.ts'
import type { ImportedMember } from '../../domain/import/import-source.ts'
import { PING_LOG_LIMIT_MAX, PROJECT_NAME_LIMIT } from '../../domain/project.ts'
import { Numbering } from '../../lib/text/numbering.ts'
import type { Instant } from '../../lib/time.ts'
import type { SourceUser } from './accounts.ts'
import type { Note } from './notes.ts'
import type { SourceRow } from './tables.ts'
import { cut, textOf, uuidOf } from './values.ts'

/** The row of a project, and what is decided about the project before its contents are read. */
export interface SourceProject {
  readonly row: SourceRow
  /** lower-case UUID */
  readonly id: string
  /** unique among the projects */
  readonly name: string
  readonly owner: SourceUser | null
}

/** Chooses the names of projects, in the order of the rows. For a project without a name, Healthchecks shows the owner's email address. */
export function nameProjects(
  rows: readonly SourceRow[],
  users: ReadonlyMap<string, SourceUser>,
  note: Note,
): SourceProject[] {
  const taken = new Set<string>()
  const numbering = new Numbering(PROJECT_NAME_LIMIT)
  return rows.flatMap((row) => {
    const id = uuidOf(row.code)
    const owner = users.get(textOf(row.owner_id)) ?? null
    const given = cut(textOf(row.name), PROJECT_NAME_LIMIT)
    const wanted = given.trim() === '' ? (owner?.account.email ?? 'Unnamed project') : given
    if (id === null) {
      note({ kind: 'left-out', subject: 'project', name: wanted, reason: 'Its code is not a UUID.' })
      return []
    }
    const number = numbering.next(wanted, (number) => !taken.has(numbered(wanted, number)))
    const name = numbered(wanted, number)
    taken.add(name)
    if (name !== given) {
      const reason =
        given.trim() === ''
          ? `It had no name; it is now called "${name}".`
          : `Its name is taken; it is now called "${name}".`
      note({ kind: 'changed', subject: 'project', name, project: name, reason })
    }
    return [{ row, id, name, owner }]
  })
}

function numbered(wanted: string, number: number): string {
  if (number === 1) return wanted
  const suffix = ` (${number})`
  return cut(wanted, PROJECT_NAME_LIMIT - suffix.length) + suffix
}

const DEFAULT_LIMIT = 100

/** Returns the owner's limit, which applies to each of their projects. */
export function pingLogLimit({ name, owner }: SourceProject, note: Note): number {
  const limit = owner?.pingLogLimit ?? DEFAULT_LIMIT
  const clamped = Math.min(Math.max(limit, 1), PING_LOG_LIMIT_MAX)
  if (clamped !== limit) {
    const reason = `Its limit of ${limit} pings in the log of a check becomes ${clamped}, the nearest allowed value.`
    note({ kind: 'changed', subject: 'project', name, project: name, reason })
  }
  return clamped
}

const ROLES: Readonly<Record<string, Role>> = { m: 'manager', w: 'member', r: 'read-only' }

interface ProjectMembers {
  readonly members: readonly ImportedMember[]
  /** the members, as Healthchecks users */
  readonly users: readonly SourceUser[]
}

/** @param rows rows of `accounts_member` of the project */
export function mapMembers(
  { name, owner }: SourceProject,
  rows: readonly SourceRow[],
  users: ReadonlyMap<string, SourceUser>,
  note: Note,
): ProjectMembers {
  const roles = new Map<SourceUser, Role>()
  const add = (user: SourceUser, role: Role) => {
    const known = roles.get(user)
    if (known === undefined || isMore(role, known)) roles.set(user, role)
  }
  if (owner) add(owner, 'owner')
  else {
    const advice = 'Make somebody the owner.'
    note({ kind: 'to-do', subject: 'project', name, project: name, reason: 'Its owner is not imported.', advice })
  }
  for (const member of rows) {
    const user = users.get(textOf(member.user_id))
    if (user === undefined) continue
    // Before there were roles, all members could make changes.
    add(user, ROLES[textOf(member.role)] ?? 'member')
    if (!member.transfer_request_date) continue
    const reason = 'The offer to take the project over is not imported.'
    note({
      kind: 'left-out',
      subject: 'account',
      name: user.account.email,
      project: name,
      reason,
      advice: 'Offer it again.',
    })
  }
  const members = [...roles].map(([{ account }, role]) => ({ email: account.email, role }))
  return { members, users: [...roles.keys()] }
}

/** Returns the oldest time in a project, because Healthchecks does not store when a project was created. */
export function oldest(times: readonly Instant[], otherwise: Instant): Instant {
  return times.reduce((first, at) => (at.epochNanoseconds < first.epochNanoseconds ? at : first), otherwise)
}
