/** A receiver's response, as stored and shown on pages. */

import type { CarrierName, Exchanges } from './carriers.ts'
import { type Masker, maskedWithin } from './mask-secrets.ts'

export interface AnswerWords {
  /** status of the response, such as `429 Too Many Requests`, a mail server's reply line or `exit status 1` */
  readonly status: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** HTTP headers worth storing, because they identify the receiver or explain its response. */
const KEPT_HEADERS = ['retry-after', 'content-type', 'server', 'location', 'www-authenticate', 'x-request-id']

const DESCRIBE: {
  readonly [Name in CarrierName]: (answer: Exchanges[Name]['answer']) => AnswerWords | null
} = {
  http: (answer) => {
    if (answer.kind === 'unreachable') return null
    const { status, headers, body } = answer
    const kept = KEPT_HEADERS.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    return { status: statusWords(status), headers: kept, body }
  },
  mail: (answer) => (answer.kind === 'unreachable' ? null : line(answer.response)),
  shell: (answer) => (answer.kind === 'aborted' ? null : line(`exit status ${answer.status}`)),
  signal: (answer) => {
    if (answer.kind === 'unreachable') return null
    const { result, error = null } = answer
    return error === null
      ? { ...line('accepted'), body: JSON.stringify(result) ?? '' }
      : { ...line('refused'), body: JSON.stringify(error) }
  },
}

function line(status: string): AnswerWords {
  return { status, headers: [], body: '' }
}

const LINE_LIMIT = 300

/**
 * Removes secrets from a response.
 * @returns null if the receiver did not respond
 * @param mask removes the channel's secrets
 * @param bodyLimit maximum length of the body, in UTF-16 code units
 */
export function answerWords<Name extends CarrierName>(
  carrier: Name,
  answer: Exchanges[Name]['answer'],
  mask: Masker,
  bodyLimit: number,
): AnswerWords | null {
  const words = DESCRIBE[carrier](answer)
  if (words === null) return null
  const kept = (text: string, limit: number) => maskedWithin(mask, text, limit)
  return {
    status: kept(words.status, LINE_LIMIT),
    headers: words.headers.map(([name, value]) => [name, kept(value, LINE_LIMIT)]),
    body: kept(words.body, bodyLimit),
  }
}

/** Names of the HTTP statuses that receivers of alerts return, from RFC 9110 and RFC 6585. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** Returns a status with its name, such as `429 Too Many Requests`, or just the number if it is not listed above. */
function statusWords(status: number): string {
  const words = STATUS_WORDS[status]
  return words === undefined ? String(status) : `${status} ${words}`
}
