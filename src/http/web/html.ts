/** A template tag for HTML. It escapes every value except HTML that it made itself. */
import { escapeHtml } from '../../lib/text/text.ts'

/** Text that is already HTML: made by {@link html}, or a constant. */
export class Html {
  constructor(readonly text: string) {}
}

/** Values of a template. `false`, `null` and `undefined` become nothing, so that `condition && html…` works; lists are joined. */
export type HtmlValue = string | number | Html | false | null | undefined | readonly HtmlValue[]

/** Builds HTML. Put values between tags or inside quoted attributes only, not in scripts, styles, tag names or unquoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // Pages have tens of thousands of these: `String.raw` and `map` took as long as everything else.
  let text = strings[0] ?? ''
  for (let index = 0; index < values.length; index++) text += textOf(values[index]) + strings[index + 1]
  return new Html(text)
}

function textOf(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (value instanceof Html) return value.text
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object') return value.map(textOf).join('')
  return String(value)
}

/** Placeholder in a page for the part that follows while the page is read. Escaped text never looks like this. */
export const LATER = new Html('<!--later-->')
