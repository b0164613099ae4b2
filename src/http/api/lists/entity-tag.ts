/** Conditional requests of the API. */
import { isKnown, tagOf } from '../../entity-tag.ts'
import { JSON_TYPE } from '../../headers.ts'

/** For answers with an `ETag`. They depend on the key, so proxies must not keep them, and clients must revalidate them. */
export const CONDITIONAL = {
  ...JSON_TYPE,
  'cache-control': 'private, no-cache',
  vary: 'X-Api-Key',
} as const

export function notModified(tag: string): Response {
  const { 'content-type': _, ...headers } = CONDITIONAL
  return new Response(null, { status: 304, headers: { ...headers, etag: tag } })
}

/** The value as JSON, or 304 if the client has it. */
export function conditionalJson(request: Request, value: unknown): Response {
  const text = JSON.stringify(value)
  const tag = tagOf(text)
  return isKnown(request, tag) ? notModified(tag) : new Response(text, { headers: { ...CONDITIONAL, etag: tag } })
}
