/** What every answer to a browser says about what it may do. */
import { NOT_SNIFFED } from '../headers.ts'
import type { Cache } from './route.ts'

/** Nothing but files of this server: no inline script or style, no other origin, no frame around a page. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const SECURITY_HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  // Other origins learn nothing of an address. `no-referrer` would make the Origin of our own forms null.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  ...NOT_SNIFFED,
} as const

export const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' } as const

export function cacheHeader(cache: Cache): { readonly 'cache-control': string } {
  if (cache === 'no-store') return { 'cache-control': 'no-store' }
  return { 'cache-control': `public, max-age=${cache.seconds}${cache.isImmutable ? ', immutable' : ''}` }
}
