/** The simple commands of a line for a shell. */

export interface ShellCommand {
  /** without quotes, and without redirections; what a shell expands is left as it is */
  readonly words: readonly string[]
  /** what stands behind it: `;`, `&&`, `||`, `|`, `|&`, `&`, a line end, `(`, `)`, or nothing at the end of the line */
  readonly after: string
}

/** Each alternative takes what the next one would split: expansions and quotes are one piece. */
const PIECE = new RegExp(
  [
    /'(?<single>[^']*)'/,
    /"(?<double>(?:\\.|[^"\\])*)"/,
    /\\(?<escaped>.)/,
    /(?<expanded>\$\{[^}\s]*\}?|\$\(|`[^`]*`?)/,
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
  #word: string | null = null
  /** how many `$(` are open: what is in them belongs to the word */
  #depth = 0
  #isTarget = false
  #skippedTo = 0

  /** @returns false at a comment, which ends the line */
  read(groups: Readonly<Record<string, string | undefined>>, whole: string, line: string, index: number): boolean {
    if (index < this.#skippedTo) return true
    const { single, double, escaped, redirection, operator, space, plain } = groups
    if (this.#depth > 0) this.#expand(whole)
    else if (whole === '$(') this.#expand(whole)
    else if (space !== undefined) this.#endWord()
    else if (operator !== undefined) this.#endCommand(operator)
    else if (redirection !== undefined) this.#redirect()
    else if (plain === '#' && this.#word === null) {
      const end = line.indexOf('\n', index)
      if (end < 0) return false
      this.#skippedTo = end
    } else this.#word = (this.#word ?? '') + (single ?? double ?? escaped ?? whole)
    return true
  }

  end(): readonly ShellCommand[] {
    this.#endCommand('')
    return this.#commands
  }

  #expand(whole: string): void {
    this.#word = (this.#word ?? '') + whole
    if (whole.endsWith('(')) this.#depth += 1
    if (whole === ')') this.#depth -= 1
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
    if (this.#words.length > 0) this.#commands.push({ words: this.#words, after })
    else this.#joinLast(after)
    this.#words = []
  }

  /** `) | x` and `fi; y`: what follows a bracket says what comes of the command before it. */
  #joinLast(after: string): void {
    const last = this.#commands.at(-1)
    if (last !== undefined && last.after === ')') this.#commands[this.#commands.length - 1] = { ...last, after }
  }
}
