/** A webhook's headers, as edited in a form field with one `Name: value` per line. */

/** Text shown instead of a stored secret value. */
export const HIDDEN = '••••••••'

/** Names of headers whose values are not secret. `Host` is considered part of the address. */
const OPEN = new Set(['accept', 'accept-language', 'content-language', 'content-type', 'host', 'user-agent'])

export type HeaderValues = Readonly<Record<string, string>>

export function isSecretHeader(name: string): boolean {
  return !OPEN.has(name.toLowerCase())
}

/** Formats headers as lines. Secret values are shown as {@link HIDDEN}. */
export function headerLines(headers: HeaderValues): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${isSecretHeader(name) ? HIDDEN : value}`)
    .join('\n')
}

interface ReadHeaders {
  readonly headers: HeaderValues
  /** a sentence about the first invalid line; null if all lines are valid */
  readonly mistake: string | null
}

/** Maximum number of headers in a message. Servers reject messages with more headers, and each additional header takes longer to set. */
export const HEADERS_LIMIT = 100

/** Matches a header name (RFC 9110, 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Parses the lines of the form field.
 * @param stored values for lines that still contain {@link HIDDEN}
 */
export function readHeaderLines(text: string, stored: HeaderValues): ReadHeaders {
  const headers = new Map<string, string>()
  const kept = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  const mistakes: string[] = []
  for (const line of linesOf(text)) {
    const at = line.indexOf(':')
    const name = (at < 0 ? line : line.slice(0, at)).trim()
    const typed = at < 0 ? '' : line.slice(at + 1).trim()
    const value = typed === HIDDEN ? kept.get(name.toLowerCase()) : typed
    if (at < 0 || !NAME.test(name))
      mistakes.push('Write each header in its own line, such as Content-Type: text/plain.')
    else if (!value) mistakes.push(`Type the value of ${name}${typed === HIDDEN ? ': none is stored' : ''}.`)
    else if (value.includes(HIDDEN)) mistakes.push(`Type the whole value of ${name}: the stored value is not shown.`)
    else headers.set(name, value)
    if (headers.size > HEADERS_LIMIT) {
      mistakes.unshift(`Write at most ${HEADERS_LIMIT} headers.`)
      break
    }
  }
  return { headers: Object.fromEntries(headers), mistake: mistakes[0] ?? null }
}

interface ShownAgain {
  readonly text: string
  /** names of the headers whose values the user must type again */
  readonly lost: readonly string[]
}

/** Returns the typed lines without secret values, for redisplaying the form. */
export function headerLinesAgain(text: string): ShownAgain {
  const lost: string[] = []
  const lines = linesOf(text).map((line) => {
    const at = line.indexOf(':')
    const name = line.slice(0, at).trim()
    // A line without a header name may be a secret that was pasted by mistake.
    if (at < 0 || !NAME.test(name)) return ''
    const isKept = !isSecretHeader(name) || line.slice(at + 1).trim() === HIDDEN
    if (!isKept && line.slice(at + 1).trim() !== '') lost.push(name)
    return isKept ? line : `${name}:`
  })
  return { text: lines.filter((line) => line !== '').join('\n'), lost }
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
}
