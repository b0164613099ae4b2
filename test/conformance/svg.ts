/** A small, strict XML reader: checks that an SVG is well-formed and finds its texts. Not for documents with a DTD. */

const NAME = String.raw`[A-Za-z_:][\w:.-]*`
const ENTITY = String.raw`&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);`
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"(?:[^"<&]|${ENTITY})*"|'(?:[^'<&]|${ENTITY})*')`
/** Parts of a document: a comment, an instruction, a CDATA section, a tag or a run of text; anything else is malformed. */
const PIECE = new RegExp(
  [
    String.raw`<!--(?:(?!--)[\s\S])*-->`,
    String.raw`<\?[\s\S]*?\?>`,
    String.raw`<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>`,
    String.raw`</(?<close>${NAME})\s*>`,
    String.raw`<(?<open>${NAME})(?<attributes>(?:${ATTRIBUTE})*)\s*(?<empty>/?)>`,
    `(?<text>(?:[^<&]|${ENTITY})+)`,
  ].join('|'),
  'y',
)
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the texts of all elements, with white space collapsed and without empty ones; or the error, as a sentence. */
export function readSvg(source: string): readonly string[] | string {
  const open: string[] = []
  const texts: string[] = []
  let root: string | null = null
  PIECE.lastIndex = 0
  while (PIECE.lastIndex < source.length) {
    const position = PIECE.lastIndex
    const piece = PIECE.exec(source)?.groups
    if (piece === undefined) return `not well-formed XML at ${excerpt(source.slice(position))}`
    if (piece.open !== undefined) {
      if (open.length === 0 && root !== null) return `a second root element, ${piece.open}`
      root ??= piece.open
      const twice = repeatedAttribute(piece.attributes ?? '')
      if (twice !== null) return `attribute ${twice} is given twice`
      if (piece.empty !== '/') open.push(piece.open)
    } else if (piece.close !== undefined) {
      const expected = open.pop()
      if (expected !== piece.close) return `${piece.close} is closed where ${expected ?? 'nothing'} is open`
    } else {
      const text = piece.cdata ?? decode(piece.text ?? '')
      const collapsed = text.split(/\s+/).filter(Boolean).join(' ')
      if (collapsed !== '' && open.length === 0) return `text outside of the root element: ${excerpt(collapsed)}`
      if (collapsed !== '') texts.push(collapsed)
    }
  }
  if (open.length > 0) return `${open.join(', ')} is never closed`
  if (root?.replace(/^.*:/, '') !== 'svg') return `the root element is ${root ?? 'missing'}, not svg`
  return texts
}

function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}

function repeatedAttribute(attributes: string): string | null {
  const names = [...attributes.matchAll(new RegExp(ATTRIBUTE, 'g'))].map(([text]) => text.trim().split(/\s*=/, 1)[0])
  return names.find((name, index) => names.indexOf(name) !== index) ?? null
}

function decode(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (_all, kind: string | undefined, body: string) => {
    if (kind === undefined) return ENTITIES[body] ?? ''
    return String.fromCodePoint(Number.parseInt(body, kind === '#x' ? 16 : 10))
  })
}
