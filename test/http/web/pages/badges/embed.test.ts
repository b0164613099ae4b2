/** Lines that put a badge into a document. */
import { expect, test } from 'bun:test'
import { embedBadge } from '../../../../../src/http/web/pages/badges/embed.ts'

const URL_OF_BADGE = 'https://watch.example.org/badge/key/AbCdEfGh-2/a%2520b.svg'

test('an image has its URL, Markdown and HTML', () => {
  expect(embedBadge(URL_OF_BADGE, 'a b', 'svg')).toEqual({
    url: URL_OF_BADGE,
    image: URL_OF_BADGE,
    markdown: `![a b](${URL_OF_BADGE})`,
    html: `<img src="${URL_OF_BADGE}" alt="a b">`,
  })
})

test('JSON has only a URL', () => {
  expect(embedBadge(URL_OF_BADGE, 'db', 'json')).toEqual({ url: URL_OF_BADGE, image: null, markdown: null, html: null })
})

test('Shields gets the URL encoded', () => {
  const { url, image, markdown } = embedBadge(URL_OF_BADGE, 'db', 'shields')
  expect(url).toBe(URL_OF_BADGE)
  expect(image).toBe(`https://img.shields.io/endpoint?url=${encodeURIComponent(URL_OF_BADGE)}`)
  expect(markdown).toBe(`![db](${image})`)
})

test.each([
  ['](https://evil.example) [x', '\\](https://evil.example) \\[x', '](https://evil.example) [x'],
  ['"><script>', '"\\>\\<script\\>', '&quot;&gt;&lt;script&gt;'],
  ['a\\', 'a\\\\', 'a\\'],
  ['*a* _b_ `c` &amp;', '\\*a\\* \\_b\\_ \\`c\\` \\&amp;', '*a* _b_ `c` &amp;amp;'],
  ['two\n\nlines', 'two lines', 'two lines'],
  ['\u202ereversed', 'reversed', 'reversed'],
])('the label %j is text in both', (label, inMarkdown, inHtml) => {
  const { markdown, html } = embedBadge(URL_OF_BADGE, label, 'svg')
  expect(markdown).toBe(`![${inMarkdown}](${URL_OF_BADGE})`)
  expect(html).toBe(`<img src="${URL_OF_BADGE}" alt="${inHtml}">`)
})
