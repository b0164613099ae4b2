/** Hostile email messages. Each number always gives the same one. */
import { SeededRandom } from '../../test/support/seeded-random.ts'

const CRLF = '\r\n'

/** @param seed a whole number. @returns bytes as characters */
export function hostileMessage(seed: number): string {
  const random = new SeededRandom(seed)
  const headers = Array.from({ length: random.integer(6) }, () => random.pick(HEADERS)(random))
  return [...headers, random.pick(['', 'no header at all', ' folded nothing']), random.pick(BODIES)(random)].join(
    random.pick([CRLF, CRLF, '\n', '\r']),
  )
}

/** Large messages by name. Each is slow to parse for another reason. */
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

type Make = (random: SeededRandom) => string

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
  (random) =>
    `Subject: =?${random.pick(CHARSETS)}?${random.pick(['q', 'b', 'x', ''])}?${random.text(80)}${random.pick(['?=', '?', '', '='])}`,
  (random) => `Subject: ${'=?utf-8?q?=C3?= '.repeat(random.size(2_000))}`,
  (random) => `Subject: ${random.text(300)}`,
  (random) =>
    `Content-Type: text/${random.pick(['plain', 'html', 'x', ''])}; charset=${random.pick(CHARSETS)}; format=flowed; delsp=yes`,
  (random) =>
    `Content-Type: multipart/${random.pick(['mixed', 'alternative', 'related', '', '\0'])}; boundary=${random.pick(['b', '"b', '', '""', '-', 'x'.repeat(1_000)])}`,
  (random) =>
    `Content-Type: ${random.pick(['message/rfc822', 'message/partial', ';;;=', '/', 'text', 'a/b/c; ='.repeat(random.size(3_000))])}`,
  (random) => `Content-Transfer-Encoding: ${random.pick(ENCODINGS)}`,
  (random) =>
    `Content-Type: text/plain; ${Array.from({ length: random.size(300) }, (_, n) => `charset*${n}*=%${random.text(2)}`).join(';')}`,
  (random) => `To: ${'"a(<@,\\'.repeat(random.size(2_000))}`,
  (random) => `X-Long: ${'y'.repeat(random.size(200_000))}`,
  (random) => Array.from({ length: random.size(2_000) }, (_, n) => `X-${n}: ${'('.repeat(20)}`).join(CRLF),
  (random) => `${random.text(200)}`,
  (random) => `Date: ${random.text(30)}${CRLF} ${CRLF}\t${CRLF}Message-ID: <<>>`,
]

const BODIES: readonly Make[] = [
  () => '',
  (random) => random.text(1_000),
  (random) => `${random.pick(['--b', '--b--', '--', '-- b', '--b \t'])}${CRLF}${CRLF}`.repeat(random.size(500)),
  (random) =>
    `--b${CRLF}${random.pick(HEADERS)(random)}${CRLF}${CRLF}${random.text(500)}${CRLF}`.repeat(random.integer(20)),
  (random) => nested(random.size(400)),
  (random) => `--b${CRLF}Content-Type: message/rfc822${CRLF}${CRLF}`.repeat(random.size(200)),
  (random) => `--b${CRLF}Content-Type: text/html${CRLF}${CRLF}${hostileHtml(random)}`,
  (random) => hostileHtml(random),
  (random) => '=\r\n=4=\r\n==\r\n=C3'.repeat(random.size(2_000)),
  (random) => `${'Q'.repeat(random.integer(77))}!§=\r\n`.repeat(random.size(500)),
  (random) => `.${CRLF}..${CRLF}.\n.\r`.repeat(random.size(300)),
  (random) => 'x'.repeat(random.size(600_000)),
  (random) => '\0\xff\xfe'.repeat(random.size(10_000)),
  (random) => '\n'.repeat(random.size(50_000)),
]

function nested(depth: number): string {
  const levels = Array.from(
    { length: depth },
    (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
  )
  return `--b\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${levels.join('')}deep\r\n`
}

function hostileHtml(random: SeededRandom): string {
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
  return Array.from({ length: random.size(3_000) }, () => random.pick(pieces)).join('')
}
