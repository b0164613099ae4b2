import { expect, test } from 'bun:test'
import { browserWords } from '../../../../../src/http/web/pages/account/browser-words.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox 133 on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox 133 on Windows'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'Firefox 133 on Android'],
  [`${IPHONE} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`, 'Firefox 133 on iPhone'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome 142 on Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome 142 on ChromeOS'],
  [`${IPHONE} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`, 'Chrome 142 on iPhone'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/142.0.0.0 Safari/537.36`, 'Chrome 142 on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge 142 on Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera 120 on Linux'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet 28 on Android',
  ],
  [`${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (FreeBSD; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox 133'],
  ['curl/8.5.0', 'curl 8.5'],
  ['Wget/1.21.4', 'Wget 1.21'],
])('%s is %s', (userAgent, words) => {
  expect(browserWords(userAgent)).toBe(words)
})

test('what has no words is itself, cut, on one line', () => {
  expect(browserWords('lynx/2.9')).toBe('lynx/2.9')
  expect(browserWords('Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101')).toBe(
    'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101',
  )
  expect(browserWords('x'.repeat(200))).toBe(`${'x'.repeat(59)}…`)
  expect(browserWords('a\n b\u202e\u0000')).toBe('a b')
  expect(browserWords('javascript:alert(1) Firefox/133')).toBe('javascript:alert(1) Firefox/133')
})

test('a version that is no number is not repeated', () => {
  expect(browserWords('Mozilla/5.0 (Linux) Firefox/<script>')).toBe('Mozilla/5.0 (Linux) Firefox/<script>')
  expect(browserWords('curl/<b>')).toBe('curl/<b>')
})

test('no user agent is unknown', () => {
  expect([browserWords(''), browserWords(' \t')]).toEqual(['unknown', 'unknown'])
})
