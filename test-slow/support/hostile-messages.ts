/** Messages that nobody means well with, one for each number, always the same. */
import { Dice } from './dice.ts'

const CRLF = '\r\n'

/** @param seed a whole number. @returns bytes, each a character */
export function hostileMessage(seed: number): string {
  const dice = new Dice(seed)
  const headers = Array.from({ length: dice.upTo(6) }, () => dice.one(HEADERS)(dice))
  return [...headers, dice.one(['', 'no header at all', ' folded nothing']), dice.one(BODIES)(dice)].join(
    dice.one([CRLF, CRLF, '\n', '\r']),
  )
}

/** By name, large messages each of which is slow to read in a way of its own. */
export function largeHostileMessages(): ReadonlyMap<string, string> {
  const messages = new Map<string, string>()
  for (const piece of SLOW_PIECES) {
    const text = piece.repeat(LARGE / piece.length)
    for (const kind of ['mixed', 'alternative']) {
      messages.set(`${piece} as HTML in ${kind}`, multipart(kind, ['plain', 'short'], ['html', text]))
      messages.set(`${piece} as plain text in ${kind}`, multipart(kind, ['html', 'short'], ['plain', text]))
    }
  }
  const part = '<a href="&<>"&#x1F600;'.repeat(10)
  const many = Array.from({ length: 5_000 }, (_, n) => [n % 2 ? 'html' : 'plain', part] as const)
  messages.set('many parts', multipart('mixed', ...many))
  messages.set('lines', `Subject: s${CRLF}${CRLF}${CRLF.repeat(LARGE / 2)}`)
  messages.set('dots', `Subject: s${CRLF}${CRLF}${`.${CRLF}`.repeat(LARGE / 3)}`)
  messages.set('padding', `Content-Transfer-Encoding: base64${CRLF}${CRLF}${'QQ=='.repeat(LARGE / 4)}`)
  return messages
}

const LARGE = 4 * 1024 * 1024
const SLOW_PIECES = ['<a href="', '<', '&<>"', '&#x1F600;', '<!--', '="', '<b><i>']

function multipart(kind: string, ...parts: readonly (readonly [type: string, text: string])[]): string {
  const written = parts.map(([type, text]) => `--b${CRLF}Content-Type: text/${type}${CRLF}${CRLF}${text}${CRLF}`)
  return `Subject: s${CRLF}Content-Type: multipart/${kind}; boundary=b${CRLF}${CRLF}${written.join('')}--b--${CRLF}`
}

type Make = (dice: Dice) => string

const CHARSETS = [
  'utf-8',
  'utf-16',
  'utf-7',
  'x-none',
  'iso-2022-jp',
  'Shift_JIS',
  '"',
  '\0',
  'x'.repeat(500),
  'constructor',
]
const ENCODINGS = ['base64', 'quoted-printable', '8bit', 'x-uuencode', '"base64', 'base64; base64', '\xff', '(']

const HEADERS: readonly Make[] = [
  (dice) =>
    `Subject: =?${dice.one(CHARSETS)}?${dice.one(['q', 'b', 'x', ''])}?${dice.noise(80)}${dice.one(['?=', '?', '', '='])}`,
  (dice) => `Subject: ${'=?utf-8?q?=C3?= '.repeat(dice.many(2_000))}`,
  (dice) => `Subject: ${dice.noise(300)}`,
  (dice) =>
    `Content-Type: text/${dice.one(['plain', 'html', 'x', ''])}; charset=${dice.one(CHARSETS)}; format=flowed; delsp=yes`,
  (dice) =>
    `Content-Type: multipart/${dice.one(['mixed', 'alternative', 'related', '', '\0'])}; boundary=${dice.one(['b', '"b', '', '""', '-', 'x'.repeat(1_000)])}`,
  (dice) =>
    `Content-Type: ${dice.one(['message/rfc822', 'message/partial', ';;;=', '/', 'text', 'a/b/c; ='.repeat(dice.many(3_000))])}`,
  (dice) => `Content-Transfer-Encoding: ${dice.one(ENCODINGS)}`,
  (dice) =>
    `Content-Type: text/plain; ${Array.from({ length: dice.many(300) }, (_, n) => `charset*${n}*=%${dice.noise(2)}`).join(';')}`,
  (dice) => `To: ${'"a(<@,\\'.repeat(dice.many(2_000))}`,
  (dice) => `X-Long: ${'y'.repeat(dice.many(200_000))}`,
  (dice) => Array.from({ length: dice.many(2_000) }, (_, n) => `X-${n}: ${'('.repeat(20)}`).join(CRLF),
  (dice) => `${dice.noise(200)}`,
  (dice) => `Date: ${dice.noise(30)}${CRLF} ${CRLF}\t${CRLF}Message-ID: <<>>`,
]

const BODIES: readonly Make[] = [
  () => '',
  (dice) => dice.noise(1_000),
  (dice) => `${dice.one(['--b', '--b--', '--', '-- b', '--b \t'])}${CRLF}${CRLF}`.repeat(dice.many(500)),
  (dice) => `--b${CRLF}${dice.one(HEADERS)(dice)}${CRLF}${CRLF}${dice.noise(500)}${CRLF}`.repeat(dice.upTo(20)),
  (dice) => nested(dice.many(400)),
  (dice) => `--b${CRLF}Content-Type: message/rfc822${CRLF}${CRLF}`.repeat(dice.many(200)),
  (dice) => `--b${CRLF}Content-Type: text/html${CRLF}${CRLF}${hostileHtml(dice)}`,
  (dice) => hostileHtml(dice),
  (dice) => '=\r\n=4=\r\n==\r\n=C3'.repeat(dice.many(2_000)),
  (dice) => `${'Q'.repeat(dice.upTo(77))}!§=\r\n`.repeat(dice.many(500)),
  (dice) => `.${CRLF}..${CRLF}.\n.\r`.repeat(dice.many(300)),
  (dice) => 'x'.repeat(dice.many(600_000)),
  (dice) => '\0\xff\xfe'.repeat(dice.many(10_000)),
  (dice) => '\n'.repeat(dice.many(50_000)),
]

function nested(depth: number): string {
  const levels = Array.from(
    { length: depth },
    (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
  )
  return `--b\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${levels.join('')}deep\r\n`
}

function hostileHtml(dice: Dice): string {
  const pieces = [
    '<a href="',
    '<',
    '</',
    '<script>',
    '<style',
    '<!--',
    '-->',
    "='",
    '&#xD800;',
    '&#1114112;',
    '&amp',
    '\0',
    '>',
    ' ',
  ]
  return Array.from({ length: dice.many(3_000) }, () => dice.one(pieces)).join('')
}
