/**
 * HTML as a reader sees it, for keywords to be searched in. Tags go without leaving a blank, so that `<b>S</b>UCCESS` is
 * `SUCCESS`. Reads its input once from left to right, whatever a stranger has put in it.
 */

const TAG_BEGIN = /<(?=[A-Za-z/!?])/g
const COMMENT_END = /--!?>/g
const UNSEEN = /^(script|style)(?![-A-Za-z0-9])/i
const UNSEEN_END = { script: /<\/script/gi, style: /<\/style/gi } as const
/** The end of a tag, or a value in quotes, in which a `>` ends nothing. */
const TAG_END_OR_QUOTE = />|=\s*["']/g

export function htmlToText(html: string): string {
  return decodeEntities(withoutTags(html)).replace(/\s+/g, ' ').trim()
}

/** A tag that has no end is text, and so is all behind it. */
function withoutTags(html: string): string {
  const seen: string[] = []
  let position = 0
  for (;;) {
    const begin = find(TAG_BEGIN, html, position)
    if (begin < 0) break
    const end = endOfMarkup(html, begin + 1)
    if (end === null) break
    seen.push(html.slice(position, begin))
    position = end
  }
  seen.push(html.slice(position))
  return seen.join('')
}

/** @param start behind the `<`. @returns where the text goes on; null when the markup does not end */
function endOfMarkup(html: string, start: number): number | null {
  if (html.startsWith('!--', start)) return endOf(COMMENT_END, html, start + 1)
  const tagEnd = endOfTag(html, start)
  if (tagEnd === null) return null
  const unseen = UNSEEN.exec(html.slice(start, start + 'script '.length))?.[1]?.toLowerCase()
  if (unseen !== 'script' && unseen !== 'style') return tagEnd
  const content = find(UNSEEN_END[unseen], html, tagEnd)
  return content < 0 ? html.length : content
}

function endOfTag(html: string, start: number): number | null {
  for (let position = start; ; ) {
    const end = endOf(TAG_END_OR_QUOTE, html, position)
    const last = end === null ? '' : html.charAt(end - 1)
    if (end === null || last === '>') return end
    const closing = html.indexOf(last, end)
    if (closing < 0) return null
    position = closing + 1
  }
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

function endOf(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : null
}

/** In the order of their code points, from U+00A0 to U+00FF (HTML 4, 24.2.1). */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', hellip: '…' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', bull: '•' }),
  ...Object.entries({ euro: '€', trade: '™', larr: '←', rarr: '→', check: '✓', ensp: ' ', emsp: ' ', thinsp: ' ' }),
])

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,7}));/g

/** Numbers, and the names that writers of mails use; what is not known stays as it is. */
function decodeEntities(text: string): string {
  return text.replace(ENTITY, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole
    const codePoint = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole
  })
}
