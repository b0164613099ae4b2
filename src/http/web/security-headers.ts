/** Headers that limit what a response may do in a browser. */
import { NOT_SNIFFED } from '../headers.ts'
import type { Cache } from './route.ts'

/**
 * Builds a Content-Security-Policy that allows only files from this server. It allows no inline scripts or styles, no other origins, and no
 * embedding in frames.
 */
const policy = (formAction: "'self'" | "'none'", ...more: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    ...more,
    "frame-ancestors 'none'",
  ].join('; ')

/** Policy for public pages, which have a script but no form. */
export const FORMLESS_POLICY = { 'content-security-policy': policy("'none'") } as const

/** Policy for pages that show a document from this server in a frame. */
export const FRAMING_POLICY = { 'content-security-policy': policy("'self'", "frame-src 'self'") } as const

/** Headers for a document that this server's pages show in a frame. The document may use only its own inline styles. */
export const FRAMED_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'sandbox',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
} as const

export const SECURITY_HEADERS = {
  'content-security-policy': policy("'self'"),
  'x-frame-options': 'DENY',
  // Don't reveal URLs to other origins. With `no-referrer`, our own forms would send the Origin `null`.
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
