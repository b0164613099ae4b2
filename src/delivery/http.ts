/**
 * Sends a web-standard request over node:http(s), which, unlike `fetch`, lets the caller choose the address to connect to. The transport
 * interprets the answer.
 */
import http, { type IncomingMessage } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { isIPv6, type Socket, type TcpNetConnectOpts } from 'node:net'
import { PRIVATE_ADDRESS_REFUSED } from '../domain/alert/delivery.ts'
import type { AnsweredBytes, HttpReader, HttpSender } from '../domain/carrier/http-exchange.ts'
import { addressInHost, isPublicAddress } from '../lib/network/public-address.ts'
import { guardedAddresses, type Resolve, resolveByDns } from './address-guard.ts'
import { firstHop, type Hop, nextStep, type Step, wireHeaders } from './http-hop.ts'

export interface HttpSenderOptions {
  /** Allows loopback, private and other special addresses. */
  readonly allowPrivateAddresses: boolean
  /** Time limit in seconds for name resolution, redirects and reading the answer together; 30 by default. */
  readonly timeoutSeconds?: number
  /** Maximum number of redirects; 3 by default. */
  readonly maxRedirects?: number
  /** Host name resolver; the system's by default. */
  readonly resolve?: Resolve
  /** Decides whether to connect to a resolved address. Overrides `allowPrivateAddresses`. */
  readonly isAllowedAddress?: (address: string) => boolean
}

const ANSWER_LIMIT_BYTES = 16 * 1024

/** Error of a delivery that got no answer. Only `createHttpSender` catches it. */
class Unreachable extends Error {
  constructor(
    override readonly message: string,
    readonly permanent = false,
  ) {
    super(message)
  }
}

/** `code` is curl's exit code for the same error. Healthchecks reports this code too, and operators can look it up. */
const failed = (code: number, permanent = false) => new Unreachable(`HTTP request failed, code: ${code}`, permanent)
const CURL = {
  unsupportedProtocol: 1,
  badUrl: 3,
  weirdAnswer: 8,
  partialFile: 18,
  readError: 26,
  badArgument: 43,
  noAnswer: 52,
  receive: 56,
}

/** Creates a sender that keeps neither connections nor resolved names between requests. */
export function createHttpSender(options: HttpSenderOptions): HttpSender {
  const read = createHttpReader({ ...options, answerLimitBytes: ANSWER_LIMIT_BYTES })
  return async (request) => {
    const answer = await read(request)
    if (answer.kind === 'unreachable') return answer
    const { bytes, isCut } = answer.body
    // In streaming mode, the decoder drops a character at the end that was cut in half.
    return { ...answer, body: new TextDecoder().decode(bytes, { stream: isCut }) }
  }
}

interface HttpReaderOptions extends HttpSenderOptions {
  /** size limit of an answer in bytes; the rest is not read */
  readonly answerLimitBytes: number
}

/** Creates a reader, for callers that need the answer itself instead of a delivery's result. */
export function createHttpReader(options: HttpReaderOptions): HttpReader {
  const { timeoutSeconds = 30 } = options
  return async (request) => {
    const deadline = new AbortController()
    const progress: Progress = { isSent: false }
    const giveUp = () => {
      const what = progress.isSent ? `Sent, but no answer within ${timeoutSeconds} seconds` : 'Connection timed out'
      deadline.abort(new Unreachable(what))
    }
    const timer = setTimeout(giveUp, timeoutSeconds * 1000)
    try {
      return await untilAborted(deadline.signal, follow(request, options, deadline.signal, progress))
    } catch (error) {
      const { message, permanent } = error instanceof Unreachable ? error : failed(CURL.badArgument)
      return { kind: 'unreachable', error: message, permanent }
    } finally {
      clearTimeout(timer)
      // Closes open connections whose answers are no longer needed.
      deadline.abort()
    }
  }
}

/** Rejects as soon as the signal is aborted, because DNS lookups and a caller's body stream can't be cancelled. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** A request's progress. After a time-out, the error says whether the receiver may have received the message. */
interface Progress {
  /** true after the complete request has been written to a connection, until its answer arrives */
  isSent: boolean
}

async function follow(
  request: Request,
  options: HttpReaderOptions,
  signal: AbortSignal,
  progress: Progress,
): ReturnType<HttpReader> {
  const { maxRedirects = 3 } = options
  let hop = await firstHop(request).catch(() => {
    throw failed(CURL.readError)
  })
  for (let redirects = 0; ; redirects += 1) {
    const response = await open(hop, options, signal, progress)
    const { statusCode: status = 0 } = response
    const step = nextStep(hop, status, response.headers.location)
    if (step.kind === 'final') {
      return {
        kind: 'answered',
        status,
        headers: headersOf(response),
        body: await read(response, options.answerLimitBytes),
      }
    }
    response.destroy()
    if (step.kind !== 'follow') throw notFollowed(step)
    if (redirects === maxRedirects) throw new Unreachable('Too many redirects')
    hop = step.hop
  }
}

/**
 * Returns the error for a redirect that is not followed. The error is not permanent, because a receiver may be misconfigured for an hour,
 * and the channel's owner may correct the settings.
 */
function notFollowed(step: Exclude<Step, { kind: 'final' | 'follow' }>): Unreachable {
  if (step.kind === 'refused') return new Unreachable(step.error)
  return failed(step.kind === 'bad-location' ? CURL.badUrl : CURL.unsupportedProtocol)
}

/** Sends a single request and resolves with the answer's status and headers. The caller must read or destroy the body. */
async function open(
  hop: Hop,
  options: HttpSenderOptions,
  signal: AbortSignal,
  progress: Progress,
): Promise<IncomingMessage> {
  progress.isSent = false
  const { url } = hop
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw failed(CURL.unsupportedProtocol, true)
  const { isAllowedAddress = options.allowPrivateAddresses ? () => true : isPublicAddress } = options
  const guarded = await guardedAddresses(url.hostname, isAllowedAddress, options.resolve ?? resolveByDns)
  if (guarded.kind === 'unresolved') throw new Unreachable('Could not resolve host')
  if (guarded.kind === 'private') throw new Unreachable(PRIVATE_ADDRESS_REFUSED)
  signal.throwIfAborted()
  return connect(hop, guarded.addresses, signal, progress)
}

function connect(
  hop: Hop,
  addresses: readonly string[],
  signal: AbortSignal,
  progress: Progress,
): Promise<IncomingMessage> {
  const { url } = hop
  const secure = url.protocol === 'https:'
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const literal = addressInHost(url.hostname)
  return new Promise((resolve, reject) => {
    let stage: 'connecting' | 'handshake' | 'exchange' = 'connecting'
    const options: RequestOptions & Partial<TcpNetConnectOpts> = {
      host: literal ?? url.hostname,
      port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
      path: url.pathname + url.search,
      method: hop.method,
      headers: wireHeaders(hop),
      // Connects only to the checked addresses, which prevents DNS rebinding.
      lookup: (_host, _options, done) => done(null, checked),
      // Tries the addresses one after another, for a second each, so that a name with an unreachable IPv6 address still works.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1000,
      agent: false,
      signal,
      // SNI allows neither an address nor a trailing dot (RFC 6066).
      ...(secure
        ? { servername: literal === null ? url.hostname.replace(/\.$/, '') : '', rejectUnauthorized: true }
        : {}),
    }
    const outgoing = (secure ? https : http).request(options)
    // A small request may be written before the connection is established.
    const noteProgress = () => {
      progress.isSent = stage === 'exchange' && outgoing.writableFinished
    }
    outgoing.on('socket', (socket: Socket) => {
      socket.once('connect', () => {
        stage = secure ? 'handshake' : 'exchange'
        noteProgress()
      })
      socket.once('secureConnect', () => {
        stage = 'exchange'
        noteProgress()
      })
    })
    outgoing.on('finish', noteProgress)
    outgoing.on('response', (response) => {
      progress.isSent = false
      resolve(response)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ETIMEDOUT') reject(new Unreachable('Connection timed out'))
      else if (stage === 'connecting') reject(new Unreachable('Connection failed'))
      else if (stage === 'handshake') reject(new Unreachable('TLS handshake failed'))
      else reject(failed(curlCode(error)))
    })
    // The event `close` is also emitted after an answer, and then has no effect. Without an answer, it means, for example, an unexpected
    // upgrade.
    outgoing.on('close', () => reject(failed(CURL.noAnswer)))
    outgoing.end(hop.body ?? undefined)
  })
}

function curlCode(error: NodeJS.ErrnoException): number {
  if (error.code?.startsWith('HPE_')) return CURL.weirdAnswer
  return error.message === 'socket hang up' ? CURL.noAnswer : CURL.receive
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers()
  const raw = response.rawHeaders
  for (let i = 0; i + 1 < raw.length; i += 2) {
    try {
      headers.append(raw[i] ?? '', raw[i + 1] ?? '')
    } catch {
      // Skips names and values that `Headers` rejects, because transports don't need them.
    }
  }
  return headers
}

/** Reads the first bytes of the answer. Leaving the loop destroys the socket, so the rest is not read. */
async function read(response: IncomingMessage, limit: number): Promise<AnsweredBytes> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= limit) break
    }
  } catch {
    throw failed(CURL.partialFile)
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks).subarray(0, limit)), isCut: length >= limit }
}
