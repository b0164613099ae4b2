import { expect, test } from 'bun:test'
import { linkedText } from '../../../../src/http/web/parts/linked-text.ts'

const linked = (text: string) => linkedText(text).text.replace(/^<span class="free" dir="auto">|<\/span>$/g, '')
const link = (address: string, words = address) => `<a href="${address}" rel="noreferrer nofollow">${words}</a>`

test.each([
  ['See http://a.example/x.', `See ${link('http://a.example/x')}.`],
  ['(https://a.example/?q=1)', `(${link('https://a.example/?q=1')})`],
  ['HTTPS://A.example', link('HTTPS://A.example')],
  ['a <https://a.example/b> c', `a &lt;${link('https://a.example/b')}&gt; c`],
  ['https://', 'https://'],
  ['javascript:alert(1) data:text/html,x ftp://a.example', 'javascript:alert(1) data:text/html,x ftp://a.example'],
  ['https://a.example/"onmouseover="x', `${link('https://a.example/')}&quot;onmouseover=&quot;x`],
  ['one\r\ntwo\nthree', 'one\ntwo\nthree'],
])('%j', (text, expected) => {
  expect(linked(text)).toBe(expected)
})

test('controls are shown, and can break no address', () => {
  expect(linked('https://a.example/\u0000b')).toContain('␀')
  expect(linked('a\u0007b')).toBe('a␇b')
})
