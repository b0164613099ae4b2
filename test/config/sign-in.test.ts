import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { problems } from './support.ts'

const PASSWORD = 'correct horse battery'
const EMAIL = 'ops@example.org'
const PROXY = { TRUSTED_PROXIES: '192.0.2.1' }

describe('the first account', () => {
  test('has an email, in lower case, and a password', () => {
    const { admin } = readConfig({ ADMIN_EMAIL: ' Ops@Example.org', ADMIN_PASSWORD: PASSWORD })
    expect(admin).toEqual({ email: EMAIL, password: PASSWORD })
  })

  test('is shown without its password', () => {
    const { shown } = readConfig({ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD })
    expect(shown.find(({ name }) => name === 'ADMIN_PASSWORD')?.value).toBe('(set)')
    expect(JSON.stringify(shown)).not.toContain(PASSWORD)
  })

  test('may have its password from a file', () => {
    const environment = { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD_FILE: '/run/secrets/password' }
    expect(readConfig(environment, () => `${PASSWORD}\n`).admin?.password).toBe(PASSWORD)
  })

  test('needs no password when a proxy signs people in, and may have one', () => {
    const environment = { ...PROXY, REMOTE_USER_HEADER: 'X-User', ADMIN_EMAIL: EMAIL }
    expect(readConfig(environment).admin).toEqual({ email: EMAIL, password: null })
    expect(readConfig({ ...environment, ADMIN_PASSWORD: PASSWORD }).admin?.password).toBe(PASSWORD)
  })

  test.each([
    [{ ADMIN_EMAIL: EMAIL }, 'ADMIN_PASSWORD: is not set; set it, or unset ADMIN_EMAIL'],
    [{ ADMIN_PASSWORD: PASSWORD }, 'ADMIN_EMAIL: is not set; set it, or unset ADMIN_PASSWORD'],
    [
      { ...PROXY, REMOTE_USER_HEADER: 'X-User', ADMIN_PASSWORD: PASSWORD },
      'ADMIN_EMAIL: is not set; set it, or unset ADMIN_PASSWORD',
    ],
    [
      { ADMIN_EMAIL: 'ops', ADMIN_PASSWORD: PASSWORD },
      'ADMIN_EMAIL: "ops" is not an email address; use one like ops@example.org',
    ],
    [{ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD: is too short; use at least 10 characters'],
    [
      { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: 'qwertyuiop' },
      'ADMIN_PASSWORD: is one of the commonest, which are guessed first; use another one',
    ],
    [
      { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: EMAIL },
      'ADMIN_PASSWORD: is the email address or a part of it; use one that nobody can guess',
    ],
    [{ ADMIN_EMAIL: 'ops' }, 'ADMIN_EMAIL: "ops" is not an email address; use one like ops@example.org'],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD: is too short; use at least 10 characters'],
  ])('of %j is refused with one reason', (environment, problem) => {
    expect(problems(environment)).toEqual([problem])
  })
})

describe('the header of a proxy that signs people in', () => {
  test.each([
    ['X-Remote-User', 'x-remote-user'],
    ['HTTP_X_REMOTE_USER', 'x-remote-user'],
    ['HTTP_REMOTE_USER', 'remote-user'],
    ['remote-email', 'remote-email'],
    ['X', 'x'],
  ])('%s is %s', (given, name) => {
    const config = readConfig({ ...PROXY, REMOTE_USER_HEADER: given })
    expect([config.remoteUserHeader, config.withoutEffect]).toEqual([name, []])
  })

  test.each([
    'REMOTE_USER',
    'HTTP_',
    'HTTP__X',
    'X Remote User',
    'X-Remote-User:',
    '-',
    'Üser',
    'x\ny',
    'x'.repeat(101),
  ])('%j is no name of a header', (given) => {
    const [problem, ...others] = problems({ ...PROXY, REMOTE_USER_HEADER: given })
    expect(problem).toStartWith('REMOTE_USER_HEADER: "')
    expect(problem).toEndWith('" is not the name of a header; use one like X-Remote-User')
    expect(others).toEqual([])
  })

  test.each([undefined, '', ','])(
    'is refused while TRUSTED_PROXIES is %j, because anybody could send it',
    (proxies) => {
      expect(problems({ REMOTE_USER_HEADER: 'X-User', TRUSTED_PROXIES: proxies })).toEqual([
        'REMOTE_USER_HEADER: is trusted only from TRUSTED_PROXIES, which is not set; set it to the address of your proxy, ' +
          'and let the proxy remove this header from client requests',
      ])
    },
  )

  test('is no second problem when TRUSTED_PROXIES is wrong', () => {
    expect(problems({ REMOTE_USER_HEADER: 'X-User', TRUSTED_PROXIES: '*' })).toHaveLength(1)
  })
})
