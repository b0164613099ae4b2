import type { Instant } from '../lib/time.ts'

/** The author of a change: a person, an API key or a command, with their address and the time. Each change creates its own `Author`. */
export interface Author {
  /** lower-case UUID of the change */
  readonly changeId: string
  readonly kind: 'person' | 'key' | 'command'
  /** id of the person's account; null for a key or a command */
  readonly accountId: string | null
  /** email of a person, or first characters of a key; '' for a command */
  readonly name: string
  /** IP address of the client; null if unknown, and for a command */
  readonly address: string | null
  readonly at: Instant
}

/** The author of something that pages show, such as a note. Only the audit log also stores the address and the id of the change. */
export type By = Pick<Author, 'kind' | 'accountId' | 'name'>

export function byOf({ kind, accountId, name }: Author): By {
  return { kind, accountId, name }
}

/** Returns an author in the form that the API uses. */
export function representBy({ kind, name }: By) {
  return { kind, name: name === '' ? null : name }
}

/** Removes the name, for readers with no right to change the project: it is a person's email, or the beginning of a secret key. */
export function withoutName(by: By): By {
  return { ...by, accountId: null, name: '' }
}

/** Whether both authors are the same person or the same key, or both are commands. */
export function isSameBy(a: By, b: By): boolean {
  if (a.kind !== b.kind) return false
  return a.kind === 'person' ? a.accountId === b.accountId : a.name === b.name
}
