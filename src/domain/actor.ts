/**
 * Who acts. Every service that reads or changes a project takes an actor. One that changes something, or shows keys, refuses
 * an actor who may only read. What else a kind of actor may not see is decided at its door.
 */
import { includes, type Right, type Role, rightOfRole } from './account/role.ts'
import { Refusal } from './errors.ts'
import type { ApiKeyKind } from './key-kind.ts'
import type { Project } from './project.ts'

export type { Right } from './account/role.ts'

/** Comes from a key that was looked up, from a person's session, or from the command line, which has the database itself. */
export interface Actor {
  /** the actor reads and changes no other */
  readonly project: Project
  readonly by: KeyHolder | MemberOfProject | Operator
}

/** A client of the API. */
export interface KeyHolder {
  readonly kind: 'key'
  readonly keyKind: ApiKeyKind
  /** identifies the key without being it, for rate limits */
  readonly lookup: string
  /** its first characters */
  readonly hint: string
  /** of the client; null when it is unknown */
  readonly address: string | null
}

/** A person who has signed in. */
export interface Person {
  readonly kind: 'person'
  readonly accountId: string
  readonly email: string
  readonly isAdministrator: boolean
  /** of the browser; null when it is unknown */
  readonly address: string | null
}

interface MemberOfProject extends Person {
  /** an administrator without a place in the project counts as its owner */
  readonly role: Role
}

/** Somebody with access to the database itself. */
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

/** @param role null: no member. @returns null when the person may not even know of the project */
export function personIn(project: Project, person: Person, role: Role | null): PersonActor | null {
  const held = person.isAdministrator ? 'owner' : role
  return held && { project, by: { ...person, role: held } }
}

/** The person in each of the projects that they may know of, in that order. @param places as for {@link personIn} */
export function personInEach(
  places: readonly { readonly project: Project; readonly role: Role | null }[],
  person: Person,
): readonly PersonActor[] {
  return places.flatMap(({ project, role }) => personIn(project, person, role) ?? [])
}

/** The most that the actor may do. */
export function rightOf({ by }: Actor): Right {
  if (by.kind === 'operator') return 'own'
  if (by.kind === 'person') return rightOfRole(by.role)
  return by.keyKind === 'read-only' ? 'read' : 'write'
}

export function may(actor: Actor, right: Right): boolean {
  return includes(rightOf(actor), right)
}

/**
 * @param of what is read or changed, where that is one thing of a project
 * @throws Refusal `read-only` for what an actor who may only read must not do; `forbidden` for what the actor's role does not
 * include, and for what belongs to another project
 */
export function requireRight(actor: Actor, right: Right, of?: { readonly projectId: string }): void {
  if (!may(actor, right)) {
    throw may(actor, 'write')
      ? new Refusal('forbidden', 'forbidden')
      : new Refusal('read-only', 'this is read-only access')
  }
  if (of !== undefined && of.projectId !== actor.project.id) throw new Refusal('forbidden', 'forbidden')
}

/** @throws Refusal `forbidden` for a person who is no administrator */
export function requireAdministrator(by: Person | Operator): void {
  if (by.kind === 'person' && !by.isAdministrator) throw new Refusal('forbidden', 'forbidden')
}
