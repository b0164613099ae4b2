/** Bodies of API requests as text, since many kinds of invalid JSON cannot be expressed as a value. */
import fc, { type Arbitrary } from 'fast-check'
import { hostileText } from './generated-request.ts'
import { utf8 } from './template.ts'

const number = fc.oneof(fc.integer({ min: 60, max: 31_536_000 }).map(String), fc.constantFrom('60', '31536000', '3600'))
const oddNumber = fc.constantFrom(
  ...['59', '31536001', '0', '-0', '-1', '60.0', '6e1', '60.5', '1e999', '-1e999', '5e324', '1e-400'],
  ...[
    '9007199254740993',
    '9223372036854775808',
    '1'.repeat(400),
    '060',
    '+60',
    '.5',
    '0x60',
    'NaN',
    'Infinity',
    '1_000',
  ],
)
const flag = fc.constantFrom('true', 'false')
const text = (arbitrary: Arbitrary<string>) => arbitrary.map((value) => JSON.stringify(value))
const keywords = text(
  fc.oneof(fc.constantFrom('', 'OK', 'done,OK', 'FAILED', 'é', ',,,', '{{long:200}}', '{{long:201}}'), hostileText),
)
const words = text(
  fc.oneof(fc.constantFrom('Backup', 'Nightly job', '{{long:100}}', '{{long:101}}', '{{wide:100}}'), hostileText),
)

/** Valid and almost valid values of each field. */
const FIELDS: Readonly<Record<string, Arbitrary<string>>> = {
  name: words,
  slug: text(fc.oneof(fc.stringMatching(/^[a-z0-9_-]{0,12}$/), fc.constantFrom('new-1', 'UPPER', 'a b', 'x\n', 'ｓ'))),
  tags: text(fc.oneof(fc.constantFrom('', 'prod', 'prod db', ' a  b ', 'prod prod', '{{long:501}}'), hostileText)),
  desc: words,
  timeout: fc.oneof(number, oddNumber),
  grace: fc.oneof(number, oddNumber),
  schedule: text(
    fc.oneof(
      fc.constantFrom('* * * * *', '*/5 0-6 1,15 * mon-fri', '0 0 31 2 *', '* * * * * *', '@daily', '*/0 * * * *'),
      fc.constantFrom(
        'Mon..Fri *-*-* 09:00',
        'hourly',
        '*-02-30',
        '*:0/15',
        '2020-01-01',
        '0-59/99999999999999999999 * * * *',
      ),
      hostileText,
    ),
  ),
  tz: text(
    fc.oneof(
      fc.constantFrom('UTC', 'Europe/Riga', 'America/New_York', 'Pacific/Apia', 'europe/riga', 'Mars/Base', '+02:00'),
      hostileText,
    ),
  ),
  manual_resume: flag,
  methods: fc.constantFrom('""', '"POST"', '"GET"', '"post"'),
  start_kw: keywords,
  success_kw: keywords,
  failure_kw: keywords,
  subject: keywords,
  subject_fail: keywords,
  filter_subject: flag,
  filter_body: flag,
  filter_http_body: flag,
  filter_default_fail: flag,
  channels: text(
    fc.oneof(
      fc.constantFrom('*', '', '{{channel:0}}', '{{channel:1}}', '{{channel:0}},{{channel:1}}', '{{channel:0}},', ','),
      fc.constantFrom('{{channel:0}},{{channel:0}}', 'Hook', '{{strangerchannel}}', '*,*', '{{project}}'),
      hostileText,
    ),
  ),
  unique: fc
    .array(fc.constantFrom('"name"', '"slug"', '"tags"', '"timeout"', '"grace"', '"uuid"', 'null', '1'), {
      maxLength: 4,
    })
    .map((items) => `[${items.join(',')}]`),
}

/** Values of the wrong type for any field. */
const anyValue: Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('null', '{}', '[]', '[null]', '{"__proto__":{"x":1}}', '{"toString":1,"valueOf":1}', '{"length":32}'),
  fc.constantFrom(
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\x"',
    '"open',
    "'x'",
    'undefined',
    ',',
    '"\n"',
    '""""',
  ),
  fc.constantFrom('{{deep:500}}', '{{deep:20000}}', '"{{long:5000}}"', '"{{long:100000}}"', '"{{wide:5000}}"'),
  text(hostileText),
  oddNumber,
)

const member: Arbitrary<string> = fc.oneof(
  ...Object.entries(FIELDS).map(([name, value]) => ({
    weight: 8,
    arbitrary: value.map((json) => `"${name}":${json}`),
  })),
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constantFrom(...Object.keys(FIELDS)), anyValue).map(([name, json]) => `"${name}":${json}`),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.oneof(hostileText, fc.constantFrom('uuid', 'status', 'n_pings', '__proto__', 'ping_url')), anyValue)
      .map(([name, json]) => `${JSON.stringify(name)}:${json}`),
  },
)

/** @param key `api_key` among the others, or '' */
function objectText(key: string): Arbitrary<string> {
  const keyMember = key === '' ? [] : [`"api_key":"${key}"`]
  return fc.array(member, { maxLength: 5 }).map((members) => `{${[...keyMember, ...members].join(',')}}`)
}

type Corrupt = (text: string) => string

const utf16 = (json: string) => Buffer.from(json, 'utf16le').toString('latin1')

const CORRUPTIONS: readonly Corrupt[] = [
  (json) => `\xef\xbb\xbf${utf8(json)}`,
  utf16,
  (json) => `\xff\xfe${utf16(json)}`,
  (json) => utf8(json).slice(0, -1),
  (json) => utf8(json) + utf8(json),
  (json) => `${utf8(json)}\0`,
  (json) => `${utf8(json)}//`,
  (json) => `[${utf8(json)}]`,
  (json) => `\x1f\x8b\x08${utf8(json)}`,
  (json) => utf8(json).replace('"', '\xff'),
  (json) => utf8(json).replace('{', '{\xc0\x80'),
  (json) => ` \n\t${utf8(json)}\r\n `,
]

/** @param key sent as `api_key` in the body; '' for none */
export function jsonBody(key: string): Arbitrary<string> {
  const object = objectText(key)
  return fc.oneof(
    { weight: 20, arbitrary: object.map(utf8) },
    { weight: 2, arbitrary: fc.tuple(object, fc.constantFrom(...CORRUPTIONS)).map(([json, corrupt]) => corrupt(json)) },
    { weight: 1, arbitrary: anyValue.map(utf8) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
    { weight: 1, arbitrary: fc.constantFrom('', 'null', '{}', 'name=x&timeout=60', '{{deep:100000}}') },
  )
}
