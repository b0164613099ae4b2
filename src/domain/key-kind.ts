/** The kinds of a project's keys, and the length of the shown part of a key. */
export type ApiKeyKind = 'read-write' | 'read-only'
export type KeyKind = ApiKeyKind | 'ping'
export const KEY_KINDS: readonly KeyKind[] = ['read-write', 'read-only', 'ping']

/** first characters, enough to distinguish keys in a list */
export const KEY_HINT_LENGTH = 8
