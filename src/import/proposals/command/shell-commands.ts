/** The simple commands of a line for a shell. */

export interface ShellCommand {
  /** without quotes, and without redirections; what a shell expands is left as it is */
  readonly words: readonly string[]
  /** what stands behind it: `;`, `&&`, `||`, `|`, `|&`, `&`, a line end, `(`, `)`, or nothing at the end of the line */
  readonly after: string
  /** how many `(` are open */
  readonly depth: number
  /** lines whose output the shell puts in, or takes: what is in `$(…)`, backquotes, `<(…)` and `>(…)` */
  readonly substitutions: readonly Substitution[]
}

interface Substitution {
  readonly line: string
  /** false: for `<(…)` and `>(…)`, of which no status is ever told */
  readonly isValue: boolean
}

/** Each alternative takes what the next one would split: expansions and quotes are one piece. */
const PIECE = new RegExp(
  [
    /'(?<single>[^']*)'/,
    /"(?<nested>(?:\\.|\$\((?:"[^"]*"|[^()"])*\)|\$(?!\()|[^"\\$])*)"/,
    /"(?<double>(?:\\.|[^"\\])*)"/,
    /\\(?<escaped>.)/,
    /(?<expanded>\$\{[^}\n]{0,200}\}|\$\{|\$\[[^\]]*\]?|[$<>]\(|`[^`]*`?)/,
    /(?<redirection>(?:&>>?|[<>]{1,3})[&|]?-?[ \t]*)/,
    /(?<operator>&&|\|\||\|&|;;|[;|&()\n])/,
    /(?<space>[^\S\n]+)/,
    /(?<plain>.)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/** What is in quotes never begins another command. */
export function shellCommands(line: string): readonly ShellCommand[] {
  const reader = new Reader()
  PIECE.lastIndex = 0
  for (const { groups = {}, 0: whole, index } of line.matchAll(PIECE)) {
    if (!reader.read(groups, whole, line, index)) break
  }
  return reader.end()
}

class Reader {
  readonly #commands: ShellCommand[] = []
  #words: string[] = []
  #substitutions: Substitution[] = []
  #word: string | null = null
  /** how many brackets are open in `$(…)`, `<(…)` or `>(…)`: what is in them belongs to the word */
  #inside = 0
  /** where in the word that begins */
  #insideFrom = 0
  /** how many `(` are open around commands */
  #depth = 0
  #isTarget = false
  #skippedTo = 0

  /** @returns false at a comment, which ends the line */
  read(groups: Readonly<Record<string, string | undefined>>, whole: string, line: string, index: number): boolean {
    if (index < this.#skippedTo) return true
    const { single, nested, double = nested, escaped, expanded, redirection, operator, space, plain } = groups
    if (this.#inside > 0 || (expanded?.endsWith('(') ?? false)) this.#expand(whole)
    else if (space !== undefined) this.#endWord()
    else if (operator !== undefined) this.#endCommand(operator)
    else if (redirection !== undefined) this.#redirect()
    else if (plain === '#' && this.#word === null) {
      const end = line.indexOf('\n', index)
      if (end < 0) return false
      this.#skippedTo = end
    } else {
      for (const line of linesIn(double ?? expanded ?? '')) this.#substitutions.push({ line, isValue: true })
      this.#word = (this.#word ?? '') + (single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? whole)
    }
    return true
  }

  end(): readonly ShellCommand[] {
    this.#endCommand('')
    return this.#commands
  }

  #expand(whole: string): void {
    this.#word = (this.#word ?? '') + whole
    if (this.#inside === 0) this.#insideFrom = this.#word.length
    if (whole.endsWith('(')) this.#inside += 1
    if (whole === ')') this.#inside -= 1
    if (this.#inside > 0) return
    const line = this.#word.slice(this.#insideFrom, -1)
    const isValue = this.#word[this.#insideFrom - 2] === '$'
    // Two brackets are arithmetic.
    if (!line.startsWith('(')) this.#substitutions.push({ line, isValue })
  }

  /** A number before it is that of a file. */
  #redirect(): void {
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null
    this.#endWord()
    this.#isTarget = true
  }

  #endWord(): void {
    if (this.#word === null) return
    if (!this.#isTarget) this.#words.push(this.#word)
    this.#word = null
    this.#isTarget = false
  }

  #endCommand(after: string): void {
    this.#endWord()
    this.#isTarget = false
    // A bracket that was not opened ends a pattern, as in `case $x in a) …`.
    if (after === ')' && this.#depth === 0 && this.#words[0] !== 'case') this.#words = []
    const [words, depth, substitutions] = [this.#words, this.#depth, this.#substitutions]
    if (words.length > 0) this.#commands.push({ words, after, depth, substitutions })
    else this.#joinLast(after)
    this.#words = []
    this.#substitutions = []
    if (after === '(') this.#depth += 1
    if (after === ')') this.#depth = Math.max(0, this.#depth - 1)
  }

  /** `) | x` and `fi; y`: what follows a bracket says what comes of the command before it. */
  #joinLast(after: string): void {
    const last = this.#commands.at(-1)
    if (last !== undefined && last.after === ')') this.#commands[this.#commands.length - 1] = { ...last, after }
  }
}

/** What is in `$(…)` and backquotes of a text between double quotes, or of backquotes alone. */
function linesIn(quoted: string): string[] {
  const text = quoted.replace(/\\[$`\\]/g, '__')
  const lines = [...text.matchAll(/`([^`]*)`/g)].map(([, line = '']) => line)
  for (let at = text.indexOf('$('); at >= 0; at = text.indexOf('$(', at)) {
    const from = at + 2
    let depth = 1
    for (at = from; at < text.length && depth > 0; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
    if (depth === 0 && text[from] !== '(') lines.push(text.slice(from, at - 1))
  }
  return lines
}
