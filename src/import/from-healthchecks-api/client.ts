/** Calls another server's API with one API key. The key never appears in messages. Failed and rate-limited requests are retried. */
import type { HttpReader } from '../../domain/carrier/http-exchange.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Clock } from '../../lib/time.ts'
import { retryAfter } from '../../transports/transport.ts'

interface ApiClientOptions {
  /** URL of the server, without a trailing slash */
  readonly root: URL
  readonly key: string
  /** name of the key in messages, such as `API key 2` */
  readonly keyName: string
  readonly read: HttpReader
  /** Waits, and rejects when the import is stopped. */
  readonly wait: (seconds: number) => Promise<void>
  readonly now: Clock
}

export interface ApiClient {
  /**
   * @param path path below `/api/v3/` @param missing statuses for which to return null @throws Refusal for all other statuses except 200
   */
  json(path: string, missing?: readonly number[]): Promise<unknown>
  /** @returns null if the path does not exist, or the body exceeds the limit @throws Refusal */
  bytes(path: string): Promise<Uint8Array | null>
}

interface Answer {
  readonly status: number
  readonly bytes: Uint8Array
  readonly isCut: boolean
}

/** Delays before the retries, in seconds, after a server error or no response. */
const RETRY_SECONDS = [2, 8, 30]
/** Seconds to wait if the server limits requests without saying how long to wait. */
const LIMITED_SECONDS = 15
const LIMITED_SECONDS_MAX = 300
/** Maximum number of times to wait for a rate limit to end. All waits together take several hours. */
const LIMITED_TIMES_MAX = 100

export function createApiClient({ root, key, keyName, read, wait, now }: ApiClientOptions): ApiClient {
  const { host } = root

  async function tryOnce(path: string): ReturnType<HttpReader> {
    const headers = { 'x-api-key': key, accept: 'application/json, text/plain' }
    return read(new Request(`${root.href.replace(/\/+$/, '')}/api/v3/${path}`, { headers, redirect: 'manual' }))
  }

  async function ask(path: string): Promise<Answer> {
    let limited = 0
    for (let failures = 0; ; ) {
      const answer = await tryOnce(path)
      if (answer.kind === 'answered' && answer.status === 429 && limited < LIMITED_TIMES_MAX) {
        limited += 1
        const seconds = retryAfter(answer.headers.get('retry-after'), now()) ?? LIMITED_SECONDS
        await wait(Math.min(Math.max(1, seconds), LIMITED_SECONDS_MAX))
        continue
      }
      if (answer.kind === 'answered' && answer.status < 500 && answer.status !== 429) {
        return { status: answer.status, ...answer.body }
      }
      const pause = RETRY_SECONDS[failures]
      const isFinal = pause === undefined || (answer.kind === 'unreachable' && answer.permanent)
      const reason = answer.kind === 'answered' ? `Received status code ${answer.status}` : answer.error
      if (isFinal) throw new Refusal('api-unreachable', `${host} does not answer: ${reason}`, { host, reason })
      failures += 1
      await wait(pause)
    }
  }

  function readJson({ status, bytes, isCut }: Answer): unknown {
    const foreign = (what: string) =>
      new Refusal('api-foreign', `${host} does not answer as Healthchecks does: ${what}`, { host })
    if (isCut) throw foreign('an answer is too long')
    if (status !== 200) throw foreign(`received status code ${status}`)
    const text = new TextDecoder().decode(bytes)
    try {
      return JSON.parse(text)
    } catch {
      throw foreign(/^\s*</.test(text) ? 'it sends a page instead of JSON' : 'it sends JSON that cannot be read')
    }
  }

  return {
    async json(path, missing = []) {
      const answer = await ask(path)
      if (missing.includes(answer.status)) return null
      if (answer.status === 401 || answer.status === 403) {
        throw new Refusal('api-key-refused', `${host} does not accept ${keyName}`, { host })
      }
      return readJson(answer)
    },
    async bytes(path) {
      const { status, bytes, isCut } = await ask(path)
      return status === 200 && !isCut ? bytes : null
    },
  }
}
