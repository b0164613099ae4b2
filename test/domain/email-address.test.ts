import { expect, test } from 'bun:test'
import { domainOf, isMailAddress, mailboxOf, parseMailbox } from '../../src/domain/email-address.ts'

test.each(['a@b', 'ops+night@example.org', 'jösé@exämple.org', "o'neil@example.org"])('%s is an address', (text) => {
  expect(isMailAddress(text)).toBe(true)
})

test.each([
  '',
  'a',
  '@b',
  'a@',
  'a@b@c',
  'a b@c',
  'a@b\n',
  'a@b\u0000',
  '<a@b>',
  'a@b,c@d',
  'a@[127.0.0.1]',
  '"a"@b',
  `${'a'.repeat(253)}@b`,
])('%j is not valid', (text) => {
  expect(isMailAddress(text)).toBe(false)
})

test.each([
  ['a@b.test', '', 'a@b.test'],
  ['Overdue <a@b.test>', 'Overdue', 'a@b.test'],
  ['"Overdue, Inc." <a@b.test>', 'Overdue, Inc.', 'a@b.test'],
  [' Wächter  <a@b.test>', 'Wächter', 'a@b.test'],
  ['<a@b.test>', '', 'a@b.test'],
])('%s is a sender', (text, name, address) => {
  expect(parseMailbox(text)).toEqual({ name, address })
})

test.each([
  '',
  'Overdue',
  'Overdue a@b.test',
  'Overdue <a@b.test',
  'a@b.test <c>',
  'x\ny <a@b.test>',
  'a@b.test, c@d.test',
])('%j is not valid', (text) => {
  expect(parseMailbox(text)).toBeNull()
})

test('the domain is the part after the @', () => {
  expect(domainOf('a@b.test')).toBe('b.test')
})

test.each([
  ['ops@example.org', 'ops@example.org'],
  [' O.P.S+night+shift@Example.org', 'ops@example.org'],
  ['a@b@example.org', 'a@b@example.org'],
  ['nobody', '@nobody'],
  ['', '@'],
])('for limits %j leads to the mailbox %j', (text, mailbox) => {
  expect(mailboxOf(text)).toBe(mailbox)
})
