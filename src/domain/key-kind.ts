/** The kinds of a project's API keys, and how much of a key is shown. */
export type ApiKeyKind = 'read-write' | 'read-only'
export type KeyKind = ApiKeyKind | 'ping'
export const KEY_KINDS: readonly KeyKind[] = ['read-write', 'read-only', 'ping']

/** Number of characters of a key to show in lists, which is enough to tell keys apart. */
export const KEY_HINT_LENGTH = 8
