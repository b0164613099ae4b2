/** The page of the settings groups them as the document does. */
import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { groupedSettings, groupOf, SETTING_GROUPS } from '../../src/config/setting-groups.ts'

const documentOf = async (name: string) => Bun.file(`${import.meta.dir}/../../docs/${name}.md`).text()

/** Each setting with the heading under which a table of the document has it. */
function documented(text: string): readonly (readonly [name: string, group: string])[] {
  let heading = 'The server'
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) heading = line.slice(3)
    const [, first = ''] = /^\| (`[A-Z].*?) \|/.exec(line) ?? []
    return Array.from(first.matchAll(/`([A-Z][A-Z0-9_]+)`/g), ([, name = '']) => [name, heading] as const)
  })
}

test('each setting is in the group of its table', async () => {
  const found = documented(await documentOf('settings'))
  expect(found.length).toBeGreaterThan(60)
  expect(found.filter(([name, group]) => groupOf(name) !== group)).toEqual([])
})

test('the settings of single kinds of channel are one group, and every group has some', () => {
  const shown = groupedSettings(readConfig({}).shown)
  expect(shown.find(({ name }) => name === 'TELEGRAM_TOKEN')?.group).toBe('Kinds of channel')
  const groups = new Set(shown.map(({ group }) => group))
  expect(SETTING_GROUPS.filter((group) => !groups.has(group))).toEqual([])
})

test('a secret key that is not set is the one of the database', () => {
  const of = (env: Readonly<Record<string, string>>) =>
    groupedSettings(readConfig(env).shown).find(({ name }) => name === 'SECRET_KEY')
  expect(of({})).toMatchObject({ value: '(set)', from: 'database', isSecret: true })
  expect(of({ SECRET_KEY: 'x'.repeat(32) })).toMatchObject({ value: '(set)', from: 'environment' })
})
