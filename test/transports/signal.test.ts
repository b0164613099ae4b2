/** `signal`: whole calls, the places of their styles, settings, and the meaning of signal-cli's answers. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import { signal } from '../../src/transports/signal.ts'
import { type Alert, MissingSetting } from '../../src/transports/transport.ts'
import { aCheck, NOON } from '../support/builders.ts'
import { CAME_UP, HOSTILE_BODY, HOSTILE_LINE, HOSTILE_LINES, LINK, WENT_DOWN } from './parsed.ts'
import { downAlert, hostileAlert, RUNBOOK, rendered, saying, upAlert, wanted, words } from './support.ts'

const operator = { SIGNAL_CLI_SOCKET: '/run/signal-cli.socket' }
const SETTINGS = { value: '+37120000000', down: true, up: true }

const call = (alert: Alert, settings: object = SETTINGS) => rendered(signal, settings, { ...alert, operator })

/** Returns the text of a message with its styles as marks: `*bold*`, `|monospace|`. */
function marked({ params }: ReturnType<typeof call>): string {
  const { message, textStyle } = params as { message: string; textStyle: string[] }
  return textStyle.toReversed().reduce((text, style) => {
    const [start = 0, length = 0] = style.split(':').map(Number)
    const mark = style.endsWith(':BOLD') ? '*' : style.endsWith(':MONOSPACE') ? '|' : '?'
    return text.slice(0, start) + mark + text.slice(start, start + length) + mark + text.slice(start + length)
  }, message)
}

const FACTS = `*Project:* Home lab
*Tags:* prod, db
*Period:* 2 hours
*Total Pings:* 12
*Last Ping:* Success, 3 hours ago
*Full details:* ${LINK}
*Last Ping Body:*
|42 files|`

describe('the message', () => {
  test("is a call of `send` on the operator's socket, named by the delivery", () => {
    const alert = downAlert({ check: aCheck({ status: 'down', name: 'A' }), lastPing: null, projectName: '' })
    const lines = ['🔴 A is DOWN.', 'No ping yet.', 'Period: 1 day', 'Total Pings: 0', 'Last Ping: Never']
    expect(call(alert)).toEqual({
      socket: '/run/signal-cli.socket',
      id: alert.delivery.id,
      method: 'send',
      params: {
        recipient: ['+37120000000'],
        message: [...lines, `Full details: ${LINK}`].join('\n'),
        textStyle: ['3:1:BOLD', '8:4:BOLD', '27:7:BOLD', '41:12:BOLD', '56:10:BOLD', '73:13:BOLD'],
      },
    })
  })

  test('of a check that went down', () => {
    expect(marked(call(downAlert()))).toBe(`🔴 *Nightly backup* is *DOWN*.\n${WENT_DOWN}\nDatabase to tape\n${FACTS}`)
  })

  test('of a check that recovered', () => {
    expect(marked(call(upAlert()))).toBe(`🟢 *Nightly backup* is *UP*.\n${CAME_UP}\nDatabase to tape\n${FACTS}`)
  })

  test('has its styles in the right places, whatever names contain', () => {
    expect(marked(call(hostileAlert()))).toBe(`🔴 *${HOSTILE_LINE}* is *DOWN*.
${WENT_DOWN}
${HOSTILE_LINES}
Run book: ${RUNBOOK}, tell <!channel> and @all
*Project:* ${HOSTILE_LINE}
*Tags:* "a", <b>, 🎉, $NAME, @all
*Period:* 2 hours
*Total Pings:* 12
*Last Ping:* Success, 3 hours ago
*Last Ping Body:*
|${HOSTILE_BODY.slice(0, 999)}…|`)
  })

  test('has no style for a body without visible characters', () => {
    const { textStyle } = call(saying({ body: '\u0000' })).params as { textStyle: string[] }
    expect(textStyle.filter((style) => style.endsWith('MONOSPACE'))).toEqual([])
  })

  test('describes the other checks', () => {
    const othersDown = [
      { label: 'A\nB', value: 'last ping: never' },
      { label: 'C', value: 'last ping: 5 minutes ago' },
    ]
    expect(marked(call(saying({ others: 'The following checks are also down:', othersDown })))).toEndWith(
      '|42 files|\n\nThe following checks are also down:\n- A B (last ping: never)\n- C (last ping: 5 minutes ago)',
    )
    expect(marked(call(saying({ others: 'All the other checks are up.' })))).toEndWith(
      '|42 files|\n\nAll the other checks are up.',
    )
  })

  test("goes to a username in signal-cli's form", () => {
    expect(call(downAlert(), { ...SETTINGS, value: 'ops_team.042' }).params.recipient).toEqual(['u:ops_team.042'])
  })

  test("needs the operator's signal-cli", () => {
    expect(() => signal.render(downAlert(), SETTINGS)).toThrow(new MissingSetting('SIGNAL_CLI_SOCKET'))
  })
})

describe('the settings', () => {
  test('want what their flags say', () => {
    expect(wanted(signal, SETTINGS)).toEqual(['down', 'up'])
    expect(wanted(signal, { ...SETTINGS, up: false })).toEqual(['down'])
    expect(wanted(signal, { ...SETTINGS, down: false })).toEqual(['up'])
  })

  test.each(['+12345', '+123456789012345', 'abc.01', 'A_1.123456789', `a${'b'.repeat(31)}.99`])(
    'may name %s',
    (value) => {
      expect(firstProblem(signal.settings, { ...SETTINGS, value })).toBeNull()
    },
  )

  test.each([
    '',
    '12345',
    '+1234',
    '+1234567890123456',
    '+123 456',
    'abc',
    'ab.01',
    '1bc.01',
    'abc.1',
    'u:abc.01',
    '-a.01',
    'abc.01\n',
  ])('may not name %j', (value) => {
    expect(firstProblem(signal.settings, { ...SETTINGS, value })).toEqual({ path: '/value', violation: 'mismatch' })
  })

  test.each(['value', 'down', 'up'])('may not leave out %s', (name) => {
    const problem = { path: `/${name}`, violation: 'missing' } as const
    expect(firstProblem(signal.settings, { ...SETTINGS, [name]: undefined })).toEqual(problem)
  })
})

describe('an answer', () => {
  const judged = (answer: { result?: unknown; error?: unknown }) =>
    words(signal.judge({ kind: 'answered', ...answer }, NOON))
  const results = (...list: object[]) => ({ timestamp: 1, results: list })
  /** Judges signal-cli's answer when nobody got the message. */
  const nobodyGotIt = (result: object, code = -1) =>
    judged({ error: { code, message: 'Failed to send message', data: { response: results(result) } } })

  const CAPTCHA =
    'retry: Signal requires a captcha; the operator of this server must solve it (submitRateLimitChallenge)'
  const LIMITED = 'Signal limits the sending rate; if this lasts, the operator of this server must solve a captcha'

  test.each([
    ['a time only', { result: { timestamp: 999 } }],
    ['a success', { result: results({ type: 'SUCCESS' }) }],
    ['no results', { result: results() }],
    ['an error that is none', { result: { timestamp: 999 }, error: null }],
  ])('with %s: sent', (_, answer) => {
    expect(judged(answer)).toBe('sent')
  })

  test('that the recipient is not registered disables the channel', () => {
    expect([
      nobodyGotIt({ type: 'UNREGISTERED_FAILURE' }),
      judged({ result: results({ type: 'UNREGISTERED_FAILURE' }) }),
      judged({ error: { code: -1, message: 'Unregistered user "+37120000000"' } }),
    ]).toEqual(Array(3).fill('disable: Recipient not found'))
  })

  test('that the sender is not registered does not disable it', () => {
    expect(judged({ error: { code: -1, message: 'User +37129999999 is not registered.' } })).toBe(
      'retry: signal-cli call failed (-1)',
    )
  })

  test('that requires a captcha says who must solve it, and does not wait for a day', () => {
    expect([
      nobodyGotIt({ type: 'RATE_LIMIT_FAILURE', token: 'abc', retryAfterSeconds: 86_400 }, -5),
      nobodyGotIt({ type: 'NETWORK_FAILURE', token: 'abc', retryAfterSeconds: 86_400 }),
      judged({ error: { code: -1, message: 'CAPTCHA proof required for sending to "+37120000000"' } }),
    ]).toEqual(Array(3).fill(CAPTCHA))
  })

  test('about a rate limit waits for the given time', () => {
    expect(nobodyGotIt({ type: 'RATE_LIMIT_FAILURE', retryAfterSeconds: 90 }, -5)).toBe(`retry after 90 s: ${LIMITED}`)
    expect(nobodyGotIt({ type: 'RATE_LIMIT_FAILURE' })).toBe(`retry: ${LIMITED}`)
    expect(judged({ error: { code: -5, message: 'Failed to send message due to rate limiting' } })).toBe(
      `retry: ${LIMITED}`,
    )
  })

  test.each([
    ['NETWORK_FAILURE', { error: { code: -3, data: { response: results({ type: 'NETWORK_FAILURE' }) } } }],
    ['IDENTITY_FAILURE', { result: results({ type: 'SUCCESS' }, { type: 'IDENTITY_FAILURE' }) }],
    ['-32602', { error: { code: -32602, message: 'Method requires valid account parameter' } }],
    ['two lines', { error: { message: 'two\nlines' } }],
    [`${'x'.repeat(99)}…`, { error: { message: 'x'.repeat(1000) } }],
    ['no result', { error: 'broken' }],
    ['no result', { error: { message: 7 } }],
    ['no result', {}],
  ])('about another failure is shown in brackets: (%s)', (what, answer) => {
    expect(judged(answer)).toBe(`retry: signal-cli call failed (${what})`)
  })

  test('that does not come is retried', () => {
    const error = 'Could not reach signal-cli'
    expect(words(signal.judge({ kind: 'unreachable', error }, NOON))).toBe(`retry: ${error}`)
  })
})
