/** What pages say, for tests that compare words. */

/** The words between tags, in one line, as they are read: without the menu, dialogs and styles, and no blank before a sign. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(style|nav|dialog)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:])/g, '$1')
    .trim()
}

/** What is wrong with the fields of a form, by their names. */
export function errorsOf(page: string): Readonly<Record<string, string>> {
  const errors = page.matchAll(/id="([\w-]+)-error"><svg.*?<\/svg><span>(.*?)<\/span>/g)
  return Object.fromEntries(Array.from(errors, ([, name, words]) => [name, words]))
}

/** The text that was escaped for HTML. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
