/** A section of a Markdown document, as plain text. */

export interface Section {
  /** anchor of the section's heading; '' for the text before the first heading */
  readonly anchor: string
  readonly title: string
  /** heading level; 1 is the document's title */
  readonly level: number
  /** text of the section's paragraphs, lists, tables and code, with whitespace collapsed */
  readonly text: string
}

/** A separator that no document contains. */
const MARK = '\u0000'
const SPACE = /\s+/g

const spaced = (children: string) => `${children} `
const asIs = (children: string) => children

export function sectionsOf(markdown: string): readonly Section[] {
  const headings: { readonly level: number; readonly id: string; readonly title: string }[] = []
  const plain = Bun.markdown.render(
    markdown.replaceAll(MARK, ''),
    {
      heading(title, { level, id = '' }) {
        headings.push({ level, id, title })
        return MARK
      },
      ...{
        paragraph: spaced,
        listItem: spaced,
        list: spaced,
        code: spaced,
        td: spaced,
        th: spaced,
        blockquote: spaced,
      },
      ...{ tr: asIs, thead: asIs, tbody: asIs, table: spaced },
      ...{ strong: asIs, emphasis: asIs, codespan: asIs, link: asIs, image: () => '' },
    },
    { headings: { ids: true } },
  )
  const [before = '', ...texts] = plain.split(MARK).map((text) => text.replace(SPACE, ' ').trim())
  const sections = headings.map(({ level, id, title }, index) => {
    return { anchor: id, title, level, text: texts[index] ?? '' }
  })
  return before === '' ? sections : [{ anchor: '', title: '', level: 1, text: before }, ...sections]
}
