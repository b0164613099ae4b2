/** `webhook`: whole requests as sent, each placeholder in each place, and hostile names. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Advice } from '../../src/domain/advice/advice.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { representCheck } from '../../src/domain/check/representation.ts'
import { firstProblem, type Problem } from '../../src/domain/schema.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { webhook } from '../../src/transports/webhook.ts'
import { aCheck, aFlip, anAlert, aPing, at, bytes, CHECK_ID, LINKS, RID_A } from '../support/builders.ts'
import { downAlert, hostileAlert, messageOf, upAlert, wanted } from './support.ts'

const SETTINGS = {
  method_down: 'POST',
  url_down: 'https://hooks.test/down',
  body_down: '',
  headers_down: {},
  method_up: 'GET',
  url_up: 'https://hooks.test/up',
  body_up: '',
  headers_up: {},
} as const

const render = (settings: Partial<Record<keyof typeof SETTINGS, unknown>>, alert: Alert = anAlert()) =>
  webhook.render(alert, { ...SETTINGS, ...settings })

async function sent(request: Request) {
  const { method, url } = request
  return { method, url, headers: Object.fromEntries(request.headers), body: await request.text() }
}

/** `template` rendered in a body, a header and the path of a URL. */
const inBody = (template: string, alert?: Alert) => render({ body_down: template }, alert).text()
const inHeader = (template: string, alert?: Alert) =>
  render({ headers_down: { 'X-Test': template } }, alert).headers.get('x-test')
const inUrl = (template: string, alert?: Alert) =>
  render({ url_down: `https://hooks.test/${template}` }, alert).url.slice('https://hooks.test/'.length)

/** Advice that quotes the output of a program. */
const ADVICE: Advice = {
  kind: 'hollow',
  variant: 'error-line',
  says: ['The last said ', { quote: 'a"b\nc' }, '.'],
  fix: { do: 'text', text: 'exit-status' },
  otherFixes: [],
}

const named = (name: string, given: Partial<Check> = {}) =>
  anAlert({ check: aCheck({ status: 'down', name, ...given }) })
const up = (given: Partial<Alert> = {}) =>
  anAlert({
    check: aCheck({ status: 'up' }),
    flip: aFlip({ oldStatus: 'down', newStatus: 'up', reason: '' }),
    ...given,
  })

describe('the request', () => {
  const settings = {
    method_down: 'POST',
    url_down: 'https://hooks.test/down?check=$NAME',
    body_down: '{"text": $NAME_JSON, "tag": "$TAG1", "said": $BODY_JSON}',
    headers_down: { 'Content-Type': 'application/json', 'X-Status': '$STATUS' },
    method_up: 'PUT',
    url_up: 'http://hooks.test:8080/$CODE/$STATUS',
    body_up: '$NAME is $STATUS since $NOW',
    headers_up: { Authorization: 'Bearer abc' },
  }
  const check = aCheck({ status: 'down', name: 'Nightly "backup"', tags: 'prod db' })

  test('of a check that went down', async () => {
    const lastPing = aPing({ kind: 'fail', exitStatus: 1, rid: RID_A, body: bytes('disk full\n') })
    expect(await sent(render(settings, anAlert({ check, lastPing })))).toEqual({
      method: 'POST',
      url: 'https://hooks.test/down?check=Nightly%20%22backup%22',
      headers: { 'content-type': 'application/json', 'x-status': 'down' },
      body: '{"text": "Nightly \\"backup\\"", "tag": "prod", "said": "disk full\\n"}',
    })
  })

  test('of a check that recovered', async () => {
    expect(await sent(render(settings, up({ check: { ...check, status: 'up' } })))).toEqual({
      method: 'PUT',
      url: `http://hooks.test:8080/${CHECK_ID}/up`,
      headers: { authorization: 'Bearer abc' },
      body: 'Nightly "backup" is up since 2026-03-04T12:00:00+00:00',
    })
  })

  test('with GET has no body, whatever the settings say', async () => {
    const request = render({ method_down: 'GET', body_down: 'text' })
    expect(request.body).toBeNull()
    expect(await sent(request)).toEqual({ method: 'GET', url: 'https://hooks.test/down', headers: {}, body: '' })
  })

  test('adds no header of its own, even with a body', () => {
    expect([...render({ body_down: 'text' }).headers]).toEqual([])
  })

  test('does not follow redirects by itself, because the sender checks each hop', () => {
    expect(render({}).redirect).toBe('manual')
  })
})

describe('placeholders', () => {
  const check = aCheck({ status: 'down', name: 'A/b c', slug: 'a-b', tags: ' one  two:2 three ' })
  const lastPing = aPing({ exitStatus: 7, body: bytes('out "put"') })
  const alert = anAlert({ check, lastPing, flip: aFlip({ createdAt: at('12:34:56.789') }), advice: ADVICE })
  const json = JSON.stringify(
    representCheck(
      { check, channelIds: alert.channelIds },
      { version: 3, right: 'write', links: LINKS, now: alert.now },
    ),
  )

  test.each([
    ['$CODE', CHECK_ID, CHECK_ID],
    ['$STATUS', 'down', 'down'],
    ['$NOW', '2026-03-04T12:34:56+00:00', '2026-03-04T12%3A34%3A56%2B00%3A00'],
    ['$NAME_JSON', '"A/b c"', '%22A/b%20c%22'],
    ['$NAME', 'A/b c', 'A/b%20c'],
    ['$SLUG', 'a-b', 'a-b'],
    ['$TAGS', 'one  two:2 three', '%20one%20%20two%3A2%20three%20'],
    ['$TAG1', 'one', 'one'],
    ['$TAG2', 'two:2', 'two%3A2'],
    ['$TAG3', 'three', 'three'],
    ['$EXITSTATUS', '7', '7'],
    ['$JSON', json, encodeURIComponent(json).replaceAll('%2F', '/').replaceAll('*', '%2A')],
  ])('%s', async (template, text, encoded) => {
    expect(await inBody(`<${template}>`, alert)).toBe(`<${template === '$TAGS' ? check.tags : text}>`)
    expect(inHeader(template, alert)).toBe(text)
    expect(inUrl(`?x=${template}`, alert)).toBe(`?x=${encoded}`)
  })

  test('$BODY and $BODY_JSON work only in bodies', async () => {
    expect(await inBody('$BODY|$BODY_JSON', alert)).toBe('out "put"|"out \\"put\\""')
    expect(inHeader('$BODY|$BODY_JSON', alert)).toBe('$BODY|$BODY_JSON')
    expect(inUrl('$BODY/$BODY_JSON', alert)).toBe('$BODY/$BODY_JSON')
  })

  test('$ADVICE says why such alerts come again and again, and is empty otherwise', async () => {
    expect(await inBody('<$ADVICE>', alert)).toBe('<The last said ‘a"b c’.>')
    expect(inHeader('$ADVICE', alert)).toBe('The last said &#8216;a"b c&#8217;.')
    expect(inUrl('?x=$ADVICE', alert)).toBe('?x=The%20last%20said%20%E2%80%98a%22b%20c%E2%80%99.')
    expect(await inBody('<$ADVICE>')).toBe('<>')
  })

  test('without a last ping the exit status is -1 and the body empty', async () => {
    expect(await inBody('$EXITSTATUS "$BODY" $BODY_JSON')).toBe('-1 "" ""')
    expect(inUrl('$EXITSTATUS')).toBe('-1')
    expect(await inBody('$EXITSTATUS', anAlert({ lastPing: aPing({ exitStatus: null }) }))).toBe('-1')
    expect(await inBody('$EXITSTATUS', anAlert({ lastPing: aPing({ exitStatus: 0 }) }))).toBe('0')
  })

  test.each([
    ['$TAG10 is the first tag and a 0', '$TAG10', 'one0'],
    ['a tag that is not there stays as it is written', '$TAG4 $TAG0', '$TAG4 $TAG0'],
    ['$$NAME is a dollar and the name', '$$NAME', '$A/b c'],
    ['unknown words stay', '$FOO $name $ $5 $', '$FOO $name $ $5 $'],
    ['a known word begins an unknown one', '$NAMES $CODEX $NAME_X', `A/b cS ${CHECK_ID}X A/b c_X`],
    ['the longer name wins where one begins with the other', '$NAME_JSON$TAGS', '"A/b c" one  two:2 three '],
    ['only one follows each dollar', '$NAMESTATUS', 'A/b cSTATUS'],
    ['text around them stays, line ends included', 'a\n$SLUG\r\n"b"', 'a\na-b\r\n"b"'],
  ])('%s', async (_, template, expected) => {
    expect(await inBody(template, alert)).toBe(expected)
  })

  test('an inserted value is not searched again', async () => {
    const tricky = anAlert({
      check: aCheck({ name: '$CODE $TAG1 $BODY $& $1', tags: '$NAME $STATUS' }),
      lastPing: aPing({ body: bytes('$NAME $BODY') }),
    })
    expect(await inBody('$NAME|$TAG1|$TAGS|$BODY', tricky)).toBe(
      '$CODE $TAG1 $BODY $& $1|$NAME|$NAME $STATUS|$NAME $BODY',
    )
    expect(await inBody('$NAME', named('$'))).toBe('$')
    expect(await inBody('$NAMECODE', named('$'))).toBe('$CODE')
    expect(inHeader('$TAG2', tricky)).toBe('$STATUS')
    expect(inUrl('$TAG1', tricky)).toBe('%24NAME')
  })

  test('$NAME of an unnamed check is empty', async () => {
    expect(await inBody('<$NAME>$NAME_JSON')).toBe('<>""')
  })

  test('names of headers are not filled', () => {
    expect(() => render({ headers_down: { '$NAME: x': '1' } })).toThrow()
    expect([...render({ headers_down: { 'X-$STATUS': '1' } }).headers.keys()]).toEqual(['x-$status'])
  })
})

describe('hostile values', () => {
  test.each([
    ['quotes', `"'\`\\`, '%22%27%60%5C'],
    ['HTML', '<script>alert(1)</script>', '%3Cscript%3Ealert%281%29%3C/script%3E'],
    ['signs of URLs', '?a=b&c=d#e%20;:@!*()', '%3Fa%3Db%26c%3Dd%23e%2520%3B%3A%40%21%2A%28%29'],
    ['line ends', 'a\r\nb', 'a%0D%0Ab'],
    ['what stays plain', 'aZ09_.-~/', 'aZ09_.-~/'],
    ['emoji', '💥é', '%F0%9F%92%A5%C3%A9'],
    ['half of an emoji', 'a\ud83d', 'a%EF%BF%BD'],
    ['NUL', 'a\u0000b', 'a%00b'],
  ])('%s in a name stay in their place in a URL', (_, name, encoded) => {
    expect(inUrl('?x=$NAME&y=1', named(name))).toBe(`?x=${encoded}&y=1`)
  })

  test('a name cannot end a JSON string', async () => {
    const name = '","status":"up\n\u2028\ud800'
    const body = await inBody('{"name": $NAME_JSON, "check": $JSON}', named(name))
    expect(JSON.parse(body)).toMatchObject({ name, check: { name, status: 'down' } })
  })

  test('a line end in a name does not start a header', () => {
    const { headers } = render({ headers_down: { 'X-Name': '$NAME' } }, named('a\r\nX-Evil: 1\n\u0000b'))
    expect([...headers]).toEqual([['x-name', 'a  X-Evil: 1  b']])
  })

  test('JSON in a header is still JSON, in ASCII', () => {
    const headers_down = { 'X-Name': '$NAME_JSON', 'X-Check': '$JSON' }
    const { headers } = render({ headers_down }, named('🎉 é "x" \u202e\u007f'))
    expect(headers.get('x-name')).toBe('"\\ud83c\\udf89 \\u00e9 \\"x\\" \\u202e\\u007f"')
    expect(JSON.parse(headers.get('x-check') ?? '')).toMatchObject({ name: '🎉 é "x" \u202e\u007f' })
  })

  test('characters outside Latin-1 become references in a header', () => {
    expect(inHeader('[$NAME]', named('é 💥 € \ud83d'))).toBe('[é &#128165; &#8364; &#55357;]')
  })

  test('no value can add a header or change a URL', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 40 }))
    const property = fc.property(texts, texts, fc.uint8Array({ maxLength: 40 }), (name, tags, body) => {
      const alert = anAlert({ check: aCheck({ name, tags }), lastPing: aPing({ body }) })
      const everything = '[$NAME|$NAME_JSON|$TAGS|$TAG1|$JSON|$BODY]'
      const { headers, url } = render(
        { url_down: `https://hooks.test/?x=${everything}&y=1`, headers_down: { a: everything } },
        alert,
      )
      expect([...headers.keys()]).toEqual(['a'])
      expect(headers.get('a')).toMatch(/^\[[\x20-\x7e\x80-\xff]*\]$/)
      expect([...new URL(url).searchParams.keys()]).toEqual(['x', 'y'])
      expect(new URL(url)).toMatchObject({ host: 'hooks.test', pathname: '/', hash: '' })
      expect(decodeURIComponent(new URL(url).search)).toStartWith(`?x=[${name.toWellFormed()}|`)
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('a body of 10 kB arrives whole, and invalid UTF-8 as replacement characters', async () => {
    const long = 'é$NAME"\n'.repeat(1100)
    const said = (body: Uint8Array) => anAlert({ lastPing: aPing({ body }) })
    expect(await inBody('$BODY', said(bytes(long)))).toBe(long)
    expect(JSON.parse(await inBody('$BODY_JSON', said(bytes(long))))).toBe(long)
    expect(await inBody('<$BODY>', said(new Uint8Array([0x61, 0xff, 0xc3])))).toBe('<a\ufffd\ufffd>')
  })
})

test('a body is cut at 256 KiB, between two characters', async () => {
  const said = (text: string) => anAlert({ lastPing: aPing({ body: bytes(text) }) })
  const [limit, long] = [262_144, 'é'.repeat(131_071)]
  expect(await inBody('$BODY', said('x'.repeat(limit)))).toBe('x'.repeat(limit))
  expect(await inBody('$BODY', said('x'.repeat(limit + 1)))).toBe('x'.repeat(limit))
  expect(await inBody('$BODY', said(`x${long}é`))).toBe(`x${long}`)
  expect(JSON.parse(await inBody('$BODY_JSON', said(`x${long}é`)))).toBe(`x${long}`)
})

describe('with a URL alone', () => {
  const URL_ALONE = { url: 'https://hooks.test/in' }

  test('a JSON POST says that a check went down, and why', async () => {
    const alert = downAlert()
    const { body, ...request } = await messageOf(webhook, URL_ALONE, alert)
    expect(request).toEqual({
      method: 'POST',
      url: 'https://hooks.test/in',
      headers: { 'content-type': 'application/json' },
    })
    const view = { version: 3, right: 'read', links: LINKS, now: alert.now } as const
    expect(JSON.parse(body)).toEqual({
      event: 'down',
      id: alert.delivery.id,
      time: '2026-03-04T12:00:00+00:00',
      project: 'Home lab',
      message: 'Nightly backup is down: success signal did not arrive on time, grace time passed',
      sentence: 'No ping since 09:00 UTC. Due 11:00, one hour of grace ended 12:00.',
      advice: null,
      link: alert.message.link,
      reason: 'timeout',
      downtime: null,
      exitstatus: null,
      check: representCheck({ check: alert.check, channelIds: [] }, view),
    })
  })

  test('a JSON POST has advice about an alert that comes again and again', async () => {
    const { body } = await messageOf(webhook, URL_ALONE, downAlert({ advice: ADVICE }))
    expect(JSON.parse(body)).toMatchObject({
      sentence: 'No ping since 09:00 UTC. Due 11:00, one hour of grace ended 12:00.',
      advice: 'The last said ‘a"b c’.',
    })
  })

  test('a JSON POST says that a check is up again, and how long it was down', async () => {
    const { method, body } = await messageOf(webhook, URL_ALONE, upAlert())
    expect(method).toBe('POST')
    expect(JSON.parse(body)).toMatchObject({
      event: 'up',
      message: 'Nightly backup is up after 1 h 30 min',
      sentence: 'Up again after 1 h 30 min. Next ping due at 14:00 UTC.',
      reason: null,
      downtime: 5400,
      check: { name: 'Nightly backup', status: 'up' },
    })
  })

  test('times have the offset of the project, in the message and in requests of your own', async () => {
    const inZone = { projectTz: 'Asia/Kolkata' }
    const message = JSON.parse((await messageOf(webhook, URL_ALONE, upAlert(inZone))).body)
    expect(message.time).toBe('2026-03-04T17:30:00+05:30')
    expect(message.sentence).toBe('Up again after 1 h 30 min. Next ping due at 19:30 (Asia/Kolkata).')
    expect(inUrl('$NOW', anAlert(inZone))).toBe('2026-03-04T17%3A30%3A00%2B05%3A30')
    expect(inUrl('$NOW', anAlert({ projectTz: 'Nowhere/City' }))).toBe('2026-03-04T12%3A00%3A00%2B00%3A00')
  })

  test('a failure has the exit status, and nothing of the body', async () => {
    const lastPing = aPing({ kind: 'fail', exitStatus: 3, body: bytes('token=abc') })
    const { body } = await messageOf(webhook, URL_ALONE, downAlert({ flip: aFlip({ reason: 'fail' }), lastPing }))
    expect(JSON.parse(body)).toMatchObject({ reason: 'fail', exitstatus: 3, sentence: 'Failed: exit status 3.' })
    expect(body).not.toContain('token=abc')
  })

  test('it has neither the UUID nor the ping URL, even without a name', async () => {
    const { body } = await messageOf(webhook, URL_ALONE, anAlert({ check: aCheck({ name: '' }) }))
    expect(body).not.toContain(CHECK_ID)
    expect(body).not.toContain('ping_url')
    expect(JSON.parse(body).message).toStartWith('A check without a name is down: ')
  })

  test('both statuses are wanted', () => {
    expect(wanted(webhook, URL_ALONE)).toEqual(['down', 'up'])
  })

  test('hostile text arrives unchanged', async () => {
    const alert = hostileAlert()
    const { body } = await messageOf(webhook, URL_ALONE, alert)
    expect(JSON.parse(body).check).toMatchObject({ name: alert.check.name, tags: alert.check.tags })
  })
})

describe('a missing field', () => {
  const sentBy = (settings: object, alert: Alert = downAlert()) => messageOf(webhook, settings, alert)

  test('uses the common URL, which the URL of a status overrides', async () => {
    const settings = { url: 'https://hooks.test/both', url_down: 'https://hooks.test/down' }
    expect((await sentBy(settings)).url).toBe('https://hooks.test/down')
    expect((await sentBy(settings, upAlert())).url).toBe('https://hooks.test/both')
    expect(wanted(webhook, { ...settings, url_down: '' })).toEqual(['up'])
  })

  test('means POST as the method, and no headers', async () => {
    const settings = { url: 'https://hooks.test/', body_down: '$STATUS' }
    expect(await sentBy(settings)).toEqual({ method: 'POST', url: 'https://hooks.test/', headers: {}, body: 'down' })
  })

  test('means the JSON message as the body, also with the user’s headers and with PUT', async () => {
    const headers_down = { Authorization: 'Bearer abc', 'Content-Type': 'application/vnd.ops+json' }
    const { method, headers, body } = await sentBy({ url: 'https://hooks.test/', method_down: 'PUT', headers_down })
    expect({ method, headers }).toEqual({
      method: 'PUT',
      headers: { authorization: 'Bearer abc', 'content-type': 'application/vnd.ops+json' },
    })
    expect(JSON.parse(body).event).toBe('down')
  })

  test('means no body with GET, like an empty body', async () => {
    const get = await sentBy({ url: 'https://hooks.test/', method_down: 'GET' })
    expect([get.body, get.headers]).toEqual(['', {}])
    const empty = await sentBy({ url: 'https://hooks.test/', body_down: '' })
    expect([empty.body, empty.headers]).toEqual(['', {}])
  })
})

const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 'a']))

describe('the settings', () => {
  test('want nothing for a status whose URL is empty', () => {
    const onlyUp = { ...SETTINGS, url_down: '' }
    expect([webhook.wants(onlyUp, { newStatus: 'down' }), webhook.wants(onlyUp, { newStatus: 'up' })]).toEqual([
      false,
      true,
    ])
    const onlyDown = { ...SETTINGS, url_up: '' }
    expect([webhook.wants(onlyDown, { newStatus: 'down' }), webhook.wants(onlyDown, { newStatus: 'up' })]).toEqual([
      true,
      false,
    ])
  })

  test.each<[string, object, Problem | null]>([
    ['may be all there and nothing more', {}, null],
    ['may have an empty URL and headers of any name', { url_down: '', headers_up: { a: 'b' } }, null],
    ['may name no other scheme', { url_up: 'file:///etc/passwd' }, { path: '/url_up', violation: 'mismatch' }],
    ['may not hide a URL', { url_up: 'x\nhttps://hooks.test' }, { path: '/url_up', violation: 'mismatch' }],
    [
      'may not have a URL of 1001 characters',
      { url_up: `https://${'a'.repeat(993)}` },
      { path: '/url_up', violation: 'too long' },
    ],
    [
      'may not have a body of 1001 characters',
      { body_up: 'a'.repeat(1001) },
      { path: '/body_up', violation: 'too long' },
    ],
    ['may have a body of 1000 emoji', { body_up: '💥'.repeat(1000) }, null],
    ['may name no other method', { method_down: 'DELETE' }, { path: '/method_down', violation: 'unexpected' }],
    [
      'may have texts as headers only',
      { headers_down: { a: 1 } },
      { path: '/headers_down/a', violation: 'not a string' },
    ],
    ['may have 100 headers', { headers_down: headers(100) }, null],
    ['may not have more', { headers_down: headers(101) }, { path: '/headers_down', violation: 'too long' }],
    ['may not have headers as a list', { headers_down: ['a'] }, { path: '/headers_down', violation: 'not an object' }],
    [
      'may leave everything out but the URLs',
      { method_up: undefined, body_up: undefined, headers_up: undefined },
      null,
    ],
    ['may not have an empty url', { url: '' }, { path: '/url', violation: 'mismatch' }],
    ['may not misspell a field', { body_dwn: 'x' }, { path: '/body_dwn', violation: 'unknown' }],
  ])('%s', (_, given, problem) => {
    expect(firstProblem(webhook.settings, { ...SETTINGS, ...given })).toEqual(problem)
  })
})

describe('a webhook that was stored with a placeholder in the server', () => {
  const hidden = { Authorization: 'Bearer hidden', 'X-Key': 'hidden', Accept: 'text/plain' }
  const secret = `whsec_${'A'.repeat(32)}`
  const namesOf = ({ headers }: Request) => [...headers.keys()].filter((name) => name !== 'content-type').toSorted()
  const request = (url: string, name: string, headers: object = hidden) =>
    webhook.render(named(name), { url, headers_down: headers, secret })

  test.each([
    ['https://evil.example$NAME@hooks.example.org/', '/'],
    ['https://$NAME.example.org/', 'evil.example/'],
    ['https://hooks.example.org:$NAME/', '8443'],
    ['https://hooks.example.org$NAME', '.evil.example/'],
  ])('sends to %s what nobody hides, and no signature', (url, name) => {
    expect(namesOf(request(url, name))).toEqual(['accept'])
  })

  test('or in a Host header, too', () => {
    const { headers } = request('https://hooks.example.org/', 'evil.example', { ...hidden, Host: '$NAME' })
    expect([headers.get('host'), headers.get('authorization')]).toEqual(['evil.example', null])
  })

  test.each([
    'https://hooks.example.org/$NAME',
    'https://hooks.example.org?at=$NAME@evil.example',
    'https://user:pass@hooks.example.org/$NAME',
    'https://user$NAME@hooks.example.org/',
  ])('sends everything to %s, which is the server of the template', (url) => {
    expect(namesOf(request(url, 'a b'))).toContain('authorization')
    expect(namesOf(request(url, 'a b'))).toContain('webhook-signature')
  })
})
