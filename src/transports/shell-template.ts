/**
 * The commands of `shell` channels as templates: cut by what quotes each part, so that a value can be put in as one
 * argument, and refused where that cannot be told or where a shell would run what a value says. Read as POSIX has it (2.2
 * and 2.6 of its shell language), which dash, BusyBox and bash follow.
 */

/** What stands around a part; `parameter` is anywhere in `${…}`. */
export type ShellPlace = 'plain' | 'double' | 'single' | 'parameter' | 'comment'

export interface ShellPiece {
  readonly place: ShellPlace
  readonly text: string
}

/** Placeholders for what strangers wrote. */
const FOREIGN = /\$(?:NAME|TAGS|TAG\d)/

/** What a command with such a placeholder may not have outside of quotes, or where quotes do not matter to the shell. */
const REFUSED: readonly (readonly [what: string, pattern: RegExp])[] = [
  // Arithmetic of bash: a variable that holds `a[$(touch x)]` runs the command.
  ['((', /\(\(/],
  ['[[', /\[\[\s/],
  ['let', /(?<![\w-])let\s/],
  ['$[', /\$\[/],
  ['a placeholder in a subscript', /\w\[[^\]]*\$NAME/],
  // Quotes within these follow rules of their own.
  ['`', /`/],
  ['<<', /<</],
  ['case within $(…)', /\$\([\s\S]*\bcase\s/],
]

/** Read as an escaped quote by bash, as the last of two by others. */
const ESCAPED_IN_ANSI_QUOTES = /\$'[^']*\\'/

/** Why a template is not used, as a sentence; null when each value will arrive as one argument. */
export function shellTemplateProblem(command: string): string | null {
  const { pieces, isClosed } = cut(command)
  const foreign = pieces.filter(({ place, text }) => place !== 'comment' && FOREIGN.test(text))
  if (foreign.length === 0) return null
  if (!isClosed) return 'a quote or a parenthesis of the command is not closed'
  const what = foreign.some(({ place }) => place === 'parameter') ? `a placeholder in \${…}` : refused(command, pieces)
  if (what === null) return null
  return `a command with $NAME or tags may not have ${what}: use $(…), or a script that takes the values as arguments`
}

function refused(command: string, pieces: readonly ShellPiece[]): string | null {
  if (ESCAPED_IN_ANSI_QUOTES.test(command)) return "$'…\\'…'"
  // Of what is quoted only the placeholders stay.
  const bare = pieces.map(({ place, text }) => (place === 'plain' ? text : FOREIGN.test(text) ? '"$NAME"' : '"'))
  const found = REFUSED.find(([, pattern]) => pattern.test(bare.join('').replace(ANY_FOREIGN, '$$NAME')))
  return found ? found[0] : null
}

const ANY_FOREIGN = new RegExp(FOREIGN, 'g')

/** The parts in their order, which together are the command; placeholders are never cut in two. */
export function shellPieces(command: string): ShellPiece[] {
  return cut(command).pieces
}

/** What is open; `paren` is `$(…)` and `(…)`, in which quoting begins anew. */
type Frame = 'top' | 'paren' | 'double' | 'parameter'

interface Grammar {
  readonly token: RegExp
  readonly opens: ReadonlyMap<string, Frame>
  /** null for what has no end of its own */
  readonly closedBy: string | null
}

const QUOTING = [
  ['$(', 'paren'],
  ['${', 'parameter'],
  ['"', 'double'],
] as const

const UNQUOTED = {
  token: /^(?:\\[\s\S]|\$[$({[]|\$\w*|[()"`#]|'[^']*'|[^\\$()'"`#]+|[\s\S])/,
  opens: new Map<string, Frame>([...QUOTING, ['(', 'paren']]),
}
const GRAMMARS: Readonly<Record<Frame, Grammar>> = {
  top: { ...UNQUOTED, closedBy: null },
  paren: { ...UNQUOTED, closedBy: ')' },
  double: { token: /^(?:\\[\s\S]|\$[$({[]|\$\w*|["`]|[^\\$"`]+|[\s\S])/, opens: new Map(QUOTING), closedBy: '"' },
  parameter: {
    token: /^(?:\\[\s\S]|\$[$({[]|\$\w*|["}]|'[^']*'|[^\\$'"}]+|[\s\S])/,
    opens: new Map(QUOTING),
    closedBy: '}',
  },
}

function cut(command: string): { readonly pieces: ShellPiece[]; readonly isClosed: boolean } {
  const pieces: ShellPiece[] = []
  const frames: Frame[] = []
  let isOpenQuote = false
  for (let rest = command; rest !== ''; rest = rest.slice(pieces.at(-1)?.text.length)) {
    const frame = frames.at(-1) ?? 'top'
    const { token, opens, closedBy } = GRAMMARS[frame]
    const text = startsComment(rest, frame, pieces.at(-1)) ? match(COMMENT, rest) : match(token, rest)
    pieces.push({ text, place: frames.includes('parameter') ? 'parameter' : placeOf(frame, text) })
    const opened = opens.get(text)
    if (text === closedBy) frames.pop()
    else if (opened) frames.push(opened)
    else if (text === "'" && frame !== 'double') isOpenQuote = true
  }
  return { pieces, isClosed: frames.length === 0 && !isOpenQuote }
}

function placeOf(frame: Frame, text: string): ShellPlace {
  if (frame === 'double') return /^(?:["`]|\$[({[])$/.test(text) ? 'plain' : 'double'
  if (text.startsWith('#')) return 'comment'
  return text.startsWith("'") ? 'single' : 'plain'
}

const COMMENT = /^#[^\n]*/

/** A `#` begins a comment only where a word could begin. */
function startsComment(rest: string, frame: Frame, before: ShellPiece | undefined): boolean {
  if (!rest.startsWith('#') || (frame !== 'top' && frame !== 'paren')) return false
  return before === undefined || (/^[^\\]*[\s;&|()<>]$/.test(before.text) && before.place === 'plain')
}

/** @param pattern one that matches at the beginning of any text */
function match(pattern: RegExp, text: string): string {
  const [found] = pattern.exec(text) ?? []
  return found ?? text
}
