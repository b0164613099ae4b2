/** Header fields shared by several responses. */

/** Headers for responses that must not be cached, not even by image proxies. */
export const NEVER_CACHED = { 'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private' } as const

/** Headers for responses that may contain text from unknown senders. Browsers must not guess a different Content-Type. */
export const NOT_SNIFFED = { 'x-content-type-options': 'nosniff' } as const

export const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' } as const
