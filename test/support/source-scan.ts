/**
 * Scans TypeScript as text for the modules that a file imports, its strings, and its code without comments and strings. It
 * works on text because the transpiler drops type-only imports, which are dependencies too.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

export interface Source {
  /** path relative to `src/`, such as `domain/check/check.ts` */
  readonly path: string
  readonly text: string
}

export interface Scanned {
  readonly path: string
  /** files it imports or exports from, relative to `src/`; files outside begin with `../` */
  readonly files: readonly string[]
  /** files that are loaded with it; type-only and lazy imports are left out */
  readonly loads: readonly string[]
  /** packages and built-in modules it imports or exports from, as written */
  readonly modules: readonly string[]
  readonly strings: readonly string[]
  /** code without comments; each string or template is replaced by its index in {@link strings}, in quotes */
  readonly code: string
}

/** Reads every TypeScript file under `directory`. */
export function readSources(directory: string): Source[] {
  const paths = [...new Bun.Glob('**/*.ts').scanSync(directory)].sort()
  return paths.map((path) => ({ path, text: readFileSync(join(directory, path), 'utf8') }))
}

export function scan({ path, text }: Source): Scanned {
  const strings: string[] = []
  const code = withoutLiterals(text, strings)
  const namesIn = (pattern: RegExp) =>
    new Set([...code.matchAll(pattern)].map((found) => strings[Number(found[1] ?? found[2])] ?? ''))
  const filesIn = (names: ReadonlySet<string>) =>
    [...names].filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name))
  const names = namesIn(MODULE)
  return {
    path,
    files: filesIn(names),
    loads: filesIn(namesIn(LOADED)),
    modules: [...names].filter((name) => !name.startsWith('.')),
    strings,
    code,
  }
}

/** `import … from "0"`, `export … from "0"`, `import "0"`, and `import("0")` as an expression or a type. */
const MODULE = /\b(?:import|export)\b[^"`;=()]*?\bfrom\s*"(\d+)"|\bimport\s*\(?\s*"(\d+)"/g

/** Statements of {@link MODULE} that import more than types. */
const LOADED = /\b(?:import|export)\b(?!\s+type\b)[^"`;=()]*?\bfrom\s*"(\d+)"|\bimport\s*"(\d+)"/g

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
/** A `/` after one of these begins a regular expression; after a name, a number or a closing bracket it is a division. */
const BEFORE_EXPRESSION =
  /(?:^|[^\w$)\]}"`\s]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield))\s*$/

function withoutLiterals(text: string, strings: string[]): string {
  let code = ''
  let position = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = position
    const found = pattern.exec(text)?.[0] ?? null
    if (found !== null) position += found.length
    return found
  }
  while (position < text.length) {
    const character = text.charAt(position)
    if (character === '/' && take(COMMENT) !== null) {
      code += ' '
    } else if (character === '/' && BEFORE_EXPRESSION.test(code.slice(-40)) && take(REGULAR_EXPRESSION) !== null) {
      code += '/./'
    } else if (character === "'" || character === '"') {
      const literal = take(STRING)
      if (literal === null) throw new Error(`a string does not end: ${text.slice(position, position + 40)}`)
      code += `"${strings.push(literal.slice(1, -1)) - 1}"`
    } else if (character === '`') {
      const template = readTemplate(text, position)
      code += `"${strings.push(template.words) - 1}"`
      for (const expression of template.expressions) code += `+(${withoutLiterals(expression, strings)})`
      position = template.end
    } else {
      code += character
      position++
    }
  }
  return code
}

interface Template {
  /** text, with `…` for each expression */
  readonly words: string
  readonly expressions: readonly string[]
  readonly end: number
}

function readTemplate(text: string, start: number): Template {
  const expressions: string[] = []
  let words = ''
  let position = start + 1
  while (text.charAt(position) !== '`') {
    if (position >= text.length) throw new Error(`a template does not end: ${text.slice(start, start + 40)}`)
    if (text.startsWith('${', position)) {
      const end = expressionEnd(text, position + 2)
      expressions.push(text.slice(position + 2, end))
      words += '…'
      position = end + 1
    } else {
      const length = text.charAt(position) === '\\' ? 2 : 1
      words += text.slice(position, position + length)
      position += length
    }
  }
  return { words, expressions, end: position + 1 }
}

/** Finds the `}` that closes the expression, past braces, strings and templates inside it. */
function expressionEnd(text: string, start: number): number {
  let depth = 0
  let position = start
  while (position < text.length) {
    const character = text.charAt(position)
    STRING.lastIndex = position
    const literal = character === "'" || character === '"' ? STRING.exec(text)?.[0] : undefined
    if (character === '}' && depth === 0) return position
    if (character === '{') depth++
    if (character === '}') depth--
    if (character === '`') position = readTemplate(text, position).end
    else position += literal?.length ?? 1
  }
  throw new Error(`an expression in a template does not end: ${text.slice(start, start + 40)}`)
}
