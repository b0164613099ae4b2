import type { Instant } from '../lib/time.ts'

/** The person, key or command that makes a change, with the address and the time. Each change has an author of its own. */
export interface Author {
  /** lower-case UUID of the change */
  readonly changeId: string
  readonly kind: 'person' | 'key' | 'command'
  /** id of the person's account; null for a key or a command */
  readonly accountId: string | null
  /** the email of a person, or the first characters of a key; '' for a command */
  readonly name: string
  /** the client's address; null if unknown, and for a command */
  readonly address: string | null
  readonly at: Instant
}

/** The author of something shown, such as a note. The audit log has the address and the change. */
export type By = Pick<Author, 'kind' | 'accountId' | 'name'>

export function byOf({ kind, accountId, name }: Author): By {
  return { kind, accountId, name }
}

/** Returns an author as clients of the API see it. */
export function representBy({ kind, name }: By) {
  return { kind, name: name === '' ? null : name }
}

/** Removes the name for readers without the right to change: a person's is an email, and a key's the beginning of a secret. */
export function withoutName(by: By): By {
  return { ...by, accountId: null, name: '' }
}

/** Whether both authors are the same person, the same key, or commands. */
export function isSameBy(a: By, b: By): boolean {
  if (a.kind !== b.kind) return false
  return a.kind === 'person' ? a.accountId === b.accountId : a.name === b.name
}
