/** Receivers show texts as written: undoing a kind's escapes gives back every character. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { unescaped } from '../support/page-words.ts'
import { messageOfKind } from './kinds.ts'
import { saying } from './support.ts'

const backslashes = (text: string) => text.replace(/\\([^\p{L}\p{N}\s])/gu, '$1')
const unseen = (text: string) => text.replace(/[\u034f\u200b]/g, '')

/** Returns the value at a path in JSON, with names and numbers separated by dots. */
function at(body: unknown, place: string): unknown {
  return place.split('.').reduce<unknown>((value, name) => Object(value)[name], body)
}

const inAddresses = (text: string) => text.replaceAll('%40', '@')
const slackField = 'attachments.0.fields.0.value'
const widget = 'cardsV2.0.card.sections.0.widgets.1.decoratedText.text'

/** Place of the description in the message of each kind, and the reader of its markup. */
const KINDS: Readonly<Record<string, readonly [place: string, read: (text: string) => string]>> = {
  discord: [slackField, backslashes],
  mattermost: [slackField, (text) => inAddresses(backslashes(unescaped(unseen(text))))],
  slack: [slackField, unescaped],
  rocketchat: [slackField, (text) => inAddresses(backslashesOfEmphasis(unseen(text)))],
  msteamsw: ['attachments.0.content.body.2.text', (text) => unescaped(unseen(text))],
  googlechat: [widget, unescaped],
  gotify: ['message', (text) => backslashes(described(text))],
  ntfy: ['message', (text) => backslashes(described(text))],
  github: ['body', (text) => backslashes(unseen(described(text)))],
}

/** Undoes backslashes of Rocket.Chat, which accepts them only for emphasis. */
function backslashesOfEmphasis(text: string): string {
  return text.replace(/\\([*_~])/g, '$1')
}

/** Returns the line of the description in a list of facts. */
function described(text: string): string {
  const label = '- **Description:**'
  const line = text.split('\n').find((found) => found.startsWith(label)) ?? ''
  return line.slice(label.length)
}

const bare = (text: string) => text.replace(/\s+/g, '')

describe.each(Object.entries(KINDS))('a description by %s', (kind, [place, read]) => {
  test('keeps every visible character and gains none, except spaces', async () => {
    const marks = fc.constantFrom(...'*_~`[]()#|<>@&"\'!-+.\\{}=:1a ', '🎉', '\n', '&lt;')
    const url = fc.constantFrom(
      'https://wiki.test/run_books/a_b?x=1&y=~2#top',
      'http://a.test/(b)',
      'https://a.test/x-y.z',
    )
    const texts = fc.array(fc.oneof({ weight: 6, arbitrary: marks }, { weight: 1, arbitrary: url }), {
      minLength: 1,
      maxLength: 25,
    })
    await fc.assert(
      fc.asyncProperty(texts, async (parts) => {
        // A letter first, so that the description is never blank.
        const description = `a${parts.join('')}`
        const request = messageOfKind(kind, saying({ description }))
        const body = await (request as Request).json()
        expect(bare(read(String(at(body, place))))).toBe(bare(description))
      }),
      { numRuns: 300 },
    )
  })
})
