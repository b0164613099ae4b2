/** A template tag for HTML. It escapes every value that is not already `Html`. */
import { escapeHtml } from '../../lib/text/text.ts'

/** Text that is already HTML: a result of {@link html}, or a constant. */
export class Html {
  constructor(readonly text: string) {}
}

/**
 * A value in a template. `false`, `null` and `undefined` render nothing, so that `condition && html…` works. List elements are
 * concatenated.
 */
export type HtmlValue = string | number | Html | false | null | undefined | readonly HtmlValue[]

/** Builds HTML. Put values only between tags or inside quoted attributes, not in scripts, styles, tag names or unquoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // Pages contain tens of thousands of values. Joining them with `String.raw` and `map` would double the rendering time.
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

/** Placeholder for the part of a page that is streamed. Escaped text cannot contain it. */
export const LATER = new Html('<!--later-->')
