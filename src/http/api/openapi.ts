/** `openapi.json`: the description of this version of the API; no key, and open to pages of other origins. */
import { Elysia } from 'elysia'
import type { ApiVersion } from '../../domain/representation.ts'
import { crossOrigin } from '../cors.ts'
import { NOT_SNIFFED } from '../sniffing.ts'
import { type ApiDeps, frame, type Resource } from './door.ts'

const DOCUMENT = { path: '/openapi.json', methods: ['GET', 'HEAD'] } as const satisfies Resource

export function openapi(deps: Pick<ApiDeps, 'site' | 'v3Flips'>, version: ApiVersion) {
  let text: Promise<string> | undefined
  const read = new Elysia().get(DOCUMENT.path, async () => {
    text ??= write(version, deps).catch((error) => {
      // The next one who asks tries again.
      text = undefined
      throw error
    })
    const headers = {
      ...crossOrigin(DOCUMENT.methods),
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      ...NOT_SNIFFED,
    }
    return new Response(await text, { headers })
  })
  return new Elysia().use(read).use(frame(DOCUMENT))
}

/** Loaded when it is first asked for, so that starting does not wait for it. */
async function write(version: ApiVersion, deps: Pick<ApiDeps, 'site' | 'v3Flips'>): Promise<string> {
  const { openApiDocument } = await import('../openapi/document.ts')
  return JSON.stringify(openApiDocument(version, deps))
}
