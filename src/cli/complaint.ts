/** Prints an error on standard error, as text or as JSON. */
import { Refusal, type RefusalCode } from '../domain/errors.ts'
import { excerpt } from '../lib/text/excerpt.ts'
import { oneLine, printable } from '../lib/text/text.ts'
import { hintOf } from './hints.ts'
import type { Io } from './terminal/io.ts'
import { EXIT_STOPPED } from './terminal/stop-signal.ts'

const EXIT_FAILURE = 1
/** Exit status for an invalid command line or invalid settings. */
const EXIT_USAGE = 2
const USAGE_CODES: readonly RefusalCode[] = ['usage', 'option-invalid', 'unknown-choice', 'out-of-range', 'settings']

/** @returns the exit status. @throws the error itself if it is not a Refusal */
export function complain(error: unknown, isJson: boolean, { err }: Pick<Io, 'err'>): number {
  if (!(error instanceof Refusal)) throw error
  const { code, message } = error
  const hint = hintOf(error)
  const told = isJson
    ? JSON.stringify({ error: message, hint, code, ...factsOf(error) })
    : inWords(message, detailsOf(error), hint)
  void err.write(`${told}\n`)
  if (code === 'copy-stopped' || code === 'import-stopped') return EXIT_STOPPED
  return USAGE_CODES.includes(code) ? EXIT_USAGE : EXIT_FAILURE
}

/** Fields of a refusal that JSON output omits, because they are in the hint or are only meant for the log. */
const UNSHOWN = new Set(['hint', 'reason', 'needs', 'isLogged'])

/** Returns the data of a refusal as JSON fields, in snake case. */
function factsOf({ data }: Refusal): Record<string, unknown> {
  const facts = Object.entries(data).filter(([name, value]) => !UNSHOWN.has(name) && value !== null)
  return Object.fromEntries(
    facts.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  )
}

function detailsOf({ data: { name = '', position, length, problems = [] } }: Refusal): readonly string[] {
  return position === undefined || length === undefined ? problems : excerpt(name, { position, length })
}

function inWords(message: string, details: readonly string[], hint: string | null): string {
  const lines = [
    details.length > 0 ? `${oneLine(message).replace(/\.$/, '')}:` : oneLine(message),
    ...details.map((detail) => `  ${printable(detail)}`),
    ...(hint === null ? [] : [`→ ${oneLine(hint)}`]),
  ]
  return lines.join('\n')
}
