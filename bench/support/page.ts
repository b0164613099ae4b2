/** Pages as the browser of a signed-in person requests them. */
import type { App } from './servers.ts'

export interface SignedIn extends App {
  /** cookie of the session */
  readonly cookie: string
}

/** Duration of an answer, and its size as sent. */
export interface Page {
  readonly ms: number
  readonly bytes: number
}

/** @throws Error for an answer other than a page in that encoding */
export async function getPage({ port, cookie }: SignedIn, path: string, encoding: string): Promise<Page> {
  const sentAt = performance.now()
  const headers = { cookie, 'accept-encoding': encoding }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, decompress: false })
  const { byteLength } = await answer.arrayBuffer()
  if (answer.status !== 200 || (answer.headers.get('content-encoding') ?? 'identity') !== encoding) {
    throw new Error(`${path} was answered with ${answer.status}`)
  }
  return { ms: performance.now() - sentAt, bytes: byteLength }
}
