import type { Instant } from '../lib/time.ts'

/**
 * The author of a change: a user, an API key or a command, with the client's address and the time. Each change creates its own `Author`.
 */
export interface Author {
  /** lowercase UUID of the change */
  readonly changeId: string
  readonly kind: 'person' | 'key' | 'command'
  /** id of the user's account; null if the author is a key or a command */
  readonly accountId: string | null
  /** a user's email, or the first characters of a key; '' for a command */
  readonly name: string
  /** client's IP address; null if unknown or for a command */
  readonly address: string | null
  readonly at: Instant
}

/** The author of content shown on pages, such as a note. Unlike an author in the audit log, it has no address and no change id. */
export type By = Pick<Author, 'kind' | 'accountId' | 'name'>

export function byOf({ kind, accountId, name }: Author): By {
  return { kind, accountId, name }
}

/** Returns an author's representation in the API. */
export function representBy({ kind, name }: By) {
  return { kind, name: name === '' ? null : name }
}

/** Removes the name, which is a user's email or the beginning of a secret key, for readers who may not change the project. */
export function withoutName(by: By): By {
  return { ...by, accountId: null, name: '' }
}

/** Whether both authors are the same user or the same key, or both are commands. */
export function isSameBy(a: By, b: By): boolean {
  if (a.kind !== b.kind) return false
  return a.kind === 'person' ? a.accountId === b.accountId : a.name === b.name
}
