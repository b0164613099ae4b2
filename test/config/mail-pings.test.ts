import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/settings.ts'
import { problems } from './support.ts'

describe('mail pings', () => {
  const pem = (name: string) => readFileSync(join(import.meta.dir, `../delivery/localhost-${name}.pem`), 'utf8')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const files: Readonly<Record<string, string>> = {
    '/cert.pem': pem('cert'),
    '/key.pem': pem('key'),
    '/other.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
  const readFile = (path: string) => {
    const text = files[path]
    if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`)
    return text
  }
  const read = (environment: Environment) => readConfig({ SMTPD_PORT: '2525', ...environment }, readFile).mailPings

  test('are off until SMTPD_PORT is set', () => {
    expect(readConfig({ PING_EMAIL_DOMAIN: 'ping.example' }).mailPings).toBeNull()
    expect(read({})).toEqual({ port: 2525, domain: 'localhost', tls: null })
    expect(read({ PING_EMAIL_DOMAIN: 'Ping.example' })?.domain).toBe('Ping.example')
  })

  test('are encrypted with the certificate and the key in the given files', () => {
    const tls = { cert: pem('cert'), key: pem('key') }
    expect(read({ SMTPD_TLS_CERT: '/cert.pem', SMTPD_TLS_KEY: '/key.pem' })?.tls).toEqual(tls)
    const named = { SMTPD_TLS_CERT_FILE: '/cert.pem', SMTPD_TLS_KEY_FILE: '/key.pem' }
    expect(read(named)?.tls).toEqual({ cert: tls.cert.trim(), key: tls.key.trim() })
    expect(JSON.stringify(readConfig(named, readFile).shown)).not.toContain('BEGIN')
  })

  test.each([
    [
      { SMTPD_TLS_CERT: '/none', SMTPD_TLS_KEY: '/key.pem' },
      "SMTPD_TLS_CERT: cannot read /none; use a file that this user may read (ENOENT: no such file, open '/none')",
    ],
    [{ SMTPD_TLS_CERT: '/cert.pem' }, 'SMTPD_TLS_KEY: is not set; set it, or unset SMTPD_TLS_CERT'],
    [{ SMTPD_TLS_KEY: '/key.pem' }, 'SMTPD_TLS_CERT: is not set; set it, or unset SMTPD_TLS_KEY'],
    [
      { SMTPD_TLS_CERT: '/key.pem', SMTPD_TLS_KEY: '/key.pem' },
      'SMTPD_TLS_CERT: the file contains no certificate; use one in PEM format',
    ],
    [
      { SMTPD_TLS_CERT: '/cert.pem', SMTPD_TLS_KEY: '/cert.pem' },
      'SMTPD_TLS_KEY: the file holds no private key; use one in PEM format, without a passphrase',
    ],
    [
      { SMTPD_TLS_CERT: '/cert.pem', SMTPD_TLS_KEY: '/other.pem' },
      'SMTPD_TLS_KEY: does not belong to SMTPD_TLS_CERT; use the private key of that certificate',
    ],
  ])('say what is wrong with %j', (environment, problem) => {
    expect(problems(environment, readFile)).toEqual([problem])
  })
})
