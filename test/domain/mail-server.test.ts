import { expect, test } from 'bun:test'
import { parseMailHost } from '../../src/domain/mail-server.ts'

test.each([
  ['mail.example.org', 'mail.example.org'],
  ['mailhog', 'mailhog'],
  ['my_relay', 'my_relay'],
  ['192.0.2.1', '192.0.2.1'],
  ['::1', '::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['mail.example.org.', 'mail.example.org.'],
])('%s names a host and leaves the rest open', (given, host) => {
  expect(parseMailHost(given)).toEqual({ host, port: null, isTls: false, user: null, password: null })
})

test.each([
  ['smtps://u:p@mail.test:2465', { host: 'mail.test', port: 2465, isTls: true, user: 'u', password: 'p' }],
  ['smtps://mail.test', { host: 'mail.test', port: 465, isTls: true, user: null, password: null }],
  ['smtp://mail.test', { host: 'mail.test', port: null, isTls: false, user: null, password: null }],
  ['SMTP://mail.test:25/', { host: 'mail.test', port: 25, isTls: false, user: null, password: null }],
  [
    'smtp://a%40b.test:p%2F%40@mail.test',
    { host: 'mail.test', port: null, isTls: false, user: 'a@b.test', password: 'p/@' },
  ],
  ['smtp://[::1]:2525', { host: '::1', port: 2525, isTls: false, user: null, password: null }],
])('%s says what it says', (given, expected) => {
  expect(parseMailHost(given)).toEqual(expected)
})

test.each([
  '',
  'mail.example.org:587',
  'mail example',
  '-mail',
  'https://mail.test',
  'user@mail.test',
  'smtp://',
  'smtp://u:p/w@mail.test',
  'smtp://u:p%@mail.test',
  'smtp://mail.test:0',
  'smtp://mail.test/path',
  'smtp://mail.test?tls=no',
  'smtp://mail.test:99999',
])('%j is neither', (given) => {
  expect(parseMailHost(given)).toBeNull()
})
