/** The page of settings uses the groups of the document. */
import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { groupedSettings, SETTING_GROUPS } from '../../src/config/setting-groups.ts'

test('the groups are the headings of the document, and it has every setting', () => {
  const shown = groupedSettings(readConfig({}).shown)
  const namesIn = (group: string) => shown.filter((setting) => setting.group === group).map(({ name }) => name)
  expect(SETTING_GROUPS.at(0)).toBe('The server')
  expect(SETTING_GROUPS.filter((group) => namesIn(group).length === 0)).toEqual([])
  expect(namesIn('Kinds of channel')).toContain('TELEGRAM_TOKEN')
  expect(namesIn('Signing in')).toContain('OIDC_CLIENT_SECRET')
  expect(namesIn('Without effect')).toEqual(['EMAIL_MAIL_FROM_TMPL'])
})

test('a secret key that is not set is the one of the database', () => {
  const of = (env: Readonly<Record<string, string>>) =>
    groupedSettings(readConfig(env).shown).find(({ name }) => name === 'SECRET_KEY')
  expect(of({})).toMatchObject({ value: '(set)', from: 'database', isSecret: true })
  expect(of({ SECRET_KEY: 'x'.repeat(32) })).toMatchObject({ value: '(set)', from: 'environment' })
})
