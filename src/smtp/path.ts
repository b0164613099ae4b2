/** Parses the path in envelope commands: `MAIL FROM:<…>` and `RCPT TO:<…>` (RFC 5321, 4.1.1). */

export interface Path {
  /** address between the angle brackets, without a source route; empty for the null sender of bounces */
  readonly address: string
  /** text after the path, such as `SIZE=1000 BODY=8BITMIME` */
  readonly parameters: string
}

const COMMANDS = {
  'MAIL FROM': /^\s*MAIL\s+FROM(?=[\s:<]|$)\s*:?(.*)$/is,
  'RCPT TO': /^\s*RCPT\s+TO(?=[\s:<]|$)\s*:?(.*)$/is,
} as const

/**
 * Reads a command's path. Accepts these deviations from RFC 5321: lower case; a missing colon; blanks after the colon, inside the brackets
 * or at the end; no brackets or two pairs; a name before the brackets; a `mailto:` URL; quotes. Drops a source route (appendix C). Drops
 * the quotes of a local part that doesn't need them (4.1.2).
 * @returns null for any other command
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

/** Returns the position of the first bracket that is not in the value of a parameter such as `AUTH=<>`; -1 if there is none. */
function beginOfPath(text: string): number {
  return text.startsWith('<') ? 0 : text.search(/(?<!=)</)
}

/** Returns the position of the path's closing bracket; -1 if there is none. Skips a quoted local part, which may contain a bracket. */
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
