/** The check that a refused email address names, and the stored rest of the address. */
import { expect, test } from 'bun:test'
import { refusedRecipient } from '../../src/smtp/refused-recipient.ts'

const UUID = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'
const KEY = 'abcdefghijklmnopqrstuv'

test.each([
  [`${UUID}+fail`, 'mailto:+fail'],
  [`${UUID.toUpperCase()}-start`, 'mailto:-start'],
  [`${UUID}/1`, 'mailto:/1'],
  [`ping+${UUID}`, 'mailto:'],
  [`{${UUID}}`, 'mailto:'],
  [UUID.replaceAll('-', ''), 'mailto:'],
])('%s@… names a check by its UUID', (mailbox, tail) => {
  const target = { kind: 'id', id: UUID } as const
  expect(refusedRecipient(`${mailbox}@ping.example`, 'bad-mailbox')).toEqual({ target, tail })
})

test('a slug with more behind it names a check, and so does an address of another domain', () => {
  const target = { kind: 'slug', pingKey: KEY, slug: 'nightly', create: false } as const
  const told = (address: string, reason: Parameters<typeof refusedRecipient>[1]) => refusedRecipient(address, reason)
  expect(told(`${KEY}+Nightly+fail@ping.example`, 'bad-mailbox')).toEqual({ target, tail: 'mailto:+fail' })
  expect(told(`${KEY}+nightly@elsewhere.example`, 'wrong-domain')).toEqual({
    target,
    tail: 'mailto:@elsewhere.example',
  })
})

test.each(['backup', `${UUID}0`, UUID.slice(1), `${KEY}+`, 'postmaster', '', `${'x'.repeat(1000)}${UUID}`])(
  '%s@… names no check',
  (mailbox) => {
    expect(refusedRecipient(`${mailbox}@ping.example`, 'bad-mailbox')).toBeNull()
  },
)
