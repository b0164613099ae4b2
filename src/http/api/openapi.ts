/** `openapi.json`: serves the OpenAPI description. Requests need no key, and pages from other origins are allowed to read it. */
import { endpoint, type Resource } from './door/door.ts'
import type { OpenApiDocument } from './openapi-document.ts'

const DOCUMENT = { path: '/openapi.json', methods: { GET: 'read', HEAD: 'read' } } as const satisfies Resource

/** @param build builds the document; not called until the first request, so that the server starts faster */
export function openapi(build: () => Promise<OpenApiDocument>) {
  let text: Promise<string> | undefined
  return endpoint(DOCUMENT).get(DOCUMENT.path, async () => {
    text ??= write(build).catch((error) => {
      // If building the document fails, it is built again for the next request.
      text = undefined
      throw error
    })
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
    return new Response(await text, { headers })
  })
}

async function write(build: () => Promise<OpenApiDocument>): Promise<string> {
  return JSON.stringify(await build())
}
