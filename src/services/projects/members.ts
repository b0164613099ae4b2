/** Manages a project's members, and lists the projects that a person is allowed to see. */

import type { Account } from '../../domain/account/account.ts'
import { accountNotFound } from '../../domain/account/account.ts'
import { ROLES, type Role, rightToGive } from '../../domain/account/role.ts'
import {
  type Actor,
  may,
  type Operator,
  operatorIn,
  type Person,
  type PersonActor,
  personIn,
  personInEach,
  requireRight,
} from '../../domain/actor.ts'
import { type ShownState, showCheck } from '../../domain/check/shown-check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Project } from '../../domain/project.ts'
import { isProjectSlug } from '../../domain/project-slug.ts'
import type { AllowMember, MemberWithEmail, ProjectBrief, ProjectSummary } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

export type { MemberWithEmail, ProjectBrief, ProjectSummary } from '../../store/store.ts'

/** Lists members, sorted by email address. */
export function listMembers({ store }: Pick<Deps, 'store'>, actor: Actor): Promise<MemberWithEmail[]> {
  requireRight(actor, 'read')
  return store.team.listMembers(actor.project.id)
}

/** @throws Refusal `unknown-choice` */
export function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (!role) throw new Refusal('unknown-choice', `unknown role "${text}"`, { choices: ROLES })
  return role
}

/**
 * Adds a member, or changes an existing member's role. Only an owner can make a member an owner, or change an owner's role.
 * @throws Refusal `account-not-found`, `forbidden`, `last-owner`
 */
export async function setMember(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  email: string,
  role: Role,
): Promise<MemberWithEmail> {
  // Check the right first, because people who are not allowed to manage members must not learn which accounts exist.
  requireRight(actor, 'manage')
  const account = await deps.store.accounts.find(email)
  const author = authorOf(deps, actor.by)
  const projectId = actor.project.id
  const member =
    account &&
    (await deps.store
      .by(author)
      .team.setMember({ accountId: account.id, projectId, role, createdAt: author.at }, changing(actor, account, role)))
  if (!member) throw accountNotFound(email)
  return member
}

/** Returns a guard that decides whether the actor may change the member. @param role the new role; null to remove the member */
function changing(actor: Actor, { email }: Pick<Account, 'email'>, role: Role | null): AllowMember {
  return (before, isOnlyOwner) => {
    if (role !== null) requireRight(actor, rightToGive(role))
    if (before !== null) requireRight(actor, rightToGive(before))
    if (isOnlyOwner && role !== 'owner') throw lastOwner(email, actor.project)
  }
}

/**
 * Changes a member's role. Unlike {@link setMember}, this never adds a member, so it does not reveal which accounts exist.
 * @throws Refusal `member-not-found`, `forbidden`, `last-owner`
 */
export async function changeRole(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  accountId: string,
  role: Role,
): Promise<void> {
  requireRight(actor, 'manage')
  const { project } = actor
  const member = (await deps.store.team.listMembers(project.id)).find((each) => each.accountId === accountId)
  if (!member) throw memberNotFound(accountId, project)
  const allow: AllowMember = (before, isOnlyOwner) => {
    if (before === null) throw memberNotFound(member.email, project)
    changing(actor, member, role)(before, isOnlyOwner)
  }
  await deps.store.by(authorOf(deps, actor.by)).team.setMember({ ...member, role }, allow)
}

/** @throws Refusal `member-not-found`, `last-owner` */
export async function leaveProject(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  { project, by }: PersonActor,
): Promise<void> {
  const allow: AllowMember = (_, isOnlyOwner) => {
    if (isOnlyOwner) throw lastOwner(by.email, project)
  }
  const left = await deps.store.by(authorOf(deps, by)).team.removeMember(by.accountId, project.id, allow)
  if (!left) throw memberNotFound(by.email, project)
}

function lastOwner(email: string, { name }: Project): Refusal {
  const message = `"${email}" is the only owner of the project "${name}" who is not suspended; make another member an owner first`
  return new Refusal('last-owner', message, { name: email, project: name })
}

function memberNotFound(email: string, { name }: Project): Refusal {
  const message = `"${email}" is not a member of the project "${name}"`
  return new Refusal('member-not-found', message, { name: email, project: name })
}

/** @throws Refusal `member-not-found`, `forbidden`, `last-owner` */
export async function removeMember(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  email: string,
): Promise<MemberWithEmail> {
  const { project } = actor
  requireRight(actor, 'manage')
  const account = await deps.store.accounts.find(email)
  const removed =
    account &&
    (await deps.store
      .by(authorOf(deps, actor.by))
      .team.removeMember(account.id, project.id, changing(actor, account, null)))
  if (!removed) throw memberNotFound(email, project)
  return removed
}

/** Lists the projects that the account is a member of, in order of creation. An administrator's other projects are not listed. */
export function listPlaces({ store }: Pick<Deps, 'store'>, { id }: Account): Promise<ProjectSummary[]> {
  return store.projects.listOfPerson(id, false)
}

/** Lists projects that would have no owner without this account, in order of creation. */
export async function listOwnedAlone(deps: Pick<Deps, 'store'>, account: Account): Promise<Project[]> {
  const owned = (await listPlaces(deps, account)).filter(({ role }) => role === 'owner')
  const alone: Project[] = []
  for (const { project } of owned) {
    const owners = (await deps.store.team.listMembers(project.id)).filter(({ role }) => role === 'owner')
    if (owners.length === 1) alone.push(project)
  }
  return alone
}

export interface ProjectWithState extends ProjectSummary {
  /** state of the project; `up` if any check is up, and `new` if the project has no checks */
  readonly state: Exclude<ShownState, 'started'>
}

/** Lists the projects that the person is allowed to see, in order of creation. */
export async function listProjectsOf(
  deps: Pick<Deps, 'store' | 'now'>,
  person: Person,
): Promise<readonly ProjectWithState[]> {
  const projects: ProjectWithState[] = []
  for (const summary of await deps.store.projects.listOfPerson(person.accountId, person.isAdministrator)) {
    projects.push({ ...summary, state: await stateOf(deps, summary) })
  }
  return projects
}

async function stateOf(
  deps: Pick<Deps, 'store' | 'now'>,
  { project, checks, down, up, paused }: ProjectSummary,
): Promise<ProjectWithState['state']> {
  if (down > 0) return 'down'
  if (up > 0) return (await hasCheckInTime(deps, project)) ? 'up' : 'late'
  return checks > 0 && paused === checks ? 'paused' : 'new'
}

/** Returns true if at least one check is up and not late. Stops reading once it finds such a check. */
async function hasCheckInTime({ store, now }: Pick<Deps, 'store' | 'now'>, { id }: Project): Promise<boolean> {
  const at = now()
  for await (const page of readPages((after) => store.checks.list(id, {}, after))) {
    if (page.some(({ check }) => check.status === 'up' && isInTime(showCheck(check, at).state))) return true
  }
  return false
}

function isInTime(state: ShownState): boolean {
  return state === 'up' || state === 'started'
}

/** Lists the projects that the person is allowed to see, with the data for choosing one from a list. */
export function listBriefsOf({ store }: Pick<Deps, 'store'>, person: Person): Promise<ProjectBrief[]> {
  return store.projects.listBriefs(person.accountId, person.isAdministrator)
}

/** Returns the person's rights in each project that they are allowed to see, in order of creation. */
export async function listPersonActors(
  { store }: Pick<Deps, 'store'>,
  person: Person,
): Promise<readonly PersonActor[]> {
  return personInEach(await store.projects.listPlacesOfPerson(person.accountId, person.isAdministrator), person)
}

/**
 * Returns the reader's rights in each project that they are allowed to see, in order of creation. The operator, on the command line, is
 * allowed to see all projects.
 */
export async function listActors(deps: Pick<Deps, 'store'>, reader: Person | Operator): Promise<readonly Actor[]> {
  if (reader.kind === 'person') return listPersonActors(deps, reader)
  return (await deps.store.projects.list()).map(operatorIn)
}

/** Returns the person's rights in each project in which they are allowed to change checks, in order of creation. */
export async function listWritableProjects(deps: Pick<Deps, 'store'>, person: Person): Promise<readonly PersonActor[]> {
  return (await listPersonActors(deps, person)).filter((actor) => may(actor, 'write'))
}

/**
 * Returns the person's current rights in the project with that slug. Returns null if there is no such project, or if the person is not
 * allowed to see it.
 */
export async function enterProject(
  { store }: Pick<Deps, 'store'>,
  person: Person,
  slug: string,
): Promise<PersonActor | null> {
  const found = isProjectSlug(slug) ? await store.projects.findOfPerson(slug, person.accountId) : null
  return found && personIn(found.project, person, found.role)
}

/** Returns a value that changes whenever anyone's access changes, for example because a session ended or a role was changed. */
export function accessRevision({ store }: Pick<Deps, 'store'>): string {
  return store.changes.accessRevision()
}
