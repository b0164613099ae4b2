/** Documents of YAML or JSON text, each read by itself: one that cannot be read keeps no other out. */
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

/** A document, or why it cannot be read. `line` is that of the text, from 1 on: the first of the document, or that of the fault. */
export type ReadDocument =
  | { readonly line: number; readonly tree: object }
  /** `reason` is a sentence without its first capital and final stop */
  | { readonly line: number; readonly reason: string; readonly isTemplate: boolean }

/** In bytes: the parser needs a second and 300 MB for each million. */
const DOCUMENT_LIMIT = 4_000_000
/** Of one document. Configurations repeat an anchor hundreds of times; what makes little text into much needs thousands. */
const ALIAS_LIMIT = 10_000

/** @returns in their order, without those that are empty; a list of JSON has a document in each item */
export function readDocuments(text: string): readonly ReadDocument[] {
  const json = parseJson(text)
  if (json !== null) return (Array.isArray(json) ? json.map(Object) : [json]).map((tree) => ({ line: 1, tree }))
  return piecesOf(text).flatMap(({ line, text: piece }): readonly ReadDocument[] => {
    const read = readDocument(piece)
    if ('tree' in read) return read.tree === null ? [] : [{ line, tree: read.tree }]
    // What the parser says of a template misleads.
    const braces = piece.split('\n').findIndex((one) => TEMPLATE.test(one))
    if (braces >= 0) return [{ line: line + braces, reason: 'it is a template', isTemplate: true }]
    return [{ line: line + read.line - 1, reason: read.reason, isTemplate: false }]
  })
}

/** JSON as such, since that is much faster. YAML may begin with a brace or a bracket, too: null. */
function parseJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Braces of Helm, of Jinja, and of what else is filled in before. */
const TEMPLATE = /\{\{|\{%/

interface Piece {
  /** the first line */
  readonly line: number
  readonly text: string
}

/**
 * Wherever a line begins with a marker, a document ends: also within quotes (YAML 1.2, `c-forbidden`). Directives, which stand before a
 * `---`, are passed over.
 */
function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
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
    if (marker === '---') end(index)
    if (marker !== '...' && !/^\s*(?:#|$)|^%/.test(line)) hasBegun = true
  }
  end(lines.length)
  return pieces
}

interface Fault {
  /** from 1 on */
  readonly line: number
  readonly reason: string
}

function readDocument(text: string): { readonly tree: object | null } | Fault {
  if (text.length > DOCUMENT_LIMIT) return { line: 1, reason: 'it is no JSON, and a document of YAML may have 4 MB' }
  const lineCounter = new LineCounter()
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  try {
    // Its own search for keys that are there twice takes the square of their number.
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
  // As in `schedule: */5 * * * *`.
  if (/\balias\b/i.test(error.message)) return 'a value that begins with "*" must be in quotes'
  return error.message
}

/** A quote that is missing would be found at the end: the text begins where it was opened. */
function offsetOf(document: Document.Parsed, { message, pos }: ParsingError): number {
  if (!/^Missing closing .*quote/.test(message)) return pos[0]
  let last = pos[0]
  visit(document, {
    Scalar(_, { range }) {
      last = range?.[0] ?? last
    },
  })
  return last
}

/** A key that Kubernetes and Gatus refuse, too, where other parsers let the last one win. */
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
  if (!isScalar(key)) return null
  const name = String((key as Scalar).value)
  if (name !== '<<' && seen.has(name)) return `a key is there twice: ${name.slice(0, 50)}`
  seen.add(name)
  return null
}

function treeOf(document: Document.Parsed, lineAt: (offset: number) => number): ReturnType<typeof readDocument> {
  try {
    const tree: unknown = document.toJS({ maxAliasCount: ALIAS_LIMIT })
    if (typeof tree === 'object') return { tree }
    return { line: lineAt(document.contents?.range[0] ?? 0), reason: 'it is text, and no map of YAML' }
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    const missing = /^Unresolved alias.*: (\S+)$/.exec(error.message)?.[1] ?? null
    const reason = missing === null ? 'its aliases make little text into much' : 'an alias has no anchor'
    return { line: lineAt(aliasOffset(document, missing)), reason }
  }
}

/** Of the first alias of an anchor; null: of any. */
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
