/** The visible text of HTML. */
import { describe, expect, test } from 'bun:test'
import { decodeHTML } from 'entities/decode'
import { htmlToText } from '../../../src/lib/mime/html-text.ts'
import { processorMs } from '../../support/processor-time.ts'

function textOf(html: string, decodeEntities: (text: string) => string = decodeHTML): string {
  const reading = htmlToText(html, decodeEntities)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

describe('tags', () => {
  test.each([
    ['leave no space', '<p>a <b>S</b>UCCESS</p>', 'a SUCCESS'],
    ['of blocks neither', '<p>one</p><p>two</p>', 'onetwo'],
    ['may have > in a value', `<a title="a > b" href='>'>x</a>`, 'x'],
    ['may have a quote that begins no value', `<a title=it's>x</a> it's`, "x it's"],
    ['may go over lines', '<a\nhref="x"\n>y</a\n>', 'y'],
    ['are none when no name follows', '1 < 2 > 1 <3 <> <=', '1 < 2 > 1 <3 <> <='],
    ['are declarations, too', '<!DOCTYPE html><?xml version="1.0"?>x', 'x'],
    ['that never end are text, and so is everything after them', 'a <b>b</b> <i c d', 'a b <i c d'],
    ['with a value that never ends too', 'a <b title="x>b</b>', 'a <b title="x>b</b>'],
  ])('%s', (_, html, text) => {
    expect(textOf(html)).toBe(text)
  })
})

describe('invisible content', () => {
  test.each([
    ['comments', 'a<!-- FAIL <b> -- > -->b<!-->c<!--[if mso]>FAIL<![endif]-->d', 'abcd'],
    ['scripts', 'a<script>if (1<2) FAIL("</b>")</script >b', 'ab'],
    ['styles, in any case', 'a<STYLE type="text/css">FAIL{}</Style>b', 'ab'],
    ['a script without an end', 'a<script>FAIL', 'a'],
    ['values', '<img alt="FAIL" src=FAIL>', ''],
  ])('is dropped: %s', (_, html, text) => {
    expect(textOf(html)).toBe(text)
  })

  test('is kept when only the start of the name matches', () => {
    expect(textOf('<scripted>seen</scripted><style-x>too</style-x>')).toBe('seentoo')
  })
})

test('white space of any kind becomes one space', () => {
  expect(textOf(' a \r\n\t b&nbsp;&#160; c\u00a0\u2003')).toBe('a b c')
})

describe('entities', () => {
  test.each([
    ['&lt;b&gt; &amp;lt; &quot;&apos;', '<b> &lt; "\''],
    ['caf&eacute; &Uuml;&yuml;&szlig; &euro;&hellip;', 'café Üÿß €…'],
    ['&#67;&#x61;&#X66;&#233; &#x1F600;', 'Café 😀'],
    ['&bogus; &# &#; &#x; AT&T', '&bogus; &# &#; &#x; AT&T'],
    ['a &rightarrow; b&nbsp&middot c &amp d &#65 e', 'a → b · c & d A e'],
    ['Backup &#150; &#147;done&#148;', 'Backup – “done”'],
    ['&#0;&#xD800;&#xDFFF;&#1114112;&#99999999;', '\ufffd'.repeat(5)],
    ['&amp;lt; &amp;amp;lt; &&lt;&amp', '&lt; &amp;lt; &<&'],
  ])('%s', (html, text) => {
    expect(textOf(html)).toBe(text)
  })
})

test.each([
  '<a href="',
  '<',
  '<a ',
  '<!--',
  '<script>',
  '</script',
  '<style></style>',
  '<b x="1">',
  '<a =\n',
  '=  ',
  '&#',
  '&<>"',
  '&#x1F600;',
  '&eacute;',
  '<b><i>',
  '"',
  '<!---->',
  "<a ='",
  '<script></script>',
  '&amp',
  '&#9',
  '&CounterClockwiseContourIntegral;',
  ' ',
])('four megabytes of %j are read quickly', (piece) => {
  const before = processorMs()
  textOf(piece.repeat((4 * 1024 * 1024) / piece.length))
  expect(processorMs() - before).toBeLessThan(10_000)
})

describe('a long text', () => {
  test.each([
    ['with an entity where a piece ends', `${'x'.repeat(32 * 1024 - 2)}&eacute;y`.repeat(3)],
    ['that is all entities', '&eacute;'.repeat(20_000)],
    ['with blanks where a piece ends', ` ${'x'.repeat(32 * 1024 - 2)}&nbsp; &#32;`.repeat(3)],
    ['with an entity at the beginning alone', `&eacute;${'x'.repeat(100_000)}`],
    ['with blanks around tags', ' a <b> b </b> &nbsp;<i> </i> '.repeat(5_000)],
  ])('%s is decoded in pieces, and is the same as at once', (_, html) => {
    let longest = 0
    const noting = (text: string) => {
      longest = Math.max(longest, text.length)
      return decodeHTML(text)
    }
    const whole = decodeHTML(html.replaceAll(/<.*?>/g, '')).replace(/\s+/g, ' ').trim()
    expect(textOf(html, noting)).toBe(whole)
    expect(longest).toBeLessThanOrEqual(32 * 1024)
  })
})
