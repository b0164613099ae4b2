/** Splits a shell line into simple commands. */

export interface ShellCommand {
  /** words without quotes and redirections; text that a shell would expand is unchanged */
  readonly words: readonly string[]
  /** operator after the command: `;`, `&&`, `||`, `|`, `|&`, `&`, a line break, `(` or `)`; '' at the end of the line */
  readonly after: string
  /** nesting depth of parentheses */
  readonly depth: number
  /** the lines inside `$(…)`, backquotes, `<(…)` and `>(…)` */
  readonly substitutions: readonly Substitution[]
  readonly redirections: readonly Redirection[]
  /** patterns of the `case` branch that begins with the command, such as `6` and `7` for `6|7)`; empty if no branch begins */
  readonly patterns: readonly string[]
}

interface Redirection {
  /** operator such as `>`, `&>` or `>&`, without the file descriptor before it */
  readonly operator: string
  readonly target: string
}

interface Substitution {
  readonly line: string
  /** false for `<(…)` and `>(…)`, whose status is never reported */
  readonly isValue: boolean
}

/** Matches one piece of a line. An expansion or a quoted text is one piece, so the alternatives that match it come first. */
const PIECE = new RegExp(
  [
    /'(?<single>[^']*)'/,
    /"(?<nested>(?:\\.|\$\((?:"[^"]*"|[^()"])*\)|\$(?!\()|[^"\\$])*)"/,
    /"(?<double>(?:\\.|[^"\\])*)"/,
    /\\(?<escaped>.)/,
    /(?<expanded>\$\{[^}\n]{0,200}\}|\$\{|\$\[[^\]]*\]?|[$<>]\(|`[^`]*`?)/,
    /(?<arithmetic>\(\((?:[^()]|\([^()]{0,200}\)){0,500}\)\))/,
    /(?<redirection>(?:&>>?|[<>]{1,3})[&|]?-?[ \t]*)/,
    /(?<operator>&&|\|\||\|&|;;|[;|&()\n])/,
    /(?<space>[^\S\n]+)/,
    /(?<plain>.)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/** Returns the commands of a line. Operators in quoted text do not begin another command. */
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
  /** number of open parentheses in `$(…)`, `<(…)` or `>(…)`; the text inside belongs to the word */
  #inside = 0
  /** position in the word where the text in these parentheses begins */
  #insideFrom = 0
  /** nesting depth of parentheses around commands */
  #depth = 0
  #redirections: Redirection[] = []
  /** operator whose target is the current word; null if the word is not the target of a redirection */
  #redirection: string | null = null
  #skippedTo = 0
  /** number of `case` keywords without a matching `esac` */
  #cases = 0
  /** true if the current text is a pattern of a `case` */
  #isPattern = false
  #patterns: string[] = []

  /** @returns false at a comment, which ends the line */
  read(groups: Readonly<Record<string, string | undefined>>, whole: string, line: string, index: number): boolean {
    if (index < this.#skippedTo) return true
    const {
      single,
      nested,
      double = nested,
      escaped,
      expanded,
      arithmetic,
      redirection,
      operator,
      space,
      plain,
    } = groups
    if (this.#inside > 0 || (expanded?.endsWith('(') ?? false)) this.#expand(whole)
    else if (space !== undefined) this.#endWord()
    else if (operator !== undefined) this.#endCommand(operator)
    else if (arithmetic !== undefined) this.#words.push('((', arithmetic.slice(2, -2))
    else if (redirection !== undefined) this.#redirect(redirection.trimEnd())
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
    // Double parentheses begin an arithmetic expression.
    if (!line.startsWith('(')) this.#substitutions.push({ line, isValue })
  }

  /** Begins a redirection. A number before it is a file descriptor. */
  #redirect(operator: string): void {
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null
    this.#endWord()
    this.#endTarget('')
    this.#redirection = operator
  }

  #endTarget(target: string): void {
    if (this.#redirection !== null) this.#redirections.push({ operator: this.#redirection, target })
    this.#redirection = null
  }

  #endWord(): void {
    if (this.#word === null) return
    if (this.#redirection === null) this.#words.push(this.#word)
    else this.#endTarget(this.#word)
    this.#word = null
  }

  #endCommand(after: string): void {
    this.#endWord()
    this.#endTarget('')
    if (this.#isPattern && this.#words[0] !== 'esac') this.#endPattern(after)
    else if (!this.#beginCase(after)) this.#endSimple(after)
  }

  #endSimple(after: string): void {
    // A branch without commands does nothing.
    if (this.#patterns.length > 0 && this.#words.length === 0 && after !== '(') this.#words = [':']
    if (this.#words.length > 0) this.#push(this.#words, after)
    else this.#joinLast(after)
    if (this.#words[0] === 'esac') this.#cases = Math.max(0, this.#cases - 1)
    this.#words = []
    this.#isPattern = after === ';;' && this.#cases > 0
    if (after === '(') this.#depth += 1
    if (after === ')') this.#depth = Math.max(0, this.#depth - 1)
  }

  #push(words: readonly string[], after: string): void {
    const [depth, substitutions, redirections, patterns] = [
      this.#depth,
      this.#substitutions,
      this.#redirections,
      this.#patterns,
    ]
    this.#commands.push({ words, after, depth, substitutions, redirections, patterns })
    this.#substitutions = []
    this.#redirections = []
    this.#patterns = []
  }

  /** Begins a `case`. The first pattern of the first branch follows, as in `case $x in a`. */
  #beginCase(after: string): boolean {
    const at = this.#words.findIndex((word, index) => word === 'case' && this.#words[index + 2] === 'in')
    if (at < 0) return false
    this.#push(this.#words.slice(0, at + 3), ';')
    this.#words = this.#words.slice(at + 3)
    this.#cases += 1
    this.#endPattern(after)
    return true
  }

  /** Ends a pattern. Patterns are separated by `|`, and may begin with `(`. */
  #endPattern(after: string): void {
    this.#patterns.push(...this.#words)
    this.#words = []
    this.#isPattern = after !== ')'
  }

  /** Adds the operator that follows a closing parenthesis or keyword to the command before it, as in `) | x` and `fi; y`. */
  #joinLast(after: string): void {
    const last = this.#commands.at(-1)
    if (last !== undefined && last.after === ')') {
      const redirections = [...last.redirections, ...this.#redirections]
      this.#commands[this.#commands.length - 1] = { ...last, after, redirections }
    }
    this.#redirections = []
  }
}

/** Returns the contents of `$(…)` and backquotes in double-quoted text, or the contents of unquoted backquotes. */
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
