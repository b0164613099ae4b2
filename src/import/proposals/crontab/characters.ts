/**
 * Finds characters in a crontab that look familiar to a reader but mean something else to cron and shells: byte order marks, no-break
 * spaces, typographic dashes.
 */
import { characterName, plainCharacter } from '../../../domain/schedule/typed/plain-text.ts'
import { type Problem, problemOf } from '../proposal.ts'
import { type CronJobLine, QUOTED } from './lines.ts'

/**
 * Returns why cron cannot read the lines of the file, or null if it can. @param text the file's text, in which each character represents
 * one byte
 */
export function fileProblem(text: string): Problem | null {
  if (/^(?:\xFF\xFE|\xFE\xFF)|^[^\n]{0,100}\0/.test(text))
    return problemOf('The file is in UTF-16, which cron cannot read.', 'Save it as UTF-8.')
  if (text.includes('\r') && !text.includes('\n'))
    return problemOf(
      'The lines of the file end with carriage returns only, so cron reads them as one line.',
      'Save the file with Unix line ends.',
    )
  return null
}

/** Returns the problem with the first non-ASCII character before the command. Such a character prevents cron from reading the schedule. */
export function scheduleCharacter({ head, user }: CronJobLine): Problem | null {
  return firstOf(decoded(user === null ? head : head.slice(0, head.lastIndexOf(user))), () => true)
}

/** Returns the problem with the first misleading character in a line that is neither a job nor a setting. */
export function lineCharacter(line: string): Problem | null {
  return firstOf(decoded(line), (char) => plainCharacter(char) !== char)
}

/** Matches misleading characters. In quotes, they may be intended. */
const MISLEADING = /^[\s\p{Cf}\p{Pd}\u2018-\u201F]$/u

/** Returns the problem with the first misleading character in a command. A shell treats the character as part of a word. */
export function commandCharacter({ head, command }: CronJobLine): Problem | null {
  if (isAscii(command)) return null
  const text = decoded(head) + decoded(command).replace(QUOTED, (quoted) => '_'.repeat([...quoted].length))
  return firstOf(text, (char) => MISLEADING.test(char))
}

/** @param text text of a line, from its beginning */
function firstOf(text: string, isWrong: (char: string) => boolean): Problem | null {
  if (isAscii(text)) return null
  const chars = [...text]
  const index = chars.findIndex((char) => char > '\x7F' && isWrong(char))
  const char = chars[index]
  return char === undefined ? null : problemWith(char, index + 1)
}

/** @param column column number, starting at 1 */
function problemWith(char: string, column: number): Problem {
  const named = `Character ${column} of the line is ${NAMES[char] ?? characterName(char)}`
  const plain = plainCharacter(char)
  if (char === '\uFEFF') return problemOf(`${named}, which cron does not skip.`, 'Save the file without it.')
  if (plain === '')
    return problemOf(`${named}, which is invisible, and is not skipped by cron and shells.`, 'Remove it.')
  if (plain === char && !MISLEADING.test(char))
    return problemOf(`${named}, which is not part of any cron schedule.`, PLAIN)
  const meant = plain === ' ' ? 'a space' : plain === char ? 'a plain quote' : `"${plain}"`
  return problemOf(`${named}, which cron and shells do not read as ${meant}.`, `Write ${meant} in its place.`)
}

const NAMES: Readonly<Record<string, string>> = {
  '\uFEFF': 'a byte order mark (U+FEFF)',
  '\u00A0': 'a no-break space (U+00A0)',
  '\u200B': 'a zero-width space (U+200B)',
}
const PLAIN = 'Write plain digits, letters and * , - / instead.'

const isAscii = (text: string) => !/[^\0-\x7F]/.test(text)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes bytes as UTF-8, or as Latin-1 if they are not valid UTF-8. */
export function decoded(bytes: string): string {
  if (isAscii(bytes)) return bytes
  try {
    return utf8.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
  } catch {
    return bytes
  }
}
