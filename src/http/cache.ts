/** For answers that are out of date at once: proxies of images and browsers keep none of them. */
export const NEVER_CACHED = { 'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private' } as const
