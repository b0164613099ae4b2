/** `openapi.json`: describes this version of the API. It needs no key, and pages of other origins may read it. */
import type { ApiVersion } from '../../domain/check/representation.ts'
import type { ApiDeps } from './door/door.ts'
import { endpoint, type Resource } from './door/door.ts'

const DOCUMENT = { path: '/openapi.json', methods: { GET: 'read', HEAD: 'read' } } as const satisfies Resource

export function openapi(deps: ApiDeps, version: ApiVersion) {
  let text: Promise<string> | undefined
  return endpoint(DOCUMENT).get(DOCUMENT.path, async () => {
    text ??= write(version, deps).catch((error) => {
      // The next request tries again.
      text = undefined
      throw error
    })
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
    return new Response(await text, { headers })
  })
}

/** Loaded for the first request, so that the start does not wait for it. */
async function write(version: ApiVersion, deps: ApiDeps): Promise<string> {
  const { openApiDocument } = await import('./openapi-document.ts')
  return JSON.stringify(openApiDocument(version, deps))
}
