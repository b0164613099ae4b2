/** Addresses that belong to a check. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseRecipient } from '../../src/smtp/recipient.ts'

const UUID = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'
const KEY = 'abcdefghijklmnopqrstuv'
const parse = (mailbox: string) => parseRecipient(`${mailbox}@ping.example`, 'ping.example')

describe('a UUID', () => {
  test.each([UUID, UUID.toUpperCase(), '94A363ea-DF09-4d51-8c1b-2a3f4e5d6c7b'])('%s is a check', (mailbox) => {
    expect(parse(mailbox)).toEqual({ kind: 'id', id: UUID })
  })

  test.each([
    ['of another version', '94a363ea-df09-1d51-8c1b-2a3f4e5d6c7b'],
    ['of version 7', '94a363ea-df09-7d51-8c1b-2a3f4e5d6c7b'],
    ['without hyphens', UUID.replaceAll('-', '')],
    ['cut short', UUID.slice(0, -1)],
    ['with more behind it', `${UUID}0`],
    ['with an action behind it', `${UUID}+fail`],
    ['in braces', `{${UUID}}`],
    ['in quotes', `"${UUID}"`],
    ['with a line end behind it', `${UUID}\n`],
  ])('%s is not a check', (_, mailbox) => {
    expect(parse(mailbox)).toBe('bad-mailbox')
  })
})

describe('a ping key and a slug', () => {
  test.each([
    [`${KEY}+backup`, KEY, 'backup'],
    [`${KEY}+a-b_c0`, KEY, 'a-b_c0'],
    [`${KEY}+Backup`, KEY, 'backup'],
    ['ABCDEFGHIJ-_0123456789+x', 'ABCDEFGHIJ-_0123456789', 'x'],
    [`${KEY}+${'x'.repeat(100)}`, KEY, 'x'.repeat(100)],
  ])('%s are a check, which is never created', (mailbox, pingKey, slug) => {
    expect(parse(mailbox)).toEqual({ kind: 'slug', pingKey, slug, create: false })
  })

  test.each([
    ['no slug', `${KEY}+`],
    ['no plus', KEY],
    ['two', `${KEY}+a+b`],
    ['a key too short', `${KEY.slice(1)}+a`],
    ['a key too long', `${KEY}w+a`],
    ['a key with a dot', `${KEY.slice(1)}.+a`],
    ['a slug beyond ASCII', `${KEY}+é`],
    ['blanks', ` ${KEY}+a`],
  ])('with %s are not a check', (_, mailbox) => {
    expect(parse(mailbox)).toBe('bad-mailbox')
  })
})

describe('the domain', () => {
  test.each(['ping.example..', '.ping.example', 'x.ping.example', 'ping.example.org', '', 'localhost', '[127.0.0.1]'])(
    '%p is not ping.example',
    (domain) => {
      expect(parseRecipient(`${UUID}@${domain}`, 'ping.example')).toBe('wrong-domain')
    },
  )

  test.each([
    ['Ping.Example', 'ping.example'],
    ['ping.example', 'PING.example'],
    ['ping.example.', 'ping.example'],
    ['[192.0.2.1]', '192.0.2.1'],
    ['192.0.2.1', '[192.0.2.1]'],
    ['[IPv6:2001:DB8::1]', '2001:db8::1'],
    ['XN--PNG-rma.example', 'píng.example'],
    ['PÍNG.example', 'xn--png-rma.example'],
  ])('%s may stand for %s', (written, domain) => {
    expect(parseRecipient(`${UUID}@${written}`, domain)).toEqual({ kind: 'id', id: UUID })
  })

  test('that is missing is wrong', () => {
    expect(parseRecipient(UUID, 'ping.example')).toBe('wrong-domain')
    expect(parseRecipient('postmaster', 'ping.example')).toBe('wrong-domain')
    expect(parseRecipient('', 'ping.example')).toBe('wrong-domain')
  })
})

test('every target has exactly one address, and every other address an answer', () => {
  const nearly = fc.stringMatching(/^[0-9a-fA-F]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}.?$/)
  const keyed = fc.stringMatching(/^.?[-\w]{22}\+[-a-z0-9_]{0,5}.?$/)
  fc.assert(
    fc.property(fc.oneof(nearly, keyed, fc.string({ unit: 'binary' })), (mailbox) => {
      const target = parse(mailbox)
      if (typeof target === 'string') expect(target).toBe(mailbox.includes('@') ? target : 'bad-mailbox')
      else
        expect(target.kind === 'id' ? target.id : `${target.pingKey}+${target.slug}`).toBe(
          sameCase(mailbox, target.kind),
        )
    }),
  )
})

function sameCase(mailbox: string, kind: 'id' | 'slug'): string {
  return kind === 'id' ? mailbox.toLowerCase() : mailbox.replace(/\+.*/s, (slug) => slug.toLowerCase())
}
