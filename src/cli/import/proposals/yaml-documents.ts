/** Documents of YAML or JSON text. Each is read on its own: a faulty one does not affect the others. */
import {
  type Alias,
  type Document,
  type ErrorCode,
  isCollection,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'

/** A document, or why it cannot be read. `line` is its line in the text, from 1 on: the first of the document, or that of the fault. */
export type ReadDocument =
  | { readonly line: number; readonly tree: object }
  /** `reason` is a sentence without its first capital and final stop */
  | { readonly line: number; readonly reason: string; readonly isTemplate: boolean }

/** UTF-16 code units of a document: the parser needs a second and 300 MB for each million. */
const DOCUMENT_LIMIT = 4_000_000
/** Aliases in one document. Configurations use an anchor hundreds of times; a document made to exhaust memory needs thousands. */
const ALIAS_LIMIT = 10_000

/** @returns documents in order, without empty ones; a list of JSON has a document in each item */
export function readDocuments(marked: string): readonly ReadDocument[] {
  // Joined files have byte order marks in the middle, too.
  const text = marked.replace(/^\uFEFF/gm, '')
  const json = parseJson(text)
  if (json !== null) return (Array.isArray(json) ? json.map(Object) : [json]).map((tree) => ({ line: 1, tree }))
  return piecesOf(text).flatMap(({ line, text: piece }): readonly ReadDocument[] => {
    const read = readDocument(piece)
    if ('tree' in read) return read.tree === null ? [] : [{ line, tree: read.tree }]
    // The parser's message about a template is misleading.
    const braces = piece.split('\n').findIndex((one) => TEMPLATE.test(one))
    if (braces >= 0) return [{ line: line + braces, reason: 'it is a template', isTemplate: true }]
    return [{ line: line + read.line - 1, reason: read.reason, isTemplate: false }]
  })
}

/** Parses JSON as such, since that is much faster. Returns null for YAML, which may begin with a brace or a bracket, too. */
function parseJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Braces of Helm, of Jinja, and of other templates. */
const TEMPLATE = /\{\{|\{%/

interface Piece {
  /** the first line */
  readonly line: number
  readonly text: string
}

/** The last line of an object of JSON, after which another may follow, as `jq` prints them. */
const JSON_END = /^(?:\{.*)?\}\s*$/

/**
 * Splits a text into its documents. A line that begins with a marker ends a document, also within quotes (YAML 1.2, `c-forbidden`).
 * Directives, which precede a `---`, are skipped.
 */
function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  const lines = text.split(/\r?\n/)
  let first = 0
  let hasBegun = false
  const end = (next: number) => {
    if (hasBegun) pieces.push({ line: first + 1, text: lines.slice(first, next).join('\n') })
    first = next
    hasBegun = false
  }
  for (const [index, line] of lines.entries()) {
    const marker = /^(?:---|\.\.\.)(?=\s|$)/.exec(line)?.[0]
    if (marker === '...') end(index + 1)
    if (marker === '---' || (line.startsWith('{') && JSON_END.test(lines[index - 1] ?? ''))) end(index)
    if (marker !== '...' && !/^\s*(?:#|$)|^%/.test(line)) hasBegun = true
  }
  end(lines.length)
  return pieces
}

interface Fault {
  /** line from 1 on */
  readonly line: number
  readonly reason: string
}

function readDocument(text: string): { readonly tree: object | null } | Fault {
  const json = parseJson(text)
  if (json !== null) return { tree: json }
  if (text.length > DOCUMENT_LIMIT) return { line: 1, reason: 'a YAML document may have at most 4 MB' }
  const lineCounter = new LineCounter()
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  try {
    // The parser's own search for duplicate keys takes quadratic time.
    const options = { lineCounter, merge: true, prettyErrors: false, uniqueKeys: false, logLevel: 'silent' } as const
    const document = parseDocument(text, options)
    const error = document.errors.find(isOfDepth) ?? document.errors[0]
    if (error !== undefined) return { line: lineAt(offsetOf(document, error)), reason: reasonOf(error) }
    const key = wrongKey(document)
    if (key !== null) return { line: lineAt(key.offset), reason: key.reason }
    return treeOf(document, lineAt)
  } catch (error) {
    if (error instanceof RangeError) return { line: 1, reason: TOO_DEEP }
    throw error
  }
}

const TOO_DEEP = 'it is nested too deeply'

interface ParsingError {
  readonly code: ErrorCode
  readonly message: string
  readonly pos: readonly [number, number]
}

const isOfDepth = ({ code }: ParsingError) => code === 'RESOURCE_EXHAUSTION'

function reasonOf(error: ParsingError): string {
  if (isOfDepth(error)) return TOO_DEEP
  // Occurs with `schedule: */5 * * * *`, and `schedule: @daily`.
  const first = /\balias\b/i.test(error.message)
    ? '*'
    : /^Plain value cannot start with .* (\S)$/.exec(error.message)?.[1]
  if (first !== undefined) return `a value that begins with "${first}" must be in quotes`
  return UNCLOSED.test(error.message) ? 'a quote is not closed' : error.message
}

const UNCLOSED = /^Missing closing .*quote/

/** Returns the offset of the text whose quote is not closed, which the parser notices only at the end. */
function offsetOf(document: Document.Parsed, { message, pos }: ParsingError): number {
  if (!UNCLOSED.test(message)) return pos[0]
  let last = pos[0]
  visit(document, {
    Scalar(_, { range }) {
      last = range?.[0] ?? last
    },
  })
  return last
}

/** Returns the first key that is a duplicate, or not text. Kubernetes and Gatus refuse both; other parsers take the last of two values. */
function wrongKey(document: Document.Parsed): { readonly offset: number; readonly reason: string } | null {
  let wrong: { offset: number; reason: string } | null = null
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>()
      for (const { key } of items) {
        const reason = isCollection(key) ? 'a key is a list or a map' : again(key, seen)
        if (reason === null) continue
        wrong = { offset: (key as Node).range?.[0] ?? 0, reason }
        return visit.BREAK
      }
      return undefined
    },
  })
  return wrong
}

function again(key: unknown, seen: Set<string>): string | null {
  if (!isScalar(key) || isMerge(key)) return null
  const name = String(key.value)
  if (seen.has(name)) return `a key occurs twice: ${name.slice(0, 50)}`
  seen.add(name)
  return null
}

/** Returns true for a merge key, whose value is a symbol. */
const isMerge = ({ source, value }: Scalar) => source === '<<' && typeof value !== 'string'

function treeOf(document: Document.Parsed, lineAt: (offset: number) => number): ReturnType<typeof readDocument> {
  try {
    const tree: unknown = document.toJS({ maxAliasCount: ALIAS_LIMIT })
    if (typeof tree === 'object') return { tree }
    return { line: lineAt(document.contents?.range[0] ?? 0), reason: 'it is plain text, not a map' }
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error
    return unfolded(document, error.message, lineAt)
  }
}

/** Returns why the aliases or merge keys of an otherwise correct document yield no tree. */
function unfolded(document: Document.Parsed, message: string, lineAt: (offset: number) => number): Fault {
  if (message.startsWith('Merge'))
    return { line: lineAt(mergeOffset(document)), reason: 'the value of "<<" is not a map' }
  const missing = /^Unresolved alias.*: (\S+)$/.exec(message)?.[1] ?? null
  const reason = missing === null ? 'its aliases expand to too much data' : 'an alias has no anchor'
  return { line: lineAt(aliasOffset(document, missing)), reason }
}

/** Returns the offset of the first `<<`. */
function mergeOffset(document: Document.Parsed): number {
  let offset = 0
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || !isMerge(key)) return undefined
      offset = key.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}

/** Returns the offset of the first alias of an anchor; null: of any anchor. */
function aliasOffset(document: Document.Parsed, anchor: string | null): number {
  let offset = 0
  visit(document, {
    Alias(_, alias: Alias) {
      if (anchor !== null && alias.source !== anchor) return undefined
      offset = alias.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}
