import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPackages } from '../../scripts/packages.ts'
import { thirdPartyNotices } from '../../scripts/third-party-notices.ts'

const ROOT = join(import.meta.dir, '../..')

test('the notices contain every package of the program, the list of passwords and the runtime, each with its licence text', () => {
  const parts = thirdPartyNotices(ROOT).split('='.repeat(80)).slice(1)
  const names = readPackages(ROOT)
    .filter(({ isProduction }) => isProduction)
    .map(({ name, version }) => `${name} ${version}`)
  expect(parts).toHaveLength(names.length + 2)
  for (const name of names) {
    const part = parts.find((text) => text.trim().startsWith(`${name} (`))
    expect(part).toMatch(/permission|Licensed under|Apache License|Redistribution/i)
  }
  expect(parts.at(-2)).toMatch(
    /list of the commonest passwords.*Django Software Foundation.*@zxcvbn-ts.*Permission is/s,
  )
  expect(parts.at(-1)).toMatch(/^\s*Bun \d+\.\d+\.\d+, the runtime.*LGPL/s)
})

test('the licence text of the runtime is the one in its current documentation', () => {
  const theirs = readFileSync(join(ROOT, 'node_modules/bun-types/docs/project/license.mdx'), 'utf8')
  const ours = readFileSync(join(ROOT, 'scripts/bun-licence.md'), 'utf8')
  expect(ours.trim()).toBe(theirs.replace(/^---\n.*?\n---\n/s, '').trim())
})
