/**
 * Actors: the user, API key or command on whose behalf a service runs. Every service that reads or changes a project requires an actor. A
 * service that changes data or shows keys rejects an actor with read-only rights. A limit that applies to only one kind of actor is checked
 * where that actor is created.
 */
import { includes, type Right, type Role, rightOfRole } from './account/role.ts'
import { Refusal } from './errors.ts'
import type { ApiKeyKind } from './key-kind.ts'
import type { Project } from './project.ts'

export type { Right } from './account/role.ts'

/** An actor: the holder of a valid API key, a signed-in user, or the command line, which has direct access to the database. */
export interface Actor {
  /** the only project that the actor can read or change */
  readonly project: Project
  readonly by: KeyHolder | MemberOfProject | Operator
}

/** An API client. */
export interface KeyHolder {
  readonly kind: 'key'
  readonly keyKind: ApiKeyKind
  /** identifies the key in rate limits without revealing it */
  readonly lookup: string
  /** first characters of the API key */
  readonly hint: string
  /** client's IP address; null if unknown */
  readonly address: string | null
}

/** A signed-in user. */
export interface Person {
  readonly kind: 'person'
  readonly accountId: string
  readonly email: string
  readonly isAdministrator: boolean
  /** browser's IP address; null if unknown */
  readonly address: string | null
}

interface MemberOfProject extends Person {
  /** role in the project; `owner` for an administrator who is not a member */
  readonly role: Role
}

/** An operator who runs a command with direct access to the database. */
export interface Operator {
  readonly kind: 'operator'
}

export const OPERATOR: Operator = { kind: 'operator' }

export interface KeyActor extends Actor {
  readonly by: KeyHolder
}

export interface PersonActor extends Actor {
  readonly by: MemberOfProject
}

export function isPersonActor(actor: Actor): actor is PersonActor {
  return actor.by.kind === 'person'
}

export function operatorIn(project: Project): Actor {
  return { project, by: OPERATOR }
}

/**
 * Returns the user as an actor in a project.
 * @param role null: the user is not a member
 * @returns null if the user must not learn that the project exists
 */
export function personIn(project: Project, person: Person, role: Role | null): PersonActor | null {
  const held = person.isAdministrator ? 'owner' : role
  return held && { project, by: { ...person, role: held } }
}

/**
 * Returns the user as an actor in each project that they can see, in the order of `places`.
 * @param places see {@link personIn}
 */
export function personInEach(
  places: readonly { readonly project: Project; readonly role: Role | null }[],
  person: Person,
): readonly PersonActor[] {
  return places.flatMap(({ project, role }) => personIn(project, person, role) ?? [])
}

/** Returns the actor's highest right. */
export function rightOf({ by }: Actor): Right {
  if (by.kind === 'operator') return 'own'
  if (by.kind === 'person') return rightOfRole(by.role)
  return by.keyKind === 'read-only' ? 'read' : 'write'
}

export function may(actor: Actor, right: Right): boolean {
  return includes(rightOf(actor), right)
}

/**
 * Rejects an action that the actor is not allowed to perform.
 * @param of the object to read or change, if there is just one
 * @throws Refusal `read-only` if the actor can only read, and the action changes data; `forbidden` if the actor's role does not include the
 * right, or the object belongs to another project
 */
export function requireRight(actor: Actor, right: Right, of?: { readonly projectId: string }): void {
  if (!may(actor, right)) {
    throw may(actor, 'write')
      ? new Refusal('forbidden', 'forbidden')
      : new Refusal('read-only', 'this is read-only access')
  }
  if (of !== undefined && of.projectId !== actor.project.id) throw new Refusal('forbidden', 'forbidden')
}

/** @throws Refusal `forbidden` if the user is not an administrator */
export function requireAdministrator(by: Person | Operator): void {
  if (by.kind === 'person' && !by.isAdministrator) throw new Refusal('forbidden', 'forbidden')
}
