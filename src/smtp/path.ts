/** The path in the envelope commands, in the only form that the library reads: `MAIL FROM:<…>` and `RCPT TO:<…>` (RFC 5321, 4.1.1). */

export interface Path {
  /** between the angle brackets, without a source route; empty for the null sender of bounces */
  readonly address: string
  /** the text after the path: `SIZE=1000 BODY=8BITMIME` */
  readonly parameters: string
}

const COMMANDS = {
  'MAIL FROM': /^\s*MAIL\s+FROM(?=[\s:<]|$)\s*:?(.*)$/is,
  'RCPT TO': /^\s*RCPT\s+TO(?=[\s:<]|$)\s*:?(.*)$/is,
} as const

/**
 * Reads the path of a command. Accepts deviations of clients from RFC 5321: lower case, a missing colon, blanks after
 * the colon, within the brackets or at the end, no brackets or two pairs, a name before them, a `mailto:` URL, quotes. Drops a
 * source route (appendix C), and the quotes of a local part that needs none (4.1.2).
 * @returns null for another command
 */
export function readPath(line: string, command: keyof typeof COMMANDS): Path | null {
  const text = COMMANDS[command].exec(line)?.[1]?.trim()
  if (text === undefined) return null
  const open = beginOfPath(text)
  const close = endOfPath(text, open)
  if (open >= 0 && close >= 0) {
    return { address: plainAddress(text.slice(open + 1, close)), parameters: text.slice(close + 1).trim() }
  }
  const [address = '', ...parameters] = text
    .slice(open + 1)
    .trim()
    .split(/\s+/)
  return { address: plainAddress(address), parameters: parameters.join(' ') }
}

/** Returns the position of the first bracket that is not the value of a parameter, as in `AUTH=<>`; -1 without one. */
function beginOfPath(text: string): number {
  return text.startsWith('<') ? 0 : text.search(/(?<!=)</)
}

/** Returns the position of the path's closing bracket, after a quoted local part, which may contain one; -1 without one. */
function endOfPath(text: string, open: number): number {
  const quoted = /^\s*"(?:[^"\\]|\\.)*"/.exec(text.slice(open + 1))?.[0] ?? ''
  return text.indexOf('>', open + 1 + quoted.length)
}

function plainAddress(text: string): string {
  return text
    .trim()
    .replace(/^<|[>,;]$/g, '')
    .replace(/^(["'])([^"'\s]+)\1$/, '$2')
    .replace(/^mailto:/i, '')
    .replace(/^@[^\s,:@]+(?:,@[^\s,:@]+)*:/, '')
    .replace(/^"([\w.+-]+)"@/, '$1@')
}
