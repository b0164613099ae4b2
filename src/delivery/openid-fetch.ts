/** Requests to an OpenID provider. Every failure is thrown as the same class of error, and the length of answers is limited. */
import type { CustomFetch } from 'openid-client'
import { reasonOf } from '../lib/errors.ts'

/** Thrown if the provider does not answer or does not work properly. */
export class Unreachable extends Error {}

/** Maximum size of an answer in bytes. A provider's metadata and keys take a few kilobytes. */
const ANSWER_LIMIT_BYTES = 1_048_576

/** Creates a fetch that does not follow redirects, as the library requires. */
export function createProviderFetch(timeoutSeconds: number): CustomFetch {
  return async (url, { method, headers, body, redirect, signal }) => {
    const where = new URL(url).host
    try {
      const answer = await fetch(url, { method, headers, redirect, signal: signal ?? null, body: body ?? null })
      if (answer.status >= 500) throw new Unreachable(`${where} answered with status ${answer.status}`)
      const { status, headers: own } = answer
      const bytes = await readLimited(answer, where)
      // These headers describe the encoded body, which fetch has already decoded.
      const plain = new Headers(own)
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) plain.delete(name)
      return new Response(bytes.length === 0 ? null : bytes, { status, headers: plain })
    } catch (error) {
      if (error instanceof Unreachable) throw error
      const isLate = error instanceof DOMException && error.name === 'TimeoutError'
      const reason = isLate ? `no answer within ${timeoutSeconds} seconds` : reasonOf(error)
      throw new Unreachable(`${where}: ${reason}`)
    }
  }
}

async function readLimited({ body }: Response, where: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > ANSWER_LIMIT_BYTES) throw new Unreachable(`${where} sent more than ${ANSWER_LIMIT_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
