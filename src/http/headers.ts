/** Header fields that several answers share. */

/** For answers that are out of date at once: browsers and image proxies must not keep them. */
export const NEVER_CACHED = { 'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private' } as const

/** For answers that may hold what strangers wrote: a browser must believe their Content-Type. */
export const NOT_SNIFFED = { 'x-content-type-options': 'nosniff' } as const

export const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' } as const
