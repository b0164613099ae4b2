/** Common properties of every kind of channel, with the exceptions: wanted flips, conclusions on answers, and parts that no message has. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import CHANNELS_DOC from '../../docs/channels.md' with { type: 'text' }
import SETTINGS_DOC from '../../docs/settings.md' with { type: 'text' }
import { wantsOnlyDown } from '../../src/transports/parts/status-flags.ts'
import type { Alert, Transport } from '../../src/transports/transport.ts'
import { aCheck, aFlip, anAlert, aPing, bytes, CHECK_ID } from '../support/builders.ts'
import { KINDS, messageOfKind, SETTINGS, textsOf, transportOf, WORDED_KINDS } from './kinds.ts'
import { downAlert, judgements, rendered, USUAL_JUDGEMENTS, upAlert, wanted } from './support.ts'

/** Returns the alert without a link, as in the test of a channel. */
function withoutPage(alert: Alert): Alert {
  return { ...alert, message: { ...alert.message, link: null } }
}

test.each(WORDED_KINDS)('a channel of kind %s wants the flips that it can tell', (kind) => {
  expect(wanted(transportOf(kind), SETTINGS[kind])).toEqual(
    transportOf(kind).wants === wantsOnlyDown ? ['down'] : ['down', 'up'],
  )
})

test('the kinds that tell acknowledgements are those of services that know them', () => {
  const told = KINDS.filter((kind) => transportOf(kind).acknowledgements)
  expect(told.toSorted()).toEqual(['opsgenie', 'pd', 'po', 'victorops'])
})

test.each(KINDS)('the settings of kind %s are described, so that a form can be made of them', (kind) => {
  expect(JSON.stringify(transportOf(kind).settings)).toMatch(/"(title|description)":/)
})

test.each(KINDS)('kind %s is explained to its users and to the operator', (kind) => {
  const { reads = [], offSwitch = [] } = transportOf(kind)
  const words = [kind, ...reads.map(({ name }) => name)]
  expect(words.filter((word) => !CHANNELS_DOC.includes(`\`${word}`))).toEqual([])
  expect([offSwitch].flat().filter((name) => !`${CHANNELS_DOC}${SETTINGS_DOC}`.includes(`\`${name}`))).toEqual([])
})

test.each(KINDS)('kind %s reads only those settings of the operator that it names', (kind) => {
  const { reads = [] } = transportOf(kind)
  const read = new Set<string>()
  const operator = new Proxy({} as Record<string, string>, {
    get: (_, name: string) => {
      read.add(name)
      return 'https://set.test'
    },
  })
  for (const alert of [downAlert(), upAlert()]) rendered(transportOf(kind), SETTINGS[kind], { ...alert, operator })
  expect(reads.map(({ name }) => name)).toEqual(expect.arrayContaining([...read]))
})

const OVER_HTTP = WORDED_KINDS.filter((kind) => transportOf(kind).carrier === 'http')

test.each(OVER_HTTP)('answers to kind %s are judged by their status, and only a refusal may be final', (kind) => {
  const judged = judgements(transportOf(kind) as Transport<'http'>)
  const usual = Object.entries(judged).map(([answer, conclusion]) => [
    answer,
    conclusion.replace(/^disable:/, 'retry:'),
  ])
  // Its own test has the whole table. Apprise answers 204 when it has no recipient.
  expect(Object.fromEntries(usual)).toEqual({
    ...USUAL_JUDGEMENTS,
    ...(kind === 'apprise' ? { 204: judged[204] } : {}),
  })
})

test.each(OVER_HTTP)(
  'a request of kind %s does not follow redirects by itself, because the sender checks each hop',
  (kind) => {
    expect(messageOfKind(kind, downAlert())).toMatchObject({ redirect: 'manual' })
  },
)

describe.each(WORDED_KINDS)('a message of kind %s', (kind) => {
  test.each([
    ['down', withoutPage(downAlert())],
    ['up', withoutPage(upAlert())],
  ])('about a check without a page has no link to one when it goes %s', async (_, alert) => {
    const texts = (await textsOf(kind, alert)).join('\n')
    expect(texts).not.toMatch(
      /cloaked|\/checks\/|href=""|\(\)|\bnull\b|undefined|[Ss]how the check|[Vv]iew |details:?\s*$/,
    )
  })

  test('does not reveal the ping secret of a check with a name', async () => {
    const check = { ...downAlert().check }
    for (const alert of [downAlert(), withoutPage(downAlert()), upAlert(), downAlert({ check })]) {
      expect((await textsOf(kind, alert)).join('\n')).not.toContain(CHECK_ID)
    }
  })

  test('has no control characters and no bidirectional controls in any text', async () => {
    const unseen = fc.constantFrom(
      '\u0000',
      '\u001b[31m',
      '\r\n',
      '\r',
      '\u007f',
      '\u009b',
      '\u061c',
      '\u200e',
      '\u200f',
    )
    const bidi = fc.constantFrom(
      '\u202a',
      '\u202b',
      '\u202c',
      '\u202d',
      '\u202e',
      '\u2066',
      '\u2067',
      '\u2068',
      '\u2069',
    )
    const text = fc.array(fc.oneof(unseen, bidi, fc.constantFrom('a', ' ', '\t', '*', '🎉', 'https://a.test')), {
      maxLength: 12,
    })
    const words = text.map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(words, words, words, words, words, async (name, desc, tags, projectName, body) => {
        const check = aCheck({ status: 'down', name, desc, tags })
        const siblings = { exist: true, downCount: 1, counts: null, down: [{ id: CHECK_ID, name, lastPingAt: null }] }
        const alert = anAlert({
          check,
          projectName,
          siblings,
          flip: aFlip({ reason: 'fail' }),
          lastPing: aPing({ kind: 'fail', body: bytes(body), remoteAddr: name }),
        })
        for (const shown of await textsOf(kind, alert)) {
          expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
        }
      }),
      { numRuns: 30 },
    )
  })
})

/** Kinds whose messages have the body of the last ping, in forms that can hold any text. */
const WITH_OUTPUT = [
  'discord',
  'email',
  'github',
  'googlechat',
  'gotify',
  'matrix',
  'mattermost',
  'msteamsw',
  'signal',
  'slack',
  'telegram',
  'zulip',
] as const

test.each(WITH_OUTPUT)('a message of kind %s has what is new in the output above the body', async (kind) => {
  const { message, ...alert } = downAlert()
  const words = async (newLines: readonly string[]) =>
    (await textsOf(kind, { ...alert, message: { ...message, newLines } })).join('\n')
  const text = await words(['disk full', 'no space'])
  expect(text).toMatch(/New in the [Oo]utput/)
  expect(text.indexOf('disk full\nno space')).toBeGreaterThan(0)
  expect(text.indexOf('disk full')).toBeLessThan(text.indexOf('42 files'))
  expect(await words([])).not.toContain('New in the')
})

test.each(WORDED_KINDS.filter((kind) => !(WITH_OUTPUT as readonly string[]).includes(kind)))(
  'a message of kind %s, which has no body, names no new lines',
  async (kind) => {
    const { message, ...alert } = downAlert()
    expect(
      (await textsOf(kind, { ...alert, message: { ...message, newLines: ['disk full'] } })).join('\n'),
    ).not.toContain('disk full')
  },
)
