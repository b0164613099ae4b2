/** The kinds of keys of a project, and how much of a key is shown. */
export type ApiKeyKind = 'read-write' | 'read-only'
export type KeyKind = ApiKeyKind | 'ping'
export const KEY_KINDS: readonly KeyKind[] = ['read-write', 'read-only', 'ping']

/** characters at its beginning, enough to tell keys apart in a list */
export const KEY_HINT_LENGTH = 8
