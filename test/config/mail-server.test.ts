import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/settings.ts'
import { parseMailHost } from '../../src/domain/mail/mail-host.ts'
import { problems } from './support.ts'

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
])('%s is read with all its parts', (given, expected) => {
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
])('%j is neither a host name nor an SMTP URL', (given) => {
  expect(parseMailHost(given)).toBeNull()
})

describe('the mail server', () => {
  const mail = (environment: Environment) => readConfig({ EMAIL_HOST: 'mail.example.org', ...environment }).mail.server

  test('is reached on port 587 with STARTTLS and without login by default', () => {
    expect(mail({})).toEqual({
      host: 'mail.example.org',
      port: 587,
      encryption: 'starttls',
      login: null,
      from: { name: '', address: 'overdue@localhost' },
    })
  })

  test.each([
    [{ EMAIL_USE_SSL: 'True' }, 'tls', 465],
    [{ EMAIL_USE_SSL: 'True', EMAIL_USE_TLS: 'False', EMAIL_PORT: '2465' }, 'tls', 2465],
    [{ EMAIL_USE_TLS: 'False' }, 'none', 587],
    [{ EMAIL_USE_TLS: 'False', EMAIL_PORT: '25' }, 'none', 25],
    [{ EMAIL_HOST: 'smtps://mail.example.org' }, 'tls', 465],
    [{ EMAIL_HOST: 'smtps://mail.example.org:2465', EMAIL_PORT: '25' }, 'tls', 2465],
    [{ EMAIL_HOST: 'smtp://mail.example.org', EMAIL_PORT: '25' }, 'starttls', 25],
    [{ EMAIL_HOST: 'smtp://mail.example.org:26', EMAIL_USE_TLS: 'False' }, 'none', 26],
  ])('%j means %s on port %d', (environment, encryption, port) => {
    expect(mail(environment)).toMatchObject({ host: 'mail.example.org', encryption, port })
  })

  test.each([
    [
      { EMAIL_HOST_USER: 'me', EMAIL_HOST_PASSWORD: 'pw' },
      { user: 'me', password: 'pw' },
    ],
    [{ EMAIL_HOST: 'smtp://me:p%40w@mail.example.org' }, { user: 'me', password: 'p@w' }],
    [
      { EMAIL_HOST: 'smtp://me@mail.example.org', EMAIL_HOST_PASSWORD: 'pw' },
      { user: 'me', password: 'pw' },
    ],
    [{ EMAIL_HOST_USER: 'me' }, null],
    [{ EMAIL_HOST_PASSWORD: 'pw' }, null],
  ])('with %j the login is %j', (environment, login) => {
    expect(mail(environment)?.login ?? null).toEqual(login)
  })

  test.each([
    [{ DEFAULT_FROM_EMAIL: 'Overdue, Inc. <a@b.test>', EMAIL_HOST_USER: 'c@d.test' }, 'Overdue, Inc.', 'a@b.test'],
    [{ EMAIL_HOST_USER: 'c@d.test' }, '', 'c@d.test'],
    [{ EMAIL_HOST: 'smtp://c%40d.test:pw@mail.example.org' }, '', 'c@d.test'],
    [{ EMAIL_HOST_USER: 'apikey', SITE_ROOT: 'https://watch.example.org/x' }, '', 'overdue@watch.example.org'],
    [{ SITE_ROOT: 'http://192.0.2.1:8000' }, '', 'overdue@localhost'],
    [{ SITE_ROOT: 'http://[::1]:8000' }, '', 'overdue@localhost'],
    [{ SITE_ROOT: 'http://a;b' }, '', 'overdue@localhost'],
  ])('with %j email comes from "%s" <%s>', (environment, name, address) => {
    expect(mail(environment)?.from).toEqual({ name, address })
  })

  test('cannot be encrypted in two ways', () => {
    const both = { EMAIL_USE_TLS: 'True', EMAIL_USE_SSL: 'True' }
    expect(problems(both)).toEqual(['EMAIL_USE_SSL: is True, and EMAIL_USE_TLS too; set one of them to False'])
  })

  test.each([
    ['EMAIL_PORT', '0'],
    ['EMAIL_HOST_USER', 'x'.repeat(321)],
    ['EMAIL_HOST_PASSWORD', 'x'.repeat(1001)],
    ['EMAIL_USE_TLS', 'maybe'],
    ['EMAIL_USE_SSL', 'constructor'],
  ])('%s may not be %s', (name, value) => {
    expect(problems({ [name]: value })[0]).toStartWith(`${name}: `)
  })

  test('needs confirmed addresses where strangers may sign up', () => {
    const confirms = (environment: Environment) => readConfig(environment).confirmAddresses
    expect(confirms({ REGISTRATION_OPEN: 'True' })).toBe(true)
    expect(confirms({ REGISTRATION_OPEN: 'True', EMAIL_USE_VERIFICATION: 'False' })).toBe(false)
  })

  test.each([
    'smtps://me:hunter2@mail.test',
    'smtps://me:hun/ter2:hunter2@mail.test',
    'smtp://me:x@hunter2@mail.test',
    'smtp://me:hunter2@mail.test/x',
  ])('the password in %s is in no error and not shown', (url) => {
    const environment = { EMAIL_HOST: url, EMAIL_HOST_PASSWORD: 'hunter2' }
    const told = problems(environment)
    expect(told.join()).not.toContain('hunter2')
    if (told.length === 0) expect(JSON.stringify(readConfig(environment).shown)).not.toContain('hunter2')
    expect(problems({ EMAIL_HOST_PASSWORD: 'hunter2'.repeat(200) }).join()).not.toContain('hunter2')
  })
})
