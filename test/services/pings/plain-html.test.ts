/** HTML of strangers, reduced to its structure. */
import { describe, expect, test } from 'bun:test'
import { plainHtml } from '../../../src/services/pings/plain-html.ts'
import { HOSTILE } from '../../support/hostile-texts.ts'
import { processorMs } from '../../support/processor-time.ts'

test.each([
  ['keeps structure', '<h1>Done</h1><p>All <b>3</b><br>of 3</p>', '<h1>Done</h1><p>All <b>3</b><br>of 3</p>'],
  ['keeps no attribute', `<p style="color:red" onclick='x' class=y>a</p>`, '<p>a</p>'],
  ['keeps a tag with > in a value', '<td title="a > b">x</td>', '<td>x</td>'],
  ['keeps the text of links, not their addresses', '<a href="https://evil.example/">more</a>', 'more'],
  ['knows tags in capitals', '<P>a</P><IMG SRC=x>', '<p>a</p>'],
  ['hides scripts, styles and titles', '<title>t</title><style>p{}</style><script>x</script>a', 'a'],
  ['shows what follows a title without an end', '<title>t<p>a</p>', '<p>a</p>'],
  ['hides comments', 'a<!-- <b>x</b> -->b', 'ab'],
  ['makes text of a tag without an end', 'a <b', 'a &lt;b'],
  ['leaves entities', '&lt;b&gt; &amp;', '&lt;b&gt; &amp;'],
])('%s', (_, html, plain) => {
  expect(plainHtml(html)).toBe(plain)
})

describe('hostile HTML', () => {
  test.each([...HOSTILE])('has only known tags without attributes left: %s', (html) => {
    const tags = plainHtml(html).match(/<[^>]*>?/g) ?? []
    expect(tags.filter((tag) => !/^<\/?[a-z][a-z0-9]*>$/.test(tag))).toEqual([])
    expect(tags.filter((tag) => /script|style|img|svg|iframe|form|input|base|meta|link/.test(tag))).toEqual([])
  })

  test('of a megabyte takes a moment', () => {
    const began = processorMs()
    for (const part of ['<', '<a', '<a href="', '<p>', '<!--', '<title>', '<script>', '<b x=']) {
      plainHtml(part.repeat(1_000_000 / part.length))
    }
    expect(processorMs() - began).toBeLessThan(5_000)
  })
})
