/** Texts of pages, for tests that compare words. */

/** Returns the visible words in one line: without the menu, dialogs and styles, and without a blank before punctuation. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(style|nav|dialog)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:])/g, '$1')
    .trim()
}

/** Returns the error messages of a form, by field name. */
export function errorsOf(page: string): Readonly<Record<string, string>> {
  const errors = page.matchAll(/id="([\w-]+)-error"><svg.*?<\/svg><span>(.*?)<\/span>/g)
  return Object.fromEntries(Array.from(errors, ([, name, words]) => [name, words]))
}

/** Reverses the escaping for HTML. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
