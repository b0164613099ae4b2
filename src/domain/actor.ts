/**
 * Who acts. Every service that reads or changes a project takes an actor. One that changes something, or shows keys, refuses
 * an actor who may only read. What else a kind of actor may not see is decided at its door.
 */
import { Refusal } from './errors.ts'
import type { ApiKeyKind, Project } from './project.ts'

/** Comes from a key that was looked up, or from the command line, which has the database itself. */
export interface Actor {
  /** the actor reads and changes no other */
  readonly project: Project
  readonly by: KeyHolder | Operator
}

/** A client of the API. */
export interface KeyHolder {
  readonly kind: 'key'
  readonly keyKind: ApiKeyKind
  /** identifies the key without being it, for rate limits */
  readonly lookup: string
}

/** A person with access to the database itself. */
export interface Operator {
  readonly kind: 'operator'
}

export interface KeyActor extends Actor {
  readonly by: KeyHolder
}

/** What is done with a project; `write` includes `read`. */
export type Right = 'read' | 'write'

export function operatorIn(project: Project): Actor {
  return { project, by: { kind: 'operator' } }
}

/** The most that the actor may do. */
export function rightOf({ by }: Actor): Right {
  return by.kind === 'key' && by.keyKind === 'read-only' ? 'read' : 'write'
}

/**
 * @param of what is read or changed, where that is one thing of a project
 * @throws Refusal `read-only` for what an actor who may only read must not do; `forbidden` for what belongs to another project
 */
export function requireRight(actor: Actor, right: Right, of?: { readonly projectId: string }): void {
  if (right === 'write' && rightOf(actor) === 'read') throw new Refusal('read-only', 'this is read-only access')
  if (of !== undefined && of.projectId !== actor.project.id) throw new Refusal('forbidden', 'forbidden')
}
