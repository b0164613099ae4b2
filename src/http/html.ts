/** HTML by a template tag that escapes whatever it is given, unless that is HTML by the same tag. */
import { escapeHtml } from '../domain/text.ts'

/** Text that is HTML already: what {@link html} made, or a constant of ours. */
export class Html {
  constructor(readonly text: string) {}
}

/** `false`, `null` and `undefined` are nothing, so that `condition && html…` can be said; lists are joined. */
export type HtmlValue = string | number | Html | false | null | undefined | readonly HtmlValue[]

/** Values belong between tags or inside a quoted attribute; not into scripts, styles, tag names or unquoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)))
}

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object') return value.map(textOf).join('')
  return escapeHtml(String(value))
}
