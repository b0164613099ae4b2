import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/settings.ts'
import { temporaryFolder } from '../support/folder.ts'
import { problems } from './support.ts'

describe('what is shown of the settings', () => {
  const shown = (environment: Environment, name: string) =>
    readConfig(environment, () => 'from a file').shown.find((setting) => setting.name === name)

  test('lists each of them once, by its name in the environment', () => {
    const names = readConfig({}).shown.map(({ name }) => name)
    expect(names).toContain('TRUSTED_PROXIES')
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  })

  test('has the value and where it comes from', () => {
    expect(shown({ PORT: '81' }, 'PORT')).toEqual({ name: 'PORT', value: '81', from: 'environment' })
    expect(shown({ SITE_NAME_FILE: '/name' }, 'SITE_NAME')).toMatchObject({ value: 'from a file', from: 'file' })
    expect(shown({}, 'LOG_LEVEL')).toMatchObject({ value: 'info', from: 'default' })
    expect(shown({}, 'TWILIO_ACCOUNT')).toMatchObject({ value: null, from: 'default' })
  })

  test.each(['SECRET_KEY', 'EMAIL_HOST_PASSWORD', 'TELEGRAM_TOKEN', 'TWILIO_AUTH', 'TRELLO_APP_KEY'])(
    'of %s says only that it is set',
    (name) => {
      expect(shown({ [name]: 'sixteen characters' }, name)?.value).toBe('(set)')
    },
  )

  test.each([
    ['APPRISE_URL', 'https://tokentoken@apprise.example.org/notify', 'https://(set)@apprise.example.org/notify'],
    ['EMAIL_HOST', 'smtps://alerts:p%40ss@mail.example.org', 'smtps://(set)@mail.example.org'],
    ['MATRIX_HOMESERVER', 'https://matrix.example.org/@x', 'https://(set)@x'],
    ['MATRIX_HOMESERVER', 'https://a/b@c:d@matrix.example.org', 'https://(set)@matrix.example.org'],
    ['MATRIX_HOMESERVER', 'https://matrix.example.org', 'https://matrix.example.org'],
  ])('hides a login without a password, or with an @ or a slash in it: %s=%s', (name, given, value) => {
    expect(shown({ [name]: given }, name)?.value).toBe(value)
  })

  test('has a URL without its login', () => {
    const { value } = shown({ MATRIX_HOMESERVER: 'https://me:s3cret@matrix.example.org/x' }, 'MATRIX_HOMESERVER') ?? {}
    expect(value).toBe('https://(set)@matrix.example.org/x')
  })
})

describe('NAME_FILE', () => {
  const files: Readonly<Record<string, string>> = {
    '/run/key': 'the secret of the file\n',
    '/run/port': ' 81 ',
    '/run/empty': '\n',
  }
  const readFile = (path: string): string => {
    const text = files[path]
    if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`)
    return text
  }

  test('gives the text of the file without blanks around it, and wins over NAME', () => {
    const config = readConfig({ SECRET_KEY_FILE: '/run/key', SECRET_KEY: 'short', PORT_FILE: '/run/port' }, readFile)
    expect([config.secretKey, config.port]).toEqual(['the secret of the file', 81])
  })

  test('that cannot be read is reported with its path, and a value from a file that is not valid by the name', () => {
    expect(problems({ SECRET_KEY_FILE: '/run/none' }, readFile)).toEqual([
      "SECRET_KEY_FILE: cannot read /run/none; use a file that this user may read (ENOENT: no such file, open '/run/none')",
    ])
    expect(problems({ API_RATE_LIMIT_FILE: '/run/key' }, readFile)).toHaveLength(1)
  })

  test('is read from the disk', () => {
    const folder = temporaryFolder()
    writeFileSync(folder.file('name'), 'Wächter\n')
    expect(readConfig({ SITE_NAME_FILE: folder.file('name') }).siteName).toBe('Wächter')
    expect(problems({ SITE_NAME_FILE: folder.file('none') })[0]).toStartWith(
      `SITE_NAME_FILE: cannot read ${folder.file('none')}; `,
    )
    expect(problems({ SITE_NAME_FILE: folder.path })[0]).toStartWith(`SITE_NAME_FILE: cannot read ${folder.path}; `)
    folder.remove()
  })

  test('that is empty counts as unset', () => {
    expect(readConfig({ PORT_FILE: '', PORT: '82' }, readFile).port).toBe(82)
  })
})
