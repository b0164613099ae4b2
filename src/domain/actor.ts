/**
 * Actors. Every service that reads or changes a project takes one. A service that changes something, or shows keys, refuses an actor with
 * read-only rights. Other limits of a kind of actor are decided where it enters the program.
 */
import { includes, type Right, type Role, rightOfRole } from './account/role.ts'
import { Refusal } from './errors.ts'
import type { ApiKeyKind } from './key-kind.ts'
import type { Project } from './project.ts'

export type { Right } from './account/role.ts'

/** An actor: an API key that was looked up, a signed-in person, or the command line, which has direct access to the database. */
export interface Actor {
  /** the only project that the actor reads and changes */
  readonly project: Project
  readonly by: KeyHolder | MemberOfProject | Operator
}

/** A client of the API. */
export interface KeyHolder {
  readonly kind: 'key'
  readonly keyKind: ApiKeyKind
  /** identifies the key without containing it, for rate limits */
  readonly lookup: string
  /** the first characters of the key */
  readonly hint: string
  /** the client's address; null if unknown */
  readonly address: string | null
}

/** A person who has signed in. */
export interface Person {
  readonly kind: 'person'
  readonly accountId: string
  readonly email: string
  readonly isAdministrator: boolean
  /** the browser's address; null if unknown */
  readonly address: string | null
}

interface MemberOfProject extends Person {
  /** `owner` for an administrator who is not a member */
  readonly role: Role
}

/** A person with access to the database itself. */
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

/** @param role null: not a member. @returns null if the person may not even know that the project exists */
export function personIn(project: Project, person: Person, role: Role | null): PersonActor | null {
  const held = person.isAdministrator ? 'owner' : role
  return held && { project, by: { ...person, role: held } }
}

/** Returns the person as an actor in each project that they may know of, in the given order. @param places as for {@link personIn} */
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
 * @param of the object that is read or changed, if it is a single one of a project
 * @throws Refusal `read-only` if the actor may only read and the action changes something; `forbidden` if the actor's role does not include
 * the right, or the object belongs to another project
 */
export function requireRight(actor: Actor, right: Right, of?: { readonly projectId: string }): void {
  if (!may(actor, right)) {
    throw may(actor, 'write')
      ? new Refusal('forbidden', 'forbidden')
      : new Refusal('read-only', 'this is read-only access')
  }
  if (of !== undefined && of.projectId !== actor.project.id) throw new Refusal('forbidden', 'forbidden')
}

/** @throws Refusal `forbidden` for a person who is not an administrator */
export function requireAdministrator(by: Person | Operator): void {
  if (by.kind === 'person' && !by.isAdministrator) throw new Refusal('forbidden', 'forbidden')
}
