import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isAllowedLicence, loosePins, problemsOf } from '../../scripts/dependency-rules.ts'
import { type Package, readPackages } from '../../scripts/packages.ts'

const ROOT = join(import.meta.dir, '../..')

function aPackage(over: Partial<Package> = {}, installed: Partial<NonNullable<Package['installed']>> = {}): Package {
  const inside = { version: '1.2.3', licence: 'MIT', author: '', installScripts: [], texts: [], ...installed }
  const whole = { name: 'good', version: '1.2.3', integrity: 'sha512-x', registry: '', isProduction: true, needs: [] }
  return { ...whole, installed: inside, ...over }
}

describe('a licence', () => {
  test.each([
    'MIT',
    'ISC',
    'BSD-3-Clause',
    'MIT OR GPL-3.0',
    '(MIT OR Apache-2.0)',
    'MIT AND ISC',
    'GPL-2.0 OR MIT AND ISC',
  ])('%s is allowed', (licence) => expect(isAllowedLicence(licence, true)).toBe(true))

  test.each([
    '',
    'GPL-3.0',
    'AGPL-3.0-only',
    'MIT AND GPL-3.0',
    'SEE LICENSE IN LICENSE',
    'UNLICENSED',
    'mit',
    'GPL-2.0 WITH Classpath-exception-2.0',
    '(MIT OR GPL-3.0) AND GPL-2.0',
    'MIT AND (GPL-3.0 OR ISC)',
  ])('"%s" is not allowed', (licence) => expect(isAllowedLicence(licence, true)).toBe(false))

  test('of files that are changed, such as MPL-2.0, is allowed for development alone', () => {
    expect(isAllowedLicence('MPL-2.0', false)).toBe(true)
    expect(isAllowedLicence('MPL-2.0', true)).toBe(false)
    expect(isAllowedLicence('GPL-3.0', false)).toBe(false)
  })
})

describe('a package', () => {
  test('that follows the rules has no problem, and neither has a tool for another platform', () => {
    expect(problemsOf(aPackage())).toEqual([])
    expect(problemsOf(aPackage({ isProduction: false, installed: null }))).toEqual([])
    expect(problemsOf(aPackage({ name: 'bun', isProduction: false }, { installScripts: ['postinstall'] }))).toEqual([])
  })

  test.each([
    ['no hash', aPackage({ integrity: '' }), 'has no sha512'],
    ['another registry', aPackage({ registry: 'https://elsewhere.example/' }), 'is pinned to the registry'],
    ['a folder as version', aPackage({ version: 'file:../x' }), 'does not come from a registry'],
    ['another version installed', aPackage({}, { version: '1.2.4' }), 'is installed as 1.2.4'],
    ['no files', aPackage({ installed: null }), 'is not installed'],
    ['another licence', aPackage({}, { licence: 'GPL-3.0' }), 'has the licence "GPL-3.0"'],
    ['an install script', aPackage({}, { installScripts: ['install'] }), 'has install scripts (install)'],
    ['an exempt script, but in the program', aPackage({ name: 'bun' }, { installScripts: ['install'] }), 'has install'],
  ])('with %s has a problem', (_, one, words) => {
    expect(problemsOf(one).join()).toContain(words)
  })
})

test('a range that is not an exact version is a loose pin', () => {
  expect(loosePins({ a: '1.2.3', b: '1.2.3-rc.1' })).toEqual([])
  for (const range of ['^1.2.3', '~1.2.3', '1.x', '*', 'latest', '>=1.0.0', 'github:a/b']) {
    expect(loosePins({ a: range })).toEqual([`a has the range "${range}": use an exact version`])
  }
})

describe('in this project', () => {
  const packages = readPackages(ROOT)

  test('the packages of the program are those that it imports, with their dependencies', () => {
    const program = new Set(packages.filter(({ isProduction }) => isProduction).map(({ name }) => name))
    for (const name of ['elysia', 'nodemailer', 'memoirist', 'exact-mirror']) expect(program).toContain(name)
    for (const name of ['typescript', 'playwright-core', 'fast-check', 'bun']) expect(program).not.toContain(name)
  })

  test('peer dependencies belong to the program only when something else needs them too', () => {
    const byName = new Map(packages.map(({ name, isProduction }) => [name, isProduction]))
    expect([byName.get('file-type'), byName.get('openapi-types')]).toEqual([false, false])
    expect([byName.get('@opentelemetry/api'), byName.get('exact-mirror')]).toEqual([true, true])
  })
})
