/** Reads a page with a parser that follows the rules of HTML, as browsers do. */
import { unescaped } from './page-words.ts'

export interface PageForm {
  /** '' for the address of the page itself */
  readonly action: string
  readonly method: 'get' | 'post'
  readonly fields: readonly FormField[]
}

export interface FormField {
  readonly name: string
  /** type of an input; `button` also for one that sends the form */
  readonly kind: string
  /** value that a browser sends; null for a box without a tick */
  readonly value: string | null
  /** choices of a select, or of the radio buttons with that name */
  readonly choices: readonly string[]
}

export interface ScannedPage {
  /** constructs that none of our pages has: each would be a text that became markup */
  readonly faults: readonly string[]
  readonly forms: readonly PageForm[]
  /** the addresses of its links */
  readonly links: readonly string[]
}

const ORIGIN = 'http://localhost:8000'
const OUR_SCRIPT = /^\/assets\/(?:htmx|overdue|passkeys|rhythm|status|strips|wall)\.\w+\.js$/
/** Source of a frame on our pages, which shows an email or a report; a report is a page of this server. */
const OUR_FRAME = /^(?:\/p\/[\w-]+\/reports\/[\w-]+\/email(?:\?[\w=&]*)?)?$/
const OUR_HX = ['hx-sse:connect', 'hx-trigger', 'hx-swap', 'hx-morph-skip']
const NO_PAGE_HAS =
  /^(?:style|object|embed|base|plaintext|template|applet|frame|frameset|math|video|audio|source|marquee|xmp|animate|set|foreignobject|hx-.*)$/
const WITH_ADDRESS = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'xlink:href', 'background']
/** Elements that the HTML of an email must not have, because they load something. */
const IN_MAIL = /^(?:script|style|img|iframe|form|input|link|object|embed|base)$/

export function scanPage(page: string): ScannedPage {
  const faults: string[] = []
  const forms: PageForm[] = []
  const links: string[] = []
  const fieldsOf = new Map<string | null, FormField[]>()
  let form: FormField[] | null = null
  let select: { name: string; value: string | null; choices: string[] } | null = null
  let written = ''
  let hasEnd = false
  const rewriter = new HTMLRewriter()
  rewriter.onDocument({ comments: ({ text }) => void faults.push(`<!--${text}-->`) })
  rewriter.on('script', { text: ({ text }) => void (text.trim() === '' || faults.push(`script: ${text}`)) })
  rewriter.on('option, textarea', {
    text(piece) {
      written += piece.text
    },
  })
  rewriter.on('*', {
    element(one) {
      const { tagName } = one
      // The parser returns attributes as written in the page.
      const attributes = new Map(Array.from(one.attributes, ([name, value]) => [name, unescaped(value)] as const))
      faults.push(...faultsOf(tagName, attributes))
      if (tagName === 'html') {
        one.onEndTag(() => {
          hasEnd = true
        })
      }
      if (tagName === 'a') links.push(attributes.get('href') ?? '')
      if (tagName === 'form') {
        const fields: FormField[] = []
        form = fields
        fieldsOf.set(attributes.get('id') ?? null, fields)
        const method = attributes.get('method') === 'post' ? 'post' : 'get'
        forms.push({ action: attributes.get('action') ?? '', method, fields })
        one.onEndTag(() => {
          form = null
        })
      }
      const owner = attributes.get('form')
      const fields = owner === undefined ? form : (fieldsOf.get(owner) ?? null)
      const name = attributes.get('name')
      if (tagName === 'option' || tagName === 'textarea') written = ''
      if (tagName === 'option' && select !== null) {
        const owner = select
        one.onEndTag(() => {
          const value = attributes.get('value') ?? unescaped(written)
          owner.choices.push(value)
          if (owner.value === null || attributes.has('selected')) owner.value = value
        })
      }
      if (fields === null || name === undefined) return
      if (tagName === 'select') {
        const chosen = { name, kind: 'select', value: null, choices: [] }
        select = chosen
        fields.push(chosen)
        one.onEndTag(() => {
          select = null
        })
      } else if (tagName === 'textarea') {
        one.onEndTag(() => {
          // HTML ignores a line break at the beginning.
          fields.push({ name, kind: tagName, value: unescaped(written).replace(/^\n/, ''), choices: [] })
        })
      } else if (/^(?:input|button)$/.test(tagName)) addField(fields, tagName, name, attributes)
    },
  })
  rewriter.transform(page)
  if (!hasEnd) faults.push('the page does not end')
  return { faults, forms, links }
}

function addField(fields: FormField[], tagName: string, name: string, attributes: ReadonlyMap<string, string>): void {
  const kind = tagName === 'input' ? (attributes.get('type') ?? 'text') : tagName
  const value = attributes.get('value') ?? 'on'
  if (kind === 'radio') {
    const known = fields.findIndex((field) => field.name === name)
    const before = fields[known] ?? { name, kind, value: null, choices: [] }
    const after = {
      ...before,
      value: attributes.has('checked') ? value : before.value,
      choices: [...before.choices, value],
    }
    if (known < 0) fields.push(after)
    else fields[known] = after
  } else if (kind === 'checkbox') {
    fields.push({ name, kind, value: attributes.has('checked') ? value : null, choices: [] })
  } else {
    const isSent = kind === 'hidden' || kind === 'button'
    fields.push({ name, kind, value: isSent ? value : (attributes.get('value') ?? ''), choices: [] })
  }
}

function faultsOf(tagName: string, attributes: ReadonlyMap<string, string>): readonly string[] {
  const faults: string[] = []
  const src = attributes.get('src') ?? ''
  const isBad =
    NO_PAGE_HAS.test(tagName) ||
    !/^[a-z][a-z\d-]*$/.test(tagName) ||
    (tagName === 'script' && !OUR_SCRIPT.test(src)) ||
    (tagName === 'meta' && attributes.has('http-equiv')) ||
    (tagName === 'iframe' && (attributes.get('sandbox') !== '' || !OUR_FRAME.test(src)))
  if (isBad) faults.push(`<${tagName}> ${src}`)
  for (const [name, value] of attributes) {
    const isOurs =
      /^[a-z][a-z\d:-]*$/.test(name) &&
      !name.startsWith('on') &&
      name !== 'style' &&
      (name !== 'srcdoc' || tagName === 'iframe') &&
      (!name.startsWith('hx-') || OUR_HX.includes(name))
    if (!isOurs) faults.push(`<${tagName} ${name}>`)
    if (WITH_ADDRESS.includes(name) && !isHarmless(value)) faults.push(`<${tagName} ${name}="${value}">`)
    if (name === 'srcdoc') faults.push(...faultsInMail(value))
  }
  return faults
}

/** Whether the address is on this server, or on another one that no hostile text names. */
function isHarmless(address: string): boolean {
  if (!URL.canParse(address, ORIGIN)) return false
  const { protocol, hostname } = new URL(address, ORIGIN)
  return /^(?:https?|mailto):$/.test(protocol) && hostname !== 'evil.example'
}

function faultsInMail(document: string): readonly string[] {
  const faults: string[] = []
  const rewriter = new HTMLRewriter()
  rewriter.on('body *', {
    element({ tagName, attributes }) {
      if (IN_MAIL.test(tagName)) faults.push(`in an email: <${tagName}>`)
      for (const [name] of attributes) {
        if (/^(?:on.*|href|src|style|srcdoc)$/.test(name)) faults.push(`in an email: <${tagName} ${name}>`)
      }
    },
  })
  rewriter.transform(document)
  return faults
}
