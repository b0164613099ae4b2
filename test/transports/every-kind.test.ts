/** What holds for every kind of channel: no link to a missing page, no ping secret, no invisible characters. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { registry } from '../../src/transports/index.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { aCheck, aFlip, anAlert, aPing, bytes, CHECK_ID } from '../support/builders.ts'
import { SETTINGS, textsOf } from './kinds.ts'
import { downAlert, upAlert } from './support.ts'

/** As the test of a channel. */
function withoutPage(alert: Alert): Alert {
  return { ...alert, message: { ...alert.message, link: null } }
}

test('every kind is here', () => {
  expect([...Object.keys(SETTINGS), 'shell', 'webhook'].toSorted()).toEqual([...registry.keys()].toSorted())
})

describe.each(Object.keys(SETTINGS))('a message of kind %s', (kind) => {
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
        const siblings = { exist: true, downCount: 1, down: [{ id: CHECK_ID, name, lastPingAt: null }] }
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
