/** Settings of the mail server: typed values, the choice of the server, and results of a test. */
import { describe, expect, test } from 'bun:test'
import { addressOf, type EnvironmentMail, type MailServer, mailInUse } from '../../../src/domain/mail/mail-server.ts'
import { mailVerdict } from '../../../src/domain/mail/mail-verdict.ts'
import { readTypedMailServer, type TypedMailServer } from '../../../src/domain/mail/typed-mail-server.ts'

const FROM = { name: '', address: 'alerts@example.org' }
const STORED: MailServer = {
  host: 'mail.example.org',
  port: 587,
  encryption: 'starttls',
  login: { user: 'me', password: 'hunter2' },
  from: FROM,
}
const TYPED: TypedMailServer = {
  ...{ host: 'mail.example.org', encryption: 'starttls', port: '', user: '', password: '', from: 'alerts@example.org' },
}

const environment = (over: Partial<EnvironmentMail['variables']> = {}, server: MailServer | null = null) =>
  ({
    server,
    port: 2525,
    encryption: 'none',
    from: { name: 'Ops', address: 'ops@example.org' },
    variables: { host: null, port: null, encryption: null, user: null, password: null, from: null, ...over },
  }) satisfies EnvironmentMail

describe('the mail server in use', () => {
  test('is that of the environment if EMAIL_HOST names one, whatever is stored', () => {
    const own = { ...STORED, host: 'env.example.org' }
    expect(mailInUse(environment({ host: 'EMAIL_HOST' }, own), STORED)).toEqual({ server: own, source: 'environment' })
  })

  test('is the stored one otherwise, with the port, encryption and sender that the environment says', () => {
    expect(mailInUse(environment(), null)).toBeNull()
    expect(mailInUse(environment(), STORED)).toEqual({ server: STORED, source: 'page' })
    const variables = { port: 'EMAIL_PORT', encryption: 'EMAIL_USE_TLS', from: 'DEFAULT_FROM_EMAIL' }
    expect(mailInUse(environment(variables), STORED)?.server).toEqual({
      ...STORED,
      ...{ port: 2525, encryption: 'none', from: { name: 'Ops', address: 'ops@example.org' } },
    })
  })

  test('never gets the login of the environment, which is meant for another server', () => {
    const variables = { user: 'EMAIL_HOST_USER', password: 'EMAIL_HOST_PASSWORD' }
    expect(mailInUse(environment(variables), { ...STORED, login: null })?.server.login).toBeNull()
  })

  test('is written with brackets around an address of IPv6', () => {
    expect([addressOf(STORED), addressOf({ host: '::1', port: 25 })]).toEqual(['mail.example.org:587', '[::1]:25'])
  })
})

describe('a typed mail server', () => {
  const read = (over: Partial<TypedMailServer>, stored: MailServer | null = null, given = environment()) =>
    readTypedMailServer({ ...TYPED, ...over }, stored, given)
  const mistakesOf = (over: Partial<TypedMailServer>, stored: MailServer | null = null) => {
    const result = read(over, stored)
    return 'mistakes' in result ? result.mistakes : {}
  }

  test.each([
    ['starttls', 587],
    ['tls', 465],
    ['none', 25],
  ] as const)('with %s and no port has port %d', (encryption, port) => {
    expect(read({ encryption })).toEqual({ server: { ...STORED, port, encryption, login: null } })
  })

  test('has the parts that are typed, in the forms that people type', () => {
    expect(
      read({ host: ' [::1] ', port: ' 2525 ', user: ' me ', password: ' pa ss ', from: 'Ops <ops@a.test>' }),
    ).toEqual({
      server: {
        ...{ host: '::1', port: 2525, encryption: 'starttls' },
        login: { user: 'me', password: ' pa ss ' },
        from: { name: 'Ops', address: 'ops@a.test' },
      },
    })
  })

  test.each<[Partial<TypedMailServer>, keyof TypedMailServer, string]>([
    [{ host: '' }, 'host', 'Enter the name of the server alone'],
    [{ host: 'mail.example.org:587' }, 'host', 'Port and login have their own fields'],
    [{ host: 'smtps://me:pw@mail.example.org' }, 'host', 'Port and login have their own fields'],
    [{ host: 'a b' }, 'host', 'This is not the name of a server'],
    [{ encryption: 'rot13' }, 'encryption', 'Choose one'],
    [{ port: '0' }, 'port', 'from 1 to 65535'],
    [{ port: '65536' }, 'port', 'from 1 to 65535'],
    [{ port: '1e3' }, 'port', 'from 1 to 65535'],
    [{ user: 'me' }, 'password', 'A user needs a password'],
    [{ password: 'pw' }, 'user', 'A password needs a user'],
    [{ user: 'x'.repeat(321), password: 'pw' }, 'user', 'at most 320'],
    [{ user: 'me', password: 'x'.repeat(1001) }, 'password', 'at most 1000'],
    [{ from: 'nobody' }, 'from', 'Use an address such as'],
    [{ from: 'a@b.test\r\nBcc: c@d.test' }, 'from', 'Use an address such as'],
  ])('%j has a mistake in %s: %s', (over, field, words) => {
    expect(mistakesOf(over)[field]).toContain(words)
  })

  test('keeps the stored password for the same user of the same server', () => {
    const kept = (over: Partial<TypedMailServer>) => {
      const result = read({ user: 'me', ...over }, STORED)
      return 'server' in result ? result.server.login?.password : result.mistakes.password
    }
    expect(kept({})).toBe('hunter2')
    expect(kept({ encryption: 'tls', port: '465' })).toBe('hunter2')
    expect(kept({ password: 'other' })).toBe('other')
    // Otherwise anyone who may set the server could have the password sent to one of their own.
    for (const over of [{ host: 'evil.test' }, { user: 'you' }, { encryption: 'none' }] as const) {
      expect(kept(over)).toStartWith('Enter the password again')
    }
  })

  test('loses its login when no user is typed', () => {
    expect(read({}, STORED)).toEqual({ server: { ...STORED, login: null } })
  })

  test('does not need what the environment says', () => {
    const variables = { port: 'EMAIL_PORT', encryption: 'EMAIL_USE_TLS', from: 'DEFAULT_FROM_EMAIL' }
    const result = read({ encryption: '', port: 'x', from: '' }, null, environment(variables))
    expect(result).toMatchObject({ server: { port: 2525, encryption: 'none', from: { address: 'ops@example.org' } } })
  })
})

describe('a test of the mail server', () => {
  const tested = { to: 'root@example.org', server: STORED }
  const refused = (stage: 'login' | 'sender' | 'recipient' | 'message', status: number, response: string) =>
    mailVerdict({ kind: 'refused', stage, status, response }, tested)

  test('that is accepted says where to look', () => {
    expect(mailVerdict({ kind: 'accepted', response: '250 OK' }, tested)).toEqual({
      isAccepted: true,
      said: 'The mail server accepted the email to root@example.org.',
      advice: 'Look for it in that mailbox, and in the spam folder.',
    })
  })

  test.each([
    ['login', 535, '535 no', 'rejected the login: 535 no.', 'Check user and password'],
    ['sender', 530, '530 login first', 'rejected the sender alerts@example.org', 'It requires a login'],
    ['sender', 553, '553 not yours.', 'the sender alerts@example.org: 553 not yours.', 'Use a sender that'],
    [
      'recipient',
      550,
      '550 no relay',
      'rejected the recipient root@example.org',
      'lets this user send to other domains',
    ],
    ['recipient', 451, '451 greylisted', 'rejected the recipient', 'It may accept a later attempt.'],
    ['message', 554, '554 spam', 'rejected the email itself: 554 spam.', 'SPF, DKIM'],
  ] as const)('that is refused at the %s with %d says why, and what to do', (stage, status, response, said, advice) => {
    const verdict = refused(stage, status, response)
    expect(verdict.isAccepted).toBe(false)
    expect(verdict.said).toContain(said)
    expect(verdict.advice).toContain(advice)
  })

  test('whose server is not reached says it in one sentence', () => {
    const error = 'Could not resolve the mail server: check the name of the server'
    expect(mailVerdict({ kind: 'unreachable', error }, tested)).toEqual({
      isAccepted: false,
      said: `${error}.`,
      advice: null,
    })
  })
})
