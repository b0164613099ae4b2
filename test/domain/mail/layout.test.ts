import { describe, expect, test } from 'bun:test'
import { type MailBlock, mailParts } from '../../../src/domain/mail/layout.ts'

const partsOf = (blocks: readonly MailBlock[], footer: readonly MailBlock[] = []) =>
  mailParts({ title: 'Title', tone: 'plain', blocks, footer })

/** Computes the relative luminance, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** Returns the text of one block alone, without the title. */
const textOf = (block: MailBlock) => partsOf([block]).text.slice('Title\n\n'.length, -1)

describe('as text', () => {
  const blocks: readonly [MailBlock, string][] = [
    [{ kind: 'paragraph', text: 'one\r\ntwo' }, 'one\ntwo'],
    [{ kind: 'heading', text: 'Two\nlines' }, 'Two lines\n---------'],
    [{ kind: 'list', items: ['a', 'b\nc'] }, '- a\n- b c'],
    [{ kind: 'facts', facts: [{ label: 'A', value: 'x\nB: y' }] }, 'A: x\n  B: y'],
    [
      {
        kind: 'table',
        heads: ['Check', 'Downtime'],
        rows: [
          [{ label: 'Tape', url: 'https://x.test/' }, 'none'],
          ['Nightly backup', '1 h'],
        ],
      },
      'Check           Downtime\nTape            none\nNightly backup  1 h',
    ],
    [
      { kind: 'table', heads: ['Check', 'Status'], rows: [['Tape', { text: 'DO\nWN', tone: 'bad' }]] },
      'Check  Status\nTape   DO WN',
    ],
    [
      {
        kind: 'table',
        heads: ['Name', 'x'],
        rows: [
          ['e\u0301', 'a'],
          ['文件夹', 'b'],
          ['👩‍🚀', 'c'],
        ],
      },
      'Name    x\ne\u0301       a\n文件夹  b\n👩‍🚀      c',
    ],
    [{ kind: 'preformatted', text: ' a\n\tb ' }, ' a\n\tb '],
    [{ kind: 'link', label: 'Here', url: 'https://x.test/' }, 'Here:\nhttps://x.test/'],
    [{ kind: 'button', label: 'Do it', url: 'https://x.test/?a&b' }, 'Do it:\nhttps://x.test/?a&b'],
  ]
  test.each(blocks)('%j', (block, text) => {
    expect(textOf(block)).toBe(text)
  })

  test('blocks are separated, and the footer follows the line that replies leave out', () => {
    const paragraph = (text: string): MailBlock => ({ kind: 'paragraph', text })
    expect(partsOf([paragraph('a'), paragraph('b')], [paragraph('c'), paragraph('d')]).text).toBe(
      'Title\n\na\n\nb\n\n-- \nc\n\nd\n',
    )
    expect(partsOf([paragraph('a')]).text).toBe('Title\n\na\n')
  })

  test('user input cannot make a footer', () => {
    const { text } = partsOf([{ kind: 'preformatted', text: 'x\n-- \n\ny' }], [{ kind: 'paragraph', text: 'c' }])
    expect(text).toBe('Title\n\nx\n-- \n\ny\n\n-- \nc\n')
  })
})

describe('as HTML', () => {
  const hostile = `</td><script>"x" & 'y'</script>`
  const escaped = '&lt;/td&gt;&lt;script&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/script&gt;'
  const blocks: readonly [MailBlock][] = [
    [{ kind: 'paragraph', text: hostile }],
    [{ kind: 'heading', text: hostile }],
    [{ kind: 'list', items: [hostile] }],
    [{ kind: 'facts', facts: [{ label: hostile, value: 'x' }] }],
    [{ kind: 'facts', facts: [{ label: 'x', value: hostile }] }],
    [{ kind: 'table', heads: [hostile], rows: [] }],
    [{ kind: 'table', heads: ['x'], rows: [[hostile]] }],
    [{ kind: 'table', heads: ['x'], rows: [[{ label: hostile, url: 'https://x.test/' }]] }],
    [{ kind: 'table', heads: ['x'], rows: [[{ text: hostile, tone: 'bad' }]] }],
    [{ kind: 'preformatted', text: hostile }],
    [{ kind: 'link', label: hostile, url: 'https://x.test/' }],
    [{ kind: 'button', label: 'x', url: hostile }],
  ]
  test.each(blocks)('%j is escaped', (block) => {
    for (const { html } of [partsOf([block]), partsOf([], [block])]) {
      expect(html).toContain(escaped)
      expect(html).not.toContain('<script>')
    }
  })

  test('the title is escaped and has its tone', () => {
    const page = { title: hostile, blocks: [], footer: [] }
    const [good, bad] = [mailParts({ ...page, tone: 'good' }).html, mailParts({ ...page, tone: 'bad' }).html]
    expect(good).toContain(`<title>${escaped}</title>`)
    expect(good).not.toBe(bad)
  })

  test('a paragraph keeps its line ends', () => {
    expect(partsOf([{ kind: 'paragraph', text: 'one\ntwo' }]).html).toContain('one<br>two')
  })

  test('every colour is readable on white and on black, at 4.5:1 (WCAG 2.2, 1.4.3)', () => {
    const tones = (['good', 'bad', 'plain'] as const).map((tone) =>
      mailParts({ title: 'x', tone, blocks: [], footer: [] }),
    )
    const html = partsOf(blocks.flat(), blocks.flat()).html + tones.map((parts) => parts.html).join('')
    const colours = new Set(
      [...html.matchAll(/(?:[;"]color:|solid )(#[0-9a-f]{6})/g)].map(([, colour]) => colour ?? ''),
    )
    // White is on the button, which has a background of its own.
    expect(colours.delete('#ffffff')).toBe(true)
    expect(colours.size).toBe(4)
    for (const colour of colours) {
      expect(contrast(colour, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(colour, '#000000')).toBeGreaterThanOrEqual(4.5)
    }
    const background = /background:(#[0-9a-f]{6})/.exec(html)?.[1] ?? ''
    expect(contrast('#ffffff', background)).toBeGreaterThanOrEqual(4.5)
  })

  test('every tag that is opened is closed', async () => {
    const open: string[] = []
    const { html } = partsOf(blocks.flat(), blocks.flat())
    for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)) {
      if (['meta', 'br'].includes(name)) continue
      if (end) expect(open.pop()).toBe(name)
      else open.push(name)
    }
    expect(open).toEqual([])
  })
})
