/** Reads the commands of a service of systemd, with its drop-ins, as described in systemd.service(5), "COMMAND LINES". */

type Variables = Readonly<Record<string, string>>

export interface ServiceCommands {
  readonly before: readonly (readonly string[])[]
  readonly main: readonly (readonly string[])[]
  readonly after: readonly (readonly string[])[]
}

/** @param texts the unit, followed by its drop-ins @param specifiers by their letters, without `%` */
export function commandsOf(texts: readonly string[], variables: Variables, specifiers: Variables): ServiceCommands {
  const read = (name: string) =>
    valuesOf(texts, name).map((line) => wordsOf(line.replace(/^[-+!:]+/, ''), variables, specifiers, prefixOf(line)))
  return { before: read('ExecStartPre'), main: read('ExecStart'), after: read('ExecStopPost') }
}

const prefixOf = (line: string) => /^[-+!:]*/.exec(line)?.[0] ?? ''

/** Returns the values of a setting. An empty value removes those before it. */
function valuesOf(texts: readonly string[], name: string): readonly string[] {
  const values = texts.flatMap((text) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, v = '']) => v))
  return values.slice(values.lastIndexOf('') + 1)
}

function wordsOf(line: string, variables: Variables, specifiers: Variables, prefix: string): readonly string[] {
  const words = [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])+/g)].map(([word]) => word)
  return words.flatMap((word, index) => {
    const plain = unquoted(word).replaceAll(/%(.)/g, (_, letter: string) =>
      letter === '%' ? '%' : (specifiers[letter] ?? ''),
    )
    return index === 0 || prefix.includes(':') ? [plain] : expanded(plain, variables)
  })
}

const ESCAPES: Variables = { n: '\n', t: '\t', s: ' ' }
const unquoted = (word: string) =>
  word.replaceAll(/\\(.)|["']/g, (quote, escaped?: string) =>
    escaped === undefined ? dropped(quote, word) : (ESCAPES[escaped] ?? escaped),
  )

/** Drops a quote. Within quotes, a quote of the other kind is text. */
const dropped = (quote: string, word: string) => (quote === word[0] || !/^["']/.test(word) ? '' : quote)

/** Expands variables. A whole word `$NAME` becomes several words; `${NAME}` becomes a part of one. */
function expanded(word: string, variables: Variables): readonly string[] {
  const name = /^\$(\w+)$/.exec(word)?.[1]
  if (name !== undefined) return (variables[name] ?? '').split(/\s+/).filter(Boolean)
  return [word.replaceAll(/\$\$|\$\{(\w+)\}/g, (_, one?: string) => (one === undefined ? '$' : (variables[one] ?? '')))]
}
