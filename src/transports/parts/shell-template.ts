/**
 * Splits the commands of `shell` channels by quoting, so that each value can be inserted as one argument. Rejects a command if its quoting
 * is unclear or a shell would execute a value. Follows POSIX (sections 2.2 and 2.6 of its shell language), as dash, BusyBox and bash do.
 */

/** Kind of quoting around a part of a command. `parameter` means anywhere in `${…}`. */
export type ShellPlace = 'plain' | 'double' | 'single' | 'parameter' | 'comment'

interface ShellPiece {
  readonly place: ShellPlace
  readonly text: string
}

/** Placeholders whose values come from users. */
const UNTRUSTED = /\$(?:NAME|TAGS|TAG\d|ADVICE)/

/** Patterns that are rejected in a command with such a placeholder, if they are unquoted or the shell ignores the quotes around them. */
const REFUSED: readonly (readonly [what: string, pattern: RegExp])[] = [
  // In bash arithmetic, expanding a variable with the value `a[$(touch x)]` runs the command in it.
  ['((', /\(\(/],
  ['[[', /\[\[\s/],
  ['let', /(?<![\w-])let\s/],
  ['$[', /\$\[/],
  ['a placeholder in a subscript', /\w\[[^\]]*\$NAME/],
  // Inside these constructs, quotes follow other rules.
  ['`', /`/],
  ['<<', /<</],
  ['case within $(…)', /\$\([\s\S]*\bcase\s/],
]

/** Matches an ANSI-C quote that ends with `\'`. Bash reads `\'` as an escaped quote, and other shells read it as the closing quote. */
const ESCAPED_IN_ANSI_QUOTES = /\$'[^']*\\'/

/** Returns a sentence about why a template is rejected; null if each value will be one argument. */
export function shellTemplateProblem(command: string): string | null {
  const { pieces, isClosed } = cut(command)
  const unsafe = pieces.filter(({ place, text }) => place !== 'comment' && UNTRUSTED.test(text))
  if (unsafe.length === 0) return null
  if (!isClosed) return 'a quote or a parenthesis of the command is not closed'
  const what = unsafe.some(({ place }) => place === 'parameter') ? `a placeholder in \${…}` : refused(command, pieces)
  if (what === null) return null
  return `a command with $NAME, tags or $ADVICE may not contain ${what}: use $(…), or a script that reads the values from its arguments`
}

function refused(command: string, pieces: readonly ShellPiece[]): string | null {
  if (ESCAPED_IN_ANSI_QUOTES.test(command)) return "$'…\\'…'"
  // Removes quoted text, but keeps its placeholders.
  const bare = pieces.map(({ place, text }) => (place === 'plain' ? text : UNTRUSTED.test(text) ? '"$NAME"' : '"'))
  const found = REFUSED.find(([, pattern]) => pattern.test(bare.join('').replace(ANY_UNTRUSTED, '$$NAME')))
  return found ? found[0] : null
}

const ANY_UNTRUSTED = new RegExp(UNTRUSTED, 'g')

/** Returns the parts of a command in order. Joined together, they are the command again. Placeholders are never split. */
export function shellPieces(command: string): ShellPiece[] {
  return cut(command).pieces
}

/** An open construct. `paren` is `$(…)` or `(…)`, where quoting starts over. */
type Frame = 'top' | 'paren' | 'double' | 'parameter'

interface Grammar {
  readonly token: RegExp
  readonly opens: ReadonlyMap<string, Frame>
  /** text that closes the construct; null if nothing closes it */
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

/** A `#` starts a comment only where a word could start. */
function startsComment(rest: string, frame: Frame, before: ShellPiece | undefined): boolean {
  if (!rest.startsWith('#') || (frame !== 'top' && frame !== 'paren')) return false
  return before === undefined || (/^[^\\]*[\s;&|()<>]$/.test(before.text) && before.place === 'plain')
}

/** @param pattern must match at the start of any text, even if it only matches the empty text */
function match(pattern: RegExp, text: string): string {
  const [found] = pattern.exec(text) ?? []
  return found ?? text
}
