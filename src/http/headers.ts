/** Header fields that several answers share. */

/** Headers of answers that expire at once: browsers and image proxies must not keep them. */
export const NEVER_CACHED = { 'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private' } as const

/** Headers of answers that may hold text written by strangers: a browser must believe their Content-Type. */
export const NOT_SNIFFED = { 'x-content-type-options': 'nosniff' } as const

export const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' } as const
