/** Reads the documents in a YAML or JSON text. An invalid document does not affect the other documents. */
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

/** A document, or the reason why it cannot be read. `line` is the line where the document begins or the error occurred, starting at 1. */
export type ReadDocument =
  | { readonly line: number; readonly tree: object }
  /** `reason` is a sentence without its initial capital and final full stop */
  | { readonly line: number; readonly reason: string; readonly isTemplate: boolean }

/** Maximum length of a document, in UTF-16 code units. The parser needs a second and 300 MB for each million. */
const DOCUMENT_LIMIT = 4_000_000
/**
 * Maximum number of aliases in one document. Real configurations use an anchor hundreds of times; a document that is designed to exhaust
 * memory needs many thousands.
 */
const ALIAS_LIMIT = 10_000

/** @returns the non-empty documents in order; each item of a top-level JSON array is a document */
export function readDocuments(marked: string): readonly ReadDocument[] {
  // Concatenated files have byte order marks in the middle too.
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

/**
 * Parses text as JSON, which is much faster than parsing it as YAML. Returns null if the text is not JSON. A YAML document may begin with a
 * brace or a bracket too.
 */
function parseJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Matches the braces of Helm, Jinja and other templates. */
const TEMPLATE = /\{\{|\{%/

interface Piece {
  /** number of the first line */
  readonly line: number
  readonly text: string
}

/** Matches the last line of a JSON object. `jq` prints one object after another. */
const JSON_END = /^(?:\{.*)?\}\s*$/

/**
 * Splits a text into its documents. A line that begins with a marker ends a document, even within quotes (YAML 1.2, `c-forbidden`).
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
  /** line number, starting at 1 */
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
    // The parser's own check for duplicate keys takes quadratic time.
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
  // `schedule: */5 * * * *` and `schedule: @daily` cause this error.
  const first = /\balias\b/i.test(error.message)
    ? '*'
    : /^Plain value cannot start with .* (\S)$/.exec(error.message)?.[1]
  if (first !== undefined) return `a value that begins with "${first}" must be in quotes`
  return UNCLOSED.test(error.message) ? 'a quote is not closed' : error.message
}

const UNCLOSED = /^Missing closing .*quote/

/**
 * Returns the offset of the error. For an unclosed quote, the parser reports the end of the text; this function returns the offset of the
 * opening quote instead.
 */
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

/**
 * Returns the first key that is a duplicate or not a string. Kubernetes and Gatus reject such keys; other parsers use the last value of a
 * duplicate key.
 */
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

/** Returns true for a merge key (`<<`), whose parsed value is a symbol. */
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

/** Returns why the aliases or merge keys of an otherwise valid document cannot be resolved. */
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

/** Returns the offset of the first alias of the anchor. If the anchor is null, returns the offset of the first alias of any anchor. */
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
